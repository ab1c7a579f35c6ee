import { listFolders } from '@reverie/shared/contract/memories/folders';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** Files come and go without events of the folder itself, so it is looked at: often while a folder is read for the first time. */
const MOVING_MS = 500;
const CALM_MS = 5_000;

export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: async ({ signal }) => (await call(listFolders, {}, { signal })).folders,
  refetchInterval: ({ state }) =>
    state.data?.some((folder) => folder.state.kind === 'catching_up') ? MOVING_MS : CALM_MS,
});
