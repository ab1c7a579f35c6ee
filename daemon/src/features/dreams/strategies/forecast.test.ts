import { describe, expect, it } from 'vitest';
import { devAcceptable, devFindings, devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf } from './fixtures/view.ts';
import { forecast } from './forecast.ts';

const now = '2026-10-01T09:00:00Z';
const datesOf = async (...lines: readonly (readonly [at: string, value: string])[]) =>
  (
    await forecast.run(
      viewOf(
        lines.map(([at, value], index) => ({ at, key: `d${index}`, value })),
        { now },
      ),
      contextOf(),
    )
  ).map(({ content }) => content);

describe('forecast', () => {
  it('finds what is due in the development set, with the right dates', async () => {
    const got = await forecast.run(viewOf(devSet, { now }), contextOf());
    const wanted = devFindings.forecast ?? [];
    for (const [key, date] of wanted)
      expect(
        got.some(({ evidence, content }) => evidence[0]?.key === key && content === `due ${date ?? ''}`),
      ).toBe(true);
    const others = got.filter(({ evidence }) => !wanted.some(([key]) => evidence[0]?.key === key));
    const isFine = (key: string | undefined) => (devAcceptable.forecast ?? []).some(([of]) => of === key);
    expect(others.filter(({ evidence }) => !isFine(evidence[0]?.key))).toEqual([]);
  });

  it.each([
    ['a deadline', ['2026-09-01', 'The visa form is due on 14 November.'], '2026-11-14'],
    ['an end', ['2026-01-10', 'The lease of the van ends on 31 January 2027.'], '2027-01-31'],
    [
      'weeks from when it was written',
      ['2026-09-10', 'Answer the insurance within five weeks.'],
      '2026-10-15',
    ],
    [
      'months from when it was written',
      ['2026-09-30', 'The trial of the editor expires in two months.'],
      '2026-11-30',
    ],
    ['an appointment', ['2026-09-20', 'Dentist on 9 October at 8:20.'], '2026-10-09'],
    [
      'what is switched off, for everybody',
      [
        '2026-06-10',
        'Hoverpost switches off its old interface on 15 January 2027; until then every shop must have moved.',
      ],
      '2027-01-15',
    ],
    [
      'the end of the month',
      ['2026-09-28', 'Send the meter reading by the end of next month.'],
      '2026-10-31',
    ],
    ['a fortnight', ['2026-09-24', 'The demo has to run within a fortnight.'], '2026-10-08'],
    ['the weekday of next week', ['2026-09-30', 'Bring the drill back to Ossi next Monday.'], '2026-10-05'],
    ['the day before the month', ['2026-09-01', 'Deposit payable until 04/12/2026.'], '2026-12-04'],
    ['a month', ['2026-09-01', 'The contract of the scanners ends in February 2027.'], '2027-02'],
    ['what has no word for it', ['2026-09-29', 'Orthodontist for Ilse on 16 October, 15:40.'], '2026-10-16'],
    [
      'what lapses unless',
      ['2026-09-01', 'If not renewed by 30 November, the licence lapses.'],
      '2026-11-30',
    ],
    ['French', ['2026-09-20', "Rendre les clés au plus tard le 12 novembre, d'accord ?!"], '2026-11-12'],
    [
      'German, with the month after it',
      ['2026-09-20', 'Der Antrag muss bis 30. November raus.'],
      '2026-11-30',
    ],
    ['German, in numbers', ['2026-09-20', 'Abgabe der Unterlagen: 15.10., ohne Verlängerung.'], '2026-10-15'],
    [
      'what is about films, but no film',
      ['2026-09-05', 'Film archive: they want the reels back sixty days from today at the latest.'],
      '2026-11-04',
    ],
    [
      'what is before a feast',
      ['2026-09-05', 'Order the goose, at the latest before Christmas.'],
      '2026-12-24',
    ],
    ['German', ['2026-09-02', 'Die Rechnung ist fällig am 20. Oktober.'], '2026-10-20'],
    ['a weekday on which somebody comes', ['2026-09-28', 'The roofer will come on Friday.'], '2026-10-02'],
    [
      'a weekday on which to do something',
      ['2026-09-28', 'Ring the surgery on Friday about the test.'],
      '2026-10-02',
    ],
    [
      'what has to be done by a feast',
      ['2026-09-05', 'The parcel must be in Bern by Christmas.'],
      '2026-12-24',
    ],
  ] as const)('tells %s', async (_, told, date) => {
    expect(await datesOf(told)).toEqual([`due ${date}`]);
  });

  it('does not take something else of the same month that was renewed for this one', async () => {
    expect(
      await datesOf(
        ['2026-01-02', 'The subscription of the editor renews automatically on 2 December 2026.'],
        ['2026-05-09', 'Library card renewed, valid until December 2027 or so they say.'],
      ),
    ).toEqual(['due 2026-12-02']);
  });

  it.each([
    ['what is past', '2026-05-01', 'The visa form is due on 14 June 2026.'],
    ['what might be', '2026-09-01', 'If we moved, the lease would end on 31 December 2026.'],
    ['what was done', '2026-09-01', 'The visa form was submitted on 14 September, due on 14 November.'],
    ['a birthday party in a book', '2026-09-01', 'The novel ends on 24 December 2026.'],
    ['a date that asks nothing', '2026-09-01', 'In 2026-11 it will have been ten years.'],
    ['what is years away', '2026-09-01', 'Warranty of the fridge until 1 March 2030.'],
    ['what is off', '2026-09-01', "Dinner with the Moors on 14 November is off, they're ill."],
    ['what does not happen', '2026-09-01', "The workshop on 3 November isn't taking place."],
    ['what was done in the next sentence', '2026-09-01', 'Fee due by 31 October. Paid it, receipt saved.'],
    ["somebody else's", '2026-09-01', 'Gero from the band says his lease ends on 31 December.'],
    ['a rule', '2026-09-20', 'Invoices are payable within 30 days.'],
    ['opening hours', '2026-09-30', 'The tip is open Monday to Saturday, 8 to 4.'],
    ['what took so long', '2026-09-30', 'Last May we walked the whole ridge in three days.'],
    ['a birthday', '2026-09-01', "Sanna's birthday is 24 December."],
    ['what came before this year', '2026-09-01', 'Team days were in Brig, 18 to 20 March.'],
    ['an amount', '2026-09-01', 'Cloud bill October 8,940 euro.'],
    ['a duration', '2026-09-01', 'Backups must be kept for 90 days.'],
    ['when something is shut', '2026-09-01', 'The tip is closed from 23 December.'],
    ['the deadline of somebody who is named once', '2026-09-01', 'Joost must give notice by 30 November.'],
    ["a neighbour's lease", '2026-09-01', "Our neighbours' lease ends on 31 January."],
    ['the calendar', '2026-09-01', 'Black Friday is 27 November.'],
    ['news', '2026-09-01', 'Elections in Norway are on 29 November.'],
    ['a version', '2026-09-01', 'Build 2026.12.1 has the new menu.'],
    [
      'an argument of an address',
      '2026-09-01',
      'Fetch "https://api.example/slots?from=2026-12-01&to=2026-12-31".',
    ],
    ['an example', '2026-09-01', 'Test case: order of 2026-12-24 arrives on 2026-12-28.'],
    ['what was given up', '2026-09-01', 'Was to renew the card until the end of November, but let it go.'],
    ['what does not take place', '2026-09-01', 'No choir on 24 November.'],
    ['what was done before its limit', '2026-09-01', 'Renewed the permit, they wanted it by 30 November.'],
    ['a number with a full stop', '2026-09-01', 'The oldest firmware that the lathe takes is 4.11.'],
    ['what is due each month', '2026-09-28', 'The cellar costs 60 euro a month, to pay by the fifth.'],
    ['a film', '2026-09-01', 'Saw a film about a bank that has to pay until 31 December.'],
    ['a thing of a feast', '2026-09-01', 'The spare key lies in the box with the Christmas lights.'],
    ['the sun', '2026-09-01', 'On 21 December the sun sets at half past three.'],
    ['a countdown', '2026-09-01', 'Thirteen weeks until Christmas.'],
    ["somebody else's terms", '2026-09-01', 'Brask & Daughters have 60 days to pay their invoices.'],
    ['a term of notice', '2026-09-01', "The garage: three months' notice to the end of the quarter."],
    ['what we do not take part in', '2026-09-01', "Call for papers closes on 20 November, we don't submit."],
    ['what is shown for everybody', '2026-09-01', 'The museum shows the whale until 31 January.'],
    ['a forecast of the weather', '2026-09-29', 'Frost is forecast for Saturday.'],
    [
      'what is asked of whoever passes',
      '2026-09-01',
      'Poster in the hall: "Bake for the choir! All cakes in by 12 November."',
    ],
    [
      'a journey of somebody else',
      '2026-09-01',
      'Pernilla flies to Lagos on 2 November for the wedding of her sister.',
    ],
    [
      "what somebody's mother does",
      '2026-09-01',
      "Rufus' mother has her exam on 4 December and learns at our table.",
    ],
    ['a price that holds for a while', '2026-09-01', 'Marchbank: wax is 10 % off until 30 November.'],
    ['a wish', '2026-09-01', 'We really should do something about the attic before Christmas.'],
    ['a weekday of a story', '2026-09-28', 'Long talk with Pernilla on Wednesday, mostly on mackerel.'],
    ['a weekday that begins a story', '2026-09-28', 'Friday evening: twelve tickets open.'],
    ['a weekday of a habit', '2026-09-28', 'The chemist closes on Wednesday afternoons.'],
    ['how soon somebody pays', '2026-09-28', 'Nordlys pays within thirty days.'],
    ['the tenth of each month', '2026-09-28', 'Accounts settle on the 15th of the following month.'],
    ['what takes hours', '2026-09-30', 'More than three alarms within 24 hours ring me.'],
    ['what was moved to no day', '2026-09-01', 'Dentist on 24 November moved to some day in the new year.'],
  ])('is silent about %s', async (_, at, value) => {
    expect(await datesOf([at, value])).toEqual([]);
  });

  it.each([
    ['what somebody wants of us', 'Joost needs the slides by 30 November.', '2026-11-30'],
    ['who comes', 'Joost comes on 30 November and stays for a week.', '2026-11-30'],
    ['the last day of a month', 'The report is wanted on the last day of next month.', '2026-10-31'],
    ['the day of a month in words', 'The bank wants the form by the tenth of next month.', '2026-10-10'],
    [
      'how long something is paid',
      'The storage room is paid until 8 December, then it is ours no more.',
      '2026-12-08',
    ],
    ['when something will be delivered', 'On 30 November the shelves are delivered.', '2026-11-30'],
    ['a day with dots', 'Zahnarzt am 30.11.', '2026-11-30'],
    ['what closes for us', 'Registration for the swimming course closes on 30 November.', '2026-11-30'],
  ])('tells %s', async (_, value, date) => {
    expect(await datesOf(['2026-09-01', value])).toEqual([`due ${date}`]);
  });

  it('tells the deadline of somebody of whom another memory speaks, too', async () => {
    const told = (name: string) => ['2026-01-01', `${name} plays the oboe, and so it goes.`] as const;
    const due = ['2026-09-01', 'Joost must give notice by 30 November.'] as const;
    expect(await datesOf(told('Joost'), due)).toEqual(['due 2026-11-30']);
    expect(await datesOf(told('Frida'), due)).toEqual([]);
  });

  it('is silent where a later memory says that it is done', async () => {
    const due = ['2026-08-01', 'The visa form for Chile is due on 14 November.'] as const;
    expect(await datesOf(due, ['2026-09-10', 'Handed in the visa form for Chile.'])).toEqual([]);
    expect(await datesOf(due, ['2026-09-10', 'Chile: bought the visa guide book'])).toEqual([
      'due 2026-11-14',
    ]);
  });

  it('is silent where a later memory says that it was taken back, with the thing in between', async () => {
    const loan = ['2026-09-01', 'The herring book goes back to the library by 21 November.'] as const;
    expect(await datesOf(loan)).toEqual(['due 2026-11-21']);
    expect(await datesOf(loan, ['2026-09-20', 'Took the herring book back, on foot.'])).toEqual([]);
  });

  it('does not take what was done for one for what is due for another', async () => {
    expect(
      await datesOf(
        ['2026-08-01', "Mio's passport expires on 14 November 2026."],
        ['2026-08-02', "Ruben's passport was renewed in July."],
      ),
    ).toEqual(['due 2026-11-14']);
  });

  it('takes what was taken back for done, and what was put off for moved, whatever else is said beside', async () => {
    expect(
      await datesOf(
        ['2026-08-28', 'The whaling book goes back to the library by 21 November.'],
        ['2026-09-11', 'Took the whaling book back, the librarian had not seen the map in it.'],
        ['2026-08-01', 'The gas inspection of the pottery is on 19 November, Mr Toft.'],
        ['2026-09-12', "Toft is ill, so the gas inspection is put off to 3 December, nine o'clock."],
      ),
    ).toEqual(['due 2026-12-03']);
  });

  it('takes the later of two dates for one thing', async () => {
    expect(
      await datesOf(
        ['2026-08-01', 'Viva of Jorunn on 14 November.'],
        ['2026-09-02', 'Viva of Jorunn on 21 November.'],
      ),
    ).toEqual(['due 2026-11-21']);
  });

  it('tells the next of a steady rhythm, with its error bar, and nothing where it stopped or is none', async () => {
    const fails = (...days: readonly string[]) =>
      datesOf(...days.map((day) => [day, 'The label printer jammed again.'] as const));
    expect(await fails('2026-08-20', '2026-08-30', '2026-09-10', '2026-09-20', '2026-09-30')).toEqual([
      'expect 2026-10-10',
    ]);
    expect(await fails('2026-08-30', '2026-09-10', '2026-09-20', '2026-09-30')).toEqual([]);
    expect(await fails('2026-02-10', '2026-02-20', '2026-03-02', '2026-03-12', '2026-03-22')).toEqual([]);
    expect(await fails('2026-06-01', '2026-07-01', '2026-07-02', '2026-08-25', '2026-09-29')).toEqual([]);
  });
  it('tells of one that is overdue once, not anew each day', async () => {
    const jams = ['2026-08-10', '2026-08-20', '2026-08-30', '2026-09-10', '2026-09-20'].map((at, index) => ({
      at,
      key: `jam${index}`,
      value: 'The label printer jammed again.',
    }));
    const dreamt = async (now: string) =>
      (await forecast.run(viewOf(jams, { now }), contextOf())).map(({ title, content }) => [title, content]);
    const [due] = await dreamt('2026-09-30T09:00:00Z');
    const [overdue] = await dreamt('2026-10-01T09:00:00Z');
    expect([due?.[1], overdue?.[1]]).toEqual(['expect 2026-09-30', 'expect 2026-09-30']);
    expect(overdue?.[0]).toContain('1 October 2026');
  });

  it('survives what is dated to the end of time', async () => {
    const end = 8.64e15;
    const jams = [50, 40, 30, 20, 10, 0].map((days, index) => ({
      at: new Date(end - days * 86_400_000).toISOString(),
      key: `jam${index}`,
      value: 'The label printer jammed again this morning.',
    }));
    expect(await forecast.run(viewOf(jams), contextOf())).toEqual([]);
  });
});
