import type { ReactNode } from 'react';
import css from './Chip.module.css';
import { Icon } from './Icon.tsx';

interface ChipProps {
  children: ReactNode;
  /** What opens on a click, such as what else has this tag; without it the chip only says something. */
  onOpen?: (() => void) | undefined;
  /** What a click does, for readers: `Show all with the tag adr`. */
  openLabel?: string;
  onRemove?: (() => void) | undefined;
  /** What is taken away: `Remove the tag adr`. */
  removeLabel?: string;
}

/** A small word that stands for something: it opens what has it, and can be taken away. */
export function Chip({ children, onOpen, openLabel, onRemove, removeLabel }: ChipProps) {
  return (
    <span className={css['chip']}>
      {onOpen ? (
        <button type="button" className={css['open']} title={openLabel} onClick={onOpen}>
          <span className={css['text']}>{children}</span>
        </button>
      ) : (
        <span className={css['word']}>{children}</span>
      )}
      {onRemove && (
        <button type="button" className={css['remove']} aria-label={removeLabel} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

/** Chips beside each other. */
export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css['chips']} role="group" aria-label={label}>
      {children}
    </div>
  );
}
