import type { ListOrder } from '@reverie/shared/contract/memories/memories';
import { memo, useLayoutEffect, useMemo, useRef, useState, type ComponentProps, type RefObject } from 'react';
import { useNow } from '../../../platform/clock.ts';
import css from './Lists.module.css';
import { BY_TOUCH, useMedia } from '../../../platform/media.ts';
import { MenuAt } from '../../../ui/Menu.tsx';
import { VirtualList, type ListHandle } from '../../../ui/lists/VirtualList.tsx';
import { type MemoryAddress, isSame } from '../address.ts';
import { type ListRow, timeIn } from '../queries.ts';
import { dayOf } from '../../../platform/days.ts';
import { MemoryRow } from './MemoryRow.tsx';
import { anatomyOfRow } from './row-anatomy.ts';
import { RowMenu, type RowActs } from './RowMenu.tsx';
import type { Selection } from './selecting.ts';

/** Rows are as high as this, in pixels, so that a list of any length can be measured without drawing it. */
const HEIGHT = { row: 72, byTouch: 80, day: 30 } as const;
/** What was found has one line more below a title. */
const FOUND_MORE = 20;

/** What both lists hand on to their rows. */
export interface ListProps {
  handle: RefObject<ListHandle<ListRow> | null>;
  /** The memory that is open beside the list. */
  open: MemoryAddress | undefined;
  selection: Selection;
  acts: RowActs;
  /** A row was chosen, to be read. */
  onOpen: (row: MemoryAddress) => void;
  /** Enter on a row: what is open is to be read by the keyboard. */
  onEnter: (row: MemoryAddress) => void;
  /** The keyboard came to a row. */
  onFollow: (row: MemoryAddress) => void;
}

interface VirtualRowsProps extends ListProps {
  label: string;
  namespace: string;
  count: number;
  /** The row at a position; undefined while it is still being fetched. */
  at: (index: number) => ListRow | undefined;
  /** Where the open memory stands among the rows that are known; -1 where it is none of them. */
  current: number;
  /** By which time the list is in order, so that it can be grouped by its days; hits are not. */
  days?: ListOrder | undefined;
  /** Whether a tag narrows it: then each row shows its tags. */
  isByTag: boolean;
  onRange?: (first: number, last: number) => void;
  busy: boolean;
}

type RowProps = ComponentProps<typeof MemoryRow>;

/** A row as it stands there is not drawn again by each step of the keyboard; what a click does is asked for when there is one. */
const Row = memo(MemoryRow, (before, now) => {
  const { place: was, onPress: _, ...rest } = before;
  const { place, ...next } = now;
  const isSameIn = <T extends object>(of: T, other: T) =>
    (Object.keys(of) as (keyof T)[]).every((name) => Object.is(of[name], other[name]));
  return (
    was.index === place.index &&
    was.count === place.count &&
    was.top === place.top &&
    was.active === place.active &&
    isSameIn<Omit<RowProps, 'place' | 'onPress'>>(rest, next)
  );
});

/** Memories, any number of them. */
export function VirtualRows({
  open,
  selection,
  acts,
  days,
  isByTag,
  namespace,
  at,
  ...list
}: VirtualRowsProps) {
  const now = useNow();
  const isTouched = useMedia(BY_TOUCH);
  const [asked, setAsked] = useState<readonly ListRow[]>([]);
  const isSelecting = selection.rows.length > 0;
  const rowHeight = HEIGHT[isTouched ? 'byTouch' : 'row'];
  const heightAt = (index: number) => {
    const row = days ? undefined : at(index);
    return rowHeight + (row && anatomyOfRow(row).title ? FOUND_MORE : 0);
  };
  // Each is asked for by its row, by the one below, and for how high they are.
  const knownDays = useMemo(() => new Map<string, string>(), [now]);
  const dayAt = (index: number) => {
    const row = at(index);
    if (!row || !days) return undefined;
    const time = timeIn(days, row);
    const day = knownDays.get(time) ?? dayOf(time, now);
    knownDays.set(time, day);
    return day;
  };
  const select = (index: number, from = index) => {
    const row = at(index);
    if (from === index) return row && selection.toggle(row);
    const [first, last] = [Math.min(index, from), Math.max(index, from)];
    const through = Array.from({ length: last - first + 1 }, (_, step) => at(first + step));
    selection.add(through.filter((one) => one !== undefined));
  };
  /** Of a selected row all that are selected are meant, else that row alone; of the list the row of the keyboard. */
  const ask = (target: Element) => {
    const option = target.closest('[role="option"]');
    const row = option ? at(Number(option.id.slice('row-'.length))) : list.handle.current?.active();
    if (row === undefined) return setAsked([]);
    setAsked(selection.has(row) ? selection.rows : [row]);
  };
  const onPress = (row: ListRow | undefined, isMeant: boolean) => {
    if (isMeant || !row) return;
    // A finger has no Control key: once one is selected, it selects.
    if (isTouched && isSelecting) selection.toggle(row);
    else list.onOpen(row);
  };
  const pressed = useRef(onPress);
  useLayoutEffect(() => {
    pressed.current = onPress;
  });
  const rows = (
    <MenuAt onAsk={ask} items={<RowMenu rows={asked} acts={acts} onSelect={selection.toggle} />}>
      <VirtualList
        {...list}
        at={at}
        rowHeight={rowHeight}
        heightAt={heightAt}
        headings={days && { height: HEIGHT.day, at: dayAt }}
        onOpen={list.onEnter}
        onMove={list.onFollow}
        onDelete={() => acts.trash(isSelecting ? selection.rows : shownOf(list.handle))}
        onSelect={select}
        draw={(row, { press, ...place }) => (
          <Row
            key={place.index}
            place={place}
            row={row}
            height={heightAt(place.index)}
            order={days ?? 'noted'}
            namespace={namespace}
            hasTags={isByTag}
            isOpen={row !== undefined && open !== undefined && isSame(row, open)}
            isSelected={row !== undefined && selection.has(row)}
            isSelecting={isSelecting}
            onPress={(event) => pressed.current(row, press(event))}
          />
        )}
      />
    </MenuAt>
  );
  // What follows the hits stands right below them, where there are few.
  return days ? (
    rows
  ) : (
    <div className={css['fitting']} style={{ flexBasis: sumOf(list.count, heightAt) }}>
      {rows}
    </div>
  );
}

function sumOf(count: number, of: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += of(index);
  return sum;
}

function shownOf(handle: RefObject<ListHandle<ListRow> | null>): ListRow[] {
  const row = handle.current?.active();
  return row ? [row] : [];
}
