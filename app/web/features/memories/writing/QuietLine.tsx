import type { ReactNode } from 'react';
import type { SaveState } from './drafts/autosave.ts';
import css from './Writing.module.css';

interface QuietLineProps {
  state: SaveState;
  /** Whether the browser keeps what is not saved yet. */
  isKept: boolean;
  /** A memory that is not there yet is stored at the end. */
  isNew?: boolean;
  children: ReactNode;
}

/** The line below what is written: whether it is saved, and how one ends. */
export function QuietLine({ state, isKept, isNew = false, children }: QuietLineProps) {
  return (
    <div className={css['line']}>
      <p role="status" className={css['state']} data-bad={state.kind === 'failed'}>
        {state.kind === 'typed' && isNew && isKept ? 'Kept here while you write' : wordsOf(state, isKept)}
      </p>
      <div className={css['actions']}>{children}</div>
    </div>
  );
}

function wordsOf(state: SaveState, isKept: boolean): string {
  switch (state.kind) {
    case 'saved':
      return 'Saved';
    case 'typed':
      return isKept ? 'Kept here, saved when you pause' : 'Not saved yet';
    case 'saving':
      return 'Saving…';
    case 'failed':
      return `Not saved: ${state.why.replace(/\.$/, '')}. Your text is still here.`;
    case 'conflict':
      return 'Not saved: choose above';
  }
}
