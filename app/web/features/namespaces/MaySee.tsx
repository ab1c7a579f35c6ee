import type { NamespaceModels } from '@reverie/shared/contract/memories/memories';
import { useQuery } from '@tanstack/react-query';
import { Fetched } from '../../platform/queries/Fetched.tsx';
import { countOf } from '../../platform/format.ts';
import { Item, Items } from '../../ui/lists/Items.tsx';
import { MAY_SEE, useModelsMaySee } from './models-may-see.ts';
import { type NamespaceRow, namespacesQuery } from './queries.ts';

/** Each namespace with the choice of which models may see it. */
export function MaySee() {
  const namespaces = useQuery(namespacesQuery);
  return (
    <Fetched of={namespaces} lines={3}>
      {(rows) =>
        rows.length === 0 ? (
          <p>There is no namespace yet: your first memory makes the first one.</p>
        ) : (
          <>
            <p>Where no model may look, answers are quotes and dreams follow rules.</p>
            <Items label="Which namespaces models may see">
              {rows.map((row) => (
                <One key={row.namespace} row={row} />
              ))}
            </Items>
          </>
        )
      }
    </Fetched>
  );
}

function One({ row: { namespace, count, models = 'any' } }: { row: NamespaceRow }) {
  return (
    <Item
      name={namespace}
      more={countOf(count, 'memory', 'memories')}
      actions={<MaySeeSelect namespace={namespace} models={models} />}
    />
  );
}

/** The choice of which models may see a namespace. */
export function MaySeeSelect({ namespace, models }: { namespace: string; models: NamespaceModels }) {
  const choose = useModelsMaySee();
  // What was chosen is shown at once; it falls back where it could not be kept.
  const shown = choose.isPending ? choose.variables.models : models;
  return (
    <select
      aria-label={`Models may see ${namespace}`}
      value={shown}
      onChange={({ target }) => {
        const next = MAY_SEE.find(({ value }) => value === target.value)?.value;
        if (next) choose.mutate({ namespace, models: next, before: models });
      }}
    >
      {MAY_SEE.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
