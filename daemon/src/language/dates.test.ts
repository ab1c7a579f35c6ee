import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type DateOptions, type FindDates, loadFindDates } from './dates.ts';

let findDates: FindDates;
beforeAll(async () => {
  findDates = await loadFindDates();
});

/** A Friday. */
const FRIDAY = Date.parse('2026-11-20T14:00:00Z');

/** Each date as `text: first day – last day`, or one day. */
function read(text: string, options?: DateOptions): string[] {
  return findDates(text, FRIDAY, options).map((date) => {
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    const [from, to] = [day(date.from), day(date.to - 1)];
    return `${date.text}: ${from === to ? from : `${from} – ${to}`}`;
  });
}

describe('dates', () => {
  it.each([
    ['we met last Friday', 'last Friday: 2026-11-13'],
    ['upgraded to 17 last week', 'last week: 2026-11-09 – 2026-11-15'],
    ['yesterday it rained', 'yesterday: 2026-11-19'],
    ['moved on Saturday 27 June 2026.', 'Saturday 27 June 2026: 2026-06-27'],
    ['due 2026-12-03', '2026-12-03: 2026-12-03'],
    ['what happened last week?', 'last week: 2026-11-09 – 2026-11-15'],
    ['this week', 'this week: 2026-11-16 – 2026-11-22'],
    ['two weeks ago', 'two weeks ago: 2026-11-02 – 2026-11-08'],
    ['last month', 'last month: 2026-10-01 – 2026-10-31'],
    ['last year', 'last year: 2025-01-01 – 2025-12-31'],
    ['in the last 30 days', 'last 30 days: 2026-10-21 – 2026-11-20'],
    ['last weekend', 'last weekend: 2026-11-14 – 2026-11-15'],
    ['since 2023', '2023: 2023-01-01 – 2023-12-31'],
    ['in Q3 2025 we grew', 'Q3 2025: 2025-07-01 – 2025-09-30'],
    ['last summer', 'last summer: 2026-06-01 – 2026-08-31'],
    ['over winter 2024', 'winter 2024: 2024-12-01 – 2025-02-28'],
    ['at Christmas 2025', 'Christmas 2025: 2025-12-24 – 2025-12-26'],
    ['from 3 May 2025 to 7 May 2025', '3 May 2025 to 7 May 2025: 2025-05-03 – 2025-05-07'],
    ['release of 2026-06', '2026-06: 2026-06-01 – 2026-06-30'],
    ['13/05/2024', '13/05/2024: 2024-05-13'],
    ['letzten Freitag', 'letzten Freitag: 2026-11-13'],
    ['am 12.05.2024 umgezogen', '12.05.2024: 2024-05-12'],
    ['seit März 2024', 'März 2024: 2024-03-01 – 2024-03-31'],
    ['letzte Woche', 'letzte Woche: 2026-11-09 – 2026-11-15'],
    ['vendredi dernier', 'vendredi dernier: 2026-11-13'],
    ['el 3 de mayo de 2024', '3 de mayo de 2024: 2024-05-03'],
    ['la semana pasada', 'la semana pasada: 2026-11-09 – 2026-11-15'],
  ])('%s', (text, expected) => expect(read(text)).toEqual([expected]));

  it.each([
    'listens on port 5433, v1.2.3 and 10.0.3.12',
    'I sat down, may go and march on',
    'half a cup (1/2), open 24/7, score 10-12',
    'the meeting is at 10:30',
    'on 4/5/2024 or so',
    'I like summer; in winter I ski',
    'where does Anna live now?',
    'build 20240503-11, id 2024-05-03x',
  ])('finds none in: %s', (text) => expect(read(text)).toEqual([]));

  it('puts what leaves the year or the week open on the side that is meant', () => {
    expect(read('in March', { direction: 'past' })).toEqual(['March: 2026-03-01 – 2026-03-31']);
    expect(read('in March', { direction: 'future' })).toEqual(['March: 2027-03-01 – 2027-03-31']);
    expect(read('3 May', { direction: 'past' })).toEqual(['3 May: 2026-05-03']);
    expect(read('on Monday', { direction: 'past' })).toEqual(['Monday: 2026-11-16']);
    expect(read('on Monday', { direction: 'future' })).toEqual(['Monday: 2026-11-23']);
    expect(read('by Friday', { direction: 'past' })).toEqual(['Friday: 2026-11-20']);
    expect(read('im März', { direction: 'past' })).toEqual(['März: 2026-03-01 – 2026-03-31']);
  });

  it('says what is certain, how wide it is, where it stands and how it is used', () => {
    const text = 'Her birthday is 3 May, and we have met since last March; call before 2026-12-01.';
    const found = findDates(text, FRIDAY);
    expect(found.map(({ certain, grain, relation }) => ({ certain, grain, relation }))).toEqual([
      { certain: ['month', 'day'], grain: 'day', relation: 'at' },
      { certain: ['month'], grain: 'month', relation: 'since' },
      { certain: ['year', 'month', 'day'], grain: 'day', relation: 'before' },
    ]);
    for (const { text: said, start, end } of found) expect(text.slice(start, end)).toBe(said);
  });

  it('means days of the local time that it is given', () => {
    const [date] = findDates('yesterday', Date.parse('2026-11-20T23:30:00Z'), { offsetMinutes: 120 });
    expect(date && [new Date(date.from).toISOString(), new Date(date.to).toISOString()]).toEqual([
      '2026-11-19T22:00:00.000Z',
      '2026-11-20T22:00:00.000Z',
    ]);
  });

  it('are in order, apart, and where they say, in any text', () => {
    const words = fc.constantFrom(
      'last',
      'Friday',
      '3',
      'May',
      '2024',
      'week',
      'seit',
      'mars',
      'Q2',
      '-',
      '12.05.2024',
      'at',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 }),
        (parts) => {
          const text = parts.join(' ');
          let last = 0;
          for (const date of findDates(text, FRIDAY)) {
            expect(date.start).toBeGreaterThanOrEqual(last);
            expect(text.slice(date.start, date.end)).toBe(date.text);
            expect(date.to).toBeGreaterThan(date.from);
            last = date.end;
          }
        },
      ),
    );
  });
});
