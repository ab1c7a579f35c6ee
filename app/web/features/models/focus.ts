import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { createStore, useStore } from '../../platform/store.ts';

/** Hands the focus on to `id` when the element goes while it has it: else whoever goes by keyboard begins anew. */
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

/** What has begun by a button that stands elsewhere, until the card that shows it has led there. */
export type Begun = 'pull' | 'examination';
const begun = createStore<Begun | undefined>(undefined);

/** Leads to the card of what has just begun, as soon as there is one. */
export function leadTo(what: Begun): void {
  begun.set(what);
}

/** Takes the focus, and comes into the window, when what a card shows has just begun. */
export function useLedTo(what: Begun, card: RefObject<HTMLElement | null>): void {
  const wanted = useStore(begun);
  useEffect(() => {
    if (wanted !== what || !card.current) return;
    begun.set(undefined);
    card.current.focus({ preventScroll: true });
    card.current.scrollIntoView({ block: 'nearest' });
  }, [wanted, what, card]);
}
