import { formatDay } from '../../platform/format.ts';
import { useNow } from '../../platform/clock.ts';
import css from './TodayView.module.css';

/** A page of its own each morning: the day, and below it what wants to be looked at. */
export function TodayView() {
  const now = useNow();
  return (
    <div className={css['today']}>
      <p className={css['day']}>{formatDay(new Date(now).toISOString())}</p>
      <h1>{greeting(new Date(now).getHours())}</h1>
    </div>
  );
}

/** What one says at this hour of the reader's day. */
function greeting(hour: number): string {
  if (hour < 5) return 'Good night.';
  if (hour < 12) return 'Good morning.';
  return hour < 18 ? 'Good afternoon.' : 'Good evening.';
}
