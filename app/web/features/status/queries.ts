import { health, status } from '@reverie/shared/contract/system/system';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** The daemon's health, fetched every 15 s, or every 2 s while its disk is full; it does not count as a request of the account's day. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => call(health, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.storage.state === 'full' ? 2_000 : 15_000),
});

/** What is stored, and how the daemon does: looked at again every few seconds. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call(status, {}, { signal }),
  refetchInterval: 5_000,
});
