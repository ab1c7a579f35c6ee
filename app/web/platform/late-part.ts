import { reach } from './api.ts';

/** A part of the page could not be fetched, because the daemon does not answer. */
export class Unfetched extends Error {}

/**
 * Makes a failed fetch of a page an `Unfetched` while the daemon does not answer. The router reloads the whole
 * page for any other part that is missing, as after an upgrade; without a daemon nothing would be left of it.
 */
export function orUnfetched<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return () =>
    load().catch((cause: unknown) => {
      throw reach.get() === 'down' ? new Unfetched('Reverie does not answer', { cause }) : cause;
    });
}
