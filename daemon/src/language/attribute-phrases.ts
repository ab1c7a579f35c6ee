import { isLittle, type PhraseWord } from './attribute-words.ts';

/** Where a phrase stands in a text. */
export interface Hit<T> {
  readonly of: T;
  readonly from: number;
  readonly to: number;
  /** 0..1: how surely the words are the phrase. */
  readonly strength: number;
  /** Whether a denial stands before it that is none of its own words. */
  readonly isDenied: boolean;
}

/** Phrases that are looked for in texts: by the stems of their words, in any order, near one another. */
export interface Phrasebook<T> {
  /** The best place of each thing whose phrases a text has. */
  find(text: NumberedWords): Hit<T>[];
}

/** The words of a text, and the numbers of their stems: -1 for one that no phrase has. */
export interface NumberedWords {
  readonly words: readonly PhraseWord[];
  readonly stems: Int32Array;
}

/** Phrases in arrays, as data/attributes/pack.ts makes them; stems are numbers. */
export interface PackedPhrases {
  /** By stem: where the phrases begin of which it is the rarest one. */
  readonly starts: Uint32Array;
  /** The number of the thing that each says, and what kind of phrase it is. */
  readonly of: Uint16Array;
  readonly kinds: Uint8Array;
  /** How much each says, 0..1: one common word says little. */
  readonly worths: Float64Array;
  readonly stemStarts: Uint32Array;
  readonly stems: Uint16Array;
  /** Two and two, words that have to stand side by side, as those of `stand-up` do. */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint16Array;
}

/** It has one word that tells, with little ones that have to stand beside it, in order. */
export const TIGHT = 1;
/** It has a word of denial itself. */
export const DENYING = 2;
export const DENIALS: ReadonlySet<string> = new Set(['not', 'no', 'without', 'stop', 'quit']);

/** So many other words may stand between those of a phrase. */
const SLACK = 4;

/** Looks for packed phrases; `things` are what they say, by number. */
export function phrasebookOf<T>(packed: PackedPhrases, things: readonly T[]): Phrasebook<T> {
  return {
    find: (text) =>
      findIn(packed, text).flatMap(({ of, ...hit }) => {
        const thing = things[of];
        return thing === undefined ? [] : [{ of: thing, ...hit }];
      }),
  };
}

/** By stem, where it stands in a text. */
type Places = ReadonlyMap<number, readonly number[]>;

function placesOf({ stems }: NumberedWords): Places {
  const places = new Map<number, number[]>();
  for (const [at, stem] of stems.entries()) {
    if (stem < 0) continue;
    const list = places.get(stem);
    if (list) list.push(at);
    else places.set(stem, [at]);
  }
  return places;
}

function findIn(packed: PackedPhrases, text: NumberedWords): Hit<number>[] {
  const { starts, of, kinds } = packed;
  const places = placesOf(text);
  const best = new Map<number, Hit<number>>();
  for (const [stem, at] of places)
    for (let phrase = starts[stem] ?? 0; phrase < (starts[stem + 1] ?? 0); phrase++) {
      if (!hasAll(packed, phrase, places)) continue;
      const isTight = ((kinds[phrase] ?? 0) & TIGHT) !== 0;
      const thing = of[phrase] ?? 0;
      for (const anchor of at) {
        const hit = isTight
          ? tightHit(packed, phrase, { text, anchor, stem })
          : looseHit(packed, phrase, { text, anchor, places });
        if (hit && hit.strength > (best.get(thing)?.strength ?? 0)) best.set(thing, hit);
      }
    }
  return [...best.values()];
}

function hasAll({ stemStarts, stems }: PackedPhrases, phrase: number, places: Places): boolean {
  for (let i = stemStarts[phrase] ?? 0; i < (stemStarts[phrase + 1] ?? 0); i++)
    if (!places.has(stems[i] ?? -1)) return false;
  return true;
}

function stemsOf({ stemStarts, stems }: PackedPhrases, phrase: number): number[] {
  return [...stems.subarray(stemStarts[phrase], stemStarts[phrase + 1])];
}

/** `stand-up is at` for `stand-up at`: little words may stand between. */
function tightHit(
  packed: PackedPhrases,
  phrase: number,
  { text, anchor, stem }: { text: NumberedWords; anchor: number; stem: number },
): Hit<number> | undefined {
  const stems = stemsOf(packed, phrase);
  const middle = stems.indexOf(stem);
  // In this direction from a word: the next one, or the one after a little one.
  const beside = (at: number, step: 1 | -1, one: number): number => {
    if (text.stems[at + step] === one) return at + step;
    const isBetween = isLittle(text.words[at + step]?.stem ?? '') && text.stems[at + 2 * step] === one;
    return isBetween ? at + 2 * step : -1;
  };
  let [first, last] = [anchor, anchor];
  for (const one of stems.slice(middle + 1)) if ((last = beside(last, 1, one)) < 0) return undefined;
  for (const one of stems.slice(0, middle).reverse())
    if ((first = beside(first, -1, one)) < 0) return undefined;
  const strength = packed.worths[phrase] ?? 0;
  return hitOf({ of: packed.of[phrase] ?? 0, strength }, { words: text.words, first, last });
}

function looseHit(
  packed: PackedPhrases,
  phrase: number,
  { text: { words }, anchor, places }: { text: NumberedWords; anchor: number; places: Places },
): Hit<number> | undefined {
  const stems = stemsOf(packed, phrase);
  const placeOf = (at: number): number => words[at]?.place ?? 0;
  const here = placeOf(anchor);
  const taken = stems.map((one) =>
    (places.get(one) ?? []).reduce((near, at) =>
      Math.abs(placeOf(at) - here) < Math.abs(placeOf(near) - here) ? at : near,
    ),
  );
  const [first, last] = [Math.min(...taken), Math.max(...taken)];
  const at = (one: number): number => placeOf(taken[stems.indexOf(one)] ?? 0);
  const { pairStarts, pairs, worths, kinds, of } = packed;
  for (let i = pairStarts[phrase] ?? 0; i < (pairStarts[phrase + 1] ?? 0); i += 2)
    if (Math.abs(at(pairs[i] ?? 0) - at(pairs[i + 1] ?? 0)) !== 1) return undefined;
  const between = placeOf(last) - placeOf(first) + 1 - stems.length;
  if (between > SLACK + stems.length) return undefined;
  const isOrdered = taken.every((at, index) => index === 0 || at > (taken[index - 1] ?? 0));
  const strength = (worths[phrase] ?? 0) * (1 - 0.06 * Math.max(0, between - 1)) * (isOrdered ? 1 : 0.85);
  const isWithout = ((kinds[phrase] ?? 0) & DENYING) === 0;
  return hitOf({ of: of[phrase] ?? 0, strength }, { words, first, last, isWithout });
}

function hitOf(
  { of, strength }: { of: number; strength: number },
  place: { words: readonly PhraseWord[]; first: number; last: number; isWithout?: boolean },
): Hit<number> {
  const { words, first, last, isWithout = true } = place;
  const begin = words[first]?.place ?? 0;
  const isDenied =
    isWithout &&
    words
      .slice(Math.max(0, first - 3), last)
      .some(({ stem, place: at }) => DENIALS.has(stem) && begin - at <= 3);
  return { of, from: words[first]?.from ?? 0, to: words[last]?.to ?? 0, strength, isDenied };
}
