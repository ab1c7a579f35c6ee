import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { foldText, WORD } from './words.ts';

/** A run of words that some concepts have among their phrases. */
export interface Naming {
  /** Places in the list of keys: from the first, up to but not including the last. */
  readonly from: number;
  readonly to: number;
  /** Numbers of the concepts. */
  readonly concepts: Uint16Array;
}

/**
 * A dictionary of concepts, each with the phrases that people say it by ("landlord", "owner of the flat", "the one we rent from").
 * It holds what it holds and does not generalise (data/lexicon/README.md).
 */
export interface Lexicon {
  /** Concepts, numbered from 0. */
  readonly size: number;
  /** The phrases of a concept, its name first. */
  phrases(concept: number): readonly string[];
  /** What the first `count` of a list of stems' keys name: the longest phrase at each place, none inside another. */
  namings(keys: ArrayLike<number>, count: number): Naming[];
  /** The concepts of the longest phrase that begins at a place; undefined where none does. */
  namedAt(keys: ArrayLike<number>, count: number, from: number): Uint16Array | undefined;
  /** The low 16 bits of the keys that a concept's phrases begin with. */
  begins(concept: number): Int32Array;
}

/** The folder of the dictionary, and its files: as it is written, and as it is read. */
export const LEXICON = {
  folder: join(import.meta.dirname, '../../../data/lexicon'),
  text: 'concepts.txt',
  packed: 'lexicon.bin',
} as const;

/** Words that say whose or which, between the words of a phrase or before it; phrases are looked for without them. */
const PASSED_OVER = new Set(['a', 'an', 'the', 'my', 'our', 'his', 'her', 'their', 'your', 'its']);

/** Whether phrases pass over a word, so that "sold my car" and "sold a car" are one. */
export function isPassedOver(word: string): boolean {
  return PASSED_OVER.has(word);
}

/** The words of a text as phrases are looked for: lower case, without the `s` of `Anna's`, articles and possessives. */
export function phraseWords(text: string): string[] {
  const words = foldText(text).toLowerCase().match(WORD) ?? [];
  return words.filter((word) => word !== 's' && !PASSED_OVER.has(word));
}

/** Extends each of the two hashes of a run of keys by one more key; for no keys both are 0. */
export const grown = {
  one: (hash: number, key: number): number => Math.imul(hash ^ key, 0x85ebca6b) ^ (hash >>> 13),
  two: (hash: number, key: number): number => Math.imul(hash + key, 0xc2b2ae35) ^ (hash >>> 15),
} as const;

/** The arrays of the packed file; their lengths stand in its header, in this order. */
export interface PackedLexicon {
  /** Words of the longest phrase that begins with such a key (its low 16 bits). */
  readonly longest: Int32Array;
  /** Open addressing by the low bits of the first hash: the phrase's number, or -1. */
  readonly slots: Int32Array;
  readonly ones: Int32Array;
  readonly twos: Int32Array;
  /** Where a phrase's concepts begin in `lists`. */
  readonly starts: Int32Array;
  readonly lists: Int32Array;
  /** Where in `begins` the first keys of a concept's phrases stand, low 16 bits of each. */
  readonly beginStarts: Int32Array;
  readonly begins: Int32Array;
}
export const SECTIONS = [
  'longest',
  'slots',
  'ones',
  'twos',
  'starts',
  'lists',
  'beginStarts',
  'begins',
] as const;

/** Reads the packed dictionary (1 ms; the text, with the stems to be made, takes 400); the text only when phrases are asked for. */
export function loadLexicon(folder: string = LEXICON.folder): Lexicon {
  const { size, arrays } = unpack(join(folder, LEXICON.packed));
  const tables = { ...arrays, lists: Uint16Array.from(arrays.lists) };
  let lines: readonly string[] | undefined;
  return {
    size,
    phrases(concept) {
      lines ??= readFileSync(join(folder, LEXICON.text), 'utf8').split('\n');
      return lines[concept]?.split('|') ?? [];
    },
    namings: (keys, count) => namingsIn(tables, keys, count),
    namedAt: (keys, count, from) => namingAt(tables, { keys, count, from })?.concepts,
    begins: (concept) =>
      arrays.begins.subarray(arrays.beginStarts[concept] ?? 0, arrays.beginStarts[concept + 1] ?? 0),
  };
}

function unpack(file: string): { size: number; arrays: PackedLexicon } {
  // A large file gets a buffer of its own, and what begins with it is aligned: nothing is copied.
  const read = readFileSync(file);
  const bytes = read.byteOffset === 0 ? read : Buffer.from(Uint8Array.from(read).buffer);
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RVL1')
    throw new Error(`${file} is not a packed lexicon`);
  const size = bytes.readUInt32LE(4);
  let at = 8 + 4 * SECTIONS.length;
  const sections = SECTIONS.map((name, index) => {
    const length = bytes.readUInt32LE(8 + 4 * index);
    if (at + 4 * length > bytes.length) throw new Error(`${file} is cut short: ${name} is missing`);
    const array = new Int32Array(bytes.buffer, at, length);
    at += 4 * length;
    return [name, array] as const;
  });
  return { size, arrays: Object.fromEntries(sections) as unknown as PackedLexicon };
}

type Tables = Omit<PackedLexicon, 'lists'> & { lists: Uint16Array };

function namingsIn(tables: Tables, keys: ArrayLike<number>, count: number): Naming[] {
  const found: Naming[] = [];
  for (let from = 0; from < count;) {
    const naming = namingAt(tables, { keys, count, from });
    if (naming) found.push(naming);
    from = naming?.to ?? from + 1;
  }
  return found;
}

function namingAt(
  tables: Tables,
  { keys, count, from }: { keys: ArrayLike<number>; count: number; from: number },
): Naming | undefined {
  const most = Math.min(count - from, tables.longest[(keys[from] ?? 0) & 0xffff] ?? 0);
  let best: Naming | undefined;
  let one = 0;
  let two = 0;
  for (let length = 1; length <= most; length++) {
    const key = keys[from + length - 1] ?? 0;
    one = grown.one(one, key);
    two = grown.two(two, key);
    const concepts = conceptsAt(tables, one, two);
    if (concepts) best = { from, to: from + length, concepts };
  }
  return best;
}

function conceptsAt(
  { slots, ones, twos, starts, lists }: Tables,
  one: number,
  two: number,
): Uint16Array | undefined {
  const mask = slots.length - 1;
  for (let slot = one & mask; ; slot = (slot + 1) & mask) {
    const index = slots[slot] ?? -1;
    if (index < 0) return undefined;
    if (ones[index] === one && twos[index] === two)
      return lists.subarray(starts[index] ?? 0, starts[index + 1] ?? 0);
  }
}
