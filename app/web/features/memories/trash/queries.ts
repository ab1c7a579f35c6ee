import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listTrash, type TrashedMemory } from '@reverie/shared/contract/memories/trash';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';

/** How many are shown; the newest ones are what somebody looks for. */
export const SHOWN = 200;
/** Characters of each that can be read before it is brought back. */
export const READ = 2_000;

export function trashQuery(namespace: string) {
  const of = namespace === EVERY_NAMESPACE ? {} : { namespace };
  return queryOptions({
    // Below the memories of the namespace: what changes those fetches this again, too.
    queryKey: ['memories', namespace, 'trash'],
    queryFn: ({ signal }) => call(listTrash, { query: { ...of, limit: SHOWN, preview: READ } }, { signal }),
  });
}

/** The id of a memory in the trash, with the time it was trashed in it: a key may be there several times. */
export function trashId({ namespace, key, trashed_at }: TrashedMemory): string {
  return JSON.stringify([namespace, key, trashed_at]);
}
