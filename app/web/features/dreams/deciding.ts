import { acceptInsight, rejectInsight, undoInsight, type Insight } from '@reverie/shared/contract/dreams';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { notify } from '../../platform/notices.ts';

/** What can be done with an insight. */
export type Decision = 'accept' | 'reject' | 'undo';

const ROUTES = { accept: acceptInsight, reject: rejectInsight, undo: undoInsight } as const;
const DONE: Readonly<Record<Decision, string>> = {
  accept: 'Accepted: it is a memory now.',
  reject: 'Rejected: it will not be proposed again.',
  undo: 'Taken back: every memory is as it was.',
};

async function refetch(queries: QueryClient, namespace: string): Promise<void> {
  await Promise.all(
    [['dreams'], ['memories', namespace], ['namespaces']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}

/** Accepts, rejects, or takes it back; the last two can be followed by the others. */
export function useDecide() {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: ({ insight, decision }: { insight: Insight; decision: Decision }) =>
      call(ROUTES[decision], { params: { id: insight.id } }),
    onSuccess: async (changed, { decision }) => {
      queries.setQueryData(['dreams', 'insight', changed.id], changed);
      notify(
        'good',
        DONE[decision],
        decision === 'undo'
          ? undefined
          : { label: 'Undo', run: () => decide.mutate({ insight: changed, decision: 'undo' }) },
      );
      await refetch(queries, changed.namespace);
    },
    onError: (error, { decision }) =>
      notify('bad', `It was not ${decision === 'undo' ? 'taken back' : `${decision}ed`}: ${error.message}`),
  });
  return decide;
}
