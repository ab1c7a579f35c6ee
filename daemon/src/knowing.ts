import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Mount } from '@reverie/shared/http/mount';
import type { ReadDb, Store, WriteDb } from './db/open-store.ts';
import { createBackgroundExtractor } from './features/knowledge/background-extractor.ts';
import { createExtractionQueue } from './features/knowledge/extraction-queue.ts';
import type { Fact } from './features/knowledge/fact.ts';
import { knowledgeRoutes } from './features/knowledge/knowledge.routes.ts';
import { lookup } from './features/knowledge/knowledge.service.ts';
import { countWaitingMemories, queueMemory } from './features/knowledge/knowledge.store.ts';
import type { Clock, Stop } from './platform/clock.ts';
import type { Log } from './platform/log.ts';

export interface KnowingDeps {
  store: Store;
  clock: Clock;
  log: Log;
}

export interface Knowing {
  /** What a write calls in its transaction: the memory's facts are withdrawn, and found anew in the background. */
  changed(db: WriteDb, memory: { account: AccountId; id: number }): void;
  serve(mount: Mount<Caller>): void;
  start(): Stop;
  /** Memories whose facts are still to be found. */
  pending(account?: AccountId): number;
  /** Facts of things by their names, as of a time or as of now. */
  lookup(
    db: ReadDb,
    account: AccountId,
    wanted: {
      namespace: string;
      entities: readonly string[];
      terms: readonly string[];
      asOf?: number | undefined;
    },
  ): Fact[];
}

/** Joins the parts of knowledge; the composition root holds it. */
export function createKnowing({ store, clock, log }: KnowingDeps): Knowing {
  const queue = createExtractionQueue({ store, clock, log, background: createBackgroundExtractor() });
  return {
    changed(db, { account, id }) {
      queueMemory(db, account, id);
      db.afterCommit(queue.wake);
    },
    serve: (mount) => knowledgeRoutes(mount, { store, clock }),
    start: () => queue.start(),
    pending: (account) => store.read((db) => countWaitingMemories(db, account)),
    lookup: (db, account, { asOf = clock.now(), ...wanted }) => lookup(db, account, { ...wanted, asOf }),
  };
}
