import { useQuery } from '@tanstack/react-query';
import { namespacesQuery } from '../namespaces/queries.ts';
import css from './HomeSelect.module.css';
import type { ThoughtsHome } from './thoughts-home.ts';

/** Where a thought goes, beside the field it is written in: one Tab away, and changed for good by an arrow. */
export function HomeSelect({ namespace, choose }: Pick<ThoughtsHome, 'namespace' | 'choose'>) {
  const { data = [] } = useQuery(namespacesQuery);
  if (namespace === undefined) return null;
  const names = [...new Set([namespace, 'default', ...data.map((row) => row.namespace)])];
  return (
    <select
      className={css['home']}
      aria-label="Keep thoughts in"
      title="Where thoughts are kept, in every window"
      dir="auto"
      value={namespace}
      onChange={(event) => choose(event.target.value)}
    >
      {names
        .toSorted((a, b) => a.localeCompare(b))
        .map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </select>
  );
}
