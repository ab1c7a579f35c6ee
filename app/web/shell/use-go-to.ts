import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { allows, session } from '../platform/daemon/session.ts';
import { useSecondKeys } from '../platform/shortcuts.ts';
import { useStore } from '../platform/store.ts';
import { views } from '../views.ts';

/** `g` and the letter of a view goes there, `g j` to today's note (the journal). */
export function useGoTo(): void {
  const navigate = useNavigate();
  const now = useStore(session);
  const allowed = views.filter(({ scope }) => allows(now, scope));
  useSecondKeys('g', {
    ...Object.fromEntries(allowed.map(({ letter, to }) => [letter, () => void navigate({ to })])),
    j: () => void navigate({ to: '/memories', search: { day: 'today' } }),
  });
}

/** The views that show one namespace; from the others its memories are gone to. */
const OF_A_NAMESPACE = ['/memories', '/ask', '/dreams', '/map', '/events'] as const;
/** The views beside the memories that show every namespace where none is chosen. */
export const SHOW_EVERY = ['/dreams', '/inbox', '/events'] as const;

/** Chooses a namespace, or every one: stays in the current view if that can show it, else goes to the memories. What was open is closed. */
export function useChooseNamespace(): (namespace: string) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useCallback(
    (namespace) =>
      void navigate({
        to:
          (namespace === EVERY_NAMESPACE ? SHOW_EVERY : OF_A_NAMESPACE).find((view) => view === pathname) ??
          '/memories',
        search: { namespace },
      }),
    [navigate, pathname],
  );
}

/** Ctrl+K, or ⌘K, opens the field from everywhere, but where one writes, for there it makes a link; not over another window. */
export function useFieldKey(open: () => void): void {
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isIt =
        (event.ctrlKey || event.metaKey) &&
        !event.shiftKey &&
        !event.altKey &&
        event.key.toLowerCase() === 'k';
      if (!isIt || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      current.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
