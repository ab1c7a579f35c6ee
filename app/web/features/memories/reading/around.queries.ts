import { memoryGraph, type GraphNode } from '@reverie/shared/contract/search/graph';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import type { Memory } from '@reverie/shared/contract/memories/memories';
import { queryOptions } from '@tanstack/react-query';
import { type Anatomy, anatomyOf } from '../../../ui/reading/anatomy.ts';
import { call } from '../../../platform/daemon/api.ts';
import type { MemoryAddress } from '../address.ts';

/** How far around a memory is looked for what belongs to it. */
const NEAR = 24;
/** How many of each are shown. */
const SHOWN = 8;

/** What a memory links to, what links to it, and what says its name. */
export function linksQuery({ namespace, key }: MemoryAddress) {
  return queryOptions({
    queryKey: ['memories', namespace, 'links', key],
    queryFn: ({ signal }) => call(memoryLinks, { query: { namespace, key } }, { signal }),
  });
}

/** From this weight on what is near in meaning says much the same; below it is only what is left. */
const NEAR_ENOUGH = 0.3;

/** A memory that is related to another, and why, where a dream said so. */
export interface Related {
  namespace: string;
  anatomy: Anatomy;
  key: string;
  why: string | undefined;
}

/** What belongs together with a memory: what a dream found, then what is near in meaning. */
export function togetherQuery({ namespace, key }: Memory) {
  return queryOptions({
    queryKey: ['memories', namespace, 'together', key],
    queryFn: async ({ signal }) => {
      const { nodes, links } = await call(
        memoryGraph,
        { query: { namespace, key, limit: NEAR } },
        { signal },
      );
      const found = links
        .filter(({ from, to }) => from === key || to === key)
        .filter(({ kind, weight }) => kind === 'insight' || (kind === 'similar' && weight >= NEAR_ENOUGH))
        .toSorted((a, b) => Number(b.kind === 'insight') - Number(a.kind === 'insight'))
        .flatMap(({ kind, from, to, why }): Related[] => {
          const node = nodes.find((one) => one.key === (from === key ? to : from));
          return node ? [relatedTo(node, namespace, kind === 'insight' ? why : undefined)] : [];
        });
      return found
        .filter((one, at) => at === found.findIndex((other) => other.key === one.key))
        .slice(0, SHOWN);
    },
  });
}

/** The graph knows how a memory begins. */
function relatedTo({ key, title, excerpt }: GraphNode, namespace: string, why: string | undefined): Related {
  return { namespace, key, why, anatomy: anatomyOf({ key, title, value: excerpt, truncated: true }) };
}
