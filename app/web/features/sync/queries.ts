import { syncStatus, type SyncStatus } from '@reverie/shared/contract/sync/sync';
import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { listDevices } from '@reverie/shared/contract/sync/devices';
import { listInvites, listMembers } from '@reverie/shared/contract/sync/sharing';
import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';

/** Sync goes on without events of the owner's account, so it is looked at: often while something moves. */
const MOVING_MS = 1_000;
const CALM_MS = 5_000;
/** Who is in a namespace is asked of the relay. */
const MEMBERS_MS = 15_000;
const CONFLICTS = 50;

export const statusQuery = queryOptions({
  queryKey: ['sync', 'status'],
  queryFn: ({ signal }) => call(syncStatus, {}, { signal }),
  refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? MOVING_MS : CALM_MS),
});

/** The namespaces that hold memories here, with their sizes. */
export const namespacesHereQuery = queryOptions({
  queryKey: ['sync', 'namespaces'],
  queryFn: async ({ signal }) => (await call(listNamespaces, {}, { signal })).namespaces,
});

export const devicesQuery = queryOptions({
  queryKey: ['sync', 'devices'],
  queryFn: ({ signal }) => call(listDevices, {}, { signal }),
  refetchInterval: CALM_MS,
});

export const conflictsQuery = queryOptions({
  queryKey: ['sync', 'conflicts'],
  queryFn: ({ signal }) => call(listConflicts, { query: { limit: CONFLICTS } }, { signal }),
});

export function membersQuery(namespace: string) {
  return queryOptions({
    queryKey: ['sync', 'members', namespace],
    queryFn: async ({ signal }) => (await call(listMembers, { query: { namespace } }, { signal })).members,
    refetchInterval: MEMBERS_MS,
  });
}

/** Those of the moment at which they are looked at: nothing of the list moves while it is. */
export function invitesQuery(namespace: string) {
  return queryOptions({
    queryKey: ['sync', 'invites', namespace],
    queryFn: async ({ signal }) => (await call(listInvites, { query: { namespace } }, { signal })).invites,
    gcTime: 0,
    staleTime: Infinity,
  });
}

function isMoving({ state, pending, upload, download }: SyncStatus): boolean {
  return pending > 0 || upload !== null || download !== null || state === 'connecting' || state === 'syncing';
}
