import { expect, it } from 'vitest';
import { goesOn } from './unfinished.ts';
import { listed } from './word-lists.ts';

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

it.each(listed('language/numbered'))('a sentence ends behind: %s 7.', (word) => {
  expect([goesOn(`the ${word} 7. `, 'März war kalt'), goesOn('the zxqv 7. ', 'März war kalt')]).toEqual([
    false,
    true,
  ]);
});

it.each(listed('language/of-states'))('a state has: %s', (word) => {
  expect([goesOn('by the U.S. ', word), goesOn('by the U.S. ', 'Zxqv')]).toEqual([true, false]);
});
