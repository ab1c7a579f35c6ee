import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listOrders } from '@reverie/shared/contract/memories/memories';
import { understandQuery } from '@reverie/shared/contract/search/operators';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { useGo } from '../../../platform/place.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { Chip, Chips } from '../../../ui/Chip.tsx';
import type { ListView } from '../queries.ts';
import { tagOperator } from '../tags.ts';
import { remember } from '../tree/remembered.ts';
import { FilterButton } from './FilterButton.tsx';
import css from './ListHead.module.css';
import { operatorWords, withOperator, withoutOperator } from './operators.ts';
import { SearchBox, type SearchHandle } from './SearchBox.tsx';

interface ListHeadProps {
  handle: Ref<SearchHandle>;
  /** The namespace that was chosen; a query with `in:` may look elsewhere. */
  chosen: string;
  view: ListView;
  query: string;
  /** A search has its own order: best first. */
  isOrdered: boolean;
  /** Whether it is shown by its folders. */
  isTree: boolean;
  canWrite: boolean;
  /** The choice of the namespace, where the sidebar is not there. */
  chooser: ReactNode;
  onNew: () => void;
  /** On from the search to what it found. */
  onLeave: (query: string) => void;
}

/** Browsed by folders, beside the orders of a list. */
const TREE = 'folders';

/** Above the list: of which namespace it is, what narrows it, its order, and the search. */
export function ListHead({
  handle,
  chosen,
  view,
  query,
  isOrdered,
  isTree,
  canWrite,
  chooser,
  onNew,
  onLeave,
}: ListHeadProps) {
  const go = useGo();
  const search = (q: string) => go({ q: q === '' ? undefined : q }, { replace: true });
  const navigate = useNavigate();
  const openMap = () => void navigate({ to: '/map', search: ({ namespace }) => ({ namespace }) });
  const { filters } = understandQuery(query, view.namespace);
  return (
    <>
      <div className={css['line']}>
        <span className={css['name']} dir="auto" aria-hidden="true">
          {view.namespace === EVERY_NAMESPACE ? 'All' : view.namespace}
        </span>
        <div className={css['chooser']}>{chooser}</div>
        {isOrdered && (
          <select
            className={css['order']}
            aria-label="Order"
            value={isTree ? TREE : view.order}
            onChange={({ target: { value } }) => {
              if (view.namespace !== EVERY_NAMESPACE) remember(view.namespace, { isShown: value === TREE });
              const order = listOrders.find((one) => one === value && one !== 'updated');
              go(value === TREE ? { order, class: undefined, q: undefined } : { order }, { replace: true });
            }}
          >
            <option value="updated">Newest first</option>
            <option value="noted">By their day</option>
            <option value="created">Oldest first</option>
            {view.namespace !== EVERY_NAMESPACE && <option value={TREE}>By folder</option>}
          </select>
        )}
        <FilterButton
          view={view}
          onClass={(only) => go({ class: only }, { replace: true })}
          onTag={(tag) => search(withOperator(query, tagOperator(tag)))}
        />
        <IconButton icon="map" label="Map" shortcut="g p" className={css['map']} onClick={openMap} />
        {canWrite && <IconButton icon="plus" look="strong" label="New memory" shortcut="n" onClick={onNew} />}
      </div>
      <SearchBox
        key={chosen}
        handle={handle}
        namespace={chosen}
        query={query}
        onSearch={search}
        onLeave={onLeave}
      />
      {(view.class !== undefined || filters.length > 0) && (
        <Chips label="What narrows this">
          {view.class !== undefined && (
            <Chip
              removeLabel={`No longer only ${view.class}s`}
              onRemove={() => go({ class: undefined }, { replace: true })}
            >
              {view.class}s
            </Chip>
          )}
          {filters.map((operator, at) => (
            <Chip
              key={at}
              removeLabel={`Without ${operatorWords(operator)}`}
              onRemove={() => search(withoutOperator(query, view.namespace, at))}
            >
              <bdi>{operatorWords(operator)}</bdi>
            </Chip>
          ))}
        </Chips>
      )}
    </>
  );
}
