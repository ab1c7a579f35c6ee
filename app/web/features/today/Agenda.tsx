import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatDate, weekdayLetter } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useDecide } from '../dreams/deciding.ts';
import { nearness } from '../dreams/due.ts';
import { quotesOnce } from '../dreams/said-once.ts';
import { choicesOf } from '../dreams/words.ts';
import { type AgendaEntry, shownOf, weeksOf } from './agenda.ts';
import css from './Agenda.module.css';

interface AgendaProps {
  entries: readonly AgendaEntry[];
  now: number;
  canWrite: boolean;
}

/** What comes up as a small calendar: the next weeks, and beside them the days that have something, each of which opens. */
export default function Agenda({ entries, now, canWrite }: AgendaProps) {
  const [openId, setOpenId] = useState<string>();
  return (
    <div className={css['agenda']}>
      <Weeks entries={entries} now={now} />
      <ul className={css['entries']} role="list" aria-label="Days">
        {shownOf(entries).map((entry) => {
          const { id } = entry.insight;
          return (
            <Entry
              key={id}
              entry={entry}
              canWrite={canWrite}
              isOpen={id === openId}
              onToggle={() => setOpenId(id === openId ? undefined : id)}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** The next weeks at a glance; what is due stands beside them in words. */
function Weeks({ entries, now }: Pick<AgendaProps, 'entries' | 'now'>) {
  const weeks = weeksOf(entries, now);
  return (
    <table className={css['weeks']} aria-hidden="true">
      <thead>
        <tr>
          {weeks[0]?.map(({ date }) => (
            <th key={date.getTime()}>{weekdayLetter(date)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week, at) => (
          <tr key={at}>
            {week.map(({ date, days, due }) => (
              <td key={days} data-past={days < 0} data-today={days === 0} data-due={due > 0}>
                <span>{date.getDate()}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EntryProps extends Pick<AgendaProps, 'canWrite'> {
  entry: AgendaEntry;
  isOpen: boolean;
  onToggle: () => void;
}

function Entry({ entry: { insight, due_on, days }, canWrite, isOpen, onToggle }: EntryProps) {
  const { said, press } = nearness(days);
  return (
    <li className={css['entry']}>
      <button type="button" className={css['line']} aria-expanded={isOpen} onClick={onToggle}>
        <span className={css['words']}>
          <span className={css['title']} dir="auto">
            {insight.title}
          </span>
          <span className={css['when']}>
            <span className={css['near']} data-press={press}>
              {days < 0 ? `Overdue, ${said.toLowerCase()}` : said}
            </span>{' '}
            · {formatDate(due_on)} · <bdi>{insight.namespace}</bdi>
          </span>
        </span>
        <Icon name={isOpen ? 'down' : 'right'} />
      </button>
      {isOpen && <Opened insight={insight} canWrite={canWrite} />}
    </li>
  );
}

/** What an entry rests on, and what can be done with it. */
function Opened({ insight, canWrite }: Pick<AgendaEntry, 'insight'> & Pick<AgendaProps, 'canWrite'>) {
  const { mutate, isPending } = useDecide();
  const { accept, reject } = choicesOf(insight);
  const quotes = quotesOnce(insight).filter(({ sentence }) => sentence !== undefined);
  return (
    <div className={css['opened']}>
      {quotes.map(({ sentence }, at) => (
        <blockquote key={at} dir="auto">
          {sentence}
        </blockquote>
      ))}
      <p className={css['acts']}>
        {insight.evidence.map((key) => (
          <Link
            key={key}
            to="/memories"
            search={{ namespace: insight.namespace, key }}
            className={css['note']}
          >
            <Icon name="note" />
            <bdi>{key}</bdi>
          </Link>
        ))}
        {canWrite && (
          <>
            <Button disabled={isPending} onClick={() => mutate({ insight, decision: { to: 'accept' } })}>
              {accept}
            </Button>
            <Button
              look="quiet"
              disabled={isPending}
              onClick={() => mutate({ insight, decision: { to: 'reject' } })}
            >
              {reject}
            </Button>
          </>
        )}
      </p>
    </div>
  );
}
