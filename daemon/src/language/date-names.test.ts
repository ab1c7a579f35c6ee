import { expect, test } from 'vitest';
import { DAY_OF, MONTH_OF, monthNames } from './date-names.ts';

test('months are known by their names in seven languages, short ones and those of Austria; the sea is none', () => {
  const named = ['march', 'marz', 'marzo', 'mars', 'maart', 'marco'].map((name) => MONTH_OF.get(name));
  expect(named).toEqual([2, 2, 2, 2, 2, 2]);
  expect(['jan', 'apr', 'sept', 'sep', 'dec', 'janner', 'feber'].map((name) => MONTH_OF.get(name))).toEqual([
    0, 3, 8, 8, 11, 0, 1,
  ]);
  expect(MONTH_OF.get('mar')).toBeUndefined();
});

test('weekdays are known in seven languages, and that of northern Germany', () => {
  const named = ['saturday', 'samstag', 'sonnabend', 'sabado', 'samedi', 'sabato', 'zaterdag'];
  expect(named.map((name) => DAY_OF.get(name))).toEqual(named.map(() => 6));
  expect(DAY_OF.get('terca')).toBe(2);
});

test('months are written as a sentence has them', () => {
  expect(monthNames('de')[2]).toBe('März');
  expect(monthNames('es')).toHaveLength(12);
});
