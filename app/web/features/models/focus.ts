import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { createStore, useStore } from '../../platform/store.ts';

/**
 * Moves the focus to the element `id` when the returned ref's element is removed while
 * it is focused: otherwise keyboard users would start again at the top of the page.
 */
export function useFocusAfter<Kind extends HTMLElement>(id: string) {
  const ref = useRef<Kind>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement))
        document.getElementById(id)?.focus({ preventScroll: true });
    };
  }, [id]);
  return ref;
}

/** What was begun by a button elsewhere on the page, until the card that shows it has taken the focus. */
export type BegunWork = 'pull' | 'examination';
const begun = createStore<BegunWork | undefined>(undefined);

/** Leads to the card of what has just begun, as soon as there is one. */
export function leadTo(what: BegunWork): void {
  begun.set(what);
}

/** Takes the focus, and comes into the window, when what a card shows has just begun. */
export function useLedTo(what: BegunWork, card: RefObject<HTMLElement | null>): void {
  const wanted = useStore(begun);
  useEffect(() => {
    if (wanted !== what || !card.current) return;
    begun.set(undefined);
    card.current.focus({ preventScroll: true });
    card.current.scrollIntoView({ block: 'nearest' });
  }, [wanted, what, card]);
}
