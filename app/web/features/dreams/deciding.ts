import {
  acceptInsight,
  type Insight,
  rejectInsight,
  type Resolution,
  undoInsight,
} from '@reverie/shared/contract/dreams';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { notify } from '../../platform/notices.ts';
import { doneWords } from './words.ts';

/** What can be done with an insight; of two that disagree also which one is kept. */
export type InsightDecision = { to: 'accept'; keep?: Resolution } | { to: 'reject' | 'undo' };

interface Deciding {
  insight: Insight;
  decision: InsightDecision;
}

const NOT_DONE = { accept: 'accepted', reject: 'rejected', undo: 'taken back' } as const;

function send({ insight: { id }, decision }: Deciding): Promise<Insight> {
  const params = { id };
  switch (decision.to) {
    case 'accept': {
      const { keep } = decision;
      return call(acceptInsight, { params, ...(keep && { body: { resolution: keep } }) });
    }
    case 'reject':
      return call(rejectInsight, { params });
    case 'undo':
      return call(undoInsight, { params });
  }
}

function told(changed: Insight, { to }: InsightDecision): string {
  if (to === 'accept') return doneWords(changed);
  return to === 'reject'
    ? 'Rejected: it will not be proposed again.'
    : 'Taken back: every memory is as it was.';
}

async function refetch(queries: QueryClient, namespace: string): Promise<void> {
  await Promise.all(
    [['dreams'], ['memories', namespace], ['namespaces']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}

/** Accepts or rejects an insight, or undoes that; the message that says so offers to undo the first two. */
export function useDecide() {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: send,
    // What comes while another is on its way waits for its end.
    scope: { id: 'deciding' },
    onSuccess: async (changed, { decision }) => {
      queries.setQueryData(['dreams', 'insight', changed.id], changed);
      notify(
        'good',
        told(changed, decision),
        decision.to === 'undo'
          ? undefined
          : { label: 'Undo', run: () => decide.mutate({ insight: changed, decision: { to: 'undo' } }) },
      );
      await refetch(queries, changed.namespace);
    },
    onError: (error, { decision }) => notify('bad', `It was not ${NOT_DONE[decision.to]}: ${error.message}`),
  });
  return decide;
}
