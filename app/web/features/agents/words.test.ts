import { expect, test } from 'vitest';
import { doneBy, goneSince, rankWords } from './words.ts';

test('a recall is told as a sentence, with what is gone of it', () => {
  expect(doneBy({ agent: 'codex', way: 'start' })).toBe('codex began a session');
  expect(goneSince({ shown: 1, memories: [] })).toBe('1 memory is deleted since, or in the trash');
  const memory = { key: 'a', namespace: 'n', title: 'A', reason: 'x', score: null, verdict: null };
  expect(goneSince({ shown: 1, memories: [memory] })).toBe('');
});

test('a judged memory is told with its place now and before', () => {
  const one = {
    recall: 'r',
    query: 'q',
    namespace: 'n',
    key: 'k',
    title: 'T',
    way: 'search' as const,
    right: false,
    now: { rank: null, score: null },
    before: { rank: 1, score: 0.9 },
  };
  expect(rankWords({ ...one, verdict: 'helped' })).toBe('it helped; now not found, before at place 1');
  expect(rankWords({ ...one, verdict: 'misled', now: { rank: 2, score: 0.5 }, before: null })).toBe(
    'it misled; now at place 2',
  );
});
