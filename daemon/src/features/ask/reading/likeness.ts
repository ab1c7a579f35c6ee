import { LRUCache } from 'lru-cache';
import { isHash, isSamePhone } from '../../../language/number-runs.ts';
import type { WordVectors } from '../ports.ts';
import type { ContentWord } from '../question/content-words.ts';

/** How alike two words are: 1 for the same word in another form, less for another word of like meaning, 0 for strangers. */
export type Likeness = (asked: ContentWord, said: ContentWord) => number;

/** Cosines below are chance, above the words mean the same (measured on the static table: rent–lease .57, employer–company .58). */
const STRANGERS = 0.3;
const SAME = 0.75;
/** What another word of the same meaning counts at most. */
const OTHER_WORD = 0.85;
/** Words whose vectors are kept: 8 MiB. */
const KEPT = 8_000;
/** Words of questions, and words beside each, whose likeness is kept: questions of one subject meet the same words again. */
const ROWS = 100;
const PAIRS = 1_000;

const LETTERS = /^[\p{sc=Latin}'’-]+$/u;

/** Compares words by stem, by their beginnings (endings and compounds of any language), and by their vectors. */
export function createLikeness(vectors: WordVectors): Likeness {
  const known = new LRUCache<string, Float32Array>({ max: KEPT });
  const rows = new LRUCache<string, Map<string, number>>({ max: ROWS });
  // One word of a question is compared with all words of a sentence, one after another.
  let latest: string | undefined;
  let row = new Map<string, number>();
  let vectorOfLatest: Float32Array | undefined;
  const vectorOf = (word: string): Float32Array => {
    let vector = known.get(word);
    if (!vector) known.set(word, (vector = vectors.encode(word)));
    return vector;
  };
  return (asked, said) => {
    if (isSame(asked, said)) return 1;
    if (asked.text !== latest) {
      row = rows.get(asked.text) ?? new Map<string, number>();
      rows.set(asked.text, row);
      latest = asked.text;
      vectorOfLatest = undefined;
    }
    let found = row.get(said.text);
    if (found === undefined) {
      found = compared(asked, said);
      if (row.size < PAIRS) row.set(said.text, found);
    }
    return found;
  };

  function compared(asked: ContentWord, said: ContentWord): number {
    const shared = beginning(asked.text, said.text);
    if (shared > 0) return shared;
    // Figures and identifiers are the same or they are not, and the table knows words of Latin letters only.
    if (!LETTERS.test(asked.text) || !LETTERS.test(said.text)) return 0;
    const cosine = dot((vectorOfLatest ??= vectorOf(asked.text)), vectorOf(said.text));
    return Math.max(0, Math.min(1, (cosine - STRANGERS) / (SAME - STRANGERS))) * OTHER_WORD;
  }
}

/** The same word in any form, spelled out or not; a telephone number with its country's code or without; a hash or its beginning. */
function isSame(asked: ContentWord, said: ContentWord): boolean {
  if (asked.stem === said.stem || asked.spelled === said.stem || asked.stem === said.spelled) return true;
  if (isSamePhone(asked.text, said.text)) return true;
  if (!isHash(asked.text) || !isHash(said.text)) return false;
  return asked.text.startsWith(said.text) || said.text.startsWith(asked.text);
}

/** Five letters in common at the beginning that make up most of both words. */
function beginning(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5) return 0;
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return same >= 5 && same >= 0.6 * Math.max(a.length, b.length) ? 0.8 : 0;
}

/** The cosine of two unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [one, two] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    one += (a[i] ?? 0) * (b[i] ?? 0);
    two += (a[i + 1] ?? 0) * (b[i + 1] ?? 0);
  }
  return one + two;
}
