import type { ReactNode } from 'react';
import css from './Callout.module.css';

interface CalloutProps {
  type: string;
  fold: 'open' | 'closed' | undefined;
  title: ReactNode;
  children: ReactNode;
}

/** Types of other names, as Obsidian has them. */
const TONES: Readonly<Record<string, string>> = {
  tip: 'good',
  hint: 'good',
  success: 'good',
  check: 'good',
  done: 'good',
  warning: 'warn',
  caution: 'warn',
  attention: 'warn',
  question: 'warn',
  help: 'warn',
  faq: 'warn',
  important: 'warn',
  danger: 'bad',
  error: 'bad',
  bug: 'bad',
  failure: 'bad',
  fail: 'bad',
  missing: 'bad',
  quote: 'quiet',
  cite: 'quiet',
  example: 'quiet',
  abstract: 'quiet',
  summary: 'quiet',
  tldr: 'quiet',
};

/** A note within a note: a hint, a warning, an example. */
export function Callout({ type, fold, title, children }: CalloutProps) {
  const tone = (Object.hasOwn(TONES, type) && TONES[type]) || 'plain';
  if (fold === undefined)
    return (
      <div className={css['callout']} role="note" data-tone={tone}>
        <p className={css['title']}>{title}</p>
        {children}
      </div>
    );
  return (
    <details className={css['callout']} data-tone={tone} open={fold === 'open'}>
      <summary className={css['title']}>{title}</summary>
      {children}
    </details>
  );
}
