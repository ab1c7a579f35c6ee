import { reach } from './api.ts';
import { becomes } from './holding.ts';

/**
 * Makes what fetches a part of the page wait for a daemon that does not answer, and fetch again then. The router reloads the whole
 * page for any other part that is missing, as after an upgrade; without a daemon nothing would be left of it.
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
