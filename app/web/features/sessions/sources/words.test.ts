import { expect, test } from 'vitest';
import { madeSource } from '../testing/made-source.ts';
import { foundWords, standingOf } from './words.ts';

test('what was found is told by names and sizes', () => {
  expect(foundWords(madeSource('codex', { sessions: 1, bytes: 2_048 }))).toBe(
    '1 file of a session, 2 KiB together.',
  );
  expect(foundWords(madeSource('codex', { unread_lines: 2 }))).toContain('2 lines could not be read');
  expect(foundWords(madeSource('codex', { sessions: 0 }))).toContain('without any session');
  expect(foundWords(madeSource('codex', { found: false }))).toContain('not on this machine');
});

test('each state is told with what it means', () => {
  const standing = (state: Parameters<typeof madeSource>[1]) => {
    const { word, words } = standingOf(madeSource('codex', state));
    return `${word}: ${words}`;
  };
  expect(standing({ state: { kind: 'off' } })).toBe('Not read: Nothing of it has been read.');
  expect(standing({ state: { kind: 'reading', done: 512, of: 2_048 } })).toBe(
    'Reading: 512 B of 2 KiB are read, 25 %.',
  );
  expect(standing({ state: { kind: 'reading', done: 0, of: 0 } })).toContain('0 %');
  expect(standing({ state: { kind: 'failed', reason: 'EACCES' } })).toBe('Failed: EACCES');
});
