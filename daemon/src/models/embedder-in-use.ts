import type { ModelReach } from '@reverie/shared/contract/system/models';
import type { BackgroundEmbedder } from './background-embedder.ts';
import type { ServerState } from './breaker.ts';
import type { Embedder } from './embedder.ts';

/** What makes vectors: of queries at once, of texts in the background. */
export interface VectorMaker {
  readonly embedder: Embedder;
  readonly background: BackgroundEmbedder;
  /** How far goes what a server makes vectors of; undefined where none does. */
  readonly reach: ModelReach | undefined;
  /** Has the vectors of queries made before they are searched; does nothing for the built-in table. */
  fetchQueries(texts: readonly string[]): Promise<void>;
  state(): ServerState;
}

/** The maker that is in use; after `replace`, whoever holds this object asks the new one. */
export interface VectorMakerInUse extends VectorMaker {
  replace(next: VectorMaker): void;
}

/**
 * Makes a maker that can be replaced. What the old one has under way then fails or
 * is of no use: who waits for it sees another `embedder.model`.
 */
export function makerInUse(first: VectorMaker): VectorMakerInUse {
  let used = first;
  return {
    embedder: {
      get model() {
        return used.embedder.model;
      },
      get dimensions() {
        return used.embedder.dimensions;
      },
      get isRemote() {
        return used.embedder.isRemote;
      },
      isReady: (text) => used.embedder.isReady?.(text) ?? true,
      encode: (text, weight) => used.embedder.encode(text, weight),
    },
    background: {
      encode: (texts) => used.background.encode(texts),
      rest: () => used.background.rest(),
      ready: async () => used.background.ready?.(),
      retryAt: () => used.background.retryAt?.() ?? Infinity,
    },
    get reach() {
      return used.reach;
    },
    fetchQueries: (texts) => used.fetchQueries(texts),
    state: () => used.state(),
    replace(next) {
      const before = used;
      used = next;
      before.background.rest();
    },
  };
}
