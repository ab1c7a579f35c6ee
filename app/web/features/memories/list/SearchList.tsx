import { EVERY_NAMESPACE, Query } from '@reverie/shared/contract/fields';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { countOf } from '../../../platform/format.ts';
import { Trouble } from '../../../platform/Trouble.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Message, Skeleton } from '../../../ui/Message.tsx';
import { SplitBody } from '../../../ui/lists/Split.tsx';
import { type MemoryAddress, isSame } from '../address.ts';
import { HITS, searchQuery, type ListView } from '../queries.ts';
import { useHidden } from '../trash/use-hidden.ts';
import { FileHits } from './FileHits.tsx';
import css from './Lists.module.css';
import { SearchNotes } from './SearchNotes.tsx';
import { VirtualRows, type ListProps } from './VirtualRows.tsx';

interface SearchProps extends ListProps {
  view: ListView;
  query: string;
  canWrite: boolean;
  /** Somebody left the field for what this query finds: the keyboard goes there once it is found. */
  isEntered: boolean;
  onWiden: () => void;
  /** Looks for the same in every namespace. */
  onEverywhere: () => void;
  onNew: () => void;
  /** Opens another namespace with the same query, and a memory of it. */
  onElsewhere: (memory: MemoryAddress) => void;
  foot: ReactNode;
}

/** What a search found, best first. */
export function SearchList({
  view,
  query,
  isEntered,
  canWrite,
  onWiden,
  onEverywhere,
  onNew,
  onElsewhere,
  foot,
  ...list
}: SearchProps) {
  const allowed = Query.safeParse(query);
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(view, query),
    enabled: allowed.success,
  });
  const isFound = data !== undefined && !isPlaceholderData;
  const { handle } = list;
  useEffect(() => {
    if (isEntered && isFound) handle.current?.focus();
  }, [handle, isEntered, isFound]);
  /** The query whose weaker hits are shown, too. */
  const [all, setAll] = useState<string>();
  const isHidden = useHidden();
  if (!allowed.success)
    return (
      <Message icon="search" title="This cannot be searched for">
        <p>The search {allowed.error.issues[0]?.message}. Shorten it.</p>
      </Message>
    );
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton lines={9} />;
  const hits = data.results.filter((hit) => !isHidden(hit));
  const strong = hits.filter(({ weaker }) => !weaker);
  // Of what hardly fits only what has a word of the query is worth a look: else it would be the whole namespace.
  const weak = hits.filter(({ weaker, passage }) => weaker && (passage?.marks.length ?? 0) > 0);
  const isUnfolded = all === query;
  const rows = isUnfolded ? [...strong, ...weak] : strong;
  // Shown at once, they would hide that nothing was found.
  const fold = weak.length > 0 && (
    <Fold
      weaker={weak.length}
      isUnfolded={isUnfolded}
      onTurn={() => setAll(isUnfolded ? undefined : query)}
    />
  );
  const notes = (
    <SearchNotes
      query={query}
      corrected={data.understood?.corrected}
      elsewhere={data.elsewhere}
      onElsewhere={onElsewhere}
    />
  );
  const files = data.files && <FileHits hits={data.files} namespace={view.namespace} onOpen={list.onOpen} />;
  if (rows.length === 0)
    return (
      <>
        {notes}
        <SplitBody>
          {files ?? (
            <NothingFound
              view={view}
              query={query}
              canWrite={canWrite}
              onWiden={onWiden}
              onEverywhere={onEverywhere}
              onNew={onNew}
            />
          )}
          {fold}
        </SplitBody>
        <div className={css['foot']}>{foot}</div>
      </>
    );
  return (
    <>
      {notes}
      <div className={css['results']} data-stale={isPlaceholderData}>
        <VirtualRows
          {...list}
          label={`Results for ${query}`}
          namespace={view.namespace}
          isByTag={query.includes('tag:')}
          count={rows.length}
          at={(index) => rows[index]}
          current={rows.findIndex((row) => list.open !== undefined && isSame(row, list.open))}
          busy={isPlaceholderData}
        />
        {fold}
        {files}
      </div>
      {list.selection.rows.length === 0 && (
        <div className={css['foot']}>
          <span role="status">
            {rows.length >= HITS ? `The best ${HITS}` : countOf(rows.length, 'memory', 'memories')}, best
            first
          </span>
          {foot}
        </div>
      )}
    </>
  );
}

interface FoldProps {
  /** How many hits fit less well than those that are shown at once. */
  weaker: number;
  isUnfolded: boolean;
  onTurn: () => void;
}

function Fold({ weaker, isUnfolded, onTurn }: FoldProps) {
  return (
    <button type="button" className={css['fold']} aria-expanded={isUnfolded} onClick={onTurn}>
      <Icon name={isUnfolded ? 'down' : 'right'} />
      {isUnfolded ? 'Hide ' : ''}
      {countOf(weaker, 'weaker match', 'weaker matches')}
    </button>
  );
}

/** Where nothing fits: what to do instead. */
function NothingFound({
  view,
  query,
  canWrite,
  onWiden,
  onEverywhere,
  onNew,
}: Pick<SearchProps, 'view' | 'query' | 'canWrite' | 'onWiden' | 'onEverywhere' | 'onNew'>) {
  return (
    <Message icon="search" title="Nothing found">
      <p>
        {view.namespace === EVERY_NAMESPACE ? (
          'No memory'
        ) : (
          <>
            No memory in <bdi>{view.namespace}</bdi>
          </>
        )}{' '}
        fits “<bdi>{query}</bdi>”. Try fewer or other words
        {view.class ? `, or look beyond “${view.class}”` : ''}.
      </p>
      <div className={css['acts']}>
        {view.class && <Button onClick={onWiden}>Search all kinds</Button>}
        {view.namespace !== EVERY_NAMESPACE && (
          <Button icon="search" onClick={onEverywhere}>
            Search everywhere
          </Button>
        )}
        {canWrite && (
          <Button icon="plus" onClick={onNew}>
            Write it down
          </Button>
        )}
      </div>
    </Message>
  );
}
