import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Insight } from '@reverie/shared/contract/dreams';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { HookAgent, HookEvent } from '@reverie/shared/contract/hooks';
import type { InboxMessage } from '@reverie/shared/contract/inbox';
import type { Memory } from '@reverie/shared/contract/memories';

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
  /** The namespace of the project that a folder belongs to. */
  projectOf(folder: string): string | undefined;
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
