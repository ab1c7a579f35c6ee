import type { ReactNode } from 'react';
import css from './Items.module.css';

/** Things below each other on one sheet, each with what can be done with it; none opens. */
export function Items({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={css['items']} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

interface ItemProps {
  name: ReactNode;
  /** Beside the name: its state. */
  badges?: ReactNode;
  /** Below the name, small. */
  more?: ReactNode;
  /** At the end of the line; below everything in a narrow window. */
  actions?: ReactNode;
  /** It is over, and stands there only to be known of. */
  isPast?: boolean;
  /** Below it, in full width. */
  children?: ReactNode;
}

/** One thing of a list: its name, its state, a line of details, and buttons. */
export function Item({ name, badges, more, actions, isPast = false, children }: ItemProps) {
  return (
    <li className={css['item']} data-past={isPast}>
      <div className={css['head']}>
        <div className={css['words']}>
          <div className={css['line']}>
            <bdi className={css['name']}>{name}</bdi>
            {badges}
          </div>
          {more && <div className={css['more']}>{more}</div>}
        </div>
        {actions && <div className={css['actions']}>{actions}</div>}
      </div>
      {children}
    </li>
  );
}
