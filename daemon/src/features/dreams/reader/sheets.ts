import type { Affinities } from './affinity.ts';
import type { SheetTurn } from '../strategies/strategy.ts';

/** Sheets with fewer memories are not worth a question of their own. */
const LEAST = 2;
/** What each sheet on which a memory stood before leaves of its worth: a document has to do with everything, and would stand on all of them. */
const STOOD = 0.5;
/** What has less to do with a sheet than this is left out, though there is room: pairs that were on no sheet yet, counted as `affinityOf` does. */
const WORTHLESS = 0.055;

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

/** On how many sheets without a useful answer a memory may stand; after that it is left out until its text changes. */
export const MOST_MISSES = 3;

/** Which memories a pass over the pairs is for. */
interface Pass {
  readonly turn: number;
  readonly size: SheetTurn;
  readonly mayStand: (id: number) => boolean;
  readonly isSeed: (a: number, b: number) => boolean;
}

/**
 * Sheets of memories for a model to read, as ids, the nearest pairs first: a sheet grows from the nearest pair that has not shared one yet,
 * by whichever memory is nearest to those on it. Each memory stands on one sheet a turn, with others each time; to know with whom, the
 * sheets of earlier dreams are made again, but not given out. Memories of a sheet without a useful answer come last and on smaller sheets:
 * one of them may be the cause, and some models only read short sheets.
 */
export function* sheetsOf({
  affinities,
  turns: sizes,
  lengthOf,
  turnsOf,
  missesOf,
  isStopped,
}: SheetPlan): Generator<number[]> {
  const turns = new Map([...affinities.keys()].map((id) => [id, 0]));
  const stood = (id: number): number => turns.get(id) ?? 0;
  /** Sheets of dreams before, of memories that are read: they come after all others, and still are company for a new one. */
  const past = new Map<number, number>();
  const covered = new Map<number, Set<number>>();
  const worthOf = (a: number, b: number): number =>
    covered.get(a)?.has(b) ? 0 : (affinities.get(a)?.get(b) ?? 0);
  const weights = {
    place: (id: number) => STOOD ** stood(id),
    worth: (id: number) => STOOD ** (stood(id) - Math.max(0, (past.get(id) ?? 0) - 1)),
  };
  const pairs = [...affinities]
    .flatMap(([a, partners]) => [...partners].flatMap(([b, worth]) => (a < b ? [{ a, b, worth }] : [])))
    .sort((x, y) => y.worth - x.worth || x.a - y.a || x.b - y.b);

  function stand(sheet: readonly number[]): void {
    for (const one of sheet) {
      let of = covered.get(one);
      if (!of) covered.set(one, (of = new Set<number>()));
      for (const other of sheet) of.add(other);
      turns.set(one, stood(one) + 1);
    }
  }

  function* pass({ turn, size, mayStand, isSeed }: Pass): Generator<number[]> {
    const { near = 0 } = size;
    const begin = () => growing({ affinities, near, size, worthOf, lengthOf, weights, mayStand });
    let sheet = begin();
    for (const { a, b, worth } of pairs) {
      if (isStopped() || worth < near) break;
      const isWaiting = (id: number) => stood(id) <= turn && !sheet.has(id);
      const isWanted = () => (isWaiting(a) || isWaiting(b)) && worthOf(a, b) > 0;
      if (!isSeed(a, b) || !isWanted()) continue;
      if (!sheet.fits([a, b])) {
        const full = sheet.ids();
        stand(full);
        yield full;
        sheet = begin();
        if (!isWanted()) continue;
      }
      sheet.grow([a, b]);
    }
    const last = sheet.ids();
    if (last.length < LEAST || isStopped()) return;
    stand(last);
    yield last;
  }

  // Of what was read before, whoever stood on a sheet and is not counted on it yet. Whoever stood on all may have come along on any.
  const mayHaveStood = (id: number) => turnsOf(id) > stood(id) || turnsOf(id) >= sizes.length;
  for (const [turn, size] of sizes.entries())
    pass({
      turn,
      size,
      mayStand: mayHaveStood,
      isSeed: (a, b) => mayHaveStood(a) && mayHaveStood(b),
    }).toArray();
  for (const id of turns.keys()) {
    turns.set(id, Math.max(stood(id), turnsOf(id)));
    if (turnsOf(id) >= sizes.length) past.set(id, stood(id));
  }
  for (let misses = 0; misses < MOST_MISSES; misses++)
    for (const [turn, { most, ...size }] of sizes.entries())
      yield* pass({
        turn,
        size: { ...size, most: most >> misses },
        mayStand: (id) => missesOf(id) <= misses,
        isSeed: (a, b) => Math.max(missesOf(a), missesOf(b)) === misses,
      });
}

interface Growing extends Pick<SheetPlan, 'affinities' | 'lengthOf'> {
  /** Pairs that are less near do not count. */
  near: number;
  size: SheetTurn;
  worthOf: (a: number, b: number) => number;
  /** What is left of a memory's worth by the sheets on which it stood: for who comes first, and for whether it comes at all. */
  weights: Readonly<Record<'place' | 'worth', (id: number) => number>>;
  mayStand: (id: number) => boolean;
}

interface Sheet {
  has(id: number): boolean;
  /** Whether there is room for them; on an empty sheet there is. */
  fits(ids: readonly number[]): boolean;
  /** Takes a pair, and what has most to do with all that stand on it. */
  grow(from: readonly number[]): void;
  ids(): number[];
}

function growing({ affinities, near, size, worthOf, lengthOf, weights, mayStand }: Growing): Sheet {
  const sheet = new Set<number>();
  const gains = new Map<number, number>();
  let { room } = size;
  const take = (id: number): void => {
    if (sheet.has(id)) return;
    sheet.add(id);
    room -= lengthOf(id);
    gains.delete(id);
    for (const [other, affinity] of affinities.get(id) ?? []) {
      if (affinity < near || sheet.has(other) || !mayStand(other)) continue;
      const worth = worthOf(id, other);
      if (worth > 0) gains.set(other, (gains.get(other) ?? 0) + worth);
    }
  };
  return {
    has: (id) => sheet.has(id),
    ids: () => [...sheet],
    fits(ids) {
      const added = ids.filter((id) => !sheet.has(id));
      const length = added.reduce((sum, id) => sum + lengthOf(id), 0);
      return sheet.size === 0 || (sheet.size + added.length <= size.most && length <= room);
    },
    grow(from) {
      for (const id of from) take(id);
      while (sheet.size < size.most) {
        let best: { id: number; score: number } | undefined;
        for (const [id, gain] of gains) {
          if (gain * weights.worth(id) < WORTHLESS || lengthOf(id) > room) continue;
          const score = gain * weights.place(id);
          if (!best || score > best.score || (score === best.score && id < best.id)) best = { id, score };
        }
        if (!best) return;
        take(best.id);
      }
    },
  };
}
