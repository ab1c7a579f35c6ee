import type { SessionHit } from '@reverie/shared/contract/sessions/sessions';
import { useEffect, useMemo, useState } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { debounce } from '../../../platform/debounce.ts';
import { formatCount } from '../../../platform/format.ts';
import { BareIconButton } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { MOST_HITS } from '../queries.ts';
import css from './SessionView.module.css';
import type { FindingStep } from './use-finding.ts';

interface FindInsideProps {
  q: string;
  hits: readonly SessionHit[] | undefined;
  /** The hit that is shown; -1 where none is yet. */
  at: number;
  /** `then` steps to a place as soon as they are found. */
  onType: (q: string, then?: FindingStep) => void;
  onStep: (step: FindingStep) => void;
  onClose: () => void;
}

const PAUSE_MS = 200;

/** Looks for words in this session: Enter goes to the next place, Shift+Enter to the one before. */
export function FindInside({ q, hits, at, onType, onStep, onClose }: FindInsideProps) {
  const [typed, setTyped] = useState(q);
  const later = useMemo(() => debounce<string>(wallClock, PAUSE_MS, onType), [onType]);
  useEffect(() => () => later.cancel(), [later]);
  const step = (by: FindingStep) => {
    if (typed === q) return onStep(by);
    later.cancel();
    onType(typed, by);
  };
  return (
    <div className={css['find']} role="search" aria-label="In this session">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search in this session"
        placeholder="Search in this session"
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          later.push(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span role="status" className={css['found']}>
        {q.trim() !== '' && hits && placesWords(hits.length, at)}
      </span>
      <BareIconButton
        icon="back"
        label="The place before"
        onClick={() => onStep(-1)}
        disabled={!hits?.length}
      />
      <BareIconButton
        icon="right"
        label="The next place"
        onClick={() => onStep(1)}
        disabled={!hits?.length}
      />
      <BareIconButton icon="close" label="End the search" onClick={onClose} />
    </div>
  );
}

/** At which of how many places one is. */
function placesWords(count: number, at: number): string {
  if (count === 0) return 'not found';
  const all = `${formatCount(count)}${count >= MOST_HITS ? '+' : ''}`;
  return at < 0 ? all : `${formatCount(at + 1)} of ${all}`;
}
