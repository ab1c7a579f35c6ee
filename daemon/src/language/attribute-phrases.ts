import { holds, isLittle, phraseStem, plainText, type PhraseWord } from './attribute-words.ts';

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

interface Phrase<T> {
  readonly of: T;
  readonly stems: readonly string[];
  /** Whether it has one word that tells, with little ones that have to stand beside it, in order. */
  readonly isTight: boolean;
  /** Words that have to stand side by side, as those of `stand-up` do. */
  readonly pairs: readonly (readonly [string, string])[];
  /** How much it says, 0..1: one common word says little. */
  readonly worth: number;
}

/** Phrases that are looked for in texts: by the stems of their words, in any order, near one another. */
export interface Phrasebook<T> {
  /** The best place of each thing whose phrases a text has. */
  find(words: readonly PhraseWord[]): Hit<T>[];
}

/** So many other words may stand between those of a phrase. */
const SLACK = 4;
const DENIALS = new Set(['not', 'no', 'without', 'stop', 'quit']);

export function phrasebookOf<T>(
  entries: readonly { of: T; phrases: readonly string[]; counts: number }[],
): Phrasebook<T> {
  const read = entries.flatMap(({ of, phrases, counts }) =>
    phrases.flatMap((phrase) => readingsOf(phrase).map((reading) => ({ of, counts, ...reading }))),
  );
  const frequency = new Map<string, number>();
  for (const { stems } of read)
    for (const one of new Set(stems)) frequency.set(one, (frequency.get(one) ?? 0) + 1);
  const rarity = (one: string): number => 1 - Math.log(frequency.get(one) ?? 1) / Math.log(read.length + 2);
  const index = new Map<string, Phrase<T>[]>();
  for (const { of, counts, ...reading } of read) {
    const { stems } = reading;
    const rarest = stems.reduce((best, one) => (rarity(one) > rarity(best) ? one : best), stems[0] ?? '');
    const mass = stems.reduce((sum, one) => sum + (isLittle(one) ? 0.1 : 0.25 + 0.5 * rarity(one)), 0);
    const phrase = { of, ...reading, worth: counts * Math.min(1, mass / 1.25) };
    const list = index.get(rarest);
    if (list) list.push(phrase);
    else index.set(rarest, [phrase]);
  }
  return { find: (words) => findIn(index, words) };
}

type Reading = Pick<Phrase<unknown>, 'stems' | 'isTight' | 'pairs'>;

/** The words of a phrase that count; `stand-up` is one word or two. A phrase of one word keeps its little words, in order. */
function readingsOf(phrase: string): Reading[] {
  const plain = plainText(phrase);
  const joined = plain.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, '');
  const pairs = [...plain.matchAll(/(?<one>\p{L}+)-(?=(?<other>\p{L}+))/gu)].map(
    ({ groups }) => [phraseStem(groups?.['one'] ?? ''), phraseStem(groups?.['other'] ?? '')] as const,
  );
  const readings = [readingOf(plain, pairs), ...(joined === plain ? [] : [readingOf(joined, [])])];
  return readings.filter((reading) => reading !== undefined);
}

function readingOf(text: string, pairs: Reading['pairs']): Reading | undefined {
  const words = (text.match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? []).filter((word) => word !== 'x');
  const telling = words.filter((word) => !isLittle(word)).map(phraseStem);
  if (telling.length === 0) return undefined;
  if (telling.length > 1) {
    const stems = [...new Set(telling)];
    const isKept = (one: string): boolean => stems.includes(one);
    return { stems, isTight: false, pairs: pairs.filter((pair) => pair.every(isKept)) };
  }
  const held = words.filter((word) => !isLittle(word) || holds(word));
  return { stems: held.map((word) => (isLittle(word) ? word : phraseStem(word))), isTight: true, pairs: [] };
}

function findIn<T>(index: ReadonlyMap<string, readonly Phrase<T>[]>, words: readonly PhraseWord[]): Hit<T>[] {
  const places = new Map<string, number[]>();
  for (const [at, { stem }] of words.entries()) {
    const list = places.get(stem);
    if (list) list.push(at);
    else places.set(stem, [at]);
  }
  const best = new Map<T, Hit<T>>();
  for (const [stem, at] of places)
    for (const phrase of index.get(stem) ?? []) {
      if (!hasAll(places, phrase.stems)) continue;
      for (const anchor of at) {
        const hit = phrase.isTight
          ? tightHit(phrase, { words, anchor, stem })
          : looseHit(phrase, { words, anchor, places });
        if (hit && hit.strength > (best.get(phrase.of)?.strength ?? 0)) best.set(phrase.of, hit);
      }
    }
  return [...best.values()];
}

function hasAll(places: ReadonlyMap<string, unknown>, stems: readonly string[]): boolean {
  for (const one of stems) if (!places.has(one)) return false;
  return true;
}

/** `stand-up is at` for `stand-up at`: little words may stand between. */
function tightHit<T>(
  { of, stems, worth }: Phrase<T>,
  { words, anchor, stem }: { words: readonly PhraseWord[]; anchor: number; stem: string },
): Hit<T> | undefined {
  const middle = stems.indexOf(stem);
  // In this direction from a word: the next one, or the one after a little one.
  const beside = (at: number, step: 1 | -1, one: string): number => {
    if (words[at + step]?.stem === one) return at + step;
    return isLittle(words[at + step]?.stem ?? '') && words[at + 2 * step]?.stem === one ? at + 2 * step : -1;
  };
  let [first, last] = [anchor, anchor];
  for (const one of stems.slice(middle + 1)) if ((last = beside(last, 1, one)) < 0) return undefined;
  for (const one of stems.slice(0, middle).reverse())
    if ((first = beside(first, -1, one)) < 0) return undefined;
  return hitOf({ of, strength: worth }, { words, first, last });
}

function looseHit<T>(
  { of, stems, worth, pairs }: Phrase<T>,
  {
    words,
    anchor,
    places,
  }: { words: readonly PhraseWord[]; anchor: number; places: ReadonlyMap<string, readonly number[]> },
): Hit<T> | undefined {
  const placeOf = (at: number): number => words[at]?.place ?? 0;
  const here = placeOf(anchor);
  const taken = stems.map((one) =>
    (places.get(one) ?? []).reduce((near, at) =>
      Math.abs(placeOf(at) - here) < Math.abs(placeOf(near) - here) ? at : near,
    ),
  );
  const [first, last] = [Math.min(...taken), Math.max(...taken)];
  const at = (one: string): number => placeOf(taken[stems.indexOf(one)] ?? 0);
  if (pairs.some(([one, other]) => Math.abs(at(one) - at(other)) !== 1)) return undefined;
  const between = placeOf(last) - placeOf(first) + 1 - stems.length;
  if (between > SLACK + stems.length) return undefined;
  const isOrdered = taken.every((at, index) => index === 0 || at > (taken[index - 1] ?? 0));
  const strength = worth * (1 - 0.06 * Math.max(0, between - 1)) * (isOrdered ? 1 : 0.85);
  return hitOf({ of, strength }, { words, first, last, isWithout: !stems.some((one) => DENIALS.has(one)) });
}

function hitOf<T>(
  { of, strength }: { of: T; strength: number },
  place: { words: readonly PhraseWord[]; first: number; last: number; isWithout?: boolean },
): Hit<T> {
  const { words, first, last, isWithout = true } = place;
  const begin = words[first]?.place ?? 0;
  const isDenied =
    isWithout &&
    words
      .slice(Math.max(0, first - 3), last)
      .some(({ stem, place: at }) => DENIALS.has(stem) && begin - at <= 3);
  return { of, from: words[first]?.from ?? 0, to: words[last]?.to ?? 0, strength, isDenied };
}
