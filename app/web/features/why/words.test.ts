import { expect, test } from 'vitest';
import { boostWords, fitWords, otherwise, saidIn, streamWords } from './words.ts';

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

test('the words that a memory says are named as it writes them, each once', () => {
  const text = 'The Passport expires; a passport is renewed.';
  const marks = ['Passport', 'expires', 'passport'].map((word) => {
    const at = 100 + text.indexOf(word);
    return [at, at + word.length] as [number, number];
  });
  expect(saidIn({ text, start: 100, marks })).toEqual(['Passport', 'expires']);
});

test('where none of them stands in it, the best of what found it says why', () => {
  const streams = [
    { name: 'words', rank: 7 },
    { name: 'vectors', rank: 2 },
  ];
  expect(otherwise(streams)).toBe('It says much the same in other words');
  expect([otherwise([]), otherwise([{ name: 'something_new', rank: 1 }])]).toEqual([
    'It comes closest',
    'It comes closest',
  ]);
});
