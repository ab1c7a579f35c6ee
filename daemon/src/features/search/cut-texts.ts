import { LRUCache } from 'lru-cache';
import { chunkRange } from './index.store.ts';
import type { KnownWords, Tokens } from './known-words.ts';

/**
 * Texts of chunks as they are read, cut into words: fetching and cutting them takes half of the time of a search. Kept for the chunks
 * that were read last, without a letter of them; a chunk's text never changes, and what is deleted is forgotten.
 */
export interface CutTexts {
  /** The words of some chunks; `bodiesOf` is asked for those that are not known yet. */
  of(
    ids: readonly number[],
    bodiesOf: (ids: readonly number[]) => ReadonlyMap<number, string>,
  ): Map<number, Tokens>;
  forget(id: number): void;
  forgetNamespace(namespaceId: number): void;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Of a word: a key, a row, a kind. Of a text: its arrays. */
const WORD_BYTES = 9;
const TEXT_BYTES = 400;

export function createCutTexts(words: () => KnownWords): CutTexts {
  const known = new LRUCache<number, Tokens>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ count }) => TEXT_BYTES + WORD_BYTES * count,
  });
  return {
    of(ids, bodiesOf) {
      const found = new Map<number, Tokens>();
      const missing: number[] = [];
      for (const id of ids) {
        const tokens = known.get(id);
        if (tokens) found.set(id, tokens);
        else missing.push(id);
      }
      if (missing.length === 0) return found;
      for (const [id, body] of bodiesOf(missing)) {
        const { count, keys, rows, kinds } = words().cut(body);
        const tokens = {
          count,
          keys: keys.slice(0, count),
          rows: rows.slice(0, count),
          kinds: kinds.slice(0, count),
        };
        known.set(id, tokens);
        found.set(id, tokens);
      }
      return found;
    },
    forget: (id) => void known.delete(id),
    forgetNamespace(namespaceId) {
      const { from, to } = chunkRange(namespaceId);
      for (const id of [...known.keys()]) if (id >= from && id <= to) known.delete(id);
    },
  };
}
