import { listDevices } from '@reverie/shared/contract/sync/devices';
import { listKeys } from '@reverie/shared/contract/accounts/keys';
import { syncStatus } from '@reverie/shared/contract/sync/sync';
import type { Names } from '@reverie/shared/contract/events/actor-words';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';

/** The names of keys and devices by their ids, to say who did something; only the owner may ask for them. */
export const namesQuery = queryOptions({
  queryKey: ['keys', 'names'],
  queryFn: async ({ signal }): Promise<Names> => {
    const [{ keys }, devices] = await Promise.all([call(listKeys, {}, { signal }), knownDevices(signal)]);
    return new Map([...keys, ...devices].map(({ id, name }) => [id, name]));
  },
});

/** The devices of a home that is linked; no others can have done anything. */
async function knownDevices(signal: AbortSignal) {
  const { relay } = await call(syncStatus, {}, { signal });
  return relay === null ? [] : (await call(listDevices, {}, { signal })).devices;
}

const NOBODY: Names = new Map();

/** The names that this session may know, where any are wanted; undefined while they are on their way, so that no line changes its subject a moment later. */
export function useNames(areWanted = true): Names | undefined {
  const isAsking = allows(useStore(session), 'owner') && areWanted;
  const { data, isError } = useQuery({ ...namesQuery, enabled: isAsking });
  return isAsking && !isError ? data : NOBODY;
}
