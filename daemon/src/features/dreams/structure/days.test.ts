import { expect, test } from 'vitest';
import { daysIn } from './days.ts';

const NOW = Date.parse('2031-05-14T12:00:00.000Z');

test('days come in the order in which a text names them, however each is written', () => {
  const text = 'The lease ran until March 3 2030, was renewed on 4. 6. 2030 and ends on 2031-09-30.';
  expect(daysIn(text, NOW).map(({ start, end }) => text.slice(start, end))).toEqual([
    'March 3 2030',
    '4. 6. 2030',
    '2031-09-30',
  ]);
  expect(daysIn('Nothing is due.', NOW)).toEqual([]);
});
