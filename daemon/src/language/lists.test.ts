import { expect, it } from 'vitest';
import { goesOn } from './unfinished.ts';
import { SHAPES } from './value-shapes.ts';
import * as words from './value-words.ts';
import { listed } from './word-lists.ts';

const whole = (pattern: string, text: string) => new RegExp(`^${pattern}$`, 'u').test(text);

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

it.each(listed('language/colours'))('is a colour: %s', (word) => {
  const colours = SHAPES.colour.flatMap(([, shape]) =>
    [...`the ${word} door`.matchAll(shape)].map(([said]) => said),
  );
  expect(colours).toEqual([word]);
});

it.each([
  ['numerals', words.NUMERAL],
  ['ordinals', words.ORDINAL],
  ['time-units', words.TIME_UNIT],
  ['length-units', words.LENGTH_UNIT],
  ['before-places', words.PLACE_BEFORE],
  ['articles', words.ARTICLE],
  ['no-places', words.NO_PLACE],
  ['titles', words.TITLE],
  ['roles', words.ROLE],
])('each of %s is read whole', (list, pattern) => {
  expect(listed(`language/${list}`).filter((word) => !whole(pattern, word))).toEqual([]);
  expect(whole(pattern, 'zxqv')).toBe(false);
});

it('takes no plain capital for a name', () => {
  const name = `${words.PLAIN_CAPITAL}\\p{Lu}\\p{L}*`;
  const plain = [...listed('language/plain-capitals'), 'Monday', 'Mondays', 'May'];
  expect(plain.filter((word) => whole(name, word))).toEqual([]);
  expect(whole(name, 'Zxqv')).toBe(true);
});
