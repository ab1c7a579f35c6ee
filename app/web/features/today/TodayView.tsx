import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useNow } from '../../platform/clock.ts';
import { countOf, formatCount, formatDay } from '../../platform/format.ts';
import { isSettled } from '../../platform/idle.ts';
import { latePart, onceFetched, useLatePart } from '../../platform/late-part.ts';
import { readersHour } from '../../platform/readers-clock.ts';
import { allows, session } from '../../platform/daemon/session.ts';
import { useStore } from '../../platform/store.ts';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Skeleton } from '../../ui/Message.tsx';
import { Time } from '../../ui/Time.tsx';
import { useNames } from '../actors/queries.ts';
import { isSoon } from '../dreams/due.ts';
import { A_DAY, waitingQuery } from '../dreams/queries.ts';
import { entriesOf, shownOf } from './agenda.ts';
import { comingUpQuery, decidedQuery, hasDreamtQuery, sinceQuery } from './queries.ts';
import { QuickAdd } from './QuickAdd.tsx';
import { doingsOf } from './recent-doings.ts';
import { More, Proposals } from './ToDecide.tsx';
import css from './TodayView.module.css';
import { greeting, startOfDay, waiting } from './words.ts';

const Agenda = latePart(() => import('./Agenda.tsx'));
const oldNote = onceFetched(() => import('./OldNote.tsx'));

/** Who did something; anybody else is an agent. */
const ICONS: ReadonlyMap<string, IconName> = new Map([
  ['You', 'edit'],
  ['A dream', 'moon'],
]);

interface TodayProps {
  /** Unread messages by namespace; undefined while they are not known. */
  unread: readonly { namespace: string; count: number }[] | undefined;
}

/** The first view: the day, some things to decide until it is done for today, what comes up, and what was done since yesterday. */
export function TodayView({ unread }: TodayProps) {
  const now = useNow();
  const midnight = startOfDay(now);
  const canWrite = allows(useStore(session), 'write');
  const desk = useDesk(midnight);
  // Last, and once the first view stands there: it moves nothing, and nothing waits for it.
  const isOldWanted = useStore(isSettled) && (desk?.isDone === true || desk?.isNew === true);
  const OldNote = useLatePart(oldNote, { isWanted: isOldWanted, isMissed: true })?.default;
  const { data: comingUp } = useQuery(comingUpQuery);
  const entries = entriesOf(comingUp?.insights ?? [], now);
  const dueSoon = entries.filter(({ days }) => isSoon(days)).length;
  const counts = desk && comingUp && { ...desk, shown: desk.shown.length, dueSoon };
  // Where nothing was ever looked through, what stands below says so.
  const said = desk?.isNew && dueSoon === 0 ? undefined : waiting(counts);
  return (
    <div className={css['today']}>
      <header>
        <p className={css['day']}>{formatDay(new Date(now).toISOString())}</p>
        <h1>
          {greeting(readersHour(now))} {said}
        </h1>
      </header>
      {canWrite && <QuickAdd />}
      {desk && desk.waiting > 0 && (
        <Part
          title="To decide"
          aside={
            <Link to="/dreams" search={{ namespace: undefined }} className={css['all']}>
              {desk.waiting === 1 ? 'Review' : `Review all ${formatCount(desk.waiting)}`} <kbd>g d</kbd>
            </Link>
          }
        >
          {desk.shown.length > 0 ? (
            <Proposals insights={desk.shown} label="For today" />
          ) : (
            <p className={css['quiet']}>That was enough for a day. The rest waits for tomorrow.</p>
          )}
          <More shown={desk.shown} waiting={desk.waiting} />
        </Part>
      )}
      {desk?.isNew && <FirstDream />}
      {entries.length > 0 && (
        <Part
          title="Coming up"
          aside={
            (comingUp?.isMore || shownOf(entries).length < entries.length) && (
              <Link
                to="/dreams"
                search={{ namespace: undefined, strategy: 'forecast' }}
                className={css['all']}
              >
                All that comes up
              </Link>
            )
          }
        >
          <Suspense fallback={<Skeleton lines={5} />}>
            <Agenda entries={entries} now={now} canWrite={canWrite} />
          </Suspense>
        </Part>
      )}
      <Unread unread={unread ?? []} />
      <Since />
      {OldNote && <OldNote midnight={midnight} />}
    </div>
  );
}

/** What the day has to decide; undefined while that is not known. */
function useDesk(midnight: number) {
  const { data: proposals } = useQuery(waitingQuery());
  const { data: decided } = useQuery(decidedQuery(midnight));
  const isEmpty = proposals?.waiting === 0 && decided === 0;
  const { data: hasDreamt } = useQuery({ ...hasDreamtQuery, enabled: isEmpty });
  if (!proposals || decided === undefined || (isEmpty && hasDreamt === undefined)) return undefined;
  const shown = proposals.insights.slice(0, Math.max(0, A_DAY - decided));
  const isNew = isEmpty && hasDreamt === false;
  return { shown, waiting: proposals.waiting, isNew, isDone: shown.length === 0 && !isNew };
}

/** Where nothing was ever looked through: the first step to something that can be decided. */
function FirstDream() {
  return (
    <Part title="Nothing to decide yet">
      <p className={css['quiet']}>
        A dream reads your notes while you do something else, and looks for what disagrees, stands there twice
        or comes up. It changes nothing: it proposes, and you decide.
      </p>
      <p>
        <LinkButton icon="moon" to="/dreams" search={{ namespace: undefined }}>
          Start a first dream
        </LinkButton>
      </p>
    </Part>
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
  const { data: since } = useQuery(sinceQuery);
  const names = useNames(since?.some(({ actor }) => actor.kind === 'device') === true);
  if (!since || !names) return null;
  const doings = doingsOf(since, names);
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
