import type { Affinities } from './strategies/affinity.ts';
import type { SheetTurn } from './strategies/strategy.ts';

/** Sheets with fewer memories are not worth a question of their own. */
const LEAST = 2;
export interface SheetPlan {
  readonly affinities: Affinities;
  /** Sheets on which a memory stands: a second one finds partners that the first had no room for. */
  readonly turns: readonly SheetTurn[];
  /** Characters that a memory takes. */
  readonly lengthOf: (id: number) => number;
  /** On how many sheets it stood in dreams before: what stood on enough comes along as company, and no sheet is made for it. */
  readonly turnsOf: (id: number) => number;
  /** On how many sheets it stood that brought no answer of use. */
  readonly missesOf: (id: number) => number;
  readonly isStopped: () => boolean;
}

/** Sheets without an answer of use on which a memory may stand; then it is left until it says something else. */
export const MOST_MISSES = 3;

/**
 * Sheets of memories for a model to read, by their ids, those with the nearest pairs first. A sheet grows from the nearest pair that was on none,
 * by whichever memory has most to do with those on it. Each memory stands on one in each turn, with others each time. What stood on a sheet
 * without an answer of use comes after all others, and on smaller sheets: one memory may be why, and some models only read short sheets.
 */
export function* sheetsOf({
  affinities,
  turns: sizes,
  lengthOf,
  turnsOf,
  missesOf,
  isStopped,
}: SheetPlan): Generator<number[]> {
  const turns = new Map([...affinities.keys()].map((id) => [id, turnsOf(id)]));
  const covered = new Map<number, Set<number>>();
  const worthOf = (a: number, b: number): number =>
    covered.get(a)?.has(b) ? 0 : (affinities.get(a)?.get(b) ?? 0);
  const pairs = [...affinities]
    .flatMap(([a, partners]) => [...partners].flatMap(([b, worth]) => (a < b ? [{ a, b, worth }] : [])))
    .sort((x, y) => y.worth - x.worth || x.a - y.a || x.b - y.b);
  const byMisses = Map.groupBy(pairs, ({ a, b }) => Math.max(missesOf(a), missesOf(b)));
  for (let misses = 0; misses < MOST_MISSES; misses++)
    for (const [turn, { most, room }] of sizes.entries()) {
      const isWaiting = (id: number) => (turns.get(id) ?? 0) <= turn;
      for (const { a, b } of byMisses.get(misses) ?? []) {
        if (isStopped()) return;
        if (!(isWaiting(a) || isWaiting(b)) || worthOf(a, b) === 0) continue;
        const sheet = grown([a, b], {
          affinities,
          most: most >> misses,
          room,
          worthOf,
          lengthOf,
          stood: (id) => turns.get(id) ?? 0,
          mayStand: (id) => missesOf(id) <= misses,
        });
        if (sheet.length < LEAST) continue;
        for (const one of sheet) {
          let of = covered.get(one);
          if (!of) covered.set(one, (of = new Set<number>()));
          for (const other of sheet) of.add(other);
          turns.set(one, (turns.get(one) ?? 0) + 1);
        }
        yield sheet;
      }
    }
}

/** What each sheet on which a memory stood before leaves of its worth: a document has to do with everything, and would stand on all of them. */
const STOOD = 0.5;

interface Growing extends Pick<SheetPlan, 'affinities' | 'lengthOf'>, SheetTurn {
  worthOf: (a: number, b: number) => number;
  stood: (id: number) => number;
  mayStand: (id: number) => boolean;
}

function grown(
  from: readonly number[],
  { affinities, most, room: all, worthOf, lengthOf, stood, mayStand }: Growing,
): number[] {
  const sheet: number[] = [];
  const gains = new Map<number, number>();
  let room = all;
  const take = (id: number): void => {
    sheet.push(id);
    room -= lengthOf(id);
    gains.delete(id);
    for (const other of affinities.get(id)?.keys() ?? [])
      if (!sheet.includes(other) && mayStand(other))
        gains.set(other, (gains.get(other) ?? 0) + worthOf(id, other));
  };
  for (const id of from) take(id);
  while (sheet.length < most) {
    const score = ([id, gain]: [number, number]) => gain * STOOD ** stood(id);
    let best: [number, number] | undefined;
    for (const one of gains)
      if (
        lengthOf(one[0]) <= room &&
        (!best || score(one) > score(best) || (score(one) === score(best) && one[0] < best[0]))
      )
        best = one;
    if (!best) break;
    take(best[0]);
  }
  return sheet;
}
