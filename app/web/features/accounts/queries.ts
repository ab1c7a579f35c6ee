import { getMail, listAccounts, listOutbox } from '@reverie/shared/contract/accounts/accounts';
import { listMemories, listNamespaces } from '@reverie/shared/contract/memories/memories';
import { queryOptions } from '@tanstack/react-query';
import { call, callInside } from '../../platform/daemon/api.ts';

/** Signing up, confirming and being used are no events of the owner's account, so they are looked up. */
const LOOK_EVERY_MS = 5_000;
/** Memories of another account that are shown of a namespace; the rest is counted. */
const LOOKED_INTO = 50;
const PREVIEW = 400;

export const accountsQuery = queryOptions({
  queryKey: ['accounts', 'list'],
  queryFn: async ({ signal }) => (await call(listAccounts, {}, { signal })).accounts,
  refetchInterval: LOOK_EVERY_MS,
});

export const outboxQuery = queryOptions({
  queryKey: ['accounts', 'outbox'],
  queryFn: ({ signal }) => call(listOutbox, {}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
});

export function mailQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'mail', id],
    queryFn: ({ signal }) => call(getMail, { params: { id } }, { signal }),
  });
}

export function namespacesOfQuery(account: string) {
  return queryOptions({
    queryKey: ['accounts', 'namespaces', account],
    queryFn: async ({ signal }) => (await callInside(account)(listNamespaces, {}, { signal })).namespaces,
  });
}

export function memoriesOfQuery(account: string, namespace: string) {
  return queryOptions({
    queryKey: ['accounts', 'memories', account, namespace],
    queryFn: ({ signal }) =>
      callInside(account)(
        listMemories,
        { body: { namespace, limit: LOOKED_INTO, order: 'updated', preview: PREVIEW } },
        { signal },
      ),
  });
}
