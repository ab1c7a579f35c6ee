import type { Insight } from '@reverie/shared/contract/dreams';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Place, useGo } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { type InsightDecision, useDecide } from './deciding.ts';
import { type InsightFilter, insightsQuery } from './queries.ts';

interface Working {
  filter: InsightFilter;
  openId: string | undefined;
  canWrite: boolean;
  go: ReturnType<typeof useGo>;
  /** Whether nothing else than the desk is asked for. */
  isAtDesk: boolean;
}

/** Wide enough that a list and what is open of it stand beside each other. */
const BESIDE = '(width >= 56rem)';

/** Works through the list of insights: goes to the next one, decides on the open one, and takes the last decision back. */
export function useWorkingOff({ filter, openId, canWrite, go, isAtDesk }: Working) {
  const list = useInfiniteQuery(insightsQuery(filter));
  const insights = list.data?.pages.flatMap((page) => page.insights) ?? [];
  const mutation = useDecide();
  const at = insights.findIndex(({ id }) => id === openId);
  const open = insights[at];
  const first = insights[0]?.id;
  const isIdle = isAtDesk && openId === undefined && first !== undefined;
  useEffect(() => {
    // The first one lies on the desk already, as on a real one.
    if (isIdle && matchMedia(BESIDE).matches) go({ insight: first }, { replace: true });
  }, [isIdle, first, go]);

  function move(step: number): void {
    const to = insights[Math.min(insights.length - 1, Math.max(0, at + step))];
    if (to) go({ insight: to.id, panel: undefined }, { replace: true });
  }

  /** The last decision, once the list has gone on to the next insight. */
  function takeBack(): void {
    const { data: last, variables } = mutation;
    if (!last || variables.decision.to === 'undo') return;
    if (filter.namespace !== undefined && last.namespace !== filter.namespace) return;
    const show = () => go({ insight: last.id }, { replace: true });
    mutation.mutate({ insight: last, decision: { to: 'undo' } }, { onSuccess: show });
  }

  function decide(insight: Insight, decision: InsightDecision): void {
    // On to the next one, as a list is worked through; who looks at something else by then stays there.
    const here = insights.findIndex(({ id }) => id === insight.id);
    const next = here < 0 ? undefined : (insights[here + 1] ?? insights[here - 1]);
    const moveOn = (now: Place) => (now.insight === insight.id && next ? { insight: next.id } : {});
    mutation.mutate({ insight, decision }, { onSuccess: () => go(moveOn, { replace: true }) });
  }

  function act(decision: InsightDecision): void {
    if (!canWrite || mutation.isPending) return;
    const isUndo = decision.to === 'undo';
    if (isUndo && (!open || open.status === 'proposed')) return takeBack();
    if (!open || isUndo === (open.status === 'proposed')) return;
    const isPair = open.change?.kind === 'disagree';
    // Of two that disagree one is kept, or both; of others there is nothing to choose.
    if (decision.to === 'accept' && decision.keep !== undefined && !isPair) return;
    decide(open, decision);
  }

  /** `2 of 9`. */
  const where = at < 0 ? undefined : `${at + 1} of ${insights.length}${list.hasNextPage ? '+' : ''}`;
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => act({ to: 'accept' }),
    o: () => act({ to: 'accept', keep: 'older' }),
    b: () => act({ to: 'accept', keep: 'both' }),
    r: () => act({ to: 'reject' }),
    u: () => act({ to: 'undo' }),
    z: () => act({ to: 'undo' }),
  });
  return { decide, isBusy: mutation.isPending, where };
}
