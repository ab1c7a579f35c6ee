import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../words/words.ts';
import { type Abroad, cutsOf, infinitiveOf, plain, stemAbroad } from './inflection.ts';

/** The everyday words of six languages with what they are in English. */
export interface Dictionary {
  /** What a word, or a run of words, is in English, the everyday sense first; undefined for what it does not hold. */
  lookUp(language: Abroad, words: readonly string[]): readonly string[] | undefined;
  /** Whether there are runs of several words that begin with a word, in any of its forms. */
  begins(language: Abroad, word: string): boolean;
  /** The same for one word as it stands, without its forms and parts. */
  has(language: Abroad, word: string): boolean;
  /** Whether English has the word, as far as the dictionary says it. */
  isEnglish(word: string): boolean;
}

/** The packed file and how it begins. */
export const DICTIONARY = {
  file: join(import.meta.dirname, '../../../data/lexicon/abroad.bin'),
  magic: 'RVA1',
};
/** Words of the longest run that is looked up. */
export const LONGEST_RUN = 4;

/**
 * How an entry is named before it is hashed: a language, and a run of words with their accents (`!`, only where those tell words apart), without (`=`),
 * or their stems (`~`); or the first stem of a run of several (`>`).
 */
export function nameOfEntry(
  language: Abroad | 'en',
  kind: '!' | '=' | '~' | '>',
  words: readonly string[],
): string {
  return `${language}${kind}${words.join(' ')}`;
}

/** A word in small letters, with its accents in one form. */
export function small(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

/** The arrays of the packed file. */
export interface PackedDictionary {
  /** Hashes of entries, in order. */
  keys: Int32Array;
  /** How many English words each has. */
  counts: Uint8Array;
  /** Numbers of those words, one entry behind the other. */
  lists: Uint16Array;
  /** The English words, each with a line feed behind it. */
  words: Uint8Array;
}

/** Reads the packed dictionary (layout: `scripts/data/lexicon/pack-abroad.ts`); some 2 ms. Throws where the file is none. */
export function loadDictionary(file: string = DICTIONARY.file): Dictionary {
  const { keys, counts, lists, words } = unpack(file);
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) starts[at + 1] = (starts[at] ?? 0) + (counts[at] ?? 0);
  let english: string[] | undefined;

  function placeOf(name: string): number {
    const wanted = hashOf(name);
    let low = 0;
    for (let high = keys.length - 1; low <= high;) {
      const middle = (low + high) >> 1;
      const key = keys[middle] ?? 0;
      if (key === wanted) return middle;
      if (key < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  function listAt(place: number): readonly string[] | undefined {
    if (place < 0) return undefined;
    english ??= Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString('utf8').split('\n');
    const all = english;
    return Array.from(lists.subarray(starts[place], starts[place + 1]), (number) => all[number] ?? '');
  }

  const exact = (language: Abroad, run: readonly string[]) =>
    listAt(placeOf(nameOfEntry(language, '!', run.map(small)))) ??
    listAt(placeOf(nameOfEntry(language, '=', run.map(plain))));
  const stemmed = (language: Abroad, run: readonly string[]) =>
    listAt(
      placeOf(
        nameOfEntry(
          language,
          '~',
          run.map((word) => stemAbroad(language, word)),
        ),
      ),
    );

  /** A word as it stands, one of its forms, or what a participle is a form of. */
  function wordOf(language: Abroad, word: string): readonly string[] | undefined {
    const found = exact(language, [word]) ?? stemmed(language, [word]);
    if (found) return found;
    const infinitive = infinitiveOf(language, word);
    return infinitive === undefined
      ? undefined
      : (exact(language, [infinitive]) ?? stemmed(language, [infinitive]));
  }

  /** What the parts of a compound are, said one after the other. */
  function compoundOf(language: Abroad, word: string): readonly string[] | undefined {
    for (const { last, firsts } of cutsOf(language, word)) {
      const [tail] = wordOf(language, last) ?? [];
      if (tail === undefined) continue;
      for (const first of firsts()) {
        const [head] = wordOf(language, first) ?? [];
        if (head !== undefined) return [`${head} ${tail}`];
      }
    }
    return undefined;
  }

  return {
    lookUp(language, run) {
      const [only] = run;
      if (run.length > 1 || only === undefined) return exact(language, run) ?? stemmed(language, run);
      const found = wordOf(language, only) ?? compoundOf(language, only);
      // Names of entries are without the marks of ü, and Schluessel is Schlüssel.
      const spelled = language === 'de' ? only.replaceAll(/(?<=[aou])e/giu, '') : only;
      return (
        found ?? (spelled === only ? undefined : (wordOf(language, spelled) ?? compoundOf(language, spelled)))
      );
    },
    begins: (language, word) => placeOf(nameOfEntry(language, '>', [stemAbroad(language, word)])) >= 0,
    has: (language, word) => placeOf(nameOfEntry(language, '=', [plain(word)])) >= 0,
    isEnglish: (word) => placeOf(nameOfEntry('en', '=', [plain(word)])) >= 0,
  };
}

function unpack(file: string): PackedDictionary {
  const read = readFileSync(file);
  const bytes = read.byteOffset === 0 ? read : Buffer.from(Uint8Array.from(read).buffer);
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== DICTIONARY.magic)
    throw new Error(`${file} is not a packed dictionary`);
  const [count = 0, listed = 0, letters = 0] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  const size = 16 + 4 * count + 2 * listed + count + letters;
  if (bytes.length !== size) throw new Error(`${file} has ${bytes.length} bytes, and should have ${size}`);
  const { buffer } = bytes;
  const lists = 16 + 4 * count;
  const counts = lists + 2 * listed;
  return {
    keys: new Int32Array(buffer, 16, count),
    lists: new Uint16Array(buffer, lists, listed),
    counts: new Uint8Array(buffer, counts, count),
    words: new Uint8Array(buffer, counts + count, letters),
  };
}
