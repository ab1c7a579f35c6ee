import { type Insight, insightStates } from '@reverie/shared/contract/dreams';
import { strategies } from '@reverie/shared/contract/dream-strategies';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { type Place, useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Frame } from '../../ui/Frame.tsx';
import { Split, SplitBody } from '../../ui/Split.tsx';
import { type Decision, useDecide } from './deciding.ts';
import css from './DreamsView.module.css';
import { DreamTools } from './DreamTools.tsx';
import { Health } from './Health.tsx';
import { InsightDetail } from './InsightDetail.tsx';
import { InsightList } from './InsightList.tsx';
import { Jobs } from './Jobs.tsx';
import { insightsQuery } from './queries.ts';
import { StartDream } from './StartDream.tsx';

interface DreamsProps {
  namespaces: readonly string[];
  namespace: string;
  canWrite: boolean;
  /** Below the list. */
  foot?: ReactNode;
}

/** What dreams proposed, one by one, to be accepted or rejected; beside it the jobs and how tidy the namespace is. */
export default function DreamsView({ namespaces, namespace, canWrite, foot }: DreamsProps) {
  const place = usePlace();
  const go = useGo('/dreams');
  const [starting, setStarting] = useState(false);
  const filter = {
    // All of them where none is chosen: who decides does not ask first where to.
    namespace: place.namespace === undefined || place.namespace === '*' ? undefined : place.namespace,
    status: insightStates.find((one) => one === place.status) ?? 'proposed',
    strategy: strategies.find((one) => one === place.strategy),
  };
  const isOpen = place.insight !== undefined || place.panel === 'health';
  const close = () => go({ insight: undefined, panel: undefined });
  const showJobs = () => go({ insight: undefined, panel: 'health' });
  const start = () => setStarting(true);
  const { move, act, decide, isBusy, where } = useWorkingOff(filter, {
    ...{ openId: place.insight, canWrite, go },
    isAtDesk: place.panel === undefined,
  });
  useEffect(() => {
    document.title = 'Dreams · Reverie';
  }, []);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => act({ to: 'accept' }),
    o: () => act({ to: 'accept', keep: 'older' }),
    b: () => act({ to: 'accept', keep: 'both' }),
    r: () => act({ to: 'reject' }),
    u: () => act({ to: 'undo' }),
    z: () => act({ to: 'undo' }),
    n: () => canWrite && start(),
    Escape: () => isOpen && close(),
  });
  const onStart = canWrite ? start : undefined;
  return (
    <>
      <Split
        labels={['Insights', 'Open insight']}
        isOpen={isOpen}
        foot={foot}
        tools={<DreamTools {...{ namespaces, filter, onStart }} place={where} onShowJobs={showJobs} />}
        list={
          <SplitBody>
            <InsightList
              filter={filter}
              namespace={namespace}
              openId={place.insight}
              onOpen={({ id }) => go({ insight: id, panel: undefined }, { replace: true })}
              onShowJobs={showJobs}
              onStart={onStart}
            />
          </SplitBody>
        }
        detail={
          place.insight !== undefined ? (
            <InsightDetail
              key={place.insight}
              id={place.insight}
              canWrite={canWrite}
              isBusy={isBusy}
              onDecide={(insight, decision) => decide(insight, decision)}
              onClose={close}
            />
          ) : (
            <Frame title={`Health of ${namespace}`} onClose={close}>
              <div className={css['overview']}>
                <Health
                  namespace={namespace}
                  onStrategy={(next) => go({ strategy: next, status: undefined, panel: undefined })}
                />
                <Jobs namespace={namespace} canWrite={canWrite} onStart={start} />
              </div>
            </Frame>
          )
        }
      />
      {starting && (
        <StartDream namespace={namespace} onClose={() => setStarting(false)} onStarted={showJobs} />
      )}
    </>
  );
}

interface Working {
  openId: string | undefined;
  canWrite: boolean;
  go: ReturnType<typeof useGo>;
  /** Whether nothing else than the desk is asked for. */
  isAtDesk: boolean;
}

/** Wide enough that a list and what is open of it stand beside each other. */
const BESIDE = '(width >= 56rem)';

/** Working the list off: to the next one, a decision on the open one, and the last decision taken back. */
function useWorkingOff(
  filter: Parameters<typeof insightsQuery>[0],
  { openId, canWrite, go, isAtDesk }: Working,
) {
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

  function decide(insight: Insight, decision: Decision): void {
    // On to the next one, as a list is worked through; who looks at something else by then stays there.
    const here = insights.findIndex(({ id }) => id === insight.id);
    const next = here < 0 ? undefined : (insights[here + 1] ?? insights[here - 1]);
    const moveOn = (now: Place) => (now.insight === insight.id && next ? { insight: next.id } : {});
    mutation.mutate({ insight, decision }, { onSuccess: () => go(moveOn, { replace: true }) });
  }

  function act(decision: Decision): void {
    if (!canWrite || mutation.isPending) return;
    const isUndo = decision.to === 'undo';
    if (isUndo && (!open || open.status === 'proposed')) return takeBack();
    if (!open || isUndo === (open.status === 'proposed')) return;
    const isPair = open.change?.kind === 'disagree';
    // Of two that disagree one is kept, or both; of others there is nothing to choose.
    if (decision.to === 'accept' && decision.keep !== undefined && !isPair) return;
    decide(open, decision);
  }

  const where = at < 0 ? undefined : `${at + 1} of ${insights.length}${list.hasNextPage ? '+' : ''}`;
  return { move, act, decide, isBusy: mutation.isPending, where };
}
