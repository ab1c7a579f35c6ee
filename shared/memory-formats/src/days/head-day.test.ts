import { expect, it } from 'vitest';
import { headDay, keyDay } from './head-day.ts';

const iso = (on: number | undefined) =>
  on === undefined ? undefined : new Date(on).toISOString().slice(0, 10);

it.each([
  ['2026-05-03: tomorrow the painters come', '2026-05-03'],
  ['2026-05-03 14:20: the pump stopped', '2026-05-03'],
  ['[2026-05-03T14:20:11Z] the pump stopped', '2026-05-03'],
  ['# Sunday, 3 May 2026', '2026-05-03'],
  ['3 May 2026 — tomorrow the painters come', '2026-05-03'],
  ['- 3. Mai 2026: morgen kommen die Maler', '2026-05-03'],
  ['So., 3.5.2026: morgen kommen die Maler', '2026-05-03'],
  ['May 3, 2026. Tomorrow the painters come.', '2026-05-03'],
  ['Date: 2026-05-03', '2026-05-03'],
  ['3 mai 2026', '2026-05-03'],
])('%s begins with its day', (text, day) => {
  expect(iso(headDay(text))).toBe(day);
});

it.each([
  'The painters come on 3 May 2026.',
  '3 May 2026 was a Sunday',
  '31 June 2026: nothing',
  '2026-13-03: nothing',
  '3 May: tomorrow the painters come',
  'v2026-05-03-rc1',
])('%s does not', (text) => {
  expect(headDay(text)).toBeUndefined();
});

it.each([
  ['journal/2026-05-03', '2026-05-03'],
  ['2026-05-03-evening', '2026-05-03'],
  ['note-20260503', undefined],
  ['a/2026-05-033', undefined],
])('the key %s names %s', (key, day) => {
  expect(iso(keyDay(key))).toBe(day);
});
