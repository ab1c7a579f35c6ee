import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { HookAgent, HookEvent } from '@reverie/shared/contract/agents/hooks';
import type { InboxMessage } from '@reverie/shared/contract/events/inbox';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import type { Project } from '../../../platform/project.ts';

/** A memory that fits what a person asked. */
export interface Relevant {
  memory: Memory;
  score: number;
  /** What of it fits; its title where nothing does. */
  passage: string;
}

/** What was put before an agent, for the receipts. */
export interface Injection {
  agent: HookAgent;
  session: string;
  event: HookEvent;
  namespace: string;
  /** What the prompt was looked for as; null at other events. */
  query: string | null;
  tokens: number;
  memories: readonly { namespace: string; key: string; reason: string; score: number | null }[];
}

/** What hooks need of the rest. */
export interface HooksWorld {
  isMachine(account: AccountId): boolean;
  /** The project that a folder belongs to. */
  projectOf(folder: string): Project | undefined;
  /** An agent works in a project, in its folder of now. */
  seen(account: AccountId, project: Project): void;
  /** What became of the code that memories are anchored to, for those that are. */
  anchors(
    account: AccountId,
    memories: readonly Memory[],
    here: Project | undefined,
  ): Promise<Map<Memory, AnchorNow[]>>;
  byId(account: AccountId, ids: readonly number[]): Map<number, Memory>;
  /** The best that are no less than a score. */
  search(
    account: AccountId,
    wanted: { namespace: string; text: string; threshold: number; limit: number },
  ): Promise<Relevant[]>;
  /** What comes up, soonest first. */
  comingUp(caller: Caller, namespace: string): readonly Insight[];
  unread(
    account: AccountId,
    wanted: { namespace: string; notFrom: string },
  ): { unread: number; messages: readonly InboxMessage[] };
  propose(
    caller: Caller,
    message: { namespace: string; from: string; kind: string; payload: JsonObject },
  ): void;
  injected(caller: Caller, injection: Injection): void;
}
