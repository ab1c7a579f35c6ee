import type { Insight, InsightState } from '@reverie/shared/contract/dreams';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { countOf } from '../../platform/format.ts';
import { Trouble } from '../../platform/Trouble.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { Row, Rows } from '../../ui/Rows.tsx';
import css from './DreamsView.module.css';
import { type InsightFilter, insightsQuery, isUnderWay, jobsQuery } from './queries.ts';
import { excerptOf } from './words.ts';

interface ListProps {
  filter: InsightFilter;
  openId: string | undefined;
  onOpen: (insight: Insight) => void;
  onShowJobs: () => void;
  /** Undefined where this key may not. */
  onStart: (() => void) | undefined;
}

/** What dreams proposed, what comes up first; the next rows on demand. */
export function InsightList({ filter, openId, onOpen, onShowJobs, onStart }: ListProps) {
  const list = useInfiniteQuery(insightsQuery(filter));
  const insights = list.data?.pages.flatMap((page) => page.insights);
  if (list.isError && !insights) return <Trouble error={list.error} retry={() => void list.refetch()} />;
  if (!insights) return <Skeleton lines={6} />;
  if (insights.length === 0) return <Nothing filter={filter} onShowJobs={onShowJobs} onStart={onStart} />;
  return (
    <>
      <Rows label="Insights">
        {insights.map((insight) => (
          <Row
            key={insight.id}
            name={insight.title}
            badge={insight.winner && <Badge tone="violet">look here first</Badge>}
            isOpen={insight.id === openId}
            onOpen={() => onOpen(insight)}
            excerpt={excerptOf(insight)}
            more={`${insight.heading} · ${Math.round(insight.confidence * 100)} % sure · ${countOf(insight.evidence.length, 'memory', 'memories')}`}
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
  );
}

type Emptiness = InsightState | 'dreaming';
const EMPTY: Readonly<Record<Emptiness, string>> = {
  proposed: 'Nothing to decide',
  accepted: 'Nothing accepted yet',
  rejected: 'Nothing rejected yet',
  dreaming: 'A dream is under way',
};

/** Why the list is empty, and what can be done about it. */
function Nothing({
  filter: { namespace, status },
  onShowJobs,
  onStart,
}: Pick<ListProps, 'filter' | 'onShowJobs' | 'onStart'>) {
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  const why: Emptiness = status === 'proposed' && isDreaming ? 'dreaming' : status;
  return (
    <Message icon="moon" title={EMPTY[why]}>
      {why === 'dreaming' && (
        <>
          <p>What it notices is shown here, kind by kind.</p>
          <Button icon="pulse" onClick={onShowJobs}>
            Show how far it is
          </Button>
        </>
      )}
      {why === 'proposed' && (
        <>
          <p>
            A dream looks through a namespace for what comes up, disagrees, stands there twice or keeps
            happening. It changes nothing: it proposes.
          </p>
          {onStart && (
            <Button icon="moon" look="strong" onClick={onStart}>
              Start a dream
            </Button>
          )}
        </>
      )}
    </Message>
  );
}
