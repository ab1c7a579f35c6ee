import { memoryGraph, type GraphNode } from '@reverie/shared/contract/graph';
import type { Memory } from '@reverie/shared/contract/memories';
import { searchMemories } from '@reverie/shared/contract/search';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../platform/api.ts';
import { type MemoryAddress, isSame } from '../address.ts';
import { isLinkTo } from './links.ts';

/** Memories that name a key, of which those that link to it are picked; and how much of each is read for that. */
const LOOKED_AT = 40;
const READ = 10_000;
/** How far around a memory is looked for what belongs to it. */
const NEAR = 24;
/** How many of each are shown. */
const SHOWN = 8;

/** Memories of the same namespace in which `[[key]]` stands. */
export function linksHereQuery({ namespace, key }: Memory) {
  return queryOptions({
    queryKey: ['memories', namespace, 'linking', key],
    queryFn: async ({ signal }) => {
      // A quotation mark would end the exact words.
      const query = `"${key.replaceAll(/["“”]/gu, ' ')}"`;
      const body = { namespace, query, limit: LOOKED_AT, preview: READ };
      const { results } = await call(searchMemories, { body }, { signal });
      return results
        .filter((hit) => !isSame(hit, { namespace, key }) && isLinkTo(hit.value ?? '', { namespace, key }))
        .slice(0, SHOWN);
    },
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
