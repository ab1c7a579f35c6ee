import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { strategyWords } from '@reverie/shared/contract/dreams/strategy-words';
import { ToggleGroup } from 'radix-ui';
import { useGo } from '../../platform/place.ts';
import { IconButton } from '../../ui/Button.tsx';
import choice from '../../ui/Choice.module.css';
import { RowsHead } from '../../ui/lists/Rows.tsx';
import css from './DreamsView.module.css';
import { type InsightFilter, isCalendar, type Shelf, shelves } from './queries.ts';

interface ToolsProps {
  namespaces: readonly string[];
  filter: InsightFilter;
  /** `2 of 9`: where one is. */
  place: string | undefined;
  onShowJobs: () => void;
  /** Undefined where this key may not. */
  onStart: (() => void) | undefined;
}

const SHELVES: Readonly<Record<Shelf, string>> = {
  waiting: 'To decide',
  snoozed: 'Later',
  accepted: 'Accepted',
  rejected: 'Rejected',
};

/** Above the list: what it shows, and the way to the jobs and a new dream. */
export function DreamTools({ namespaces, filter, place, onShowJobs, onStart }: ToolsProps) {
  const go = useGo('/dreams');
  const { namespace, strategy, shelf } = filter;
  const isDays = isCalendar(filter);
  return (
    <>
      <RowsHead title="Review">
        {place !== undefined && <span className={css['place']}>{place}</span>}
        <IconButton icon="pulse" label="How tidy it is, and past dreams" onClick={onShowJobs} />
        {onStart && (
          <IconButton icon="moon" look="strong" label="Start a dream" shortcut="n" onClick={onStart} />
        )}
      </RowsHead>
      <ToggleGroup.Root
        type="single"
        className={`${choice['group']} ${css['shelves']}`}
        aria-label="State"
        value={isDays ? '' : shelf}
        onValueChange={(next: Shelf | '') =>
          next !== '' &&
          go({
            status: next === 'waiting' ? undefined : next,
            strategy: isDays ? undefined : strategy,
            insight: undefined,
          })
        }
      >
        {shelves.map((one) => (
          <ToggleGroup.Item key={one} value={one} className={choice['one']}>
            {SHELVES[one]}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      <div className={css['filters']}>
        <select
          aria-label="Namespace"
          dir="auto"
          value={namespace ?? '*'}
          onChange={(event) => go({ namespace: event.target.value, insight: undefined })}
        >
          <option value="*">All namespaces</option>
          {[...new Set([...(namespace === undefined ? [] : [namespace]), ...namespaces])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          aria-label="Kind"
          value={strategy ?? ''}
          onChange={(event) => go({ strategy: event.target.value || undefined, insight: undefined })}
        >
          <option value="">All kinds</option>
          {(Object.keys(strategyWords) as Strategy[]).map((one) => (
            <option key={one} value={one}>
              {strategyWords[one].name}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
