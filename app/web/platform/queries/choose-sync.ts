import { changeNamespace } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../daemon/api.ts';
import { notify } from '../notices.ts';

/** A choice of whether this device syncs a namespace. */
export interface SyncChoice {
  namespace: string;
  sync: boolean;
  remove_from_relay?: true;
}

/** Says whether this device syncs a namespace, from now on. */
export function useChooseSync() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ namespace, ...body }: SyncChoice) =>
      call(changeNamespace, { params: { namespace }, body }),
    onSuccess: async (_, { namespace, sync }) => {
      await queries.invalidateQueries({ queryKey: ['sync'] });
      notify('good', sync ? `${namespace} syncs on this device.` : `${namespace} stays on this device.`);
    },
    onError: ({ message }, { namespace }) =>
      notify('bad', `Whether ${namespace} syncs was not changed: ${message}`),
  });
}
