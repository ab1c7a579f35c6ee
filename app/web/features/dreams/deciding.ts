import {
  acceptInsight,
  acceptInsights,
  type Insight,
  rejectInsight,
  rejectInsights,
  type Resolution,
  snoozeInsight,
  undoInsight,
} from '@reverie/shared/contract/dreams/dreams';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/daemon/api.ts';
import { countOf, formatDay } from '../../platform/format.ts';
import { dismiss, type Notice, notify } from '../../platform/notices.ts';
import { doneWords } from './words.ts';

/** What can be done with an insight; of two that disagree also which one is kept. `wake` ends its being put off. */
export type InsightDecision =
  { to: 'accept'; keep?: Resolution } | { to: 'snooze'; until: string } | { to: 'reject' | 'undo' | 'wake' };

interface Deciding {
  insight: Insight;
  decision: InsightDecision;
}

/** What can be done with several insights at once. */
export type GroupDecision = 'accept' | 'reject';

const NOT_DONE = {
  accept: 'accepted',
  reject: 'rejected',
  undo: 'taken back',
  snooze: 'put off',
  wake: 'taken back',
} as const;

/** What comes while another is on its way waits for its end. */
const scope = { id: 'deciding' };

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
    case 'snooze':
      return call(snoozeInsight, { params, body: { until: decision.until } });
    case 'wake':
      return call(snoozeInsight, { params, body: { until: null } });
  }
}

function told(changed: Insight, decision: InsightDecision): string {
  switch (decision.to) {
    case 'accept':
      return doneWords(changed);
    case 'reject':
      return 'Rejected: it will not be proposed again.';
    case 'undo':
      return 'Taken back: every memory is as it was.';
    case 'snooze':
      return `Put off until ${formatDay(decision.until)}.`;
    case 'wake':
      return 'It waits for a decision again.';
  }
}

/** What takes a decision back; undefined for what itself takes one back. */
export function backOf({ to }: InsightDecision): InsightDecision | undefined {
  switch (to) {
    case 'accept':
    case 'reject':
      return { to: 'undo' };
    case 'snooze':
      return { to: 'wake' };
    case 'undo':
    case 'wake':
      return undefined;
  }
}

async function refetch(queries: QueryClient, namespaces: readonly string[]): Promise<void> {
  const memories = [...new Set(namespaces)].map((namespace) => ['memories', namespace]);
  await Promise.all(
    [['dreams'], ['namespaces'], ...memories].map((queryKey) => queries.invalidateQueries({ queryKey })),
  );
}

let lastNotice: number | undefined;

/** Says what was done in the place of what was said before: two of them would contradict each other. */
function say(text: string, action?: Notice['action']): void {
  if (lastNotice !== undefined) dismiss(lastNotice);
  lastNotice = notify('good', text, action);
}

/** Decides on an insight, or takes that back; the message that says so offers to take it back. */
export function useDecide() {
  const queries = useQueryClient();
  const decide = useMutation({
    mutationFn: send,
    scope,
    onSuccess: async (changed, { decision }) => {
      queries.setQueryData(['dreams', 'insight', changed.id], changed);
      const back = backOf(decision);
      say(
        told(changed, decision),
        back && { label: 'Undo', run: () => decide.mutate({ insight: changed, decision: back }) },
      );
      await refetch(queries, [changed.namespace]);
    },
    onError: (error, { decision }) => notify('bad', `It was not ${NOT_DONE[decision.to]}: ${error.message}`),
  });
  return decide;
}

interface DecidingAll {
  insights: readonly Insight[];
  to: GroupDecision;
}

/** Decides on several insights at once, and takes that back, too; what could not be done is told by name. */
export function useDecideAll() {
  const queries = useQueryClient();
  const takeBack = useMutation({
    mutationFn: undoAll,
    scope,
    onSuccess: (failed, insights) => {
      const back = insights.length - failed.length;
      if (back > 0) say(`Taken back: ${countOf(back, 'proposal waits', 'proposals wait')} again.`);
      for (const { title, why } of failed) notify('bad', `“${title}” was not taken back: ${why}`);
      void refetch(queries, namespacesOf(insights));
    },
  });
  const decide = useMutation({
    mutationFn: ({ insights, to }: DecidingAll) =>
      call(to === 'accept' ? acceptInsights : rejectInsights, {
        body: { ids: insights.map(({ id }) => id) },
      }),
    scope,
    onSuccess: ({ insights }, { to }) => {
      if (insights.length > 0)
        say(`${countOf(insights.length, 'proposal', 'proposals')} ${NOT_DONE[to]}.`, {
          label: 'Undo',
          run: () => takeBack.mutate(insights),
        });
      for (const insight of insights) queries.setQueryData(['dreams', 'insight', insight.id], insight);
      void refetch(queries, namespacesOf(insights));
    },
    onError: (error, { to }) => notify('bad', `They were not ${NOT_DONE[to]}: ${error.message}`),
  });
  return { decide, takeBack };
}

/** Takes several decisions back, the last one first, and answers which stayed and why. */
async function undoAll(insights: readonly Insight[]): Promise<{ title: string; why: string }[]> {
  const failed: { title: string; why: string }[] = [];
  for (const { id, title } of insights.toReversed())
    try {
      await call(undoInsight, { params: { id } });
    } catch (cause) {
      failed.push({ title, why: cause instanceof Error ? cause.message : String(cause) });
    }
  return failed;
}

function namespacesOf(insights: readonly Insight[]): string[] {
  return insights.map(({ namespace }) => namespace);
}
