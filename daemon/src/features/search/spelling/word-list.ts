import { editDistance } from './edit-distance.ts';

/** A word of a list, and how many letters are other than in the word that was asked for. */
export interface NearWord {
  readonly word: string;
  readonly distance: number;
}

/** Words that are looked through as a whole: two hundred thousand take a few milliseconds, and no index has to be kept beside them. */
export interface WordList {
  readonly size: number;
  has(word: string): boolean;
  add(word: string): void;
  /** All words in which `most` letters at most are changed, added, missing or swapped; the nearest first. */
  near(word: string, most: number): NearWord[];
  /** All words of three letters or more that a word begins with, but for one letter; the longest first. */
  begun(word: string): string[];
}

/** Shorter ones begin too many words. */
const SHORTEST_BEGIN = 3;

export function createWordList(): WordList {
  const words = new Set<string>();
  /** Which letters each has, in the order of the words: those that share all but a few are compared. */
  const letters: number[] = [];

  return {
    get size() {
      return words.size;
    },
    has: (word) => words.has(word),
    add(word) {
      if (words.has(word)) return;
      words.add(word);
      letters.push(lettersOf(word));
    },
    near(word, most) {
      const wanted = lettersOf(word);
      const found: NearWord[] = [];
      let at = 0;
      for (const other of words) {
        const has = letters[at++] ?? 0;
        if (Math.abs(other.length - word.length) > most) continue;
        // A changed letter takes one out of the set and puts one in.
        if (bitsOf(has ^ wanted) > 2 * most) continue;
        const distance = editDistance(word, other, most);
        if (distance <= most) found.push({ word: other, distance });
      }
      return found.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
    },
    begun(word) {
      const wanted = lettersOf(word);
      const found: string[] = [];
      let at = 0;
      for (const other of words) {
        const has = letters[at++] ?? 0;
        if (other.length < SHORTEST_BEGIN || other.length > word.length || bitsOf(has & ~wanted) > 1)
          continue;
        if (isBegin(other, word)) found.push(other);
      }
      return found.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    },
  };
}

/** Whether a longer word begins with a word, but for one letter that is changed, added, missing or swapped. */
function isBegin(begin: string, word: string): boolean {
  let i = 0;
  while (i < begin.length && begin.charCodeAt(i) === word.charCodeAt(i)) i++;
  if (i === begin.length) return true;
  const after = begin.slice(i + 1);
  if (word.startsWith(after, i + 1) || word.startsWith(after, i)) return true;
  if (word.startsWith(begin.slice(i), i + 1)) return true;
  const isSwap = begin[i] === word[i + 1] && begin[i + 1] === word[i];
  return isSwap && word.startsWith(begin.slice(i + 2), i + 2);
}

/** A set of letters as bits; a few letters share a bit. Of 30, so that it is no object. */
function lettersOf(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) % 30);
  return set;
}

/** How many bits of 32 are set. */
function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
