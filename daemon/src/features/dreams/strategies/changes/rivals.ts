import type { Weighed } from './weighing.ts';

/** How a pair stands among the others of its two memories: who has one true partner is best with it. */
export interface Rivals {
  /** By how much it is better than the best other pair of the older memory, -0.5..0.5. */
  readonly leadOlder: number;
  readonly leadNewer: number;
  /** How many pairs with one of its memories are nearly as good: a series of readings has many. */
  readonly crowd: number;
}

/** What the judgement reads of a pair. */
export type Signs = Weighed & Rivals;
export type Sign = keyof Signs;

/** A pair of which nothing is known but itself. */
export const ALONE: Rivals = { leadOlder: 0.3, leadNewer: 0.3, crowd: 0 };

/** So much of its reason makes another pair nearly as good, and so many of them a crowd. */
const NEARLY = 0.6;
const CROWD = 3;

/** The places of pairs, each given by its two memories and what tells that they speak against each other. */
export function rivalsOf(
  pairs: readonly { readonly older: number; readonly newer: number; readonly signs: Weighed }[],
): Rivals[] {
  const scores = pairs.map(({ signs }) => signs.any + 0.5 * signs.mass + 0.5 * signs.cosine);
  const best = { older: bestBy(pairs, 'older', scores), newer: bestBy(pairs, 'newer', scores) };
  const by = {
    older: Map.groupBy(pairs, ({ older }) => older),
    newer: Map.groupBy(pairs, ({ newer }) => newer),
  };
  return pairs.map((pair, at) => {
    const lead = (side: 'older' | 'newer'): number => {
      const { first, second, by: holder } = best[side].get(pair[side]) ?? { first: 0, second: 0, by: at };
      return Math.max(-0.5, Math.min(0.5, (scores[at] ?? 0) - (holder === at ? second : first)));
    };
    const near = [...(by.older.get(pair.older) ?? []), ...(by.newer.get(pair.newer) ?? [])];
    const crowd = near.filter((other) => other !== pair && other.signs.any >= NEARLY * pair.signs.any);
    return { leadOlder: lead('older'), leadNewer: lead('newer'), crowd: Math.min(1, crowd.length / CROWD) };
  });
}

interface Best {
  first: number;
  second: number;
  by: number;
}

function bestBy(
  pairs: readonly { readonly older: number; readonly newer: number }[],
  side: 'older' | 'newer',
  scores: readonly number[],
): Map<number, Best> {
  const found = new Map<number, Best>();
  for (const [at, pair] of pairs.entries()) {
    const score = scores[at] ?? 0;
    const best = found.get(pair[side]);
    if (!best) found.set(pair[side], { first: score, second: 0, by: at });
    else if (score > best.first) [best.second, best.first, best.by] = [best.first, score, at];
    else best.second = Math.max(best.second, score);
  }
  return found;
}
