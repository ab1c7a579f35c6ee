import { expect, it } from 'vitest';
import { goesOn } from './unfinished.ts';
import { listed } from './words/word-lists.ts';

it.each(listed('language/abbreviations'))('a sentence goes on behind %s.', (word) => {
  expect([goesOn(`the one ${word}. `, 'Lindqvist'), goesOn('the pump. ', 'Lindqvist')]).toEqual([
    true,
    false,
  ]);
});

it.each(listed('language/abbreviations-before-figures'))(
  'a sentence goes on to a figure behind %s.',
  (word) => {
    expect(goesOn(`the one ${word}. `, '5 of them')).toBe(true);
  },
);
