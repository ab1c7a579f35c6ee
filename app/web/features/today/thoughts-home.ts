import { changeSettings } from '@reverie/shared/contract/system/settings';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import { tellWindows } from '../../platform/queries/windows.ts';
import { settingsQuery } from '../settings/queries.ts';

/** Where thoughts go as long as nobody chose. */
const DEFAULT = 'default';

/** Where thoughts that are written down in passing are kept, and how that is changed. */
export interface ThoughtsHome {
  /** Undefined while it is not known. */
  namespace: string | undefined;
  /** Waits until it is known. */
  settled: () => Promise<string>;
  choose: (namespace: string) => void;
}

/** The namespace of thoughts: what the person chose for every window; a session that may not see that has one of its own, for this window. */
export function useThoughtsHome(): ThoughtsHome {
  const isOwner = allows(useStore(session), 'owner');
  const client = useQueryClient();
  const { data } = useQuery({ ...settingsQuery, enabled: isOwner });
  const [own, setOwn] = useState(DEFAULT);
  const choosing = useMutation({
    mutationFn: (namespace: string) => call(changeSettings, { body: { thoughts: { namespace } } }),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings);
      tellWindows('settings');
    },
    onError: (error) => notify('bad', `Thoughts stay where they were: ${error.message}`),
  });
  if (!isOwner) return { namespace: own, settled: () => Promise.resolve(own), choose: setOwn };
  const { variables, isPending } = choosing;
  return {
    namespace: isPending ? variables : data?.thoughts.namespace,
    async settled() {
      if (isPending) return variables;
      return (await client.query({ ...settingsQuery, staleTime: 'static' })).thoughts.namespace;
    },
    choose: (namespace) => choosing.mutate(namespace),
  };
}
