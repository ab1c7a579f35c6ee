import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../../platform/clock.ts';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { countOf, formatDate } from '../../platform/format.ts';
import { useGo } from '../../platform/place.ts';
import { Button } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { Row, Rows } from '../../ui/lists/Rows.tsx';
import css from './DreamsView.module.css';
import { daysUntil, nearness, partOf } from './due.ts';
import {
  type InsightFilter,
  insightsQuery,
  isCalendar,
  isUnderWay,
  jobsQuery,
  type Shelf,
} from './queries.ts';

/** Rows of a kind that are seen before it is unfolded. */
const SEEN = 7;

interface ListProps {
  filter: InsightFilter;
  /** The namespace that a new dream would look through. */
  namespace: string;
  openId: string | undefined;
  onOpen: (insight: Insight) => void;
  /** Decides on all of a kind at once; undefined where that is not to be decided, or this key may not. */
  onGroup: ((heading: string) => void) | undefined;
  onShowJobs: () => void;
  /** Undefined where this key may not. */
  onStart: (() => void) | undefined;
}

/** What dreams proposed, kind by kind, or what comes up as a calendar; the next rows on demand. */
export function InsightList({ filter, namespace, openId, onOpen, onGroup, onShowJobs, onStart }: ListProps) {
  const list = useInfiniteQuery(insightsQuery(filter));
  const now = useNow();
  const insights = list.data?.pages.flatMap((page) => page.insights);
  const rows = useRef<HTMLDivElement>(null);
  const isListed = insights?.some(({ id }) => id === openId);
  useEffect(() => {
    // What lies on the desk is seen in the list, also the 33rd of 60.
    rows.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [openId, isListed]);
  if (!insights) return <Unfetched of={list} lines={6} />;
  if (insights.length === 0 && !list.hasNextPage)
    return <Nothing filter={filter} namespace={namespace} onShowJobs={onShowJobs} onStart={onStart} />;
  const groups = isCalendar(filter)
    ? [...Map.groupBy(insights, ({ due_on }) => partOf(daysUntil(due_on ?? '', now)))]
    : groupsOf(insights);
  return (
    <div className={css['groups']} ref={rows}>
      {groups.map(([heading, some], at) => (
        <Group
          key={heading}
          heading={heading}
          openId={openId}
          onOpen={onOpen}
          insights={some}
          isMore={list.hasNextPage && at === groups.length - 1}
          asideOf={(insight) => asideOf(insight, filter.namespace === undefined, now)}
          onGroup={onGroup && some.length > 1 ? () => onGroup(heading) : undefined}
        />
      ))}
      {list.hasNextPage && (
        <div className={css['moreRows']}>
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}

interface GroupProps extends Pick<ListProps, 'openId' | 'onOpen'> {
  heading: string;
  insights: readonly Insight[];
  /** Whether more of it may come. */
  isMore: boolean;
  asideOf: (insight: Insight) => string;
  onGroup: (() => void) | undefined;
}

/** One kind: how many there are, the way to decide on all of them, and the first of them, the rest folded. */
function Group({ heading, insights, isMore, openId, onOpen, asideOf: aside, onGroup }: GroupProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  // What lies on the desk is always seen in the list.
  const isOpenBelow = insights.slice(SEEN).some(({ id }) => id === openId);
  const shown = isUnfolded || isOpenBelow ? insights : insights.slice(0, SEEN);
  const folded = insights.length - shown.length;
  const count = `${insights.length}${isMore ? '+' : ''}`;
  return (
    <>
      <div className={css['head']}>
        <h2 className={css['group']}>
          {heading}
          {insights.length > 1 && ` · ${count}`}
        </h2>
        {onGroup && (
          <Button
            look="quiet"
            className={css['all']}
            aria-label={`Decide on all at once: ${heading}`}
            onClick={onGroup}
          >
            All at once…
          </Button>
        )}
      </div>
      <Rows label={heading}>
        {shown.map((insight) => (
          <Row
            key={insight.id}
            name={insight.title}
            isOpen={insight.id === openId}
            onOpen={() => onOpen(insight)}
            more={aside(insight)}
          />
        ))}
      </Rows>
      {folded > 0 && (
        <Button
          look="quiet"
          icon="down"
          className={css['more']}
          aria-label={`More of ${heading} (${folded})`}
          onClick={() => setUnfolded(true)}
        >
          More ({folded})
        </Button>
      )}
    </>
  );
}

/** The insights under their headings, in the order of the list. */
export function groupsOf(insights: readonly Insight[]): [heading: string, insights: Insight[]][] {
  return [...Map.groupBy(insights, ({ heading }) => heading)];
}

/** Below a title: when it is or waits again, or of how many memories, and where. */
function asideOf(insight: Insight, isOfAll: boolean, now: number): string {
  const { due_on, evidence, namespace, snoozed_until, status } = insight;
  const what =
    status === 'proposed' && snoozed_until !== null && Date.parse(snoozed_until) > now
      ? `until ${formatDate(snoozed_until)}`
      : due_on === null
        ? countOf(evidence.length, 'note', 'notes')
        : `${formatDate(due_on)} · ${nearness(daysUntil(due_on, now)).said}`;
  return isOfAll ? `${what} · ${namespace}` : what;
}

type Emptiness = Shelf | 'dreaming' | 'calendar' | 'narrowed';
const EMPTY: Readonly<Record<Emptiness, string>> = {
  waiting: 'Nothing to decide',
  snoozed: 'Nothing is put off',
  accepted: 'Nothing accepted yet',
  rejected: 'Nothing rejected yet',
  dreaming: 'A dream is under way',
  calendar: 'Nothing comes up',
  narrowed: 'Nothing of this kind',
};

function emptinessOf(filter: InsightFilter, isDreaming: boolean): Emptiness {
  if (filter.shelf !== 'waiting') return filter.shelf;
  if (isDreaming) return 'dreaming';
  if (isCalendar(filter)) return 'calendar';
  return filter.strategy === undefined ? 'waiting' : 'narrowed';
}

/** Why the list is empty, and what can be done about it. */
function Nothing({
  filter,
  namespace,
  onShowJobs,
  onStart,
}: Pick<ListProps, 'filter' | 'namespace' | 'onShowJobs' | 'onStart'>) {
  const isDreaming = useQuery(jobsQuery(namespace)).data?.some(isUnderWay) ?? false;
  const why = emptinessOf(filter, isDreaming);
  const go = useGo('/dreams');
  return (
    <Message icon={why === 'calendar' ? 'today' : 'moon'} title={EMPTY[why]}>
      {why === 'dreaming' && (
        <>
          <p>What it notices is shown here, kind by kind.</p>
          <Button icon="pulse" onClick={onShowJobs}>
            Show how far it is
          </Button>
        </>
      )}
      {why === 'narrowed' && <Button onClick={() => go({ strategy: undefined })}>Show all kinds</Button>}
      {why === 'snoozed' && <p>What you put off until a day waits here, and can be taken back.</p>}
      {why === 'calendar' && <p>Days that your notes name are shown here, once a dream has found them.</p>}
      {(why === 'waiting' || why === 'calendar') && (
        <>
          {why === 'waiting' && (
            <p>
              A dream reads your notes while you do something else, and looks for what is due, disagrees,
              stands there twice or keeps happening. It changes nothing: it proposes, and you decide.
            </p>
          )}
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
