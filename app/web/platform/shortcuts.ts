import { useEffect, useRef } from 'react';

export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="menu"]';

/** Whether a key press is meant for something other than the page: typed text, an open dialog or menu. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
    return true;
  if (document.querySelector('dialog[open]')) return true;
  return event.target instanceof Element && event.target.closest(TYPING) !== null;
}

/**
 * Single keys for the whole page, by `KeyboardEvent.key`, while nothing else takes them. A view listens on the document;
 * what is around all views on the window, which hears of a key after the document: so the view goes first.
 */
export function useShortcuts(shortcuts: Shortcuts, on: Document | Window = document): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = isTaken(event) ? undefined : current.current[event.key];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    const listen: EventListener = (event) => event instanceof KeyboardEvent && onKey(event);
    on.addEventListener('keydown', listen);
    return () => on.removeEventListener('keydown', listen);
  }, [on]);
}

/** How long the second of two keys may take, ms. */
const SECOND_MS = 1_500;

/** What a key press means for two keys after each other: since when the second is awaited, and whether this is it. */
export function secondKey(
  first: string,
  since: number | undefined,
  press: { key: string; timeStamp: number },
): { since: number | undefined; isSecond: boolean } {
  if (since !== undefined && press.timeStamp - since <= SECOND_MS)
    return { since: undefined, isSecond: true };
  return { since: press.key === first ? press.timeStamp : undefined, isSecond: false };
}

/** Two keys after each other for the whole page, such as `g` and `m`; the second is taken for nothing else then. */
export function useSecondKeys(first: string, shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });
  useEffect(() => {
    let since: number | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) {
        since = undefined;
        return;
      }
      const next = secondKey(first, since, event);
      since = next.since;
      if (!next.isSecond) return;
      event.preventDefault();
      current.current[event.key]?.(event);
    };
    // Before the shortcuts of the views, whose single keys may be the same letters.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [first]);
}
