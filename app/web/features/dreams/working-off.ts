import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { formatCount } from '../../platform/format.ts';
import type { Place, useGo } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { backOf, type InsightDecision, useDecide, useDecideAll } from './deciding.ts';
import { groupsOf } from './InsightList.tsx';
import { type InsightFilter, insightsQuery, isCalendar, isSnoozed } from './queries.ts';

interface Working {
  filter: InsightFilter;
  openId: string | undefined;
  canWrite: boolean;
  go: ReturnType<typeof useGo>;
  /** Whether nothing else than the desk is asked for. */
  isAtDesk: boolean;
}

/** What was decided last, while it can be taken back. */
type Last =
  { kind: 'one'; insight: Insight; back: InsightDecision } | { kind: 'group'; insights: readonly Insight[] };

/** What is asked for before it is decided: until when, or whether all of a kind. */
export type Asked =
  { kind: 'snooze'; insight: Insight } | { kind: 'group'; heading: string; insights: readonly Insight[] };

/** Wide enough that a list and what is open of it stand beside each other. */
const BESIDE = '(width >= 56rem)';

/** Works through the list of insights: goes to the next one, decides on the open one or on all of its kind, and takes the last decision back. */
export function useWorkingOff({ filter, openId, canWrite, go, isAtDesk }: Working) {
  const list = useInfiniteQuery(insightsQuery(filter));
  const insights = list.data?.pages.flatMap((page) => page.insights) ?? [];
  const mutation = useDecide();
  const all = useDecideAll();
  const [last, setLast] = useState<Last>();
  const [asked, setAsked] = useState<Asked>();
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
    if (!last) return;
    setLast(undefined);
    if (last.kind === 'group') return all.takeBack.mutate(last.insights);
    const { insight, back } = last;
    if (filter.namespace !== undefined && insight.namespace !== filter.namespace) return;
    const show = () => go({ insight: insight.id }, { replace: true });
    mutation.mutate({ insight, decision: back }, { onSuccess: show });
  }

  function decide(insight: Insight, decision: InsightDecision): void {
    // On to the next one, as a list is worked through; who looks at something else by then stays there.
    const here = insights.findIndex(({ id }) => id === insight.id);
    const next = here < 0 ? undefined : (insights[here + 1] ?? insights[here - 1]);
    const moveOn = (now: Place) => (now.insight === insight.id && next ? { insight: next.id } : {});
    mutation.mutate(
      { insight, decision },
      {
        onSuccess: (changed) => {
          const back = backOf(decision);
          setLast(back && { kind: 'one', insight: changed, back });
          go(moveOn, { replace: true });
        },
      },
    );
  }

  /** A key that decides, where it means something for what is open. */
  function act(decision: InsightDecision): void {
    if (!canWrite || mutation.isPending || open?.status !== 'proposed') return;
    const isPair = open.change?.kind === 'disagree';
    // Of two that disagree one is kept, or both; of others there is nothing to choose.
    if (decision.to === 'accept' && decision.keep !== undefined && !isPair) return;
    decide(open, decision);
  }

  /** Takes back what was decided on the open one; where nothing was, the last decision. */
  function back(): void {
    if (!canWrite || mutation.isPending) return;
    if (open && open.status !== 'proposed') decide(open, { to: 'undo' });
    else if (open && isSnoozed(open, Date.now())) decide(open, { to: 'wake' });
    else takeBack();
  }

  const snooze = () => canWrite && open?.status === 'proposed' && setAsked({ kind: 'snooze', insight: open });
  const askGroup = (heading: string) => {
    const some = groupsOf(insights).find(([of]) => of === heading)?.[1] ?? [];
    if (canWrite && some.length > 1) setAsked({ kind: 'group', heading, insights: some });
  };
  const isDecidable = filter.shelf === 'waiting' && !isCalendar(filter);
  // Of what waits the daemon counts all, as everywhere on the page; of the rest those that are listed, once they all are.
  const isWhole = filter.shelf === 'waiting' && filter.strategy === undefined;
  const total = isWhole ? list.data?.pages.at(-1)?.waiting : list.hasNextPage ? undefined : insights.length;
  /** `2 of 9`. */
  const where =
    at < 0 || isCalendar(filter) || total === undefined
      ? undefined
      : `${formatCount(at + 1)} of ${formatCount(total)}`;
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => act({ to: 'accept' }),
    o: () => act({ to: 'accept', keep: 'older' }),
    b: () => act({ to: 'accept', keep: 'both' }),
    r: () => act({ to: 'reject' }),
    s: snooze,
    A: () => isDecidable && open && askGroup(open.heading),
    u: back,
    z: back,
  });
  return {
    decide,
    where,
    asked,
    all,
    /** Whether nothing lies on this shelf. */
    isEmpty: list.data !== undefined && insights.length === 0 && !list.hasNextPage,
    isBusy: mutation.isPending,
    ask: (insight: Insight) => setAsked({ kind: 'snooze', insight }),
    onGroup: isDecidable && canWrite ? askGroup : undefined,
    onAsked: () => setAsked(undefined),
    onDecidedAll: (some: readonly Insight[]) => setLast({ kind: 'group', insights: some }),
  };
}
