import type { DeliveryDetail } from '@reverie/shared/contract/events/deliveries';
import { Time } from '../../ui/Time.tsx';
import css from './Attempts.module.css';
import { outcomeOf } from './health.ts';

/** Every attempt of a delivery, with what came back. */
export function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const { log, next_attempt_at: next, status } = delivery;
  return (
    <ol className={css['attempts']} role="list">
      {log.map((attempt) => (
        <li key={attempt.number}>
          <p>
            <strong>Attempt {attempt.number}</strong>: {outcomeOf(attempt)}{' '}
            <span className={css['when']}>
              <Time at={attempt.started_at} full />
            </span>
          </p>
          {attempt.response !== null && attempt.response !== '' && (
            <pre className={css['response']} tabIndex={0} aria-label={`Answer to attempt ${attempt.number}`}>
              {attempt.response}
            </pre>
          )}
        </li>
      ))}
      {log.length === 0 && <li className={css['when']}>Not tried yet.</li>}
      {status === 'pending' && next !== null && log.length > 0 && (
        <li className={css['when']}>
          The next attempt: <Time at={next} full />
        </li>
      )}
    </ol>
  );
}
