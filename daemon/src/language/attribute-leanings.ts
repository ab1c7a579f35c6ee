/** How much a text speaks of each of some things by its single words; of unit length, and a dozen or so at most. */
export type Leaning = ReadonlyMap<number, number>;

/** What single words point to, in arrays, as data/attributes/pack.ts makes them; stems are numbers. */
export interface PackedLeanings {
  /** By stem: where the things begin that have it in a phrase. */
  readonly starts: Uint32Array;
  readonly of: Uint16Array;
  /** In how many phrases of each. */
  readonly counts: Uint16Array;
}

/** So many are kept: the rest are chance. */
const KEPT = 16;

/** A reader of what the words of a text point to, whatever the order; `things` is how many there are. */
export function leaningsBy(
  { starts, of, counts }: PackedLeanings,
  things: number,
): (stems: Int32Array) => Leaning {
  return (stems) => {
    const sums = new Map<number, number>();
    for (const stem of new Set(stems)) {
      const [from, to] = stem < 0 ? [0, 0] : [starts[stem] ?? 0, starts[stem + 1] ?? 0];
      const rarity = Math.log((things + 1) / (to - from + 0.5)) / Math.log(things + 2);
      for (let i = from; i < to; i++) {
        const weight = Math.max(0, rarity) ** 2 * (1 + Math.log(counts[i] ?? 1));
        const index = of[i] ?? 0;
        sums.set(index, (sums.get(index) ?? 0) + weight);
      }
    }
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
