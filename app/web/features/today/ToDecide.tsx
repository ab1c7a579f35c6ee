import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Unfetched } from '../../platform/queries/Fetched.tsx';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { allWaitingQuery } from '../dreams/queries.ts';
import css from './TodayView.module.css';

/** Proposals, each the way to the desk. */
export function Proposals({ insights, label }: { insights: readonly Insight[]; label: string }) {
  return (
    <ul className={css['rows']} role="list" aria-label={label}>
      {insights.map((insight) => (
        <li key={insight.id}>
          <Link to="/dreams" search={{ namespace: undefined, insight: insight.id }} className={css['row']}>
            <span className={css['dot']} data-kind={insight.strategy} />
            <span className={css['what']}>
              <strong dir="auto">{insight.title}</strong>
              <span>
                {insight.heading} · <bdi>{insight.namespace}</bdi>
              </span>
            </span>
            <Icon name="right" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What waits besides that of the day, folded. */
export function More({ shown, waiting }: { shown: readonly Insight[]; waiting: number }) {
  const [isOpen, setOpen] = useState(false);
  const all = useQuery({ ...allWaitingQuery, enabled: isOpen });
  const count = waiting - shown.length;
  if (count <= 0) return null;
  const ids = new Set(shown.map(({ id }) => id));
  const rest = all.data?.insights.filter(({ id }) => !ids.has(id));
  return (
    <>
      <Button
        look="quiet"
        icon={isOpen ? 'down' : 'right'}
        className={css['more']}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        More ({formatCount(count)})
      </Button>
      {isOpen && (rest ? <Proposals insights={rest} label="More" /> : <Unfetched of={all} lines={4} />)}
    </>
  );
}
