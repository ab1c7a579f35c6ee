import type { ReactNode } from 'react';
import css from './Column.module.css';

interface ColumnProps {
  /** `wide` for tables. */
  width?: 'text' | 'wide';
  children: ReactNode;
}

/** A view that is one column, in the middle of its room: its `h1` first. */
export function Column({ width = 'text', children }: ColumnProps) {
  return (
    <div className={css['column']} data-width={width}>
      {children}
    </div>
  );
}

/** A sentence or two below the title of a column. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className={css['lead']}>{children}</p>;
}
