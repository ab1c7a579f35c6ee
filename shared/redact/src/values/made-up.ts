import { anyOf, listed } from '../word-lists.ts';

/** Those that are joined to the next begin a word: no `my-` is in `army-drink`. */
const WORDS = new RegExp(String.raw`(?!(?<=\p{L})\p{L}+[-_])${anyOf('made-up-words')}`, 'giu');
const VALUES = listed('made-up-values');

type CharacterClass = 'upper' | 'lower' | 'digit' | 'other';

function classOf(code: number): CharacterClass {
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  return code >= 48 && code <= 57 ? 'digit' : 'other';
}

/** The mixture of a text: its capitals, small letters and digits. */
export interface Mixture {
  upper: number;
  lower: number;
  digit: number;
  /** How many pairs of neighbours, letters and digits only, are of two classes: 0 to 1. Random letters and digits have 0.62. */
  changes: number;
  /** How many different characters there are. */
  distinct: number;
}

/** Counts what a text is made of. */
export function mixtureOf(text: string): Mixture {
  const counts = { upper: 0, lower: 0, digit: 0, other: 0 };
  const seen = new Set<number>();
  let [pairs, changed] = [0, 0];
  let before: CharacterClass = 'other';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const now = classOf(code);
    seen.add(code);
    counts[now] += 1;
    if (now !== 'other' && before !== 'other') {
      pairs += 1;
      if (now !== before) changed += 1;
    }
    before = now;
  }
  const { upper, lower, digit } = counts;
  return { upper, lower, digit, changes: pairs === 0 ? 0 : changed / pairs, distinct: seen.size };
}

/** The part of neighbours that go on as in `1234`, `abcd` or `aaaa`: 0 to 1. */
function countingUp(text: string): number {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    if (step === 1 || step === 0) steps += 1;
  }
  return text.length < 2 ? 0 : steps / (text.length - 1);
}

/** So much of a value is judged. */
const JUDGED = 64;

/** Tells whether what stands where a secret would is plainly none: `xxxxxxxx`, `1234567890abcdef`, `your-key-here`. */
export function isMadeUp(whole: string): boolean {
  const value = whole.slice(0, JUDGED);
  if (VALUES.includes(value)) return true;
  const { distinct } = mixtureOf(value);
  if (distinct <= 4 && value.length >= 6) return true;
  if (value.length >= 8 && countingUp(value) >= 0.6) return true;
  if (value.search(WORDS) < 0) return false;
  const rest = value.replaceAll(WORDS, ' ').replaceAll(/[^A-Za-z0-9]/gu, '');
  // A random key may have such a word in it by chance: what is left of it is then still a key.
  return rest.length < 12 || mixtureOf(rest).changes < 0.2;
}
