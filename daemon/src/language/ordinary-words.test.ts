import { expect, test } from 'vitest';
import { loadOrdinaryWords } from './ordinary-words.ts';

const words = loadOrdinaryWords();

test.each(['sump', 'tubers', 'chitted', 'unlabelled', 'organised', 'frostiness', 'half-hearted', 'colours'])(
  '%s is a word, or a form of one',
  (word) => {
    expect(words.has(word)).toBe(true);
  },
);

test.each(['trethowan', 'zplkit', 'quillmark', 'litestream', 'badrallach', 'etxeberria'])(
  '%s is none',
  (word) => {
    expect(words.has(word)).toBe(false);
  },
);

test('names of several words that many have heard', () => {
  expect(['red cross', 'new york', 'winter banana'].map((name) => words.isHeard(name))).toEqual([
    true,
    true,
    false,
  ]);
});
