import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Backlog } from '../../db/backlog.ts';
import type { NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { YieldToOthers } from '../../platform/yielding.ts';
import type { Passage } from '@reverie/shared/contract/passage';
import type { Participant } from '@reverie/shared/contract/sessions';
import type { ReadDb } from '../../db/open-store.ts';
import type { SessionRow } from './sessions.store.ts';
import type { Leaver } from './sharing/ports.ts';

/** What sessions need of the rest of the daemon. */
export interface SessionsWorld {
  record(db: WriteDb, event: NewEvent): void;
  /** A query about texts that are no memories. */
  otherQuery(asked: { account: AccountId; text: string }, index: SessionTexts): OtherQuery;
  isMachine(account: AccountId): boolean;
  /** Refuses what an account has no room for; counts what is taken. */
  makeRoom(db: WriteDb, account: AccountId, bytes: number): void;
  participantsOf(db: ReadDb, session: SessionRow): readonly Participant[];
  isShared(db: ReadDb, session: SessionRow): boolean;
  /** A session was written to, moved or deleted: what is shared of it, and who follows it, are told once that is on disk. */
  written(db: WriteDb, session: SessionRow): void;
  /** An entry that was written here was taken back. */
  removed(db: WriteDb, session: SessionRow, item: string): void;
  /** What of their texts is still to be indexed. */
  texts: Pick<Backlog, 'left' | 'settled'>;
  /** Takes secrets out of what leaves. */
  leaver: Leaver;
  /** How the person of this machine is called. */
  person: string;
}

export interface SessionsDeps {
  store: Store;
  clock: Clock;
  world: SessionsWorld;
}

/** What is known of the text index of an account's sessions. */
export interface SessionTexts {
  texts: number;
  count(match: string): number;
  occurrences(stem: string, prefix: boolean): number;
}

/** What reads texts with a query in mind; search makes it. */
export interface OtherQuery {
  /** For FTS5: any of its words; undefined where it has none. */
  match: string | undefined;
  /** Reads a text in pieces, between which others have their turn. */
  read(
    text: string,
    lexical: number,
    yieldToOthers: YieldToOthers,
  ): Promise<{ score: number; passage: Passage } | undefined>;
}
