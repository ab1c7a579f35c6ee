import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { countOf, formatCount } from '../../platform/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Skeleton } from '../../ui/Message.tsx';
import css from './NamespaceList.module.css';
import { allOf, namespacesQuery, withChosen } from './queries.ts';
import { NamespaceDot } from './NamespaceDot.tsx';

interface NamespacesProps {
  chosen: string | undefined;
  onChoose: (namespace: string) => void;
}

interface ListProps extends NamespacesProps {
  /** Asks for what can be said of a namespace: how it looks, who may see it. */
  onFace: ((namespace: string) => void) | undefined;
}

/** The namespaces with what they hold, as a column of buttons. */
export function NamespaceList({ chosen, onChoose, onFace }: ListProps) {
  const { data, isError } = useQuery(namespacesQuery);
  if (!data)
    return isError ? (
      <p className={css['failed']}>The namespaces could not be loaded.</p>
    ) : (
      <Skeleton lines={4} />
    );
  const rows = withChosen(data, chosen);
  if (rows.length === 0) return <p className={css['none']}>None yet.</p>;
  return (
    <ul className={css['list']} role="list">
      {[...allOf(rows), ...rows].map((row) => (
        <li
          key={row.namespace}
          className={css['item']}
          // By the right button, a long press or the key of the menu.
          onContextMenu={(event) => {
            if (!onFace || row.namespace === EVERY_NAMESPACE) return;
            event.preventDefault();
            onFace(row.namespace);
          }}
        >
          <button
            type="button"
            className={css['row']}
            aria-current={row.namespace === chosen ? 'true' : undefined}
            title={row.namespace === EVERY_NAMESPACE ? 'Every namespace' : row.namespace}
            onClick={() => onChoose(row.namespace)}
          >
            <NamespaceDot of={row.namespace} />
            <span className={css['name']} dir="auto">
              {nameOf(row.namespace)}
            </span>
            <span className={css['count']} aria-label={countOf(row.count, 'memory', 'memories')}>
              {formatCount(row.count)}
            </span>
          </button>
          {onFace && row.namespace !== EVERY_NAMESPACE && (
            <button
              type="button"
              className={css['more']}
              aria-label={`About ${row.namespace}`}
              title="Colour, sign and who may see it"
              onClick={() => onFace(row.namespace)}
            >
              <Icon name="more" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The same choice for narrow windows: the machine's own select, which every hand and reader knows. */
export function NamespaceSelect({ chosen, onChoose }: NamespacesProps) {
  const { data = [] } = useQuery(namespacesQuery);
  const rows = withChosen(data, chosen);
  return (
    <select
      className={css['select']}
      aria-label="Namespace"
      dir="auto"
      value={chosen ?? ''}
      onChange={(event) => onChoose(event.target.value)}
    >
      {[...allOf(rows), ...rows].map((row) => (
        <option key={row.namespace} value={row.namespace}>
          {`${nameOf(row.namespace)} (${formatCount(row.count)})`}
        </option>
      ))}
    </select>
  );
}

function nameOf(namespace: string): string {
  return namespace === EVERY_NAMESPACE ? 'All' : namespace;
}
