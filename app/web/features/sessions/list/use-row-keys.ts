import { useRef, type RefObject } from 'react';
import { useShortcuts } from '../../../platform/shortcuts.ts';
import type { FeedHandle } from '../../../ui/lists/VirtualFeed.tsx';
import type { ListItem } from './folding.ts';

/** `j` and `k` go from session to session: the focus goes with them, so that Enter opens. */
export function useRowKeys(feed: RefObject<FeedHandle | null>, items: readonly ListItem[]): void {
  const wanted = useRef<string>(undefined);
  const focusWanted = () => {
    const link = document.querySelector<HTMLElement>(`[data-session="${wanted.current}"]`);
    link?.focus({ preventScroll: true });
    return link !== null;
  };
  const move = (step: 1 | -1) => {
    const held = document.activeElement?.getAttribute('data-session') ?? wanted.current;
    const from = items.findIndex((item) => item.key === held);
    for (let at = from + step; at >= 0 && at < items.length; at += step) {
      const item = items[at];
      if (item?.kind !== 'session') continue;
      wanted.current = item.key;
      feed.current?.show(at, 'seen');
      // A row that was out of sight is drawn a frame later.
      if (!focusWanted()) requestAnimationFrame(focusWanted);
      return;
    }
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
}
