import { getAttachment, memoryAttachments } from '@reverie/shared/contract/memories/attachments';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import type { MemoryAddress } from '../address.ts';

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
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('A picture could not be read')));
    reader.readAsDataURL(bytes);
  });
}
