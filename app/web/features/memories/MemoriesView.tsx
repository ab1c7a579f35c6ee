import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Memory } from '@reverie/shared/contract/memories';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { BESIDE, useMedia } from '../../platform/media.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import { allows, session } from '../../platform/session.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import { useStore } from '../../platform/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { RowsHead } from '../../ui/Rows.tsx';
import { Split, SplitBody } from '../../ui/Split.tsx';
import type { ListHandle } from '../../ui/VirtualList.tsx';
import type { ActKind } from './acting/Acting.tsx';
import type { Target } from './acting/targets.ts';
import { undoLast } from './acting/undoing.ts';
import { useActs } from './acting/use-acts.ts';
import { type Address, isSame } from './address.ts';
import { EmptyNamespace } from './EmptyNamespace.tsx';
import { BrowseList } from './list/BrowseList.tsx';
import { ListHead } from './list/ListHead.tsx';
import { isListing, lookedIn } from './list/operators.ts';
import type { SearchHandle } from './list/SearchBox.tsx';
import { SearchList } from './list/SearchList.tsx';
import { useSelection } from './list/selecting.ts';
import { SelectionBar } from './list/SelectionBar.tsx';
import css from './MemoriesView.module.css';
import { OpenPane } from './OpenPane.tsx';
import { classOf, type Row, type View } from './queries.ts';

const Acting = lazy(() => import('./acting/Acting.tsx'));
const TrashList = lazy(() => import('./trash/TrashList.tsx'));

/** How long the keyboard rests on a row before it is opened, ms: held down, it passes many. */
const REST_MS = 80;

interface MemoriesViewProps {
  /** One, or `*` for every one. */
  namespace: string;
  known: readonly string[];
  /** Whether nothing is stored anywhere. */
  isStart: boolean;
  /** The choice of the namespace, where there is no sidebar. */
  chooser: ReactNode;
}

/** The list of a namespace and, beside or above it, the memory that is open. */
export default function MemoriesView({ namespace: chosen, known, isStart, chooser }: MemoriesViewProps) {
  const place = usePlace();
  const go = useGo();
  const canWrite = allows(useStore(session), 'write');
  const isBeside = useMedia(BESIDE);
  const list = useRef<ListHandle<Row>>(null);
  const search = useRef<SearchHandle>(null);
  const pane = useRef<HTMLDivElement>(null);
  const opened = useRef<Memory>(undefined);
  const [entered, setEntered] = useState<string>();
  const [doing, setDoing] = useState<{ kind: ActKind; targets: readonly Target[] }>();

  const { mode } = place;
  const query = place.q ?? '';
  const namespace = lookedIn(query, chosen);
  const isBrowsing = query === '' || isListing(query, namespace);
  const order = place.order ?? 'updated';
  const view: View = { namespace, class: classOf(place.class), operators: isBrowsing ? query : '', order };
  const listId = JSON.stringify([view, query]);
  const selection = useSelection(listId);
  const isTrash = mode === 'trash';
  const open = openOf(namespace, place);
  const isDetail = (isTrash && place.key !== undefined) || open !== undefined || mode === 'new';

  const openRow = (row: Address) => {
    if (open && isSame(row, open) && mode === undefined) return;
    const where = namespace === EVERY_NAMESPACE ? row.namespace : undefined;
    go({ namespace, key: row.key, in: where, mode: undefined }, { replace: open !== undefined });
  };
  const follow = useRef(openRow);
  useEffect(() => {
    follow.current = openRow;
  });
  const [resting] = useState(() => debounce<Row>(wallClock, REST_MS, (row) => follow.current(row)));
  useEffect(() => resting.cancel, [resting]);

  const wasDetail = useRef(isDetail);
  useEffect(() => {
    // Back to where it was opened from; only now is the list of a narrow window there again.
    if (wasDetail.current && !isDetail) list.current?.focus();
    wasDetail.current = isDetail;
  }, [isDetail]);

  const close = () => {
    resting.cancel();
    go({ key: undefined, in: undefined, mode: isTrash && place.key !== undefined ? 'trash' : undefined });
  };
  const startNew = () => canWrite && go({ key: undefined, in: undefined, mode: 'new' });
  const acts = useActs({
    canWrite,
    onOpen: openRow,
    onEdit: ({ namespace: where, key }) =>
      go({ namespace, key, in: namespace === EVERY_NAMESPACE ? where : undefined, mode: 'edit' }),
    onDo: (kind, targets) => setDoing({ kind, targets }),
    onTrashed: (gone) => {
      selection.clear();
      if (!open || !gone.some((one) => isSame(one, open))) return;
      const next = isBeside ? list.current?.following() : undefined;
      if (next && !gone.some((one) => isSame(one, next))) openRow(next);
      else close();
    },
  });
  /** What keys act on: what is selected, else what is shown. */
  const meant = (): readonly Target[] => {
    if (selection.rows.length > 0) return selection.rows;
    const row = list.current?.active();
    if (row && (list.current?.hasFocus() || !open)) return [row];
    return open && opened.current && isSame(opened.current, open) ? [opened.current] : [];
  };
  const withOne = (act: (target: Target) => void) => () => {
    const [first, second] = meant();
    if (first && !second) act(first);
  };
  const escape = () => {
    if (selection.rows.length > 0) selection.clear();
    else if (mode === 'edit' || mode === 'history') go({ mode: undefined });
    else if (isDetail || isTrash) close();
    else if (query !== '') go({ q: undefined }, { replace: true });
  };
  useShortcuts({
    '/': () => search.current?.focus(),
    j: () => list.current?.move(1),
    k: () => list.current?.move(-1),
    x: () => list.current?.select(),
    n: startNew,
    e: withOne(acts.edit),
    r: withOne(acts.rename),
    t: () => acts.tag(meant()),
    m: () => acts.move(meant()),
    u: undoLast,
    '#': () => acts.trash(meant()),
    Delete: () => acts.trash(meant()),
    Escape: escape,
  });

  const rows = {
    handle: list,
    open,
    selection,
    acts,
    onOpen: openRow,
    onEnter: (row: Row) => {
      resting.cancel();
      openRow(row);
      pane.current?.querySelector('article')?.focus();
    },
    // Alone in the window, the list would be gone after the first step.
    onFollow: (row: Row) => isBeside && resting.push(row),
  };
  const foot = (
    <Button
      look="quiet"
      icon="trash"
      aria-pressed={isTrash}
      onClick={() => go({ key: undefined, in: undefined, mode: isTrash ? undefined : 'trash' })}
    >
      Trash
    </Button>
  );
  return (
    <>
      <Split
        labels={['Memories', 'Open memory']}
        isOpen={isDetail}
        isAlone={isStart && !isTrash && query === ''}
        tools={
          isTrash ? (
            <RowsHead title={namespace === EVERY_NAMESPACE ? 'Trash' : `Trash of ${namespace}`}>
              <IconButton
                icon="close"
                label="Close the trash"
                shortcut="Escape"
                onClick={() => go({ key: undefined, mode: undefined })}
              />
            </RowsHead>
          ) : (
            <ListHead
              handle={search}
              chosen={chosen}
              view={view}
              query={query}
              isOrdered={isBrowsing}
              canWrite={canWrite}
              chooser={chooser}
              onNew={startNew}
              onLeave={(left) => {
                setEntered(left);
                list.current?.focus();
              }}
            />
          )
        }
        list={
          <>
            {isTrash ? (
              <Suspense fallback={null}>
                <TrashList key={namespace} namespace={namespace} canWrite={canWrite} />
              </Suspense>
            ) : isBrowsing ? (
              <BrowseList
                {...rows}
                key={listId}
                view={view}
                foot={foot}
                empty={
                  <SplitBody>
                    <EmptyNamespace
                      namespace={namespace}
                      narrowed={view.class ?? (query === '' ? undefined : query)}
                      isStart={isStart}
                      canWrite={canWrite}
                      onNew={startNew}
                      onAll={() => go({ class: undefined, q: undefined }, { replace: true })}
                    />
                  </SplitBody>
                }
              />
            ) : (
              <SearchList
                {...rows}
                key={namespace}
                view={view}
                query={query}
                isEntered={entered === query}
                canWrite={canWrite}
                onWiden={() => go({ class: undefined }, { replace: true })}
                onNew={startNew}
                onElsewhere={(best) => go({ ...best, in: undefined, mode: undefined })}
                foot={foot}
              />
            )}
            {!isTrash && <SelectionBar selection={selection} acts={acts} />}
          </>
        }
        detail={
          <div ref={pane} className={css['pane']}>
            <OpenPane
              namespace={namespace}
              known={known}
              open={open}
              canWrite={canWrite}
              shown={opened}
              acts={acts}
              onDo={(kind, targets) => setDoing({ kind, targets })}
              onClose={close}
            />
          </div>
        }
      />
      {doing && (
        <Suspense fallback={null}>
          <Acting
            {...doing}
            known={known}
            onDone={selection.clear}
            onMoved={(moved) => {
              const now = open && moved.find(({ from }) => isSame(from, open))?.to;
              if (now) go(placeOfMemory(namespace, now), { replace: true });
            }}
            onClose={() => setDoing(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Which memory an address opens, if any; of every namespace it names the memory's own besides. */
function openOf(namespace: string, place: ReturnType<typeof usePlace>): Address | undefined {
  const where = namespace === EVERY_NAMESPACE ? place.in : namespace;
  if (place.key === undefined || where === undefined || place.mode === 'trash') return undefined;
  return { namespace: where, key: place.key };
}

/** The address of a memory: in the list that is shown, where it stands there, else in its own namespace. */
function placeOfMemory(shown: string, { namespace, key }: Address) {
  return shown === EVERY_NAMESPACE
    ? { namespace: shown, in: namespace, key }
    : { namespace, in: undefined, key };
}
