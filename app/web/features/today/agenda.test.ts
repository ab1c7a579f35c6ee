import type { Insight } from '@reverie/shared/contract/dreams/dreams';
import { expect, test } from 'vitest';
import { entriesOf, shownOf, weeksOf } from './agenda.ts';

const now = new Date(2026, 10, 28, 15).getTime();
const due = (due_on: string | null) => ({ due_on }) as Insight;

test('what comes up stands soonest first, and what is no day is no entry', () => {
  const entries = entriesOf([due('2026-12-03'), due(null), due('2026-11-26'), due('2026-11-28')], now);
  expect(entries.map(({ days }) => days)).toEqual([-2, 0, 5]);
});

test('a pile of missed days does not hide what comes', () => {
  const missed = ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04'];
  const ahead = ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05', '2026-12-06'];
  const shown = shownOf(entriesOf([...missed, ...ahead].map(due), now));
  expect(shown.map(({ due_on }) => due_on)).toEqual([...missed.slice(-2), ...ahead.slice(0, 5)]);
});

test('the calendar begins with the Monday of this week and has four of them', () => {
  const weeks = weeksOf(entriesOf([due('2026-12-03'), due('2026-12-03')], now), now);
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7]);
  expect(weeks[0]?.[0]).toEqual({ date: new Date(2026, 10, 23), days: -5, due: 0 });
  expect(weeks[1]?.[3]).toEqual({ date: new Date(2026, 11, 3), days: 5, due: 2 });
});
