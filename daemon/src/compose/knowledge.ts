import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store, WriteDb } from '../db/open-store.ts';
import type { AskFacts } from '../features/ask/ports.ts';
import { knowledgeRoutes } from '../features/knowledge/knowledge.routes.ts';
import { lookup, subjectOf } from '../features/knowledge/knowledge.service.ts';
import { keepFacts, withdrawFacts } from '../features/knowledge/knowledge.store.ts';
import { createUnread } from '../features/knowledge/unread.ts';
import type { MemoryFacts } from '../features/memories/deps.ts';
import type { Clock, Stop } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Part } from './parts.ts';

export interface KnowledgePart extends Part, MemoryFacts {
  /** Reads what an older program wrote. */
  start(): Stop;
  /** Memories whose facts are still to be read. */
  pending(account?: AccountId): number;
  readonly forAsk: AskFacts;
}

/** Joins the parts of knowledge; the composition root holds it. */
export function createKnowledge(deps: { store: Store; clock: Clock; log: Log }): KnowledgePart {
  const { store } = deps;
  const unread = createUnread(deps);
  return {
    changed: (db: WriteDb, { id }) => keepFacts(db, id),
    withdrawn: (db, { id }) => withdrawFacts(db, id),
    serve: ({ mount }) => knowledgeRoutes(mount, { store }),
    start: unread.start,
    pending: unread.pending,
    forAsk: {
      lookup: ({ account, asOf }, wanted) =>
        store
          .read((db) => lookup(db, account, { ...wanted, asOf }))
          .map((fact) => ({
            memoryId: fact.memoryId,
            subject: subjectOf(fact),
            predicate: fact.label,
            object: fact.value,
            quote: fact.quote,
          })),
    },
  };
}
