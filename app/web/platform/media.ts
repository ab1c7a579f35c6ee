import { useCallback, useSyncExternalStore } from 'react';

/** From this width on what is open stands beside its list (`ui/lists/Split.module.css` says the same). */
export const BESIDE = '(width >= 56rem)';
/** A finger: what is chosen has to be larger. */
export const BY_TOUCH = '(pointer: coarse)';

/** Whether a media query fits at the moment. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (told: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', told);
      return () => media.removeEventListener('change', told);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
