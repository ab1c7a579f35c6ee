import { memoryGraph, type GraphNode } from '@reverie/shared/contract/graph';
import { memoryLinks } from '@reverie/shared/contract/links';
import type { Memory } from '@reverie/shared/contract/memories';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../platform/api.ts';
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

/** What a dream said, or proposes, belongs together with a memory, and why. */
export function togetherQuery({ namespace, key }: Memory) {
  return queryOptions({
    queryKey: ['memories', namespace, 'together', key],
    queryFn: async ({ signal }) => {
      const { nodes, links } = await call(
        memoryGraph,
        { query: { namespace, key, limit: NEAR } },
        { signal },
      );
      return links
        .filter(({ kind, from, to }) => kind === 'insight' && (from === key || to === key))
        .flatMap(({ from, to, why }) => {
          const node = nodes.find((one) => one.key === (from === key ? to : from));
          return node ? [{ ...titled(node, namespace), why }] : [];
        })
        .slice(0, SHOWN);
    },
  });
}

/** The graph knows how a memory begins; its title is the first line of that. */
function titled({ key, excerpt }: GraphNode, namespace: string): MemoryAddress & { title: string } {
  const [first = ''] = excerpt.trim().split('\n');
  return { namespace, key, title: first.replace(/^#{1,6}\s+/u, '') };
}
