import { useLayoutEffect, useRef } from 'react';

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

/** Leads to what has just begun, which stands elsewhere than the button that began it. */
export function leadTo(id: string): void {
  requestAnimationFrame(() => {
    const element = document.getElementById(id);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  });
}
