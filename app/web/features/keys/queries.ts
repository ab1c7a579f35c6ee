import { listKeys } from '@reverie/shared/contract/accounts/keys';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await call(listKeys, {}, { signal })).keys,
});
