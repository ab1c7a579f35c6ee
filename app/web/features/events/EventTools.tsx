import { actorKinds, eventFamilies } from '@reverie/shared/contract/events/events';
import { liveness } from '../../platform/daemon/live.ts';
import { useGo } from '../../platform/place.ts';
import { useStore } from '../../platform/store.ts';
import { RowsHead } from '../../ui/lists/Rows.tsx';
import type { EventLog } from './event-log.ts';
import type { ActorKind, EventFamily, EventFilter } from './event-row.ts';
import css from './EventsView.module.css';

const FAMILIES: Readonly<Record<EventFamily, string>> = {
  memory: 'Memories',
  dream: 'Dreams',
  insight: 'Proposals',
  channel: 'Messages and channels',
  session: 'Coding sessions',
};
const ACTORS: Readonly<Record<ActorKind, string>> = {
  key: 'You and programs',
  device: 'Other devices',
  job: 'Dreams',
  system: 'Reverie itself',
};

interface ToolsProps {
  filter: EventFilter;
  namespaces: readonly string[];
  log: EventLog;
}

type Choice = readonly [
  name: keyof EventFilter,
  label: string,
  all: string,
  options: readonly (readonly [value: string, text: string])[],
];

/** Above the list: whether it is live, and what narrows it. */
export function EventTools({ filter, namespaces, log }: ToolsProps) {
  const go = useGo('/events');
  const { rows } = useStore(log.state);
  const live = useStore(liveness) === 'live';
  // The log knows namespaces that hold nothing any more.
  const known = new Set([...namespaces, ...rows.map(({ namespace }) => namespace)]);
  if (filter.namespace !== undefined) known.add(filter.namespace);
  const choices: readonly Choice[] = [
    ['family', 'Kind', 'Everything', eventFamilies.map((one) => [one, FAMILIES[one]])],
    ['namespace', 'Namespace', 'All namespaces', [...known].toSorted().map((one) => [one, one])],
    ['actor', 'By whom', 'By anybody', actorKinds.map((one) => [one, ACTORS[one]])],
  ];
  return (
    <>
      <RowsHead title="Events">
        <span className={css['state']} data-live={live}>
          {live ? 'Live' : 'Not live'}
        </span>
      </RowsHead>
      <div className={css['filters']}>
        {choices.map(([name, label, all, options]) => (
          <select
            key={name}
            aria-label={label}
            dir="auto"
            value={filter[name] ?? ''}
            onChange={({ target }) =>
              go(
                { [name]: target.value === '' ? undefined : target.value, event: undefined },
                { replace: true },
              )
            }
          >
            <option value="">{all}</option>
            {options.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        ))}
      </div>
    </>
  );
}
