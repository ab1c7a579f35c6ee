import { expect, test } from 'vitest';
import { issueWords, namespaceFor, standingOf } from './words.ts';

test.each([
  ['/home/ada/Notes', 'notes'],
  ['/home/ada/my vault/', 'my vault'],
  ['C:\\Users\\Ada\\Notes\\', 'notes'],
  ['/', 'notes'],
  ['C:\\', 'notes'],
  ['', 'notes'],
])('the notes of %j go to %j', (path, namespace) => {
  expect(namespaceFor(path)).toBe(namespace);
});

test('a folder says how it does', () => {
  expect(standingOf({ state: { kind: 'catching_up', done: 3, of: 12 } }).more).toBe('3 of 12 files');
  expect(standingOf({ state: { kind: 'paused', reason: 'The folder is gone' } })).toEqual({
    tone: 'warn',
    word: 'paused',
    more: 'The folder is gone',
  });
  const state = { kind: 'holding', gone: 4, of: 1200, files: ['a.md', 'b.md', 'c.md'] } as const;
  expect(standingOf({ state: { ...state, files: [...state.files] } })).toMatchObject({
    tone: 'warn',
    more: '4 of 1,200 files are gone at once (a.md, b.md, c.md …); their memories stay until they are there again',
  });
});

test('a file that was not taken says why', () => {
  expect(issueWords({ reason: 'binary', detail: '' })).toBe('is no text');
  expect(issueWords({ reason: 'refused', detail: 'the key is too long' })).toBe(
    'was not stored: the key is too long',
  );
});
