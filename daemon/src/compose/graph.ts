import type { Store } from '../db/open-store.ts';
import { graphRoutes } from '../features/graph/graph.routes.ts';
import type { FindLinks } from '../features/graph/graph.service.ts';
import { nearMemories } from '../features/graph/near.ts';
import { insightLinks } from '../features/dreams/insights/links.store.ts';
import { factLinks } from '../features/knowledge/links.store.ts';
import { sessionNeighbours } from '../features/memories/session-links.store.ts';
import { memoriesOfChunks } from '../features/search/candidates.store.ts';
import type { Segments } from '../features/search/segments.ts';
import type { Part } from './parts.ts';

/** Links of one kind that a memory has at most. */
const EACH = 8;
/** Everything has nearest ones, so that more of them would hide what is said. */
const NEAREST = 4;
/** How strong a link is: a session and a dream's insight are said, what is near is only likely. */
const NEAR = 0.6;
const WEIGHT = { session: 0.9, fact: 0.7 } as const;

/** What the features know of links between memories. */
function linkFinders(segments: Segments): FindLinks[] {
  return [
    (db, at) =>
      sessionNeighbours(db, at).map(({ id, session }) => ({
        to: id,
        kind: 'session',
        why: `next to it in the session ${session}`,
        weight: WEIGHT.session,
      })),
    (db, at) =>
      insightLinks(db, { ...at, limit: EACH }).map(({ memory_id, title, confidence }) => ({
        to: memory_id,
        kind: 'insight',
        why: title,
        weight: confidence,
      })),
    (db, at) =>
      factLinks(db, { ...at, limit: EACH }).map(({ memory_id, subject }) => ({
        to: memory_id,
        kind: 'fact',
        why: `both say something of ${subject}`,
        weight: WEIGHT.fact,
      })),
    (db, at) => {
      const segment = segments.of(db, at.namespaceId);
      const vectors = {
        dimensions: segment.dimensions,
        search: (vector: Float32Array, k: number) => segment.search(vector, k),
        memoriesOf: (ids: readonly number[]) => memoriesOfChunks(db, [...ids]),
      };
      return nearMemories(db, vectors, { memoryId: at.memoryId, limit: NEAREST }).map(
        ({ memoryId, cosine }, rank) => ({
          to: memoryId,
          kind: 'similar',
          why: `number ${rank + 1} of the nearest in meaning`,
          weight: Math.min(1, Math.max(0, cosine)) * NEAR,
        }),
      );
    },
  ];
}

/** Joins the graph with what the features know of links between memories. */
export function createGraph({ store, segments }: { store: Store; segments: Segments }): Part {
  return { serve: ({ mount }) => graphRoutes(mount, { store, finders: linkFinders(segments) }) };
}
