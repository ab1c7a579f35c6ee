import { changeNamespace, type NamespaceColour } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { tellWindows } from '../../platform/queries/windows.ts';
import { namespacesQuery } from './queries.ts';

interface FaceChange {
  colour?: NamespaceColour | null;
  sign?: string | null;
}

/** Changes how a namespace looks, in every window; null lets Reverie choose. */
export function useChangeFace(namespace: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: FaceChange) => call(changeNamespace, { params: { namespace }, body }),
    onSuccess: async () => {
      tellWindows('namespaces');
      await queries.invalidateQueries({ queryKey: namespacesQuery.queryKey });
    },
  });
}
