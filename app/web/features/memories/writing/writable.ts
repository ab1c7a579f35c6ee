import { listFolders } from '@reverie/shared/contract/memories/folders';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../platform/daemon/api.ts';
import { allows, session } from '../../../platform/daemon/session.ts';
import { useStore } from '../../../platform/store.ts';
import type { MemoryAddress } from '../address.ts';

/** Why a memory is only read here, in a sentence; undefined where it can be written. */
export function useWhyNotWritten({ namespace, key }: MemoryAddress): string | undefined {
  const now = useStore(session);
  const canWrite = allows(now, 'write');
  const isOfFile = /\.(?:md|markdown)$/iu.test(key);
  // Only the owner of the machine knows its folders.
  const { data: folders = [] } = useQuery({
    queryKey: ['folders', 'writable'],
    queryFn: async ({ signal }) => (await call(listFolders, {}, { signal })).folders,
    enabled: canWrite && isOfFile && allows(now, 'owner'),
    staleTime: 30_000,
  });
  if (!canWrite) return 'You can only read this: the key that you signed in with allows no more.';
  const folder = folders.find((one) => one.namespace === namespace && one.sync === 'in');
  if (!folder || !isOfFile) return undefined;
  return `This note is a file of ${folder.path}, which Reverie only reads. Change the file, or let the folder go both ways under Folders.`;
}
