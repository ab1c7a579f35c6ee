import { calendarDay } from '@reverie/shared/contract/calendar-day';
import { describe, expect, it } from 'vitest';
import { dayToCome, snoozeChoices } from './snoozing.ts';

const offered = (day: string) =>
  snoozeChoices(new Date(`${day}T15:30:00`).getTime()).map(({ until }) => calendarDay(until));

describe('until when a proposal is put off', () => {
  it('offers tomorrow, the Monday after it, and a month', () => {
    // A Saturday: the week that begins in two days is the next one.
    expect(offered('2026-11-28')).toEqual(['2026-11-29', '2026-11-30', '2026-12-28']);
  });

  it('on a Sunday next week is not tomorrow, and a month ends at its last day', () => {
    expect(offered('2027-01-31')).toEqual(['2027-02-01', '2027-02-08', '2027-02-28']);
    expect(offered('2026-12-31')).toEqual(['2027-01-01', '2027-01-04', '2027-01-31']);
  });

  it('begins each day at its midnight, and takes no day that has begun', () => {
    const now = new Date('2026-11-28T15:30:00').getTime();
    for (const { until } of snoozeChoices(now))
      expect([until.getHours(), until.getMinutes()]).toEqual([0, 0]);
    expect(dayToCome('2026-12-03', now)).toEqual(new Date('2026-12-03T00:00:00'));
    expect([dayToCome('2026-11-28', now), dayToCome('', now)]).toEqual([undefined, undefined]);
  });
});
