import type { Occasion } from './happened.ts';

/** How alike the occasions of a namespace are. */
export interface Likeness {
  /** In how many occasions something is said. */
  frequency(said: string): number;
  /** How much saying it tells occasions apart, 0..1; concepts and troubles count for less than words. */
  rarity(said: string): number;
  /** Share of what two occasions say that they have in common, about 0..1. */
  shared(a: Occasion, b: Occasion): number;
  /** 1 for nearest neighbours by vectors, about 0.13 for strangers. */
  nearness(a: Occasion, b: Occasion): number;
}

const KIND_WEIGHT: Readonly<Record<string, number>> = { c: 0.8, '!': 0.5, h: 0.9, t: 1 };
/** A concept that is shared is often shared along with its word. */
const CONCEPT_SHARE = 0.6;
/** The rank of what is not among the nearest. */
const FAR = 40;

/** In a namespace of a few memories everything is frequent, and tells no less. */
const SMALLEST = 300;

/** Compares occasions by what they share, weighted by how rare that is, and by the ranks of their vectors. */
export function likenessOf(
  occasions: readonly Occasion[],
  {
    memories,
    neighbours,
  }: { memories: number; neighbours: (id: number) => readonly { id: number; rank: number }[] },
): Likeness {
  const frequencies = new Map<string, number>();
  for (const { says } of occasions)
    for (const said of says.keys()) frequencies.set(said, (frequencies.get(said) ?? 0) + 1);
  const size = Math.max(SMALLEST, memories) + 1;
  const all = Math.log(size);
  const rarities = new Map<string, number>();
  for (const [said, frequency] of frequencies) {
    const rare = Math.max(0, Math.log(size / (frequency + 0.5)) / all);
    rarities.set(said, rare * (KIND_WEIGHT[said.charAt(0)] ?? 1));
  }
  const rarity = (said: string) => rarities.get(said) ?? 0;
  const masses = new Map<Occasion, number>();
  const massOf = (one: Occasion): number => {
    let mass = masses.get(one);
    if (mass === undefined) {
      mass = 1e-6;
      for (const [said, { weight }] of one.says)
        if (said.startsWith('t') && weight === 1) mass += rarity(said) ** 2;
      masses.set(one, mass);
    }
    return mass;
  };
  const ranks = new Map<number, ReadonlyMap<number, number>>();
  const rankOf = (a: number, b: number): number => {
    let of = ranks.get(a);
    if (!of) ranks.set(a, (of = new Map(neighbours(a).map(({ id, rank }) => [id, rank]))));
    return of.get(b) ?? FAR;
  };
  return {
    frequency: (said) => frequencies.get(said) ?? 0,
    rarity,
    shared(a, b) {
      const [few, many] = a.says.size < b.says.size ? [a, b] : [b, a];
      let sum = 0;
      for (const [said, { weight }] of few.says) {
        const other = many.says.get(said);
        if (other !== undefined)
          sum +=
            (rarity(said) * (said.startsWith('c') ? CONCEPT_SHARE : 1)) ** 2 * Math.min(weight, other.weight);
      }
      return sum / Math.sqrt(massOf(a) * massOf(b));
    },
    nearness(a, b) {
      const [x, y] = [a.of.memory.id, b.of.memory.id];
      return 1 / (1 + Math.min(rankOf(x, y), rankOf(y, x)) / 6);
    },
  };
}
