import type { Insight, InsightState } from '@reverie/shared/contract/dreams';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Unfetched } from '../../platform/Fetched.tsx';
import { countOf, formatDate } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { Row, Rows } from '../../ui/Rows.tsx';
import css from './DreamsView.module.css';
import { type InsightFilter, insightsQuery, isUnderWay, jobsQuery } from './queries.ts';

interface ListProps {
  filter: InsightFilter;
  /** The namespace that a new dream would look through. */
  namespace: string;
  openId: string | undefined;
  onOpen: (insight: Insight) => void;
  onShowJobs: () => void;
  /** Undefined where this key may not. */
  onStart: (() => void) | undefined;
}

/** What dreams proposed, kind by kind, what comes up first; the next rows on demand. */
export function InsightList({ filter, namespace, openId, onOpen, onShowJobs, onStart }: ListProps) {
  const list = useInfiniteQuery(insightsQuery(filter));
  const insights = list.data?.pages.flatMap((page) => page.insights);
  if (!insights) return <Unfetched of={list} lines={6} />;
  if (insights.length === 0)
    return <Nothing status={filter.status} {...{ namespace, onShowJobs, onStart }} />;
  return (
    <>
      {groupsOf(insights).map(([heading, some]) => (
        <Fragment key={heading}>
          <h2 className={css['group']}>{heading}</h2>
          <Rows label={heading}>
            {some.map((insight) => (
              <Row
                key={insight.id}
                name={insight.title}
                isOpen={insight.id === openId}
                onOpen={() => onOpen(insight)}
                more={asideOf(insight, filter.namespace === undefined)}
              />
            ))}
          </Rows>
        </Fragment>
      ))}
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

/** The insights under their headings, in the order of the list. */
export function groupsOf(insights: readonly Insight[]): [heading: string, insights: Insight[]][] {
  return [...Map.groupBy(insights, ({ heading }) => heading)];
}

/** Below a title: when it is, or of how many memories. */
function asideOf({ due_on, evidence, namespace }: Insight, isOfAll: boolean): string {
  const what = due_on === null ? countOf(evidence.length, 'memory', 'memories') : formatDate(due_on);
  return isOfAll ? `${what} · ${namespace}` : what;
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
  status,
  namespace,
  onShowJobs,
  onStart,
}: Pick<ListProps, 'namespace' | 'onShowJobs' | 'onStart'> & { status: InsightState }) {
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
