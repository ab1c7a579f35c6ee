import type { Store } from '../../db/open-store.ts';
import { graphRoutes } from '../../features/graph/graph.routes.ts';
import { linkFinders } from '../../features/graph/links.ts';
import { insightLinks } from '../../features/dreams/insights/links.store.ts';
import { factLinks } from '../../features/knowledge/links.store.ts';
import { sessionNeighbours } from '../../features/memories/reading/session-links.store.ts';
import { memoriesOfChunks } from '../../features/search/ranking/candidates.store.ts';
import type { Segments } from '../../features/search/vectors/segments.ts';
import type { LinksPart } from '../memories/links.ts';
import type { Part } from '../parts.ts';

/** Joins the graph with what the features know of links between memories. */
export function createGraph({
  store,
  segments,
  links,
}: {
  store: Store;
  segments: Segments;
  links: LinksPart['forGraph'];
}): Part {
  const finders = linkFinders({
    links: (db, { memoryId, limit, ...within }) => links(db, { ...within, id: memoryId }, limit),
    session: sessionNeighbours,
    insights: insightLinks,
    facts: factLinks,
    vectors(db, namespaceId) {
      const segment = segments.of(db, namespaceId);
      return {
        dimensions: segment.dimensions,
        search: (vector, k) => segment.search(vector, k),
        memoriesOf: (ids) => memoriesOfChunks(db, [...ids]),
      };
    },
  });
  return { serve: ({ mount }) => graphRoutes(mount, { store, finders }) };
}
