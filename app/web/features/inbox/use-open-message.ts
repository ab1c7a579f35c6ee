import { useEffect, useState } from 'react';
import { BESIDE } from '../../platform/media.ts';
import { useGo, usePlace } from '../../platform/place.ts';
import type { Thread } from './threads.ts';

/** How the open message is looked at. */
interface Look {
  isSource: boolean;
  isReplying: boolean;
}

/** Which message is open, how it is looked at, and the way to others. */
export interface OpenMessage {
  /** What the address names, which may not be there. */
  id: string | undefined;
  thread: Thread | undefined;
  look: Look;
  setLook: (look: Partial<Look>) => void;
  open: (id: string) => void;
  move: (step: number) => void;
  close: () => void;
}

/** Opens one of these messages; the first one by itself, where there is room beside the list. */
export function useOpenMessage(threads: readonly Thread[] | undefined): OpenMessage {
  const { message: id } = usePlace();
  const go = useGo('/inbox');
  const [look, setLook] = useState<Look>({ isSource: false, isReplying: false });
  const at = threads?.findIndex(({ message }) => message.id === id) ?? -1;
  const first = threads?.[0]?.message.id;
  useEffect(() => {
    // The first one lies open already, as on a desk.
    if (id === undefined && first !== undefined && matchMedia(BESIDE).matches)
      go({ message: first }, { replace: true });
  }, [id, first, go]);
  const open = (next: string) => {
    setLook({ isSource: false, isReplying: false });
    go({ message: next }, { replace: id !== undefined });
  };
  return {
    id,
    thread: threads?.[at],
    look,
    setLook: (change) => setLook({ ...look, ...change }),
    open,
    move: (step) => {
      const next = threads?.[Math.min(threads.length - 1, Math.max(0, at + step))];
      if (next) open(next.message.id);
    },
    close: () => go({ message: undefined }),
  };
}
