import { health } from '@reverie/shared/contract/system';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** How the daemon is, asked seldom, and often while its disk is full: it is no request of the account's day. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => call(health, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.storage.state === 'full' ? 2_000 : 15_000),
});
