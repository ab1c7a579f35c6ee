import { useQuery } from '@tanstack/react-query';
import { Query } from '@reverie/shared/contract/fields';
import { type Ref, useState } from 'react';
import { countOf } from '../../platform/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Message, Skeleton } from '../../ui/Message.tsx';
import { HITS, searchQuery, type Row, type View } from './queries.ts';
import { SearchNotes } from './SearchNotes.tsx';
import { Trouble } from '../../platform/Trouble.tsx';
import { useHidden } from './use-hidden.ts';
import type { ListHandle } from '../../ui/VirtualList.tsx';
import { VirtualRows } from './VirtualRows.tsx';
import css from './Lists.module.css';

/** What both lists hand on to their rows. */
export interface ListProps {
  handle: Ref<ListHandle<Row>>;
  openKey: string | undefined;
  onOpen: (row: Row) => void;
  onDelete: (row: Row) => void;
}

interface SearchProps extends ListProps {
  view: View;
  query: string;
  onWiden: () => void;
  onNew: () => void;
  /** Opens a namespace with the same query. */
  onNamespace: (namespace: string) => void;
}

/** What a search found, best first. */
export function SearchList({ view, query, onWiden, onNew, onNamespace, ...list }: SearchProps) {
  const allowed = Query.safeParse(query);
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(view, query),
    enabled: allowed.success,
  });
  /** The query whose weaker hits are shown, too. */
  const [all, setAll] = useState<string>();
  const isHidden = useHidden(view.namespace);
  if (!allowed.success)
    return (
      <Message icon="search" title="This cannot be searched for">
        <p>The search {allowed.error.issues[0]?.message}. Shorten it.</p>
      </Message>
    );
  if (isError) return <Trouble error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton lines={9} />;
  const hits = data.results.filter(({ key }) => !isHidden(key));
  const strong = hits.filter(({ weaker }) => !weaker);
  const weaker = hits.length - strong.length;
  const rows = all === query ? hits : strong;
  // Shown at once, they would hide that nothing was found.
  const fold = weaker > 0 && (
    <Button aria-expanded={all === query} onClick={() => setAll(all === query ? undefined : query)}>
      {all === query ? 'Hide' : 'Show'} {countOf(weaker, 'weaker one', 'weaker ones')}
    </Button>
  );
  const notes = (
    <SearchNotes
      corrected={data.understood?.corrected}
      elsewhere={data.elsewhere}
      onNamespace={onNamespace}
    />
  );
  if (rows.length === 0)
    return (
      <>
        {notes}
        <Message icon="search" title="Nothing found">
          <p>
            No memory in <bdi>{view.namespace}</bdi> fits “<bdi>{query}</bdi>”. Try fewer or other words
            {view.class ? `, or look beyond the class “${view.class}”` : ''}, or another namespace.
          </p>
          <p>
            {view.class && <Button onClick={onWiden}>Search all classes</Button>}{' '}
            <Button icon="plus" onClick={onNew}>
              Write it down
            </Button>{' '}
            {fold}
          </p>
        </Message>
      </>
    );
  return (
    <>
      {notes}
      <div className={css['results']} data-stale={isPlaceholderData}>
        <VirtualRows
          {...list}
          label={`Results for ${query}`}
          count={rows.length}
          at={(index) => rows[index]}
          busy={isPlaceholderData}
        />
      </div>
      <p className={css['foot']} role="status">
        {rows.length >= HITS ? `The best ${HITS} results` : countOf(rows.length, 'result', 'results')}, best
        first
      </p>
      {fold && <p className={css['foot']}>{fold}</p>}
    </>
  );
}
