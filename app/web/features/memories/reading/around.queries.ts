import { getAttachment, memoryAttachments } from '@reverie/shared/contract/attachments';
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

/** The pictures and documents that a memory names, and that are stored. */
export function attachmentsQuery({ namespace, key }: MemoryAddress) {
  return queryOptions({
    queryKey: ['memories', namespace, 'attachments', key],
    queryFn: ({ signal }) => call(memoryAttachments, { query: { namespace, key } }, { signal }),
  });
}

/** How long the bytes of a picture that is not shown are kept, ms. */
const KEPT = 30_000;

/** A picture as an address that may be shown: no file of a note is ever a page of its own. */
export function pictureQuery(namespace: string, hash: string) {
  return queryOptions({
    queryKey: ['attachment', namespace, hash],
    queryFn: async ({ signal }) =>
      dataUrlOf(await call(getAttachment, { params: { hash }, query: { namespace } }, { signal })),
    // Its bytes have this hash for ever.
    staleTime: Infinity,
    gcTime: KEPT,
  });
}

function dataUrlOf(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('A picture could not be read')));
    reader.readAsDataURL(bytes);
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
