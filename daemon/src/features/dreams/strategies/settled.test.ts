import { describe, expect, it } from 'vitest';
import { contextOf, viewOf } from './fixtures/view.ts';
import { forecast } from './forecast.ts';

const now = '2026-10-01T09:00:00Z';
const datesOf = async (...lines: readonly (readonly [at: string, value: string])[]) =>
  (
    await forecast.run(
      viewOf(
        lines.map(([at, value], index) => ({ at, key: `s${index}`, value })),
        { now },
      ),
      contextOf(),
    )
  ).map(({ content }) => content);

describe('what a later memory says of a due date', () => {
  it.each([
    [
      'done ahead of time',
      ['2026-08-20', "Pepper's vaccination runs out on 25 October."],
      ['2026-09-16', 'Pepper had her vaccination today, ahead of time, and bit nobody.'],
    ],
    [
      'done a week early',
      ['2026-09-02', 'Flu jab for Grandpa planned for 14 October.'],
      ['2026-09-27', 'Grandpa got his flu jab today, a week early.'],
    ],
    [
      'off, in two ways',
      ['2026-05-16', 'The Lübeck crowd come back on 28 October 2026 for a refresher.'],
      ['2026-09-10', 'The Lübeck crowd will not come back after all, the refresher is off.'],
    ],
    [
      'done, where one of two words is not rare',
      ['2026-05-16', 'Send the ledgers to Orla before 27 October 2026.'],
      ['2026-09-10', 'Ledgers went to Orla today, three weeks early.'],
    ],
  ])('is %s', async (_, due, done) => {
    const [at, value] = due as [string, string];
    expect(await datesOf([at, value])).toHaveLength(1);
    expect(await datesOf([at, value], done as [string, string])).toEqual([]);
  });

  it('gives up a day, and names another', async () => {
    const common = ['June', 'July', 'August'].map((month, index): [string, string] => [
      `2026-0${6 + index}-03`,
      `The batch of letters for Petrus, of ${month}, is in the press.`,
    ]);
    const got = await datesOf(
      ...common,
      ['2026-08-16', 'Petrus: fourth batch to be handed back on 27 October.'],
      ['2026-09-04', 'Petrus cannot on the 27th, so the fourth batch is handed back on 11 November.'],
    );
    expect(got).toEqual(['due 2026-11-11']);
  });

  it.each([
    [
      'what broke is not what ends',
      ['2026-08-14', 'The contract for the label printers ends on 27 February 2027.'],
      ['2026-09-20', 'Label printer in the dispensary jammed twice today.'],
    ],
    [
      'who arrived has no new ticket',
      ['2026-07-07', 'My tram ticket runs until 14 February 2027.'],
      ['2026-09-20', 'Sat in the tram for ages, arrived at ten.'],
    ],
    [
      'who was only asked has not done it',
      ['2026-08-14', 'The survey of the cellar is due on 27 October 2026.'],
      ['2026-09-20', 'Had a letter about the survey of the cellar today, they asked when it comes.'],
    ],
  ])('is nothing: %s', async (_, due, other) => {
    expect(await datesOf(due as [string, string], other as [string, string])).toHaveLength(1);
  });
});

describe('days of others', () => {
  it.each([
    ['an eclipse, wanted or not', 'Total eclipse over Spain on 2 August 2027, Theo wants to drive there.'],
    ['how long food keeps', 'Tomato paste, best before 01/2027 says the tube.'],
    ['a match to be watched', 'Scotland play Wales on 12 December, Rolf will watch it at the pub.'],
    ['a broadcast', 'The last episode of the Swedish thriller is on the BBC on 29 November.'],
    ['a road', 'The lower road is one-way from 12 October until 18 December 2026, for the pipes.'],
    ['a version', 'Kegel 4.12. is out, with the new calendar.'],
    [
      'a count of days to what nobody goes to',
      'Bea counts: 24 days until the concert on 24 October, not that she has a ticket.',
    ],
    ["somebody else's sale", 'Mrs Ottley sells her cart at the fair on 6 December.'],
    ['hours', 'Nursery rule: 24 hours free of fever, 48 hours after vomiting.'],
  ])('is silent about %s', async (_, value) => {
    expect(await datesOf(['2026-09-30', value])).toEqual([]);
  });

  it.each([
    ['our own match', 'We play Ebersdorf on 12 December, I bring the jerseys.', '2026-12-12'],
    [
      'medicine',
      'The allergy pen is best before 12/2026, tablets 2027; the pen must be replaced by 1 December 2026.',
      '2026-12-01',
    ],
    [
      'a week on a weekday, after a verb with in',
      'Ines gave me the form, wants it back filled in a week on Wednesday.',
      '2026-10-14',
    ],
    [
      'a service with what to do for it',
      'Service for the car on Monday at the garage, hand in the key before eight.',
      '2026-10-05',
    ],
    [
      'the next inspection',
      'The next chimney inspection is in February 2027, they said to book early.',
      '2027-02',
    ],
  ])('tells %s', async (_, value, day) => {
    expect(await datesOf(['2026-10-01', value])).toEqual([`due ${day}`]);
  });
});
