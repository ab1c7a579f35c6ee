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
    namespace,
    status: insightStates.find((one) => one === place.status) ?? 'proposed',
    strategy: strategies.find((one) => one === place.strategy),
  };
  const isOpen = place.insight !== undefined || place.panel === 'health';
  const close = () => go({ insight: undefined, panel: undefined });
  const showJobs = () => go({ insight: undefined, panel: 'health' });
  const start = () => setStarting(true);
  const { move, act, decide, isBusy } = useWorkingOff(filter, { openId: place.insight, canWrite, go });
  useEffect(() => {
    document.title = 'Dreams · Reverie';
  }, []);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => act({ to: 'accept' }),
    r: () => act({ to: 'reject' }),
    u: () => act({ to: 'undo' }),
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
        tools={<DreamTools namespaces={namespaces} filter={filter} onShowJobs={showJobs} onStart={onStart} />}
        list={
          <SplitBody>
            <InsightList
              filter={filter}
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
              onDecide={decide}
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
}

/** Going through the list by keyboard: to the next one, a decision on the open one, and the last decision taken back. */
function useWorkingOff(filter: Parameters<typeof insightsQuery>[0], { openId, canWrite, go }: Working) {
  const insights = useInfiniteQuery(insightsQuery(filter)).data?.pages.flatMap((page) => page.insights) ?? [];
  const mutation = useDecide();
  const at = insights.findIndex(({ id }) => id === openId);
  const open = insights[at];

  function move(step: number): void {
    const to = insights[Math.min(insights.length - 1, Math.max(0, at + step))];
    if (to) go({ insight: to.id, panel: undefined }, { replace: true });
  }

  /** The last decision, once the list has gone on to the next insight. */
  function takeBack(): void {
    const { data: last, variables } = mutation;
    if (!last || variables.decision.to === 'undo' || last.namespace !== filter.namespace) return;
    const show = () => go({ insight: last.id }, { replace: true });
    mutation.mutate({ insight: last, decision: { to: 'undo' } }, { onSuccess: show });
  }

  function act(decision: Decision): void {
    if (!canWrite || mutation.isPending) return;
    const isUndo = decision.to === 'undo';
    if (isUndo && (!open || open.status === 'proposed')) return takeBack();
    if (!open || isUndo === (open.status === 'proposed')) return;
    // On to the next one, as a list is worked through; who looks at something else by then stays there.
    const next = insights[at + 1] ?? insights[at - 1];
    const moveOn = (now: Place) => (now.insight === open.id ? { insight: next?.id } : {});
    mutation.mutate({ insight: open, decision }, { onSuccess: () => go(moveOn, { replace: true }) });
  }

  return {
    move,
    act,
    decide: (insight: Insight, decision: Decision) => mutation.mutate({ insight, decision }),
    isBusy: mutation.isPending,
  };
}
