import type { ReactNode } from 'react';
import css from './Rows.module.css';

/** What stands above a list: its name, and what can be done. */
export function RowsHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css['head']}>
      <span className={css['title']} aria-hidden="true">
        {title}
      </span>
      {children}
    </div>
  );
}

/** A list of rows that open something beside it. */
export function Rows({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={css['rows']} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

/** What stands above some of the rows: what they have in common. */
export function RowsHeading({ children }: { children: string }) {
  return <h2 className={css['heading']}>{children}</h2>;
}

interface RowProps {
  /** Left out where `words` say what it is. */
  name?: string;
  /** In the place of a name and an excerpt. */
  words?: ReactNode;
  /** Beside the name. */
  badge?: ReactNode;
  /** Some words below the name. */
  excerpt?: string;
  /** Below it, small. */
  more: ReactNode;
  /** Whether nobody has read it yet. */
  isNew?: boolean;
  isOpen: boolean;
  onOpen: () => void;
}

/** One row: a name, a state and a line of details. */
export function Row({ name, words, badge, excerpt, more, isNew = false, isOpen, onOpen }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={css['row']}
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
      >
        {words ?? (
          <span className={css['line']}>
            {isNew && (
              <span className={css['new']}>
                <span className="sr-only">unread</span>
              </span>
            )}
            <bdi className={css['name']}>{name}</bdi>
            {badge}
          </span>
        )}
        {excerpt !== undefined && excerpt !== '' && (
          <span className={css['excerpt']} dir="auto">
            {excerpt}
          </span>
        )}
        <span className={css['more']}>{more}</span>
      </button>
    </li>
  );
}

/** Where nothing of the list is open: what to do, in the middle. */
export function NothingOpen({ children }: { children?: ReactNode }) {
  return <div className={css['nothing']}>{children}</div>;
}
