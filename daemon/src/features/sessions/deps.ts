import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Backlog } from '../../db/backlog.ts';
import type { NewEvent } from '../../db/change.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { PrepareTextQuery } from '../../db/text-query.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Participant } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb } from '../../db/open-store.ts';
import type { SessionRow } from './sessions.store.ts';
import type { Leaver } from './sharing/ports.ts';

/** What sessions need of the rest of the daemon. */
export interface SessionsWorld {
  record(db: WriteDb, event: NewEvent): void;
  /** A query about texts that are no memories. */
  otherQuery: PrepareTextQuery;
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
  /** How the person of an account is called: by e-mail address where this machine is linked, else as the system calls who runs it. */
  personOf: (account: AccountId) => string;
}

export interface SessionsDeps {
  store: Store;
  clock: Clock;
  world: SessionsWorld;
}
