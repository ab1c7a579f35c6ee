import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
} from 'react';
import css from './VirtualList.module.css';

/** What the keyboard of the whole page needs of a list. */
export interface ListHandle<Row> {
  move(step: number): void;
  focus(): void;
  /** Selects the row that the keyboard stands on, or not any more. */
  select(): void;
  /** Scrolls to a row, if it is not seen. */
  reveal(index: number): void;
  /** The row that the keyboard stands on. */
  active(): Row | undefined;
  /** The row that will stand in the place of that one once it is gone. */
  following(): Row | undefined;
  hasFocus(): boolean;
}

/** Where a row stands, for the component that draws it. */
export interface RowPlace {
  index: number;
  count: number;
  top: number;
  active: boolean;
  /** Makes it the active row; call it when it is clicked. */
  choose: () => void;
  /** The same where several can be selected; true where that is what the click meant. */
  press: (event: MouseEvent) => boolean;
}

interface VirtualListProps<Row> {
  handle?: Ref<ListHandle<Row>> | undefined;
  label: string;
  count: number;
  /** The row at a position; undefined while it is still being fetched. */
  at: (index: number) => Row | undefined;
  rowHeight: number;
  /** How high the row at a position is, where not all are the same; `rowHeight` is what most have. */
  heightAt?: (index: number) => number;
  /** Headings that stay in sight while their rows are: rows that follow each other under one name have one, above the first of them. */
  headings?: { height: number; at: (index: number) => string | undefined } | undefined;
  /** Where the row stands that is open beside the list, if that is known: the keyboard goes on from there. */
  current?: number | undefined;
  /**
   * Names the row at a position, where rows come and go while the list is read: what is being read stays where it is. It is
   * another function whenever the rows are others.
   */
  keyAt?: (index: number) => string;
  /** Draws a row: an element with the role `option` and the id `row-<index>`. */
  draw: (row: Row | undefined, place: RowPlace) => ReactNode;
  onOpen: (row: Row) => void;
  onDelete?: (row: Row) => void;
  /** The keyboard came to another row. */
  onMove?: (row: Row) => void;
  /** Where several can be selected: one more or less, or with `from` all from there to here. */
  onSelect?: (index: number, from?: number) => void;
  onRange?: ((first: number, last: number) => void) | undefined;
  /** A tree, whose rows have the role `treeitem`: where the keyboard goes by an arrow sideways; undefined where it stays. */
  onSideways?: (row: Row, way: 'in' | 'out') => number | undefined;
  busy: boolean;
}

/** No row is active until the list has the focus. */
const NONE = -1;

/** A list of any length of which only the visible rows exist: a listbox with one active row. */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const {
    count,
    at,
    rowHeight,
    headings,
    current = NONE,
    onOpen,
    onDelete,
    onMove,
    onRange,
    onSideways,
    keyAt,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setActive] = useState(NONE);
  const active = Math.min(wanted, count - 1);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: headings?.height ?? 0,
    ...(keyAt && { getItemKey: keyAt }),
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange?.(first, last), [onRange, first, last, count]);

  /** The height of the heading that begins with a row; none is known where the row above is still being fetched. */
  const headingHeight = (index: number) => {
    const name = headings?.at(index);
    const isSame = index > 0 && (at(index - 1) === undefined || headings?.at(index - 1) === name);
    return headings === undefined || name === undefined || isSame ? 0 : headings.height;
  };
  const hasHeights = headings !== undefined || props.heightAt !== undefined;
  const heightAt = (index: number) => (props.heightAt?.(index) ?? rowHeight) + headingHeight(index);
  useLayoutEffect(() => {
    if (!hasHeights) return;
    // What lies above what is seen is made up for by the virtualizer, so that nothing jumps.
    for (const { index, size } of virtualizer.getVirtualItems())
      if (heightAt(index) !== size) virtualizer.resizeItem(index, heightAt(index));
  });

  /** The keyboard is ahead of what is open: until that has come after it, it stays where it is. */
  const isAhead = useRef(false);
  const hasMoved = useRef(false);
  const anchor = useRef(0);
  const row = at(active);
  useEffect(() => {
    // Also a row that was still being fetched when the keyboard came to it is told of, once.
    if (!hasMoved.current || row === undefined) return;
    hasMoved.current = false;
    onMove?.(row);
  });
  useEffect(() => {
    if (current === NONE) return;
    if (!isAhead.current) setActive(current);
    else if (current === wanted) isAhead.current = false;
  }, [current, wanted]);
  const read = useRef<{ top: string; offset: number; active: string | undefined }>(undefined);
  useLayoutEffect(() => {
    const [list, was] = [scroller.current, read.current];
    if (!keyAt || !list || !was) return;
    const indexOf = (key: string | undefined) => {
      for (let index = 0; key !== undefined && index < count; index += 1)
        if (keyAt(index) === key) return index;
      return NONE;
    };
    const activeNow = indexOf(was.active);
    if (activeNow !== NONE) setActive(activeNow);
    // At the top one wants to see what comes; further down one reads.
    const top = list.scrollTop > 0 ? indexOf(was.top) : NONE;
    const start = top === NONE ? undefined : virtualizer.getOffsetForIndex(top, 'start')?.[0];
    if (start !== undefined) list.scrollTop = start + was.offset;
  }, [keyAt, count, virtualizer]);
  useLayoutEffect(() => {
    const list = scroller.current;
    // To ask where it is scrolled to makes the browser lay out what was just drawn.
    if (!keyAt || !list) return;
    const { scrollTop } = list;
    const top = items.find(({ end }) => end > scrollTop);
    if (!top) return;
    const standing = active === NONE ? undefined : keyAt(active);
    read.current = { top: keyAt(top.index), offset: scrollTop - top.start, active: standing };
  });

  /** Scrolls to a row; to one that is seen nothing has to be laid out. */
  const show = (index: number) => {
    const { measurementsCache, scrollOffset, scrollRect } = virtualizer;
    const item = measurementsCache[index];
    const isSeen =
      item !== undefined &&
      scrollOffset !== null &&
      scrollRect !== null &&
      item.start >= scrollOffset &&
      item.end <= scrollOffset + scrollRect.height;
    if (!isSeen) virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index));
    isAhead.current = next !== current;
    // Where it stands already nothing is drawn anew, and nothing would tell of it.
    const standing = next === active ? row : undefined;
    hasMoved.current = standing === undefined;
    if (standing !== undefined) onMove?.(standing);
    setActive(next);
    show(next);
    return next;
  };
  useImperativeHandle(props.handle, () => ({
    move: (step) => {
      scroller.current?.focus({ preventScroll: true });
      anchor.current = moveTo(active + step);
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
    select: () => active !== NONE && props.onSelect?.(active),
    reveal: show,
    active: () => row,
    following: () => at(active + 1) ?? at(active - 1),
    hasFocus: () => document.activeElement === scroller.current,
  }));

  const choose = (index: number) => {
    anchor.current = index;
    setActive(index);
  };
  // A row that was drawn earlier, and is as it was, is not drawn again: what it does is what is done now.
  const onSelect = useRef(props.onSelect);
  useLayoutEffect(() => {
    onSelect.current = props.onSelect;
  });
  const press = (index: number, { shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    const isSelecting = onSelect.current !== undefined && (shiftKey || ctrlKey || metaKey);
    if (isSelecting) onSelect.current?.(index, shiftKey ? anchor.current : undefined);
    if (isSelecting && shiftKey) setActive(index);
    else choose(index);
    return isSelecting;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + perPage,
      PageUp: active - perPage,
      Home: 0,
      End: count - 1,
    };
    const way = event.key === 'ArrowRight' ? 'in' : event.key === 'ArrowLeft' ? 'out' : undefined;
    const to = way && row && onSideways ? (onSideways(row, way) ?? active) : steps[event.key];
    const select = active === NONE ? undefined : props.onSelect;
    if (to !== undefined && event.shiftKey && select) select(moveTo(to), anchor.current);
    else if (to !== undefined) anchor.current = moveTo(to);
    else if ((event.key === ' ' || event.key === 'x') && select) {
      anchor.current = active;
      select(active);
    } else if (event.key === 'Enter' && row) onOpen(row);
    else if ((event.key === 'Delete' || event.key === '#') && row && onDelete) onDelete(row);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      className={css['scroller']}
      role={onSideways ? 'tree' : 'listbox'}
      aria-multiselectable={props.onSelect ? true : undefined}
      aria-label={props.label}
      aria-busy={props.busy}
      aria-activedescendant={active >= 0 ? `row-${active}` : undefined}
      tabIndex={0}
      onFocus={() => setActive((now) => (now === NONE ? 0 : now))}
      onKeyDown={onKeyDown}
    >
      <div className={css['sheet']} role="presentation" style={{ blockSize: virtualizer.getTotalSize() }}>
        {headings &&
          groupsOf(items, headings.at).map(({ name, start, end }, at) => (
            <div
              key={at}
              className={css['group']}
              style={{ insetBlockStart: start, blockSize: end - start }}
              aria-hidden="true"
            >
              <div className={css['heading']} style={{ blockSize: headings.height }}>
                {name}
              </div>
            </div>
          ))}
        {items.map((item) =>
          props.draw(at(item.index), {
            index: item.index,
            count,
            top: item.start + headingHeight(item.index),
            active: item.index === active,
            choose: () => choose(item.index),
            press: (event) => press(item.index, event),
          }),
        )}
      </div>
    </div>
  );
}

interface Group {
  name: string;
  start: number;
  end: number;
}

/** Rows that follow each other under one name; the first begins where the first row that is drawn does, further up than is seen. */
function groupsOf(
  items: readonly { index: number; start: number; end: number }[],
  nameAt: (index: number) => string | undefined,
): Group[] {
  const groups: Group[] = [];
  for (const { index, start, end } of items) {
    const [name, last] = [nameAt(index), groups.at(-1)];
    if (name === undefined) continue;
    if (last?.name === name) last.end = end;
    else groups.push({ name, start, end });
  }
  return groups;
}
