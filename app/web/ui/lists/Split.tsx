import type { ReactNode } from 'react';
import css from './Split.module.css';

interface SplitProps {
  /** What the list is of, and what the other side shows. */
  labels: readonly [list: string, detail: string];
  /** Above the list: title, filters. */
  tools: ReactNode;
  list: ReactNode;
  /** Below the list: how many there are. */
  foot?: ReactNode;
  detail: ReactNode;
  /** Whether something of the list is open; a narrow window shows only that then. */
  isOpen: boolean;
  /** Whether the list has the whole width while nothing is open, without what stands above it or `with-tools`. */
  isAlone?: boolean | 'with-tools';
}

/** A list and, beside it, what is open of it; in a narrow window one at a time. */
export function Split({ labels, tools, list, foot, detail, isOpen, isAlone = false }: SplitProps) {
  return (
    <div className={css['view']} data-detail={isOpen} data-alone={isAlone}>
      <section className={css['list']} aria-label={labels[0]}>
        <div className={css['tools']}>{tools}</div>
        {list}
        {foot && <div className={css['foot']}>{foot}</div>}
      </section>
      <section className={css['detail']} aria-label={labels[1]}>
        {detail}
      </section>
    </div>
  );
}

/** What stands in the place of the rows, and may be longer than the window. */
export function SplitBody({ children }: { children: ReactNode }) {
  return <div className={css['scroll']}>{children}</div>;
}
