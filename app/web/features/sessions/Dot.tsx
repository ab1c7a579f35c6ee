import type { CodingSession } from '@reverie/shared/contract/sessions/sessions';
import css from './Dot.module.css';
import { STATUS_WORDS } from './words.ts';

/** Whether a session is written to now: a dot, and a word for who does not see it. */
export function Dot({ status }: { status: CodingSession['status'] }) {
  return (
    <span className={css['dot']} data-status={status} title={STATUS_WORDS[status]}>
      <span className="sr-only">{STATUS_WORDS[status]}: </span>
    </span>
  );
}
