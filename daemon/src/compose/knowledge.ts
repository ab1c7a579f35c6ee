import type { AccountId } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ReadDb, Store, WriteDb } from '../db/open-store.ts';
import {
  type BackgroundExtractor,
  createBackgroundExtractor,
} from '../features/knowledge/background-extractor.ts';
import { createExtractionQueue, type ExtractionState } from '../features/knowledge/extraction-queue.ts';
import type { AskFacts } from '../features/ask/ports.ts';
import type { Fact } from '../features/knowledge/fact.ts';
import { knowledgeRoutes } from '../features/knowledge/knowledge.routes.ts';
import { lookup, lookupIn } from '../features/knowledge/knowledge.service.ts';
import { countWaitingMemories, queueMemory, withdrawMemory } from '../features/knowledge/knowledge.store.ts';
import { addressesOf } from '../features/knowledge/links.store.ts';
import { namespacesOf } from '../features/memories/narrowing.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Part } from './parts.ts';

export interface KnowledgeParts {
  store: Store;
  clock: Clock;
  log: Log;
  /** Tests bring their own. */
  background?: BackgroundExtractor | undefined;
}

export interface KnowledgePart extends Part {
  /** What a write calls in its transaction: the memory's facts are withdrawn, and found anew in the background. */
  changed(db: WriteDb, memory: { account: AccountId; id: number }): void;
  /** Takes out what a memory said, and does not look for it any more. */
  withdrawn(db: WriteDb, memory: { id: number }): void;
  start(): Stop;
  /** Memories whose facts are still to be found. */
  pending(account?: AccountId): number;
  /** How finding facts does, and whose text stopped it. */
  state(): ExtractionState;
  /** Where the memories of an account stand on whose text finding facts broke. */
  skipped(account: AccountId): { namespace: string; key: string }[];
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
  /** The same for ask. */
  readonly forAsk: AskFacts;
}

/** Joins the parts of knowledge; the composition root holds it. */
export function createKnowledge({
  store,
  clock,
  log,
  background = createBackgroundExtractor(),
}: KnowledgeParts): KnowledgePart {
  const queue = createExtractionQueue({ store, clock, log, background });
  const find: KnowledgePart['lookup'] = (db, account, { asOf, ...wanted }) =>
    lookup(db, account, { ...wanted, asOf, now: clock.now() });
  return {
    changed(db, { account, id }) {
      queueMemory(db, account, id);
      db.afterCommit(queue.wake);
    },
    withdrawn: (db, { id }) => withdrawMemory(db, id),
    serve: ({ mount }) => knowledgeRoutes(mount, { store, clock }),
    start: () => queue.start(),
    pending: (account) => store.read((db) => countWaitingMemories(db, account)),
    state: () => queue.state(),
    skipped(account) {
      const own = queue.state().skipped.filter((one) => one.account === account);
      return store.read((db) =>
        addressesOf(
          db,
          account,
          own.map(({ id }) => id),
        ),
      );
    },
    lookup: find,
    forAsk: {
      lookup: ({ account, namespace, readable, asOf }, wanted) =>
        store
          .read((db) => {
            if (namespace !== EVERY_NAMESPACE) return find(db, account, { ...wanted, namespace, asOf });
            const places = namespacesOf(db, account, { namespace, readable });
            return lookupIn(db, account, { places, wanted: { ...wanted, asOf, now: clock.now() } });
          })
          .map(toKnown),
    },
  };
}

function toKnown(fact: Fact) {
  return {
    subject: fact.subject,
    predicate: fact.negated ? `not ${fact.predicate}` : fact.predicate,
    object: fact.object,
    valid_from: new Date(fact.validFrom).toISOString(),
    superseded: fact.supersededBy !== null,
    memoryId: fact.memoryId,
    sentence: fact.sentence,
  };
}
