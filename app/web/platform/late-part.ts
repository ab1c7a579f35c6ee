import { useEffect, useState } from 'react';
import { reach } from './api.ts';
import { becomes } from './holding.ts';

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

/**
 * A late part, once it is wanted and there: nothing stands in its place before. What stands in the place of a lazy component would hold
 * up the next one for a third of a second (React shows no two of them in quick succession).
 */
export function useLatePart<Part>(load: () => Promise<Part>, isWanted: boolean): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  useEffect(() => {
    if (!isWanted) return;
    load().then(
      (part) => setLoaded({ part }),
      (cause: unknown) =>
        // Thrown where it is drawn, so that the page says that it failed.
        setLoaded(() => {
          throw cause;
        }),
    );
  }, [load, isWanted]);
  return loaded?.part;
}
