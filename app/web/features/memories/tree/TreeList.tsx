import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import {
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { wallClock } from '../../../platform/clock.ts';
import { Unfetched } from '../../../platform/queries/Fetched.tsx';
import { BY_TOUCH, useMedia } from '../../../platform/media.ts';
import { notify } from '../../../platform/notices.ts';
import { useGo } from '../../../platform/place.ts';
import { useStore } from '../../../platform/store.ts';
import { MenuAt, MenuItem } from '../../../ui/Menu.tsx';
import { VirtualList, type ListHandle } from '../../../ui/lists/VirtualList.tsx';
import type { DialogProps, ActionTarget } from '../acting/targets.ts';
import { reasonOf } from '../acting/undoing.ts';
import type { MemoryAddress } from '../address.ts';
import { RowMenu } from '../list/RowMenu.tsx';
import lists from '../list/Lists.module.css';
import type { ListProps } from '../list/VirtualRows.tsx';
import { memoryQuery } from '../queries.ts';
import { useHidden } from '../trash/use-hidden.ts';
import { beginDraft } from '../writing/drafts/draft.ts';
import { folderQuery } from './queries.ts';
import { remember, trees, treeOf } from './remembered.ts';
import { RenameFolderDialog } from './RenameFolderDialog.tsx';
import { baseOf, canGoInto, type FolderContent, foldersAbove, rowsOf, type TreeRow } from './rows.ts';
import css from './Tree.module.css';
import { TreeItem } from './TreeItem.tsx';
import { useTreeMoves } from './use-tree-moves.ts';

const HEIGHT = { row: 30, byTouch: 44 } as const;
/** How long something is held over a closed folder until that opens, ms. */
const SPRING_MS = 700;

interface TreeProps extends Omit<ListProps, 'selection'> {
  namespace: string;
  /** Shown where nothing is in the namespace. */
  empty: ReactNode;
  foot: ReactNode;
  onMoved: DialogProps['onMoved'];
}

function combined(pages: UseQueryResult<FolderContent>[]) {
  return {
    content: new Map(pages.flatMap(({ data }) => (data ? [[data.path, data]] : []))),
    isPending: pages.some((page) => page.isPending),
    first: pages[0],
  };
}

/** The memories of a namespace by the folders of their keys; only those that are open are fetched. */
export default function TreeList({ namespace, acts, open, onMoved, empty, foot, ...list }: TreeProps) {
  const go = useGo();
  const queries = useQueryClient();
  const isTouched = useMedia(BY_TOUCH);
  const isHidden = useHidden();
  const { open: opened } = treeOf(useStore(trees), namespace);
  const isOpen = useMemo(() => new Set(opened), [opened]);
  const { content, isPending, first } = useQueries({
    queries: ['', ...isOpen].map((folder) => folderQuery(namespace, folder)),
    combine: combined,
  });
  const all = useMemo(() => rowsOf(content, isOpen), [content, isOpen]);
  const rows = all.filter(({ kind, path }) => kind === 'folder' || !isHidden({ namespace, key: path }));
  const at = (index: number) => rows[index];
  const current = rows.findIndex(({ kind, path }) => kind === 'key' && path === open?.key);
  const height = isTouched ? HEIGHT.byTouch : HEIGHT.row;
  const inner = useRef<ListHandle<TreeRow>>(null);
  const [asked, setAsked] = useState<TreeRow>();
  const [renamed, setRenamed] = useState<string>();
  const { move, progress } = useTreeMoves(namespace, onMoved);
  const drag = useDrag((row, folder) => void move(row, folder + baseOf(row.path)), setOpen);
  const canMove = acts.canWrite && progress === undefined;

  useImperativeHandle(list.handle, () => ({
    move: (step) => inner.current?.move(step),
    focus: () => inner.current?.focus(),
    reveal: (index) => inner.current?.reveal(index),
    hasFocus: () => inner.current?.hasFocus() ?? false,
    // Keys act on a row by `onKeyDown` below: what is a line here has no more than its key.
    select: () => undefined,
    active: () => undefined,
    following: () => undefined,
  }));

  // What is opened from elsewhere is to be seen; whoever closes its folder then has it closed.
  const followed = useRef<string>(undefined);
  const isSought = useRef(false);
  useEffect(() => {
    const key = open?.key;
    if (key !== undefined && followed.current !== key) {
      const missing = foldersAbove(key).filter((folder) => !isOpen.has(folder));
      if (missing.length > 0) remember(namespace, { open: [...isOpen, ...missing] });
      isSought.current = true;
    }
    followed.current = key;
    if (!isSought.current || current < 0) return;
    isSought.current = false;
    inner.current?.reveal(current);
  });

  function setOpen(folder: string, isToBe: boolean): void {
    const others = treeOf(trees.get(), namespace).open.filter((one) => one !== folder);
    remember(namespace, { open: isToBe ? [...others, folder] : others });
  }
  const addressOf = ({ path }: TreeRow): MemoryAddress => ({ namespace, key: path });
  const press = (row: TreeRow, onKey: (memory: MemoryAddress) => void) =>
    row.kind === 'folder' ? setOpen(row.path, !row.isOpen) : onKey(addressOf(row));
  const withMemory = (row: TreeRow, act: (target: ActionTarget) => void) =>
    queries
      .query(memoryQuery(namespace, row.path))
      .then(act, (error: unknown) => notify('bad', `Nothing was done: ${reasonOf(error)}.`));
  const byKey: Record<string, (target: ActionTarget) => void> = {
    e: acts.edit,
    r: acts.rename,
    t: (target) => acts.tag([target]),
    m: (target) => acts.move([target]),
    '#': (target) => acts.trash([target]),
    Delete: (target) => acts.trash([target]),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : byKey[event.key];
    const row = inner.current?.hasFocus() ? inner.current.active() : undefined;
    if (!act || !row || !acts.canWrite) return;
    event.preventDefault();
    if (row.kind === 'key') void withMemory(row, act);
    else if (event.key === 'r') setRenamed(row.path);
  };

  if (first?.data === undefined) return first && <Unfetched of={first} lines={9} />;
  if (rows.length === 0)
    return (
      <>
        {empty}
        <div className={lists['foot']}>{foot}</div>
      </>
    );
  const isCut = [...content.values()].some((folder) => folder.isCut);
  return (
    <>
      <div
        className={`${lists['results']} ${css['tree']}`}
        data-target={drag.target === ''}
        onKeyDown={onKeyDown}
        onDragOver={(event) => drag.over(event, '')}
        onDragLeave={drag.left}
        onDrop={drag.dropped}
      >
        <MenuAt
          onAsk={(target) => {
            const item = target.closest('[role="treeitem"]');
            setAsked(item ? at(Number(item.id.slice('row-'.length))) : inner.current?.active());
          }}
          items={
            asked?.kind === 'folder' ? (
              <FolderMenu
                canWrite={acts.canWrite}
                onNew={() => {
                  beginDraft({ namespace, key: asked.path });
                  go({ key: undefined, in: undefined, mode: 'new' });
                }}
                onRename={() => setRenamed(asked.path)}
              />
            ) : (
              asked && <KeyMenu at={addressOf(asked)} acts={acts} />
            )
          }
        >
          <VirtualList
            handle={inner}
            label={`Folders of ${namespace}`}
            count={rows.length}
            at={at}
            rowHeight={height}
            current={current}
            busy={isPending}
            onOpen={(row) => press(row, list.onEnter)}
            onMove={(row) => row.kind === 'key' && list.onFollow(addressOf(row))}
            onSideways={(row, way) => {
              const here = rows.indexOf(row);
              if (row.kind === 'folder' && row.isOpen !== (way === 'in')) setOpen(row.path, way === 'in');
              else if (way === 'in' && row.kind === 'folder')
                return rows[here + 1]?.parent === row.path ? here + 1 : here;
              else if (way === 'out' && row.parent !== '')
                return rows.findIndex(({ path }) => path === row.parent);
              return here;
            }}
            draw={(row, place) =>
              row && (
                <TreeItem
                  key={row.path}
                  place={place}
                  row={row}
                  height={height}
                  isShown={place.index === current}
                  isTarget={row.kind === 'folder' && drag.target === row.path}
                  onPress={() => press(row, list.onOpen)}
                  onDragOver={(event) => drag.over(event, row.kind === 'folder' ? row.path : row.parent)}
                  onDragStart={canMove ? (event) => drag.started(event, row) : undefined}
                  onDragEnd={drag.ended}
                />
              )
            }
          />
        </MenuAt>
      </div>
      <div className={lists['foot']}>
        <span role="status">
          {progress
            ? `Moving… ${progress.done} of ${progress.all}`
            : isCut && `A folder has more than is shown; the search finds all.`}
        </span>
        {foot}
      </div>
      {renamed !== undefined && (
        <RenameFolderDialog
          path={renamed}
          onRename={(to) => void move({ kind: 'folder', path: renamed }, to)}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </>
  );
}

/** The menu of a memory, which is fetched for it: a tree knows keys alone. */
function KeyMenu({ at, acts }: { at: MemoryAddress; acts: ListProps['acts'] }) {
  const { data } = useQuery(memoryQuery(at.namespace, at.key));
  return data ? <RowMenu rows={[data]} acts={acts} /> : null;
}

interface FolderMenuProps {
  canWrite: boolean;
  onNew: () => void;
  onRename: () => void;
}

function FolderMenu({ canWrite, onNew, onRename }: FolderMenuProps) {
  if (!canWrite) return null;
  return (
    <>
      <MenuItem icon="plus" onSelect={onNew}>
        New memory here
      </MenuItem>
      <MenuItem shortcut="r" onSelect={onRename}>
        Rename…
      </MenuItem>
    </>
  );
}

/** Moves rows by drag; held over a closed folder, that opens. */
function useDrag(
  move: (row: TreeRow, folder: string) => void,
  setOpen: (folder: string, to: boolean) => void,
) {
  const dragged = useRef<TreeRow>(undefined);
  // What is let go may be so before the folder below is drawn as the one that takes it.
  const meant = useRef<string>(undefined);
  const [target, setDrawn] = useState<string>();
  const setTarget = (folder: string | undefined) => {
    meant.current = folder;
    setDrawn(folder);
  };
  const spring = useRef(setOpen);
  useEffect(() => {
    spring.current = setOpen;
  });
  useEffect(
    () =>
      target === undefined || target === ''
        ? undefined
        : wallClock.after(SPRING_MS, () => spring.current(target, true)),
    [target],
  );
  const ended = () => {
    dragged.current = undefined;
    setTarget(undefined);
  };
  return {
    target,
    started(event: DragEvent, row: TreeRow) {
      dragged.current = row;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.path);
    },
    over(event: DragEvent, folder: string) {
      // The folder that is meant is that of the row below the pointer, not of what is around it.
      event.stopPropagation();
      const row = dragged.current;
      const goes = row !== undefined && canGoInto(row, folder);
      if (goes) event.preventDefault();
      setTarget(goes ? folder : undefined);
    },
    left({ currentTarget, relatedTarget }: DragEvent) {
      const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      if (!isInside) setTarget(undefined);
    },
    dropped(event: DragEvent) {
      event.preventDefault();
      const row = dragged.current;
      if (row && meant.current !== undefined) move(row, meant.current);
      ended();
    },
    ended,
  };
}
