import type { RefObject } from 'react';
import { useGo } from '../../platform/place.ts';
import { useShortcuts } from '../../platform/shortcuts.ts';
import type { ListHandle } from '../../ui/lists/VirtualList.tsx';
import type { ActionTarget } from './acting/targets.ts';
import { undoLast } from './acting/undoing.ts';
import type { RowActs } from './list/RowMenu.tsx';
import type { SearchHandle } from './list/SearchBox.tsx';
import type { Selection } from './list/selecting.ts';
import type { Looking } from './looking.ts';
import type { ListRow } from './queries.ts';

interface KeysDeps {
  looking: Looking;
  list: RefObject<ListHandle<ListRow> | null>;
  search: RefObject<SearchHandle | null>;
  selection: Selection;
  acts: RowActs;
  /** What keys act on. */
  meant: () => readonly ActionTarget[];
  onNew: () => void;
  onClose: () => void;
}

/** The keys of the view: they move in the list, and act on what is selected or shown. */
export function useKeys({ looking, list, search, selection, acts, meant, onNew, onClose }: KeysDeps): void {
  const go = useGo();
  const withOne = (act: (target: ActionTarget) => void) => () => {
    const [first, second] = meant();
    if (first && !second) act(first);
  };
  const escape = () => {
    const { mode, isDetail, isTrash, query } = looking;
    if (selection.rows.length > 0) selection.clear();
    else if (mode === 'edit' || mode === 'history') go({ mode: undefined });
    else if (isDetail || isTrash) onClose();
    else if (query !== '') go({ q: undefined }, { replace: true });
  };
  useShortcuts({
    '/': () => search.current?.focus(),
    j: () => list.current?.move(1),
    k: () => list.current?.move(-1),
    x: () => list.current?.select(),
    n: onNew,
    e: withOne(acts.edit),
    r: withOne(acts.rename),
    t: () => acts.tag(meant()),
    m: () => acts.move(meant()),
    u: undoLast,
    '#': () => acts.trash(meant()),
    Delete: () => acts.trash(meant()),
    Escape: escape,
  });
}
