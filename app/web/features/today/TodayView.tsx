import type { Insight } from '@reverie/shared/contract/dreams';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useNow } from '../../platform/clock.ts';
import { countOf, formatDate, formatDay } from '../../platform/format.ts';
import { allows, session } from '../../platform/session.ts';
import { useStore } from '../../platform/store.ts';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Time } from '../../ui/Time.tsx';
import { proposalsQuery, sinceQuery } from './queries.ts';
import { useNames } from '../actors/queries.ts';
import { QuickAdd } from './QuickAdd.tsx';
import { doingsOf } from './recent-doings.ts';
import css from './TodayView.module.css';
import { daysUntil, greeting, isSoon, nearness, waiting } from './words.ts';

/** Cards of what comes up, and rows of what is to be decided: the rest is a step away. */
const CARDS = 3;
const ROWS = 5;

/** Who did something; anybody else is an agent. */
const ICONS: ReadonlyMap<string, IconName> = new Map([
  ['You', 'edit'],
  ['A dream', 'moon'],
]);

interface TodayProps {
  /** Where a thought is kept that is written down here; undefined while that is not known. */
  namespace: string | undefined;
  /** Unread messages by namespace; undefined while they are not known. */
  unread: readonly { namespace: string; count: number }[] | undefined;
}

/** The first view: the day, what waits, what comes up, and what was done since yesterday. */
export function TodayView({ namespace, unread }: TodayProps) {
  const now = useNow();
  const { data } = useQuery(proposalsQuery);
  const canWrite = allows(useStore(session), 'write');
  const comingUp = (data?.insights ?? []).flatMap((insight) =>
    insight.due_on === null ? [] : [{ insight, days: daysUntil(insight.due_on, now) }],
  );
  const toDecide = (data?.insights ?? []).filter(({ due_on }) => due_on === null);
  const said = waiting(
    data && { toDecide: toDecide.length, dueSoon: comingUp.filter(({ days }) => isSoon(days)).length },
  );
  return (
    <div className={css['today']}>
      <header>
        <p className={css['day']}>{formatDay(new Date(now).toISOString())}</p>
        <h1>
          {greeting(new Date(now).getHours())} {said}
        </h1>
      </header>
      {canWrite && <QuickAdd namespace={namespace} />}
      {comingUp.length > 0 && (
        <Part title="Coming up" aside={comingUp.length > CARDS && <All count={comingUp.length} />}>
          <ul className={css['cards']}>
            {comingUp.slice(0, CARDS).map(({ insight, days }) => (
              <ComingUp key={insight.id} insight={insight} days={days} />
            ))}
          </ul>
        </Part>
      )}
      {toDecide.length > 0 && (
        <Part
          title="To decide"
          aside={
            <Link to="/dreams" search={{}} className={css['all']}>
              Review all <kbd>g d</kbd>
            </Link>
          }
        >
          <ul className={css['rows']}>
            {toDecide.slice(0, ROWS).map((insight) => (
              <li key={insight.id}>
                <Link
                  to="/dreams"
                  search={{ namespace: insight.namespace, insight: insight.id }}
                  className={css['row']}
                >
                  <span className={css['dot']} data-kind={insight.strategy} />
                  <span className={css['what']}>
                    <strong dir="auto">{insight.title}</strong>
                    <span> · {lowerFirst(insight.heading)}</span>
                  </span>
                  <span className={css['aside']}>{insight.namespace}</span>
                  <Icon name="right" />
                </Link>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Unread unread={unread ?? []} />
      <Since />
    </div>
  );
}

function ComingUp({ insight, days }: { insight: Insight; days: number }) {
  const { said, press } = nearness(days);
  return (
    <li>
      <Link
        to="/dreams"
        search={{ namespace: insight.namespace, insight: insight.id }}
        className={css['card']}
      >
        <span className={css['near']} data-press={press}>
          {said}
        </span>
        <span className={css['event']} dir="auto">
          {insight.title}
        </span>
        <span className={css['when']}>
          {insight.due_on !== null && formatDate(insight.due_on)} · {insight.namespace}
        </span>
      </Link>
    </li>
  );
}

function All({ count }: { count: number }) {
  return (
    <Link to="/dreams" search={{ strategy: 'forecast' }} className={css['all']}>
      all {count}
    </Link>
  );
}

function Unread({ unread }: { unread: readonly { namespace: string; count: number }[] }) {
  if (unread.length === 0) return null;
  return (
    <Part title="Unread">
      <ul className={css['lines']}>
        {unread.map(({ namespace, count }) => (
          <li key={namespace}>
            <Link to="/inbox" search={{ namespace }} className={css['line']}>
              <Icon name="inbox" />
              <span>
                <strong>{countOf(count, 'message', 'messages')}</strong> in {namespace}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What agents, devices and oneself did to memories, a line each. */
function Since() {
  const { data: events } = useQuery(sinceQuery);
  const names = useNames();
  if (!events || !names) return null;
  const doings = doingsOf(events, names);
  return (
    <Part title="Since yesterday">
      {doings.length === 0 ? (
        <p className={css['quiet']}>A quiet day: nothing was written or changed.</p>
      ) : (
        <ul className={css['lines']}>
          {doings.map(({ who, did, namespace, at }) => (
            <li key={`${who} ${namespace}`}>
              <Link to="/memories" search={{ namespace }} className={css['line']}>
                <Icon name={ICONS.get(who) ?? 'agent'} />
                <span>
                  <strong>{who}</strong> {did} in <span className={css['in']}>{namespace}</span>
                </span>
                <span className={css['aside']}>
                  <Time at={at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={css['part']} aria-label={title}>
      <header className={css['head']}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
