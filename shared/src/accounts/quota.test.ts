import { expect, test } from 'vitest';
import { dayOf, fits, leftOf, limitsOf, monthOf, secondsLeft } from './quota.ts';

const at = (iso: string) => Date.parse(iso);

test.each([
  ['2031-05-14T23:59:59.999Z', ['2031-05-14', '2031-05-15', '2031-05', '2031-06-01']],
  ['2031-05-15T00:00:00.000Z', ['2031-05-15', '2031-05-16', '2031-05', '2031-06-01']],
  ['2031-12-31T23:59:59.999Z', ['2031-12-31', '2032-01-01', '2031-12', '2032-01-01']],
  ['2032-02-29T12:00:00.000Z', ['2032-02-29', '2032-03-01', '2032-02', '2032-03-01']],
])('%s is in the day and the month %j', (now, expected) => {
  const [day, month] = [dayOf(at(now)), monthOf(at(now))];
  const end = ({ until }: { until: number }) => new Date(until).toISOString().slice(0, 10);
  expect([day.name, end(day), month.name, end(month)]).toEqual(expected);
});

test('what is left of a period is told in whole seconds, at least one', () => {
  const day = dayOf(at('2031-05-14T12:00:00Z'));
  expect(
    [at('2031-05-14T12:00:00Z'), at('2031-05-14T23:59:58.500Z'), day.until - 1].map((now) =>
      secondsLeft(day, now),
    ),
  ).toEqual([43_200, 2, 1]);
});

test('the hundredth fits into a hundred, the next one does not, and without a limit everything does', () => {
  expect([fits(100, 99, 1), fits(100, 100, 1), fits(100, 98, 3), fits(null, 1e9, 1)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([leftOf(100, 99), leftOf(100, 101), leftOf(null, 5)]).toEqual([1, 0, null]);
});

test('the tiers are those of the interface', () => {
  const own = { machine: 5, enterprise: 7 };
  expect(limitsOf('free', own)).toEqual({ requests: 1000, recalls: 1000, stores: 100 });
  expect(limitsOf('pro', own)).toEqual({ requests: 100_000, recalls: null, stores: null });
  expect([limitsOf('enterprise', own).requests, limitsOf('machine', own).requests]).toEqual([7, 5]);
});
