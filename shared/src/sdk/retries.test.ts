import { expect, test } from 'vitest';
import type { Route } from '../contract/route.ts';
import { deleteMemory, getMemory, setMemory } from '../contract/memories/memories.ts';
import { listNamespaces } from '../contract/memories/memories.ts';
import { isRepeatable } from './retries.ts';

test.each<[string, Route, string | undefined, boolean]>([
  ['what reads by GET', listNamespaces, undefined, true],
  ['what reads by POST', getMemory, undefined, true],
  ['what is written with a key of its own', setMemory, 'k', true],
  ['what is written without one', setMemory, undefined, false],
  ['a deletion, whatever key it has', deleteMemory, 'k', false],
])('%s: may it be said twice', (...[, route, key, isSo]) => {
  expect(isRepeatable(route, key)).toBe(isSo);
});
