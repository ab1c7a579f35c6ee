import { expect, test } from 'vitest';
import { whoIs } from './actor-words.ts';

const names = new Map([
  ['k1', 'Claude Code'],
  ['k2', 'Page'],
  ['d1', 'laptop'],
]);

test.each([
  [{ kind: 'key', id: 'k1' }, 'Claude Code'],
  [{ kind: 'key', id: 'k2' }, 'You'],
  [{ kind: 'key', id: 'unknown' }, 'A program'],
  [{ kind: 'device', id: 'd1' }, 'laptop'],
  [{ kind: 'device', id: 'unknown' }, 'Another device'],
  [{ kind: 'job', id: 'dream_1' }, 'A dream'],
  [{ kind: 'system', id: 'folders' }, 'A followed folder'],
  [{ kind: 'system', id: 'expiry' }, 'Reverie'],
] as const)('%o is %s', (actor, said) => {
  expect(whoIs(actor, names)).toBe(said);
});
