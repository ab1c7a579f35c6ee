import { lazy, useEffect, useState, type ComponentType } from 'react';
import { awaySince, reach } from './daemon/api.ts';
import { becomes } from './daemon/holding.ts';
import { useStore } from './store.ts';

/**
 * Makes a function that loads a late part of the page wait while the daemon does not answer, and then load again. Otherwise the router
 * would reload the whole page, as for a part that an upgrade replaced, and without a daemon nothing would be left of it.
 */
export function onceFetched<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    for (;;) {
      try {
        return await load();
      } catch (cause) {
        if (reach.get() === 'up') throw cause;
        await becomes(reach, 'up');
      }
    }
  };
}

/** A component whose code is loaded when it is first drawn, and loaded again when the daemon went away meanwhile. */
export function latePart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(onceFetched(load));
}

/**
 * Takes the links of style sheets that failed to load out of a document. Vite takes any link that stands there for a style sheet that
 * is loaded, and would draw a part that is fetched again without its styles.
 */
export function dropFailedStyles(of: Document): void {
  of.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove();
    },
    true,
  );
}

/**
 * A late part, once it is wanted and there: nothing stands in its place before. What stands in the place of a lazy component would hold
 * up the next one for a third of a second (React shows no two of them in quick succession). `isMissed`: whether the page lacks something
 * without it; one that is not missed, and cannot be had, is fetched once the daemon answers again.
 */
export function useLatePart<Part>(
  load: () => Promise<Part>,
  { isWanted, isMissed }: { isWanted: boolean; isMissed: boolean },
): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  const isAway = useStore(awaySince) !== undefined;
  useEffect(() => {
    if (!isWanted || (isAway && !isMissed)) return;
    load().then(
      (part) => setLoaded({ part }),
      (cause: unknown) => {
        // Thrown where it is drawn, so that the page says that it failed.
        if (isMissed)
          setLoaded(() => {
            throw cause;
          });
      },
    );
  }, [load, isWanted, isMissed, isAway]);
  return loaded?.part;
}
