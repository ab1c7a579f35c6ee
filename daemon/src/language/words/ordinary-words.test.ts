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
