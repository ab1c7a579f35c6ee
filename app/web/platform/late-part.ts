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
