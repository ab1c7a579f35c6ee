import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import css from './VirtualFeed.module.css';

/** What the keyboard, and whoever jumps, need of a feed. */
export interface FeedHandle {
  /** Scrolls to an item: its beginning to the upper edge, or only as far as it is not seen. */
  show(index: number, where?: 'start' | 'seen' | 'center'): void;
  toEnd(): void;
  /** The first item whose beginning, or most of which, is seen. */
  first(): number;
  isAtEnd(): boolean;
  focus(): void;
}

interface VirtualFeedProps {
  handle?: Ref<FeedHandle>;
  label: string;
  /** `feed`: articles to be read one after the other; `list`: things to choose from. */
  role?: 'feed' | 'list';
  count: number;
  /** Names the item at a position: what is read stays where it is while items come above it. */
  keyAt: (index: number) => string;
  /** About how high an item is, in pixels, before it was drawn. */
  heightAt: (index: number) => number;
  draw: (index: number) => ReactNode;
  /** Whether the end stays in sight when items come below it, while it is in sight. */
  follows?: boolean;
  /** The items that are drawn, and whether the end is in sight. */
  onRange?: (first: number, last: number, isAtEnd: boolean) => void;
  /** The user may have scrolled: with a wheel, a finger, the bar or keys. */
  onUserScroll?: () => void;
  busy?: boolean;
}

/** How near to the end counts as being there, in pixels. */
const AT_END = 48;

/** Left above what is scrolled to, in pixels; less than `TOLERANCE`, so that it is the first that is seen. */
const ABOVE = 12;

/** Events after which the user may have scrolled; of keys those below. */
const MAY_SCROLL = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
const SCROLL_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', ' ']);

/** Items of any number and height, of which only those in sight exist. */
export function VirtualFeed(props: VirtualFeedProps) {
  const {
    label,
    role = 'feed',
    count,
    keyAt,
    heightAt,
    draw,
    follows = false,
    onRange,
    onUserScroll,
    busy = false,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightAt,
    getItemKey: keyAt,
    overscan: 16,
    scrollPaddingStart: ABOVE,
    anchorTo: 'end',
    followOnAppend: follows,
    scrollEndThreshold: AT_END,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const isAtEnd = count > 0 && last === count - 1 && virtualizer.isAtEnd(AT_END);
  useEffect(() => onRange?.(first, last, isAtEnd), [onRange, first, last, isAtEnd, count]);
  useImperativeHandle(props.handle, () => ({
    show: (index, where = 'start') =>
      virtualizer.scrollToIndex(index, { align: where === 'seen' ? 'auto' : where }),
    toEnd: () => virtualizer.scrollToEnd(),
    first: () => {
      const top = (scroller.current?.scrollTop ?? 0) + TOLERANCE;
      return virtualizer.getVirtualItems().find(({ end }) => end > top)?.index ?? 0;
    },
    isAtEnd: () => virtualizer.isAtEnd(AT_END),
    focus: () => scroller.current?.focus({ preventScroll: true }),
  }));
  useEffect(() => {
    const { current: element } = scroller;
    if (!element || !onUserScroll) return;
    const tell = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || SCROLL_KEYS.has(event.key)) onUserScroll();
    };
    for (const name of MAY_SCROLL) element.addEventListener(name, tell, { passive: true });
    return () => {
      for (const name of MAY_SCROLL) element.removeEventListener(name, tell);
    };
  }, [onUserScroll]);
  return (
    <div ref={scroller} className={css['scroller']} tabIndex={0} aria-label={label} role="region">
      <div
        className={css['sheet']}
        role={role}
        aria-label={label}
        aria-busy={role === 'feed' ? busy : undefined}
        style={{ blockSize: virtualizer.getTotalSize() }}
      >
        {items.map((item) => (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className={css['slot']}
            role={role === 'list' ? 'listitem' : undefined}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {draw(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** An item of which only the last pixels are seen is not what one reads. */
const TOLERANCE = 24;
