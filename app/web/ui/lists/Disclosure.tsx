import type { ReactNode } from 'react';
import css from './Disclosure.module.css';
import { Icon } from '../Icon.tsx';

/** Lines below each other, each of which opens. */
export function Disclosures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css['list']} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

interface DisclosureProps {
  /** Beside the line, such as a box to tick. */
  before?: ReactNode;
  line: ReactNode;
  /** Below the line, small. */
  more?: ReactNode;
  /** At the end of the line, small: when it was. */
  aside?: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  /** Below it, while it is open. */
  children: ReactNode;
}

/** A line that opens in its place. */
export function Disclosure({ before, line, more, aside, isOpen, onToggle, children }: DisclosureProps) {
  return (
    <li className={css['item']}>
      {before && <span className={css['before']}>{before}</span>}
      <div className={css['body']}>
        <button type="button" className={css['line']} aria-expanded={isOpen} onClick={onToggle}>
          <span className={css['turn']}>
            <Icon name="right" />
          </span>
          <span className={css['words']}>
            <span className={css['said']} dir="auto">
              {line}
            </span>
            {more && <span className={css['more']}>{more}</span>}
          </span>
          {aside && <span className={css['aside']}>{aside}</span>}
        </button>
        {isOpen && <div className={css['opened']}>{children}</div>}
      </div>
    </li>
  );
}
