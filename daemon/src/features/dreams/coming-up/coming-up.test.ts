import { describe, expect, it } from 'vitest';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import type { FactView } from '../strategies/strategy.ts';
import { comingUp } from './coming-up.ts';

/** A Friday. */
const now = '2026-11-20T09:00:00Z';
const WRITTEN = '2026-11-10';

/** A note, or several, each with the day on which it was written where that matters. */
type Told = string | readonly (string | readonly [at: string, value: string])[];

const notesOf = (told: Told): FixtureMemory[] =>
  (typeof told === 'string' ? [told] : told).map((one, index) => {
    const [at, value] = typeof one === 'string' ? [WRITTEN, one] : one;
    return { at, key: `n${index}`, value };
  });

async function daysOf(written: readonly FixtureMemory[], facts: readonly FactView[] = []): Promise<string[]> {
  const proposals = await comingUp.run(viewOf(written, { now, facts }), contextOf());
  return proposals.map(({ content }) => content.replace(/^due /u, ''));
}

/** As it was written, all of it stored in one second, and in the other order. */
async function everyWay(told: Told): Promise<string[][]> {
  const written = notesOf(told);
  const latest =
    written
      .map(({ at }) => at)
      .sort()
      .at(-1) ?? WRITTEN;
  const atOnce = written.map((one) => ({ ...one, at: latest }));
  return Promise.all([written, atOnce, atOnce.toReversed()].map((way) => daysOf(way)));
}

const DUE: readonly (readonly [told: Told, ...days: string[]])[] = [
  // Ends and deadlines.
  ['Passport expires on 14 March 2027.', '2027-03-14'],
  ['The rent is due on 1 December.', '2026-12-01'],
  ['Library books are due back on 27 November 2026.', '2026-11-27'],
  ['Tax return has to be in by 30 November.', '2026-11-30'],
  ['The car insurance runs until 31 December 2026.', '2026-12-31'],
  ['Warranty of the washing machine: valid until 12 January 2027.', '2027-01-12'],
  ['The TLS certificate of shop.example expires on 2026-12-19.', '2026-12-19'],
  ['The domain is paid until 8 January 2027.', '2027-01-08'],
  ['The contract with the gym ends on 31 January 2027.', '2027-01-31'],
  ['Give notice to the landlord by 30 November.', '2026-11-30'],
  ['The trial of the editor ends on 1 December.', '2026-12-01'],
  ['Early-bird price for the conference until 15 December.', '2026-12-15'],
  ['Node 22 reaches its end of life on 30 April 2027.', '2027-04-30'],
  ['Freeze for release 4.2 is on 4 December 2026.', '2026-12-04'],
  ['The API key of the mail service has to be rotated by 10 December.', '2026-12-10'],
  ['- [ ] renew the ID card (expires 5 December 2026)', '2026-12-05'],
  ['{"credential":"parcels","expires":"2026-12-02"}', '2026-12-02'],
  ['| Contract | Ends |\n| --- | --- |\n| Lease of the van | 31 March 2027 |', '2027-03-31'],
  ['Hand in the thesis on 15 January 2027 at the latest.', '2027-01-15'],
  ['Expense report for October: due Nov 30, 2026.', '2026-11-30'],
  // Months alone.
  ['My passport expires in February 2027.', '2027-02'],
  ['MOT due March 2027.', '2027-03'],
  ['The licence of the editor is valid until June 2027.', '2027-06'],
  ['Visa valid thru 01/27.', '2027-01'],
  ['Der TÜV läuft im Januar 2027 ab.', '2027-01'],
  // Appointments.
  ['Dentist on 9 December at 8:20.', '2026-12-09'],
  ['Flight to Lisbon: 4 January 2027, 06:40.', '2027-01-04'],
  ["Parents' evening on Thursday, 3 December, 18:00.", '2026-12-03'],
  ['Booked: the cottage in Denmark from 27 December to 3 January.', '2026-12-27'],
  ['Concert of the choir on Saturday 12 December.', '2026-12-12'],
  ['We meet the notary on 2 December at ten.', '2026-12-02'],
  ['Vaccination of the cat: 1 December.', '2026-12-01'],
  ['Interview with Kestrel on Monday, 23 November, 14:00.', '2026-11-23'],
  ['Exam in statistics on 14 December, room 204.', '2026-12-14'],
  // Days told from another day.
  [[['2026-11-19', 'Tomorrow the painters come.']], '2026-11-20'],
  [[['2026-11-18', 'The plumber comes next Tuesday.']], '2026-11-24'],
  [[['2026-11-16', 'Call the surgery back in two weeks.']], '2026-11-30'],
  ['Send the meter reading by the end of the month.', '2026-11-30'],
  [[['2026-05-03', '2026-11-19: tomorrow the chimney sweep comes.']], '2026-11-20'],
  [[['2026-05-03', '# Thursday, 19 November 2026\n\nIn two weeks the scaffold goes up.']], '2026-12-03'],
  // German and French.
  ['Die Rechnung ist bis 15. Dezember zu zahlen.', '2026-12-15'],
  ['Zahnarzttermin am 7.12. um 9 Uhr.', '2026-12-07'],
  ["La carte d'identité expire le 8 janvier 2027.", '2027-01-08'],
  ['Rendez-vous chez le dentiste le 2 décembre à 9 h.', '2026-12-02'],
  // Days that come every year.
  ["Mira's birthday is on 12 December.", '2026-12-12'],
  ['Grandpa was born on 3 December 1948.', '2026-12-03'],
  ['Our wedding anniversary: 28 November.', '2026-11-28'],
  ['Papa hat am 6. Januar Geburtstag.', '2027-01-06'],
  // What others say of it.
  [
    [
      'The dentist appointment is on 9 December.',
      ['2026-11-12', 'The dentist moved my appointment to 11 December.'],
    ],
    '2026-12-11',
  ],
  [["Ida's passport expires on 14 March 2027.", ['2026-11-12', "Renewed Bela's passport."]], '2027-03-14'],
  [
    ['The tax return has to be in by 30 November.', ['2026-11-12', 'Asked Herr Falk about the tax return.']],
    '2026-11-30',
  ],
  [['The tax return has to be in by 30 November.', ['2026-11-12', 'Tax return not sent yet.']], '2026-11-30'],
  [
    [
      "The fee for Ida's swimming course is due on 1 December.",
      ['2026-11-12', 'Paid the fee of the swimming course for Bela.'],
    ],
    '2026-12-01',
  ],
  [['The rent is due on 1 December.', ['2026-11-12', 'Rent for October paid.']], '2026-12-01'],
  [
    ['Exam in statistics on 4 December.', ['2026-11-12', 'Registered for the statistics exam.']],
    '2026-12-04',
  ],
];

const NOT_DUE: readonly Told[] = [
  // Spans of hours, and who did it.
  [['2026-11-20', 'The canary holds at 5 % for an hour before the rest follows.']],
  [['2026-11-20', 'Wait 20 minutes after that and look again.']],
  'The importer closes on end of file; rewritten by Ines in May.',
  // Titles and quotes.
  'Reading "Tomorrow, and Tomorrow, and Tomorrow" by Gabrielle Zevin.',
  [['2026-11-19', 'Book: Tomorrow, and Tomorrow, and Tomorrow. Lent by Sam.']],
  'He wrote: "The world ends on 21 December 2026."',
  'The novel ends on 24 December 1899.',
  'Watched the film "24 December", rather sad.',
  'Song of the week: "See You in September".',
  // History.
  [['2026-05-11', 'Tomorrow the painters come.']],
  [['2026-11-19', '3 May 2026: tomorrow the painters come.']],
  'The visa form was due on 14 November.',
  'The report was due on 30 September.',
  'My old passport expired on 3 March 2025.',
  'Meeting on 3 November with Anna.',
  'Bought the fridge on 2 December 2024.',
  'We were in Berlin from 3 to 7 May.',
  'In December 2025 we were in Rome.',
  'The course starts on 3 March 2026.',
  'Until 2024 we lived in Graz.',
  'Last Christmas we had goose.',
  'Last year the pipes froze on 12 December.',
  'It took from 3 March to 12 June to repair the roof.',
  [['2026-11-10', 'We talked on Sunday.']],
  'The meeting took place on 19 November.',
  "Mira's birthday was on 12 November, she got a bike.",
  'The article of 24 December 2025 explains it.',
  // Done, off, moved.
  'The library book was due on 27 November, returned it today.',
  'Paid the invoice that was due on 30 November.',
  'Dinner on 28 November is cancelled.',
  'No rehearsal on 24 November.',
  'The contract no longer ends on 31 December.',
  'Fee due by 30 November. Paid it this morning.',
  ['Tax return has to be in by 30 November.', ['2026-11-12', 'Tax return sent off today.']],
  [
    'The tax return has to be in by 30 November.',
    ['2026-11-12', 'Tax return, due 30 November: sent off today.'],
  ],
  ['The library books are due on 1 December.', ['2026-11-12', 'Took the library books back this morning.']],
  ['Flight to Oslo on 3 December.', ['2026-11-12', 'The flight to Oslo is cancelled.']],
  ['Renew the parking permit by 1 December.', ['2026-11-12', 'Parking permit renewed.']],
  ['- [x] renew the ID card by 5 December 2026'],
  // Imagined, asked, wished.
  'If we moved, the lease would end on 31 December 2026.',
  'Maybe we go to Rome on 5 December.',
  'Should the lease end on 31 December?',
  'I dreamt that the exam was on 1 December.',
  'We would have to be done by 15 December if they wanted it for Christmas.',
  'For example: an order of 24 December 2026 arrives on 28 December 2026.',
  // Habits, rules, figures, the calendar in other things.
  'Yoga every Tuesday at 18:00.',
  'The tip is open Monday to Saturday, 8 to 4.',
  'Invoices are payable within 30 days.',
  'Backups are kept for 90 days.',
  'Refresh tokens live 14 days.',
  'Build 2026.12.1 has the new menu.',
  'Version 3.12 needs Python 3.11.',
  'May I borrow the ladder?',
  'Fetch "https://api.example/slots?from=2026-12-01&to=2026-12-31".',
  'Rent 1,200 euro, paid on 1 November.',
  'Warranty of the oven until 1 March 2031.',
  'Cloud bill October 8,940 euro.',
  'Christmas lights are in the cellar, on the left.',
];

describe('what is coming up', () => {
  it.each(DUE)('%j', async (told, ...days) => {
    expect(await everyWay(told)).toEqual([days, days, days]);
  });
});

describe('what is not', () => {
  it.each(NOT_DUE.map((told) => [told] as const))('%j', async (told) => {
    expect(await everyWay(told)).toEqual([[], [], []]);
  });
});

it('finds all of them among each other, and nothing else', async () => {
  const alone = [
    ...DUE.filter(([told]) => typeof told === 'string'),
    ...NOT_DUE.filter((told) => typeof told === 'string'),
  ];
  const written = alone.flatMap((one, index) =>
    notesOf(typeof one === 'string' ? one : one[0]).map((note) => ({ ...note, key: `note ${index}` })),
  );
  const proposals = await comingUp.run(viewOf(written, { now }), contextOf());
  const wanted = new Set(
    alone.flatMap((one, index) =>
      typeof one === 'string' ? [] : one.slice(1).map((day) => `note ${index} due ${String(day)}`),
    ),
  );
  const found = proposals.map(({ evidence, content }) => `${evidence[0]?.key ?? ''} ${content}`);
  expect(found.filter((one) => !wanted.has(one))).toEqual([]);
  // As many as are shown; what is nearest is among them.
  expect(found.length).toBe(30);
});

describe('a birthday that is known as a fact', () => {
  const fact = (over: Partial<FactView>): FactView => ({
    memoryId: 1,
    subject: 'Nora',
    subjectNorm: 'nora',
    predicate: 'birthday',
    said: 'birthday',
    object: '5 December',
    objectNorm: '--12-05',
    kind: 'date',
    negated: false,
    functional: true,
    sentence: 'Nora is in the register.',
    confidence: 0.9,
    observedAt: 1,
    validFrom: 1,
    ...over,
  });
  const written = notesOf('Nora is in the register.');

  it('comes up, once', async () => {
    const view = viewOf(written, { now, facts: [fact({}), fact({ objectNorm: '1990-12-05' })] });
    const [one, ...more] = await comingUp.run(view, contextOf());
    expect(more).toEqual([]);
    expect(one).toMatchObject({ title: "Nora's birthday is on 5 December 2026", content: 'due 2026-12-05' });
  });

  it.each([
    ['is half a year away', { objectNorm: '--09-05' }],
    ['is denied', { negated: true }],
    ['is no yearly day', { predicate: 'bought_on' }],
    ['says a year alone', { objectNorm: '1990' }],
  ])('does not where it %s', async (_, over) => {
    expect(await daysOf(written, [fact(over)])).toEqual([]);
  });
});

describe('how it is told', () => {
  const titleOf = async (value: string, at = WRITTEN, key = 'n') =>
    (await comingUp.run(viewOf([{ at, key, value }], { now }), contextOf()))[0]?.title;

  it.each([
    ['Passport expires on 14 March 2027.', 'Passport expires on 14 March 2027'],
    ['The rent is due on 1 December.', 'The rent is due on 1 December 2026'],
    ['The bins were late. Dentist on 9 December at 8:20!', 'Dentist on 9 December 2026 at 8:20'],
    ["Mira's birthday is on 12 December.", "Mira's birthday is on 12 December 2026"],
    ['Grandpa was born on 3 December 1948.', 'Grandpa was born on 3 December 1948: 3 December 2026'],
    ['- [ ] **Renew** the ID card by 5 December', 'Renew the ID card by 5 December 2026'],
    ['My passport expires in February 2027.', 'My passport expires in February 2027'],
  ])('%s', async (value, title) => {
    expect(await titleOf(value)).toBe(title);
  });

  it('puts the day in the place of a word for it', async () => {
    expect(await titleOf('Tomorrow the painters come.', '2026-11-22')).toBe(
      'On 23 November 2026 the painters come',
    );
    expect(await titleOf('The plumber comes next Tuesday.', '2026-11-18')).toBe(
      'The plumber comes on 24 November 2026',
    );
  });

  it('says of what, where the sentence does not', async () => {
    expect(await titleOf('Expires 2026-12-19.', WRITTEN, 'domain/reverie.example')).toBe(
      'domain/reverie.example: Expires 19 December 2026',
    );
  });
});

it('tells what happens at intervals, once there were enough', async () => {
  const told = ['', ' again', ', ten minutes', ' after breakfast', ', no leaks'];
  const at = (days: readonly string[]) =>
    days.map((day, index) => ({
      at: day,
      key: `f${index}`,
      value: `Changed the filter of the aquarium pump${told[index] ?? ''}.`,
    }));
  const days = ['2026-07-03', '2026-07-31', '2026-08-28', '2026-09-25', '2026-10-23'];
  const [one] = await comingUp.run(viewOf(at(days), { now: '2026-11-15T09:00:00Z' }), contextOf());
  expect(one?.content).toBe('due 2026-11-20');
  expect(one?.title).toContain('about every 28 days, next about 20 November 2026');
  expect(await daysOf(at(days.slice(1)))).toEqual([]);
  expect(await daysOf(at(['2026-07-03', '2026-07-09', '2026-08-28', '2026-09-25', '2026-10-23']))).toEqual(
    [],
  );
});

it('stops where nobody wants it any more', async () => {
  const view = viewOf(notesOf('Passport expires on 14 March 2027.'), { now });
  expect(await comingUp.run(view, contextOf({ cancelled: () => true }))).toEqual([]);
});
