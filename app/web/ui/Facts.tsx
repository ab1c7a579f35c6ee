import { Fragment, type ReactNode } from 'react';
import css from './Facts.module.css';

/** Names and values below each other; what is false or null is left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css['facts']}>
      {rows.map(([name, value]) =>
        value === false || value === null || value === undefined ? (
          <Fragment key={name} />
        ) : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
