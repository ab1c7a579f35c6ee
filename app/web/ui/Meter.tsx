import type { ReactNode } from 'react';
import css from './Meter.module.css';

interface MeterProps {
  label: string;
  used: number;
  /** Null where there is no limit; then only the words are shown. */
  limit: number | null;
  /** What is used of what, in words. */
  words: string;
  /** Below it: when it begins anew, or what to do. */
  note?: ReactNode;
}

/** Shares from which a bar asks for attention. */
const NEARLY = 0.8;

/** How much of a limit is used: in words and as a bar. */
export function Meter({ label, used, limit, words, note }: MeterProps) {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const state = share >= 1 ? 'full' : share >= NEARLY ? 'nearly' : 'fine';
  return (
    <div className={css['meter']} data-state={state}>
      <div className={css['words']}>
        <span>{label}</span>
        <span className={css['amount']}>{words}</span>
      </div>
      {limit !== null && (
        <svg
          className={css['bar']}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={words}
        >
          <rect width={`${share * 100}%`} height="100%" />
        </svg>
      )}
      {note && <div className={css['note']}>{note}</div>}
    </div>
  );
}
