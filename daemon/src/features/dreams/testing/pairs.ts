import type { Proposal } from '../strategies/strategy.ts';
import type { FixtureMemory } from './view.ts';

/** Two notes that a strategy may find something between. */
export type Pair = readonly [string, string];

const BESIDE = [
  'The ferry to the island takes cars only at high tide.',
  'Soup recipe: leeks, potatoes, a little nutmeg.',
  'Use feature branches and squash them before the merge.',
  'Bring the passport, the tent and the blue rucksack.',
  'The heating engineer wants the cellar to be cleared.',
  'Timeouts of the crawler are written to the error log.',
  'My neighbour waters the plants while we are away.',
];

/** Notes of other things, so that words are as rare as they are in a life. */
export const beside: readonly FixtureMemory[] = BESIDE.map((value, at) => ({
  at: '2026-01-01',
  key: `beside-${at}`,
  value,
}));

/** The notes `one` and `other`, stored on these days, among notes of other things. */
export function written([one, other]: Pair, [first, second]: Pair): FixtureMemory[] {
  return [...beside, { at: first, key: 'one', value: one }, { at: second, key: 'other', value: other }];
}

/** Both stored on one day. */
export const AT_ONCE: Pair = ['2026-05-01', '2026-05-01'];
/** Stored almost a year apart. */
export const APART: Pair = ['2025-06-01', '2026-05-01'];

/** The same two notes as they may come to be stored: what is found must not hang on it. */
export const orders: readonly (readonly [string, (pair: Pair) => FixtureMemory[]])[] = [
  ['stored in one second', (pair) => written(pair, AT_ONCE)],
  ['stored in one second, the other way round', ([a, b]) => written([b, a], AT_ONCE)],
  ['stored over a year', (pair) => written(pair, APART)],
  ['stored over a year, the other way round', ([a, b]) => written([b, a], APART)],
];

/** The notes that proposals rest on, each one's in order. */
export const keysOf = (proposals: readonly Proposal[]): string[][] =>
  proposals.map(({ evidence }) => evidence.map(({ key }) => key).sort());
