import { insightStates, type Insight } from '@reverie/shared/contract/dreams';
import { strategies } from '@reverie/shared/contract/dream-strategies';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ToggleGroup } from 'radix-ui';
import { useEffect, useState } from 'react';
import { countOf } from '../../platform/format.ts';
import { type Place, useGo, usePlace } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import choice from '../../ui/Choice.module.css';
import { Frame } from '../../ui/Frame.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { Row, Rows, RowsHead } from '../../ui/Rows.tsx';
import { Split, SplitBody } from '../../ui/Split.tsx';
import { useDecide } from './deciding.ts';
import css from './DreamsView.module.css';
import { Health } from './Health.tsx';
import { InsightDetail } from './InsightDetail.tsx';
import { Jobs } from './Jobs.tsx';
import { insightsQuery, isUnderWay, jobsQuery } from './queries.ts';
import { StartDream } from './StartDream.tsx';
import { excerptOf } from './words.ts';

interface DreamsProps {
  namespaces: readonly string[];
  namespace: string;
  canWrite: boolean;
}

/** What dreams proposed, one by one, to be accepted or rejected; beside it the jobs and how tidy the namespace is. */
export default function DreamsView({ namespaces, namespace, canWrite }: DreamsProps) {
  const place = usePlace();
  const go = useGo('/dreams');
  const [starting, setStarting] = useState(false);
  const status = insightStates.find((one) => one === place.status) ?? 'proposed';
  const strategy = strategies.find((one) => one === place.strategy);
  const list = useInfiniteQuery(insightsQuery({ namespace, status, strategy }));
  const insights = list.data?.pages.flatMap((page) => page.insights);
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  const decide = useDecide();
  const at = insights?.findIndex(({ id }) => id === place.insight) ?? -1;
  const isOverview = place.panel === 'health';
  const close = () => go({ insight: undefined, panel: undefined });
  const open = (insight: Insight | undefined) =>
    insight && go({ insight: insight.id, panel: undefined }, { replace: true });
  const move = (step: number) => {
    if (!insights || insights.length === 0) return;
    open(insights[Math.min(insights.length - 1, Math.max(0, at + step))]);
  };
  /** The last decision, once the list has gone on to the next insight. */
  const takeBack = () => {
    const { data: last, variables } = decide;
    if (!last || variables.decision === 'undo' || last.namespace !== namespace) return;
    decide.mutate(
      { insight: last, decision: 'undo' },
      { onSuccess: () => go({ insight: last.id }, { replace: true }) },
    );
  };
  const act = (decision: 'accept' | 'reject' | 'undo') => {
    const insight = insights?.[at];
    if (!canWrite || decide.isPending) return;
    if (decision === 'undo' && insight?.status !== 'accepted' && insight?.status !== 'rejected')
      return takeBack();
    if (!insight || (decision === 'undo') === (insight.status === 'proposed')) return;
    // On to the next one, as a list is worked through; who looks at something else by then stays there.
    const next = insights[at + 1] ?? insights[at - 1];
    const moveOn = (now: Place) => (now.insight === insight.id ? { insight: next?.id } : {});
    decide.mutate({ insight, decision }, { onSuccess: () => go(moveOn, { replace: true }) });
  };
  useEffect(() => {
    document.title = 'Dreams · Reverie';
  }, []);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => act('accept'),
    r: () => act('reject'),
    u: () => act('undo'),
    n: () => canWrite && setStarting(true),
    Escape: () => (place.insight !== undefined || isOverview) && close(),
  });
  return (
    <>
      <Split
        labels={['Insights', 'Open insight']}
        isOpen={place.insight !== undefined || isOverview}
        tools={
          <>
            <RowsHead title="Dreams">
              <IconButton
                icon="pulse"
                label="Health and jobs"
                onClick={() => go({ insight: undefined, panel: 'health' })}
              />
              {canWrite && (
                <IconButton
                  icon="moon"
                  look="strong"
                  label="Start a dream"
                  shortcut="n"
                  onClick={() => setStarting(true)}
                />
              )}
            </RowsHead>
            <div className={css['filters']}>
              <select
                aria-label="Namespace"
                dir="auto"
                value={namespace}
                onChange={(event) => go({ namespace: event.target.value, insight: undefined })}
              >
                {[...new Set([namespace, ...namespaces])].map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
              <select
                aria-label="Strategy"
                value={strategy ?? ''}
                onChange={(event) =>
                  go({
                    strategy: event.target.value === '' ? undefined : event.target.value,
                    insight: undefined,
                  })
                }
              >
                <option value="">All strategies</option>
                {strategies.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </select>
            </div>
            <ToggleGroup.Root
              type="single"
              className={choice['group']}
              aria-label="State"
              value={status}
              onValueChange={(next) =>
                next !== '' && go({ status: next === 'proposed' ? undefined : next, insight: undefined })
              }
            >
              {insightStates.map((one) => (
                <ToggleGroup.Item key={one} value={one} className={choice['one']}>
                  {one}
                </ToggleGroup.Item>
              ))}
            </ToggleGroup.Root>
          </>
        }
        list={
          <SplitBody>
            {!insights ? (
              list.isError ? (
                <Trouble error={list.error} retry={() => void list.refetch()} />
              ) : (
                <Skeleton lines={6} />
              )
            ) : insights.length === 0 ? (
              <Message
                icon="moon"
                title={
                  status !== 'proposed'
                    ? `Nothing ${status} yet`
                    : isDreaming
                      ? 'A dream is under way'
                      : 'Nothing to decide'
                }
              >
                {status === 'proposed' && isDreaming && (
                  <>
                    <p>What it notices is shown here, strategy by strategy.</p>
                    <Button icon="pulse" onClick={() => go({ insight: undefined, panel: 'health' })}>
                      Show how far it is
                    </Button>
                  </>
                )}
                {status === 'proposed' && !isDreaming && (
                  <p>
                    A dream looks through a namespace for duplicates, contradictions, patterns and what is
                    due. It changes nothing: it proposes.
                  </p>
                )}
                {status === 'proposed' && canWrite && !isDreaming && (
                  <Button icon="moon" look="strong" onClick={() => setStarting(true)}>
                    Start a dream
                  </Button>
                )}
              </Message>
            ) : (
              <>
                <Rows label="Insights">
                  {insights.map((insight) => (
                    <Row
                      key={insight.id}
                      name={insight.title}
                      badge={insight.winner && <Badge tone="violet">winner</Badge>}
                      isOpen={insight.id === place.insight}
                      onOpen={() => open(insight)}
                      excerpt={excerptOf(insight)}
                      more={`${insight.strategy} · ${Math.round(insight.confidence * 100)} % sure · ${countOf(insight.evidence.length, 'memory', 'memories')}`}
                    />
                  ))}
                </Rows>
                {list.hasNextPage && (
                  <div className={css['moreRows']}>
                    <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                      Show more
                    </Button>
                  </div>
                )}
              </>
            )}
          </SplitBody>
        }
        detail={
          place.insight !== undefined ? (
            <InsightDetail
              key={place.insight}
              id={place.insight}
              canWrite={canWrite}
              isBusy={decide.isPending}
              onDecide={(insight, decision) => decide.mutate({ insight, decision })}
              onClose={close}
            />
          ) : (
            <Frame title={`Health of ${namespace}`} onClose={close}>
              <div className={css['overview']}>
                <Health
                  namespace={namespace}
                  onStrategy={(next) => go({ strategy: next, status: undefined, panel: undefined })}
                />
                <Jobs namespace={namespace} canWrite={canWrite} onStart={() => setStarting(true)} />
              </div>
            </Frame>
          )
        }
      />
      {starting && (
        <StartDream
          namespace={namespace}
          onClose={() => setStarting(false)}
          onStarted={() => go({ insight: undefined, panel: 'health' })}
        />
      )}
    </>
  );
}
