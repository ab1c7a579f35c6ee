import type { Occasion } from './happened.ts';
import type { Likeness } from './likeness.ts';
import { measurePair } from './pairing.ts';
import { type LinearModel, oddsBy } from './recurrence-model.ts';

/** How likely it is of two occasions that one is the other happening again. */
export interface Pairing {
  odds(a: Occasion, b: Occasion): number;
  /** Those that are likeliest to be the same happening again, best first. */
  partners(one: Occasion): readonly Occasion[];
}

/** Occasions that a look at shared sayings nominates, and how many of them are kept once pairs were judged. */
const NOMINATED = 30;
const KEPT = 12;
/** Log odds below which an occasion is no partner, and mean log odds below which it does not join. */
const LEAST_ODDS = -2;
const LEAST_JOINING = -1;
/** Occasions of a grown group, at most. */
const MOST = 12;

/** Compares occasions by a fitted model of pairs. */
export function pairingOf(
  occasions: readonly Occasion[],
  {
    likeness,
    isName,
    most,
    model,
    neighbours,
  }: {
    likeness: Likeness;
    isName: (said: string) => boolean;
    most: number;
    model: LinearModel;
    neighbours: (id: number) => readonly { id: number }[];
  },
): Pairing {
  const places = new Map(occasions.map((one, index) => [one, index]));
  const known = new Map<number, number>();
  const odds = (a: Occasion, b: Occasion): number => {
    const [x, y] = [places.get(a) ?? 0, places.get(b) ?? 0];
    const place = x < y ? x * occasions.length + y : y * occasions.length + x;
    let value = known.get(place);
    if (value === undefined)
      known.set(place, (value = oddsBy(model, measurePair(a, b, { likeness, isName }))));
    return value;
  };
  const bySaying = new Map<string, number[]>();
  const byMemory = new Map<number, number[]>();
  for (const [index, { of, says }] of occasions.entries()) {
    for (const said of says.keys()) {
      if (said.startsWith('!') || likeness.frequency(said) > most) continue;
      const list = bySaying.get(said);
      if (list) list.push(index);
      else bySaying.set(said, [index]);
    }
    const list = byMemory.get(of.memory.id);
    if (list) list.push(index);
    else byMemory.set(of.memory.id, [index]);
  }
  const scores = new Float64Array(occasions.length);
  const found = new Map<Occasion, readonly Occasion[]>();
  const partners = (one: Occasion): readonly Occasion[] => {
    const before = found.get(one);
    if (before) return before;
    const touched = new Set<number>();
    for (const said of one.says.keys())
      for (const index of bySaying.get(said) ?? []) {
        scores[index] = (scores[index] ?? 0) + likeness.rarity(said) ** 2;
        touched.add(index);
      }
    const nominated = new Set(
      [...touched].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, NOMINATED),
    );
    for (const index of touched) scores[index] = 0;
    for (const { id } of neighbours(one.of.memory.id))
      for (const index of byMemory.get(id) ?? []) nominated.add(index);
    const best = [...nominated]
      .flatMap((index) => {
        const other = occasions[index];
        return other && other.of.day !== one.of.day ? [{ other, odds: odds(one, other) }] : [];
      })
      .filter((pair) => pair.odds >= LEAST_ODDS)
      .sort((a, b) => b.odds - a.odds)
      .slice(0, KEPT)
      .map(({ other }) => other);
    found.set(one, best);
    return best;
  };
  return { odds, partners };
}

/** Grows from an occasion: whoever goes best with all that are in joins, one a day; each size from three on is a group. */
export function grownFrom(seed: Occasion, { odds, partners }: Pairing): Occasion[][] {
  const members = [seed];
  const pool = new Set(partners(seed));
  const groups: Occasion[][] = [];
  while (members.length < MOST) {
    let best: Occasion | undefined;
    let most = LEAST_JOINING;
    for (const other of pool) {
      if (members.some(({ of }) => of.day === other.of.day)) continue;
      const mean = members.reduce((sum, one) => sum + odds(one, other), 0) / members.length;
      if (mean > most) [best, most] = [other, mean];
    }
    if (!best) break;
    members.push(best);
    for (const other of partners(best)) pool.add(other);
    if (members.length >= 3) groups.push([...members].sort((a, b) => a.of.day - b.of.day));
  }
  return groups;
}
