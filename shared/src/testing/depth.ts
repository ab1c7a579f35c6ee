import { test } from 'vitest';

/** Whether this is `npm run test:deep`, which takes long, and not `npm test`. */
export const isDeep: boolean = process.env['REVERIE_TEST_DEEP'] === 'yes';

/**
 * Returns how many runs a property has: `quick` of them in `npm test`, `deep` in `npm run test:deep`, which runs every file again that
 * imports this one. `REVERIE_TEST_RUNS` says another number for all of them.
 */
export function runs(quick: number, deep: number): number {
  const asked = process.env['REVERIE_TEST_RUNS'];
  if (asked !== undefined) return Number(asked);
  return isDeep ? deep : quick;
}

/** Returns the cases of a matrix that a suite goes through: the first `quick` of them in `npm test`, all of them in `npm run test:deep`. */
export function cases<Case>(all: readonly Case[], quick = 1): readonly Case[] {
  return isDeep ? all : all.slice(0, quick);
}

/** A test of `npm run test:deep` alone: `npm test` does not know of it. */
export const deepTest = (
  isDeep ? test : Object.assign(leaveOut, { each: () => leaveOut, fails: leaveOut })
) as Pick<typeof test, 'each' | 'fails'> & {
  (name: string, run: () => Promise<void> | void, timeout?: number): void;
};

function leaveOut(): void {
  // It is made in the deep suite.
}
