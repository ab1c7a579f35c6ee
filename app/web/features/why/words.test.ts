import { expect, test } from 'vitest';
import { boostWords, fitWords, streamWords } from './words.ts';

test('what found a memory, what moved it and how well it fits is said in words', () => {
  expect(['vectors', 'concepts', 'something_new'].map(streamWords)).toEqual([
    'meaning',
    'synonyms',
    'something new',
  ]);
  expect(boostWords('answer_type')).toBe('answer type');
  expect([0.97, 0.5, 0.49, 0.2, 0.19].map(fitWords)).toEqual([
    'fits well',
    'fits well',
    'may fit',
    'may fit',
    'most likely about something else',
  ]);
});
