import { describe, expect, it } from 'vitest';
import { APART, beside, keysOf, orders, type Pair, written } from '../testing/pairs.ts';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import type { FactView } from '../strategies/strategy.ts';
import { contradict } from './contradict.ts';

/** What anybody who reads both sees at once. */
const DISAGREE: readonly Pair[] = [
  ['The search box of the intranet runs on Solr 8.', 'The search box of the intranet runs on Solr 9.'],
  ['The payments API listens on port 8443.', 'The payments API listens on port 9443.'],
  ['Payments API: port 8443.', 'The payments API listens on port 9443.'],
  ['The door code of the bike cellar is 4417.', 'The door code of the bike cellar is 7714.'],
  ['Gym locker code: 3381.', 'The gym locker code is 3318.'],
  ['The standup starts at 9:15.', 'The standup starts at 9:45.'],
  ['Yoga is on Tuesdays at 18:00.', 'Yoga is on Thursdays at 18:00.'],
  ['The paper bin is collected on Mondays.', 'The paper bin is collected on Wednesdays.'],
  ["Grandma's birthday is on 12 May.", "Grandma's birthday is on 21 May."],
  ['Lena has blood group A positive.', 'Lena has blood group O positive.'],
  ['The dishwasher filter costs 24 euros.', 'The dishwasher filter costs 31 euros.'],
  ['Swimming course for Milo: 85 € per term.', 'Swimming course for Milo: 95 € per term.'],
  ['The audit logs are kept for 30 days.', 'The audit logs are kept for 90 days.'],
  [
    'Access tokens of the gateway expire after 15 minutes.',
    'Access tokens of the gateway expire after 60 minutes.',
  ],
  ['The portal repo uses npm.', 'The portal repo uses pnpm.'],
  ['The ledger service stores its data in Postgres.', 'The ledger service stores its data in MySQL.'],
  ['User prefers dark mode in the editor.', 'User prefers light mode in the editor.'],
  ['Indentation in kestrel: tabs.', 'Indentation in kestrel: spaces.'],
  ['The barn is insured against hail.', 'The barn is not insured against hail.'],
  ['The attic window opens.', "The attic window doesn't open."],
  ['Grace eats fish.', 'Grace does not eat fish.'],
  ['Dogs are allowed in the allotment garden.', 'Dogs are not allowed in the allotment garden.'],
  ["Milo's teacher is Mrs Lenz.", "Milo's teacher is Mr Albrecht."],
  ['The spare key to the boathouse is with Mrs Abara.', 'The spare key to the boathouse is with Mr Lund.'],
  ['lantern runs on the host dunlin.', 'lantern runs on the host siskin.'],
  ['Backups of nightjar start at 02:00.', 'Backups of nightjar start at 03:30.'],
  ['The mixer tap needs a 35 mm cartridge.', 'The mixer tap needs a 40 mm cartridge.'],
  ['Fridge 3 alarms above 8.0 °C.', 'Fridge 3 alarms above 7.5 °C.'],
  [
    'Biscuit gets half a tablet of Vetmedin every morning.',
    'Biscuit gets two tablets of Vetmedin every morning.',
  ],
  ['The lease of the studio ends on 31 August 2027.', 'The lease of the studio ends on 30 September 2027.'],
  ['Die Bücherei schließt um 18:00.', 'Die Bücherei schließt um 19:00.'],
  ['Das Passwort vom Gästenetz ist tulpe42.', 'Das Passwort vom Gästenetz ist nelke17.'],
  ['La boulangerie ferme à 19h.', 'La boulangerie ferme à 20h.'],
  ['The geocoder allows 100 requests a minute.', 'The geocoder allows 60 requests a minute.'],
  ['stockroom needs Go 1.22 to build.', 'stockroom needs Go 1.24 to build.'],
  ['Orders of Meeple & Co have 30 days to pay.', 'Orders of Meeple & Co have 45 days to pay.'],
  ['The newsletter goes out every second Wednesday.', 'Newsletter goes out every second Thursday.'],
  ['Releases of finch are tagged on Fridays.', 'Releases of finch are tagged on Mondays.'],
  ['Scans land in /srv/scans/incoming overnight.', 'Scans land in /data/inbox overnight.'],
  ['Vet in Hollins Lane: 01422 555014.', 'Vet in Hollins Lane: 01422 555087.'],
  [
    'The tile server of sherdbook listens on port 8466.',
    'The tile server of sherdbook is listening on port 8521.',
  ],
  ["Hugo's shirts are size 39.", "Hugo's shirts are size 41."],
  ['The family dentist is called Dr Amari.', 'The family dentist is called Dr Whelan.'],
  [
    'Feature flags of orchid live in config/flags.yaml.',
    'Feature flags of orchid live in ops/features.toml.',
  ],
  ['**Invoice terms** of Larkspur: 14 days net', 'Invoice terms of Larkspur: 30 days net'],
  [
    'The water meter of the cabin stands behind the left shutter.',
    'The water meter of the cabin stands behind the right shutter.',
  ],
];

/** What looks alike, and goes together: each is told by whoever writes such notes, none names a rule. */
const TOGETHER: readonly Pair[] = [
  [
    'ticket QV-310: labels of the Molnar printer come out mirrored',
    'the Molnar printer reads its margins from the driver, not from the file',
  ],
  ['Finished *Dune* on the train, four stars.', 'Finished *Stoner* on the train, four stars.'],
  ['The orders API listens on port 8443.', 'The users API listens on port 9443.'],
  ['Line 3 stops at the harbour.', 'Line 4 stops at the harbour.'],
  ['Ticket 4711 waits for review.', 'Ticket 4712 waits for review.'],
  ['Chapter 3 of the thesis is written.', 'Chapter 4 of the thesis is written.'],
  ['Tank 2 leaks at the seam.', 'Tank 5 leaks at the seam.'],
  ['Swim lesson 4 of 10 for Mina.', 'Swim lesson 7 of 10 for Mina.'],
  ['Front door of the studio: 1947.', 'Side door of the studio: 7419.'],
  ['Staging database of kite: port 5433.', 'Production database of kite: port 5439.'],
  ['The rate limit of the geocoder was 100.', 'The rate limit of the geocoder is 250.'],
  ['The rate limit of the geocoder is 100.', 'The rate limit of the geocoder was raised to 250.'],
  ['The standup starts at 9:15.', 'The standup starts at 9:45 from Monday on.'],
  ['The portal repo uses npm.', 'The portal repo uses pnpm now.'],
  ['The portal repo uses npm.', 'The portal repo moved from npm to pnpm.'],
  [
    'The search box of the intranet runs on Solr 8.',
    'Since August the search box of the intranet runs on Solr 9.',
  ],
  ['The yard gate code is 1188.', 'New yard gate code: 2299.'],
  [
    '2026-03-02: water meter of the cabin stands at 4312.',
    '2026-04-02: water meter of the cabin stands at 4390.',
  ],
  ['Water meter on 2 March: 4312.', 'Water meter on 2 April: 4390.'],
  ['Rufus weighs 24 kg.', 'Rufus weighs 26 kg.'],
  ['Emil is 7 years old.', 'Emil is 8 years old.'],
  ['Blood pressure of Nana this morning: 131 over 82.', 'Blood pressure of Nana this morning: 144 over 90.'],
  ['Ran 5 km along the canal.', 'Ran 8 km along the canal.'],
  ['Paid the plumber 120 euros.', 'Paid the plumber 95 euros.'],
  ['Dentist on 3 March at 9:00.', 'Dentist on 9 September at 9:00.'],
  ['Klara has a test in maths on Tuesday.', 'Klara has a test in maths on Friday.'],
  [
    'Step 2: let the dough of the rye bread rest for 30 minutes.',
    'Step 4: let the dough of the rye bread rest for 45 minutes.',
  ],
  ['Ravi is allergic to nuts.', 'Ravi is allergic to penicillin.'],
  ['Anna is allergic to nuts.', 'Ravi is allergic to nuts.'],
  ['Berta is in Lisbon.', 'Berta is in Oslo.'],
  ['Uncle Fred has his birthday on 2 May.', 'Cousin Lou has his birthday on 9 May.'],
  ['Invoice 2026-014 went to the museum.', 'Invoice 2026-019 went to the museum.'],
  ['Deploy of kite 1.4.2 to production failed.', 'Deploy of kite 1.4.3 to production failed.'],
  ['Is the payments API on port 8443?', 'The payments API listens on port 9443.'],
  ['The vents could open at 24 degrees.', 'The vents open at 27 degrees.'],
  ['In winter the library opens at 10:00.', 'In summer the library opens at 8:00.'],
  ['The pool costs 4 euros for children.', 'The pool costs 7 euros for adults.'],
  ['On weekdays the bakery opens at 6:30.', 'At weekends the bakery opens at 7:30.'],
  ['Do not run the migration of kite on Fridays.', 'Run the tests of kite on Fridays.'],
  ['Kita closed on 12 May.', 'Kita closed on 21 May.'],
  ['kite v1.4.2: fixes the login.', 'kite v1.5.0: fixes the login.'],
  ['Remind me to call Ilse on Monday.', 'Remind me to call Ilse on Thursday.'],
  ['Lunch with Ada at 12:30.', 'Lunch with Ada at 13:00.'],
  ['Otto owes me 50 euros.', 'Otto owes me 30 euros.'],
  ['Batch 11 of the kombucha ferments for 9 days.', 'Batch 12 of the kombucha ferments for 7 days.'],
  ['The cabin has 3 rooms.', 'The cabin has 3 rooms and a shed.'],
  ['Room Iris seats 8.', 'Room Lupin seats 12.'],
  ["Vera's favourite films are Paterson.", "Vera's favourite films are Alcarràs."],
  ['Tomatoes need 3 litres of water a day.', 'Peppers need 2 litres of water a day.'],
  ['A week of the sauna costs 40 euros, two weeks 70.', 'A week of the rowing boat costs 60 euros.'],
  [
    'ERROR 2026-05-01 10:00 worker 3 timed out after 30 s',
    'ERROR 2026-05-01 10:05 worker 7 timed out after 60 s',
  ],
];

async function proposed(notes: readonly FixtureMemory[], facts: readonly FactView[] = []) {
  return contradict.run(viewOf(notes, { facts }), contextOf());
}

describe.each(orders)('two notes %s', (_, notesOf) => {
  it.each(DISAGREE)('disagree: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([['one', 'other']]);
  });
  it.each(TOGETHER)('go together: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([]);
  });
});

describe('what is told of things that only look alike', () => {
  const stored = (
    ...values: readonly (readonly [key: string, value: string, session?: string])[]
  ): FixtureMemory[] => [
    ...beside,
    ...values.map(([key, value, session]): FixtureMemory => ({
      at: '2026-05-01',
      key,
      value,
      ...(session && { session }),
    })),
  ];
  it.each([
    {
      why: 'three fillings of one slot are a series',
      notes: stored(
        ['a', 'The rate limit of the geocoder is 100.'],
        ['b', 'The rate limit of the geocoder is 200.'],
        ['c', 'The rate limit of the geocoder is 300.'],
      ),
    },
    {
      why: 'keys that name two things',
      notes: stored(
        ['orders/port', 'The service port is 8443.'],
        ['users/port', 'The service port is 9443.'],
      ),
    },
    {
      why: 'headings that name two things',
      notes: stored(
        ['a', '## Staging\nThe payments API listens on port 8443.'],
        ['b', '## Production\nThe payments API listens on port 9443.'],
      ),
    },
    {
      why: 'one conversation',
      notes: stored(
        ['a', 'The payments API listens on port 8443.', 's'],
        ['b', 'The payments API listens on port 9443.', 's'],
      ),
    },
    {
      why: 'a change that the next sentence of the note tells',
      notes: stored(
        ['a', 'The payments API listens on port 8443.'],
        ['b', 'The payments API listens on port 9443. We moved it on Friday.'],
      ),
    },
    {
      why: 'whose it is',
      notes: stored(['a', 'My blood group is A positive.'], ['b', 'Her blood group is O positive.']),
    },
    {
      why: 'as much, written otherwise',
      notes: stored(
        ['a', 'The audit logs are kept for two weeks.'],
        ['b', 'The audit logs are kept for 14 days.'],
      ),
    },
  ])('leaves $why', async ({ notes }) => {
    expect(keysOf(await proposed(notes))).toEqual([]);
  });

  it('says how many pairs it left', async () => {
    const said: string[] = [];
    const view = viewOf(stored(['a', 'Rufus weighs 24 kg.'], ['b', 'Rufus weighs 26 kg.']));
    await contradict.run(view, contextOf({ leaves: (what) => said.push(what) }));
    expect(said).toEqual(['1 pair is worded alike and may go together; a model would tell']);
  });
});

describe('two facts of one thing', () => {
  const notes: readonly FixtureMemory[] = [
    { at: '2026-03-01', key: 'a', value: 'Lena lives in Hamburg.' },
    { at: '2026-05-01', key: 'b', value: 'Our friend Lena has her flat in Bremen, two rooms.' },
    { at: '2026-05-02', key: 'c', value: 'Lena stays in Kiel on weekdays.' },
  ];
  const fact = (memoryId: number, object: string, over: Partial<FactView> = {}): FactView => ({
    memoryId,
    subject: 'Lena',
    subjectNorm: 'lena',
    predicate: 'lives_in',
    said: 'lives in',
    object,
    objectNorm: object.toLowerCase(),
    kind: 'name',
    negated: false,
    functional: true,
    sentence: notes[memoryId - 1]?.value ?? '',
    confidence: 0.9,
    observedAt: memoryId,
    validFrom: memoryId,
    ...over,
  });

  it('disagree where one holds at a time', async () => {
    const [proposal, ...more] = await proposed(notes, [fact(1, 'Hamburg'), fact(2, 'Bremen')]);
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      title: 'Lena: lives in Bremen or Hamburg?',
      evidence: [
        { key: 'a', sentence: notes[0]?.value },
        { key: 'b', sentence: notes[1]?.value },
      ],
    });
  });

  it.each([
    { why: 'several may hold', facts: [fact(1, 'Hamburg'), fact(2, 'Bremen', { functional: false })] },
    { why: 'one is denied', facts: [fact(1, 'Hamburg'), fact(2, 'Bremen', { negated: true })] },
    { why: 'one says the other in full', facts: [fact(1, 'Hamburg'), fact(2, 'Hamburg-Altona')] },
    { why: 'there are three', facts: [fact(1, 'Hamburg'), fact(2, 'Bremen'), fact(3, 'Kiel')] },
    {
      why: 'it grows of itself',
      facts: [fact(1, '7', { predicate: 'age' }), fact(2, '8', { predicate: 'age' })],
    },
    { why: 'one has no sentence', facts: [fact(1, 'Hamburg'), fact(2, 'Bremen', { sentence: '' })] },
  ])('are left where $why', async ({ facts }) => {
    expect(await proposed(notes, facts)).toEqual([]);
  });
});

describe('what a person sees', () => {
  it.each([
    [
      'The payments API listens on port 8443.',
      'The payments API listens on port 9443.',
      'The payments API: port 8443 or 9443?',
    ],
    [
      'Yoga is on Tuesdays at 18:00.',
      'Yoga is on Thursdays at 18:00.',
      'Yoga: Thursdays or Tuesdays at 18:00?',
    ],
    [
      "Milo's teacher is Mrs Lenz.",
      "Milo's teacher is Mr Albrecht.",
      "Milo's teacher: Mr Albrecht or Mrs Lenz?",
    ],
    [
      'The barn is insured against hail.',
      'The barn is not insured against hail.',
      'The barn is insured against hail, or not?',
    ],
    [
      "Isla's pocket money is £6 a week.",
      "Isla's pocket money is £9 a week.",
      "Isla's pocket money: £6 or £9 a week?",
    ],
    [
      'Scans land in /srv/scans overnight.',
      'Scans land in /data/inbox overnight.',
      'Scans land in: /data/inbox or /srv/scans overnight?',
    ],
  ])('asks of "%s" and "%s": %s', async (one, other, title) => {
    for (const notesOf of orders.map(([, of]) => of))
      expect((await proposed(notesOf([one, other])))[0]?.title).toBe(title);
  });

  it('quotes both, the newer first, and the evidence is the older first', async () => {
    const [proposal] = await proposed(
      written(['The payments API listens on port 8443.', 'The payments API listens on port 9443.'], APART),
    );
    expect(proposal?.body.split('\n').slice(2)).toEqual([
      '"other" (1 May 2026): The payments API listens on port 9443.',
      '"one" (1 June 2025): The payments API listens on port 8443.',
    ]);
    expect(proposal?.evidence.map(({ key }) => key)).toEqual(['one', 'other']);
  });

  it.each([
    ['# 3 May 2026\nThe payments API listens on port 8443.', 'a'],
    ['The payments API listens on port 8443.', 'notes/2026-05-03'],
  ])('goes by the day that a note gives itself before the time of storing: %j', async (value, key) => {
    const [proposal] = await proposed([
      { at: '2025-01-01', key, value },
      { at: '2026-01-01', key: 'other', value: 'The payments API listens on port 9443.' },
    ]);
    expect(proposal?.statedOn).toEqual({ [key]: Date.UTC(2026, 4, 3) });
    expect(proposal?.evidence.map((one) => one.key)).toEqual(['other', key]);
  });
});

it('finds in a namespace the same whenever and in whatever order it was stored', async () => {
  const pairs = DISAGREE.filter(([one]) => !/Lena|payments/iu.test(one)).slice(0, 20);
  const notes = [...pairs.flat(), ...TOGETHER.flat()].map((value, at) => ({ key: `n${at}`, value }));
  const day = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString();
  const shuffled = (seed: number) =>
    notes.toSorted(
      (a, b) =>
        ((a.key.length * 31 + seed * Number(a.key.slice(1))) % 97) -
        ((b.key.length * 31 + seed * Number(b.key.slice(1))) % 97),
    );
  const found = async (of: readonly FixtureMemory[]) => keysOf(await proposed(of)).sort();
  const first = await found(notes.map((note) => ({ ...note, at: day(0) })));
  expect(first.length).toBeGreaterThan(10);
  for (const seed of [7, 13, 29])
    for (const at of [() => day(0), day])
      expect(await found(shuffled(seed).map((note, place) => ({ ...note, at: at(place) })))).toEqual(first);
});
