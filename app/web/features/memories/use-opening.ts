import { useEffect, useRef, useState, type RefObject } from 'react';
import { wallClock } from '../../platform/clock.ts';
import { debounce } from '../../platform/debounce.ts';
import { useGo } from '../../platform/place.ts';
import type { ListHandle } from '../../ui/lists/VirtualList.tsx';
import { type MemoryAddress, isSame } from './address.ts';
import { placeInList, type Looking } from './looking.ts';
import type { ListRow } from './queries.ts';

/** How long the keyboard rests on a row before it is opened, ms: held down, it passes many. A single step opens at once. */
const REST_MS = 80;
const SINGLE_MS = 200;

/** How a memory of the list is opened, and what is open closed. */
export interface Opening {
  open: (row: MemoryAddress) => void;
  /** The same, and forgets where the keyboard rests. */
  openNow: (row: MemoryAddress) => void;
  /** Opens it if the keyboard stays there. */
  rest: (row: MemoryAddress) => void;
  close: () => void;
}

/** Opens memories of a list, and gives it the keyboard back when what was open is closed. */
export function useOpening(looking: Looking, list: RefObject<ListHandle<ListRow> | null>): Opening {
  const go = useGo();
  const { namespace, mode, open: shown, isDetail, isTrash } = looking;
  const open = (row: MemoryAddress) => {
    if (shown && isSame(row, shown) && mode === undefined) return;
    go({ ...placeInList(namespace, row), mode: undefined }, { replace: shown !== undefined });
  };
  const follow = useRef(open);
  useEffect(() => {
    follow.current = open;
  });
  const [resting] = useState(() => debounce<MemoryAddress>(wallClock, REST_MS, (row) => follow.current(row)));
  const steppedAt = useRef(Number.NEGATIVE_INFINITY);
  const step = (row: MemoryAddress) => {
    const isSingle = wallClock.now() - steppedAt.current > SINGLE_MS;
    steppedAt.current = wallClock.now();
    if (!isSingle) return resting.push(row);
    resting.cancel();
    open(row);
  };
  useEffect(() => resting.cancel, [resting]);

  const wasDetail = useRef(isDetail);
  useEffect(() => {
    // Back to where it was opened from; only now is the list of a narrow window there again.
    if (wasDetail.current && !isDetail) list.current?.focus();
    wasDetail.current = isDetail;
  }, [isDetail, list]);

  return {
    open,
    openNow: (row) => {
      resting.cancel();
      open(row);
    },
    rest: step,
    close: () => {
      resting.cancel();
      go({ key: undefined, in: undefined, day: undefined, mode: isTrash && isDetail ? 'trash' : undefined });
    },
  };
}
