import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { countOf } from '../../../platform/format.ts';
import { Skeleton } from '../../../ui/Message.tsx';
import { idOf, isSame } from '../address.ts';
import { fetchAround, pageQuery, placeQuery, type ListView } from '../queries.ts';
import { useHidden } from '../trash/use-hidden.ts';
import css from './Lists.module.css';
import { offsetsFor, PAGE, shownIndex, storedIndex } from './paging.ts';
import { VirtualRows, type ListProps } from './VirtualRows.tsx';

/** How long a memory is open before the texts beside it are fetched, ms. */
const AHEAD_MS = 150;

interface BrowseProps extends ListProps {
  view: ListView;
  /** Shown where the list is empty. */
  empty: ReactNode;
  /** Beside the number of memories, below them. */
  foot: ReactNode;
}

/** All memories of a view; only the pages under the visible rows are fetched, wherever one scrolls to. */
export function BrowseList({ view, empty, foot, ...list }: BrowseProps) {
  const [offsets, setOffsets] = useState<readonly number[]>([0]);
  const isHidden = useHidden();
  const pages = useQueries({ queries: offsets.map((offset) => pageQuery(view, offset)) });
  const onRange = useCallback((first: number, last: number) => {
    // The first page stays: it tells the total when the visible ones are still on their way. The row above the first
    // one is wanted, too: it says whether a day begins.
    const next = [...new Set([0, ...offsetsFor(first - 1, last + 10)])];
    setOffsets((now) => (now.join() === next.join() ? now : next));
  }, []);
  const found = pages.flatMap((page, at) =>
    (page.data?.memories ?? []).flatMap((row, within) =>
      list.open && isSame(row, list.open) ? [(offsets[at] ?? 0) + within] : [],
    ),
  )[0];

  const [head] = pages;
  const hasHead = head?.data !== undefined;
  // Only what was not chosen in the list has to be looked for in it.
  const isSought = hasHead && list.open !== undefined && found === undefined;
  const place = useQuery({
    ...placeQuery(view, list.open ?? { namespace: view.namespace, key: '' }),
    enabled: isSought,
  });
  const revealed = useRef<string>(undefined);
  const openId = list.open && idOf(list.open);
  const sought = found ?? place.data ?? undefined;
  const { handle } = list;
  useEffect(() => {
    if (openId === undefined || sought === undefined || revealed.current === openId) return;
    revealed.current = openId;
    handle.current?.reveal(sought);
  }, [handle, openId, sought]);

  const client = useQueryClient();
  const isCutAt = (index: number) =>
    pages[offsets.indexOf(Math.floor(index / PAGE) * PAGE)]?.data?.memories[index % PAGE]?.truncated === true;
  const isCut = found !== undefined && (isCutAt(found - 1) || isCutAt(found + 1));
  useEffect(() => {
    if (found === undefined || !isCut) return undefined;
    // Held down, the keyboard passes many.
    return wallClock.after(AHEAD_MS, () => void fetchAround(client, view, found).catch(() => undefined));
  }, [client, found, isCut, view]);

  if (!head?.data) return head ? <Unfetched of={head} lines={9} /> : <Skeleton lines={9} />;

  const newest = pages.reduce((best, page) => (page.dataUpdatedAt > best.dataUpdatedAt ? page : best), head);
  const stored = newest.data?.total ?? head.data.total;
  const hidden = pages.flatMap((page, at) =>
    (page.data?.memories ?? []).flatMap((row, within) =>
      isHidden(row) ? [(offsets[at] ?? 0) + within] : [],
    ),
  );
  const count = Math.max(0, stored - hidden.length);
  if (count === 0)
    return (
      <>
        {empty}
        <div className={css['foot']}>{foot}</div>
      </>
    );
  const at = (shown: number) => {
    const index = storedIndex(hidden, shown);
    const page = pages[offsets.indexOf(Math.floor(index / PAGE) * PAGE)];
    return page?.data?.memories[index % PAGE];
  };
  return (
    <>
      <VirtualRows
        {...list}
        label={view.namespace === EVERY_NAMESPACE ? 'All memories' : `Memories in ${view.namespace}`}
        namespace={view.namespace}
        count={count}
        at={at}
        current={found === undefined ? -1 : shownIndex(hidden, found)}
        onRange={onRange}
        days={view.order}
        isByTag={view.operators.includes('tag:')}
        busy={pages.some((page) => page.isPending)}
      />
      {list.selection.rows.length === 0 && (
        <div className={css['foot']}>
          <span role="status">{countOf(count, 'memory', 'memories')}</span>
          {foot}
        </div>
      )}
    </>
  );
}
