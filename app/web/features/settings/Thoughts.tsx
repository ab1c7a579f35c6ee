import { useQuery } from '@tanstack/react-query';
import { namespacesQuery } from '../namespaces/queries.ts';
import { Fixed, fixedBy } from './Fixed.tsx';
import { useChangeSettings } from './change.ts';
import type { Settings } from './queries.ts';
import { Setting } from './Setting.tsx';

/** Where thoughts go. */
export function Thoughts({ settings }: { settings: Settings }) {
  const { data = [] } = useQuery(namespacesQuery);
  const change = useChangeSettings();
  const { namespace } = settings.thoughts;
  const fixed = fixedBy(settings, 'thoughts.namespace');
  const names = [...new Set([namespace, 'default', ...data.map((row) => row.namespace)])];
  return (
    <Setting
      name="Thoughts are kept in"
      hint={<Fixed by={fixed}>What you write down in passing, on Today and in the quick field.</Fixed>}
    >
      <select
        aria-label="Thoughts are kept in"
        dir="auto"
        disabled={fixed !== undefined}
        value={change.isPending ? (change.variables?.thoughts?.namespace ?? namespace) : namespace}
        onChange={({ target: { value } }) => change.mutate({ thoughts: { namespace: value } })}
      >
        {names
          .toSorted((a, b) => a.localeCompare(b))
          .map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </select>
    </Setting>
  );
}
