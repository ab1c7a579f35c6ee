import { getMemory } from '@reverie/shared/contract/memories/memories';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../platform/daemon/api.ts';
import { notify } from '../../platform/notices.ts';
import { trashing } from '../memories/trash/trash.ts';
import { refresh } from '../memories/queries.ts';
import { keepThought, type KeptThought } from './adding.ts';
import type { ThoughtsHome } from './thoughts-home.ts';

/**
 * Keeps what was written down in passing, and takes it back. Where its home is not known yet, that is waited for: a thought must not
 * end where nobody looks for it. `onKept` gets what was kept: by then more may have been written.
 */
export function useKeeping(settled: ThoughtsHome['settled'], onKept: (text: string) => void) {
  const client = useQueryClient();
  const [kept, setKept] = useState<KeptThought>();
  const keeping = useMutation({
    mutationFn: async (value: string) => keepThought(call, { namespace: await settled(), value }),
    onSuccess: (stored, value) => {
      onKept(value);
      setKept(stored);
      void refresh(client, [stored.namespace]);
    },
    onError: (error) => notify('bad', `It was not kept: ${error.message}`),
  });
  const keep = (text: string) => {
    if (text.trim() !== '' && !keeping.isPending) keeping.mutate(text.trim());
  };
  const forget = () => setKept(undefined);
  const takeBack = (stored: KeptThought) => {
    forget();
    call(getMemory, { body: stored })
      .then((memory) => trashing.move([memory]))
      .catch((error: unknown) =>
        notify('bad', `It was not taken back: ${error instanceof Error ? error.message : String(error)}`),
      );
  };
  return { keep, kept, forget, takeBack, isPending: keeping.isPending };
}
