import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Sign, Signs } from './rivals.ts';

/** From here on a pair is proposed (docs/decisions/0016). */
export const ENOUGH = 0.88;

/**
 * Signs of which more speaks for a contradiction, and those of which more speaks against one: the trees are grown so. A word of change is in
 * neither list, for a change that the newer one tells is none.
 */
export const FOR: readonly Sign[] = [
  ...(['value', 'valueExact', 'valueLeaning', 'stated', 'statedSubject', 'statedOther'] as const),
  ...(['stance', 'rejected', 'ended', 'denied'] as const),
  ...(['opposite', 'any', 'anyKept', 'anyCosine', 'calm', 'cosine', 'exact', 'mass', 'here'] as const),
  ...(['leadOlder', 'leadNewer', 'sameSubject', 'rankForNewer', 'sharedName'] as const),
  ...(['statedHead', 'replaced', 'headBoth', 'sharedEntity'] as const),
];
export const AGAINST: readonly Sign[] = [
  ...([
    'lost',
    'long',
    'readings',
    'crowd',
    'opinion',
    'still',
    'statedSame',
    'agrees',
    'agreesToo',
  ] as const),
  ...(['held', 'over', 'twins', 'otherOwner', 'otherName'] as const),
  ...(['otherEntity', 'otherKinds', 'elsewhere', 'told'] as const),
];

/** Where the fitted trees are: written by `node bench/dreams/contradiction-fit.ts --write`. */
export const TREES = join(import.meta.dirname, '../../../../../data/dreams/contradiction.json');

const numbers = z.array(z.number());
/** Each node of a tree asks whether a sign is at most a threshold, and goes to a further node, or to a leaf (-1 is the first). */
const Forest = z.object({
  names: z.array(z.string()),
  bias: z.number(),
  trees: z.array(z.object({ asks: numbers, most: numbers, yes: numbers, no: numbers, leaves: numbers })),
});
type Forest = z.output<typeof Forest>;

let loaded: Forest | undefined;

/** How likely the newer of two memories speaks against the older one, 0..1. */
export function likelihoodOf(signs: Signs): number {
  loaded ??= Forest.parse(JSON.parse(readFileSync(TREES, 'utf8')));
  return likelihoodBy(loaded, signs);
}

/** The same by other trees. */
export function likelihoodBy({ names, bias, trees }: Forest, signs: Signs): number {
  const known: Readonly<Record<string, number>> = { ...signs };
  const values = names.map((name) => known[name] ?? 0);
  let odds = bias;
  for (const { asks, most, yes, no, leaves } of trees) {
    let node = asks.length === 0 ? -1 : 0;
    while (node >= 0)
      node = ((values[asks[node] ?? 0] ?? 0) <= (most[node] ?? 0) ? yes[node] : no[node]) ?? -1;
    odds += leaves[-1 - node] ?? 0;
  }
  return 1 / (1 + Math.exp(-odds));
}
