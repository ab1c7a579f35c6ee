import { isLittle, type PhraseWord, phraseWordsOf } from './attribute-words.ts';

/** How much a text speaks of each of some things by its single words; of unit length, and a dozen or so at most. */
export type Leaning = ReadonlyMap<number, number>;

/** So many are kept: the rest are chance. */
const KEPT = 16;

/** A reader of what the words of a text point to, whatever the order, by the phrases of each thing. */
export function leaningsBy(
  phrases: readonly (readonly string[])[],
): (words: readonly PhraseWord[]) => Leaning {
  const holders = new Map<string, Map<number, number>>();
  for (const [index, of] of phrases.entries())
    for (const phrase of of)
      for (const stem of new Set(phraseWordsOf(phrase).map((word) => word.stem)))
        if (!isLittle(stem)) {
          let list = holders.get(stem);
          if (!list) holders.set(stem, (list = new Map<number, number>()));
          list.set(index, (list.get(index) ?? 0) + 1);
        }
  const weights = new Map<string, readonly (readonly [number, number])[]>();
  for (const [stem, of] of holders) {
    const rarity = Math.log((phrases.length + 1) / (of.size + 0.5)) / Math.log(phrases.length + 2);
    weights.set(
      stem,
      [...of].map(([index, count]) => [index, Math.max(0, rarity) ** 2 * (1 + Math.log(count))]),
    );
  }
  return (words) => {
    const sums = new Map<number, number>();
    for (const stem of new Set(words.map((word) => word.stem)))
      for (const [index, weight] of weights.get(stem) ?? []) sums.set(index, (sums.get(index) ?? 0) + weight);
    const best = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, KEPT);
    const length = Math.hypot(...best.map(([, weight]) => weight));
    return new Map(best.map(([index, weight]) => [index, weight / length]));
  };
}

/** How much two texts speak of the same, 0..1. */
export function sharedLeaning(a: Leaning, b: Leaning): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [index, weight] of few) sum += weight * (many.get(index) ?? 0);
  return sum;
}
