import { type Backfill, createBackfill } from '../../db/backfill.ts';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { AskFacts } from '../../features/ask/ports.ts';
import { knowledgeRoutes } from '../../features/knowledge/knowledge.routes.ts';
import { lookup, subjectOf } from '../../features/knowledge/knowledge.service.ts';
import { keepFacts, withdrawFacts } from '../../features/knowledge/knowledge.store.ts';
import type { MemoryFacts } from '../../features/memories/deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Part } from '../parts.ts';

export interface KnowledgePart extends Pick<Part, 'serve'>, MemoryFacts, Backfill {
  readonly forAsk: AskFacts;
}

/** Joins the parts of knowledge; the composition root holds it. */
export function createKnowledge(deps: { store: Store; clock: Clock; log: Log }): KnowledgePart {
  const { store } = deps;
  const unread = createBackfill(deps, { name: 'facts_unread', what: 'facts', keep: keepFacts });
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
