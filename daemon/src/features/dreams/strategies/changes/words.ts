import type { Aliases } from './aliases.ts';
import { loadStaticTable, type StaticTable } from '../../../../models/static-table.ts';

/** Vectors of words and texts by the built-in table, whatever model the namespace is embedded with: the same for the same text everywhere. */
export interface Words {
  /** Of unit length; all zero where the table knows nothing of it. */
  vector(text: string): Float32Array;
  /** The cosine of two words; those that are spelled alike are 1. */
  likeness(a: string, b: string): number;
  /** How surely two terms are one thing in the namespace that is read. */
  readonly alias: Aliases;
}

let table: StaticTable | undefined;

/** Reads the table with its first use in a thread, and keeps the vectors of the words that it was asked for. */
export function createWords(alias: Aliases = () => 0): Words {
  table ??= loadStaticTable();
  const { encode } = table;
  const ids = new Map<string, number>();
  const vectors: Float32Array[] = [];
  const known = new Map<number, number>();
  const idOf = (word: string): number => {
    const id = ids.get(word);
    if (id !== undefined) return id;
    ids.set(word, vectors.length);
    vectors.push(encode(word));
    return vectors.length - 1;
  };
  return {
    alias,
    vector: (text) => encode(text),
    likeness(a, b) {
      if (a === b) return 1;
      const [x, y] = [idOf(a), idOf(b)];
      const pair = x < y ? x * 0x4000000 + y : y * 0x4000000 + x;
      let cosine = known.get(pair);
      if (cosine === undefined) {
        cosine = dot(vectors[x], vectors[y]);
        // Some ten thousand words have a hundred million pairs: what is not kept is computed again.
        if (known.size < 2_000_000) known.set(pair, cosine);
      }
      return cosine;
    },
  };
}

/** The cosine of two vectors of unit length. */
export function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return 0;
  let [one, two] = [0, 0];
  for (let at = 0; at < a.length; at += 2) {
    one += (a[at] ?? 0) * (b[at] ?? 0);
    two += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
  }
  return one + two;
}

/** Cosines below are chance, above the words mean the same. */
const STRANGERS = 0.3;
const SAME = 0.75;

/** How much one word says what the other does: 1 for the same word, less for another of like meaning; names and numbers are the same or not. */
export function softly(
  one: { term: string; text: string; isName: boolean; isNumber: boolean },
  other: { term: string; text: string; isName: boolean; isNumber: boolean },
  words: Words,
): number {
  if (one.term === other.term) return 1;
  const alias = words.alias(one.term, other.term);
  if (alias > 0) return alias;
  if (one.isName || other.isName || one.isNumber || other.isNumber) return 0;
  return (
    0.85 * Math.max(0, Math.min(1, (words.likeness(one.text, other.text) - STRANGERS) / (SAME - STRANGERS)))
  );
}
