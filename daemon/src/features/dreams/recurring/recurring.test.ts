import { describe, expect, it } from 'vitest';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import { recurring } from './recurring.ts';

const now = '2026-11-20T09:00:00Z';

/** Notes as they were written, each with its day where it says none itself. */
type Group = readonly (string | readonly [at: string, value: string])[];

/** Notes of daily life that tell of nothing again. */
const OTHERS = [
  'The Wi-Fi password of the flat in Graz is on the fridge.',
  'Anna prefers tea in the morning.',
  'The garage door takes two AA batteries.',
  'Bought a lamp for the hall, it cost 39 euro.',
  'The lease says that pets are allowed.',
  'Mira starts school in September.',
  'Recipe: 300 g of flour, two eggs, a pinch of salt.',
  'We decided to keep Postgres for the orders.',
];

const notesOf = (group: Group): FixtureMemory[] =>
  group.map((one, index) => {
    const [at, value] = typeof one === 'string' ? ['2026-11-18T08:00:00Z', one] : one;
    return { at, key: `n${index}`, value };
  });
const others: FixtureMemory[] = OTHERS.map((value, index) => ({
  at: `2026-0${index + 1}-05`,
  key: `other ${index}`,
  value,
}));

async function foundIn(written: readonly FixtureMemory[]) {
  return recurring.run(viewOf([...others, ...written], { now }), contextOf());
}

/** As it was written, all of it stored in one second, and in the other order. */
async function everyWay(group: Group) {
  const written = notesOf(group);
  const atOnce = [...others, ...written].map((one) => ({ ...one, at: '2026-11-18T08:00:00Z' }));
  const run = (all: readonly FixtureMemory[]) => recurring.run(viewOf(all, { now }), contextOf());
  return Promise.all([foundIn(written), run(atOnce), run(atOnce.toReversed())]);
}

const AGAIN: readonly (readonly [name: string, title: string, group: Group])[] = [
  [
    'power cuts of three nights',
    'Power cut three times: 3, 9 and 17 November',
    [
      'Night of 3 November: power cut, the whole street dark.',
      'Power cut in the night of 9 November, two hours.',
      '17 November, two in the morning: power cut.',
    ],
  ],
  [
    'a heating that fails',
    'The heating failed three times: 3, 9 and 17 November',
    [
      'The heating failed on 3 November.',
      'Heating failed again on 9 November, Novak came.',
      'On 17 November the heating failed once more.',
    ],
  ],
  [
    'a deploy that fails',
    'timed out: three times, 2, 16 and 30 October',
    [
      '2026-10-02: deploy failed, migration timed out.',
      '2026-10-16: deploy failed, the migration timed out.',
      '2026-10-30: deploy failed, migration timed out after ten minutes.',
    ],
  ],
  [
    'runs of a test',
    'checkout.spec timed out three times',
    [
      'Run 4121: checkout.spec timed out.',
      'Run 4160: checkout.spec timed out.',
      'Run 4188: checkout.spec timed out.',
    ],
  ],
  [
    'migraines',
    'Migraine three times: 4 and 18 October and 1 November',
    [
      'Migraine on 4 October, lay down.',
      'Migraine again on 18 October.',
      'Third migraine this autumn, on 1 November.',
    ],
  ],
  [
    'a printer, by the days of storing',
    'The label printer jammed three times',
    [
      ['2026-06-01', 'The label printer jammed.'],
      ['2026-06-20', 'Label printer jammed again before lunch.'],
      ['2026-07-11', 'The label printer jammed, had to restart it.'],
    ],
  ],
  [
    'a van',
    'The van did not start three times',
    [
      ['2026-01-12', 'The van did not start, took the bus.'],
      ['2026-02-03', 'The van did not start again.'],
      ['2026-02-20', 'Cold morning, the van did not start.'],
    ],
  ],
  [
    'a router',
    'The router lost its connection',
    [
      ['2026-01-12', 'The router lost its connection at noon.'],
      ['2026-02-03', 'Router lost its connection again during the call.'],
      ['2026-02-20', 'The router lost its connection, restarted it.'],
      ['2026-03-01', 'Router lost the connection once more.'],
    ],
  ],
  [
    'a cat',
    'The cat threw up on the carpet three times',
    [
      ['2026-03-02', 'The cat threw up on the carpet.'],
      ['2026-03-19', 'The cat threw up on the carpet again.'],
      ['2026-04-08', 'Cat threw up on the carpet, third time.'],
    ],
  ],
  [
    'a neighbour',
    'The neighbours drilled until midnight three times: 2, 8 and 15 October',
    [
      'The neighbours drilled until midnight on 2 October.',
      'On 8 October the neighbours drilled until midnight.',
      'Neighbours drilled until midnight again on 15 October.',
    ],
  ],
  [
    'a worker without memory',
    'worker-3 was killed, out of memory',
    [
      '2026-10-02 03:10 worker-3 was killed, out of memory',
      '2026-10-12 04:55 worker-3 was killed, out of memory',
      '2026-11-02 03:11 worker-3 was killed, out of memory',
    ],
  ],
  [
    'a sink',
    'The kitchen sink was blocked three times',
    [
      ['2026-01-05', 'The kitchen sink was blocked, cleaned the trap.'],
      ['2026-04-11', 'Kitchen sink blocked again.'],
      ['2026-08-30', 'The kitchen sink was blocked once more.'],
    ],
  ],
  [
    'a lunch box',
    'Tom forgot his lunch box three times',
    [
      ['2026-09-03', 'Tom forgot his lunch box.'],
      ['2026-09-17', 'Tom forgot his lunch box again, drove to the school.'],
      ['2026-10-09', 'Tom forgot his lunch box at home.'],
    ],
  ],
  [
    'a train',
    'The train to Graz was cancelled',
    [
      'The train to Graz was cancelled on 4 September.',
      'Train to Graz cancelled again, 2 October.',
      'On 6 November the train to Graz was cancelled.',
    ],
  ],
  [
    'a late payer',
    'Nordlys paid late',
    [
      ['2026-03-10', 'Nordlys paid late, sent a reminder.'],
      ['2026-06-12', 'Nordlys paid late again.'],
      ['2026-09-11', 'Nordlys paid late, after two reminders.'],
    ],
  ],
  [
    'a certificate',
    'Renewed the certificate of the ferry gateway by hand',
    [
      ['2026-06-01', 'Renewed the certificate of the ferry gateway by hand.'],
      ['2026-07-20', 'Renewed the certificate of the ferry gateway by hand, still no bot.'],
      ['2026-09-08', 'Renewed the certificate of the ferry gateway by hand once more.'],
    ],
  ],
  [
    'a nosebleed',
    'Nosebleed',
    [
      ['2026-06-01', 'Nosebleed after cycling.'],
      ['2026-06-14', 'Woke up with a nosebleed again.'],
      ['2026-07-02', 'Another nosebleed.'],
    ],
  ],
  [
    'a heating, in German',
    'Die Heizung ist ausgefallen',
    [
      'Die Heizung ist am 3. November ausgefallen.',
      'Am 9. November ist die Heizung wieder ausgefallen.',
      'Heizung am 17. November ausgefallen.',
    ],
  ],
  [
    'power cuts, in French',
    'Panne de courant',
    [
      'Panne de courant dans la nuit du 3 novembre.',
      'Encore une panne de courant le 9 novembre.',
      'Panne de courant le 17 novembre, deux heures.',
    ],
  ],
  [
    'an import',
    'The nightly import of velox died with ENOSPC',
    [
      ['2026-06-01', 'The nightly import of velox died with ENOSPC.'],
      ['2026-07-03', 'Nightly import of velox died with ENOSPC again, deleted old dumps.'],
      ['2026-08-04', 'The nightly import of velox died with ENOSPC at three.'],
    ],
  ],
  [
    'a connection, three times on one day',
    'The VPN dropped during the call three times',
    [
      ['2026-11-03T07:00:00Z', 'The VPN dropped during the call.'],
      ['2026-11-03T10:00:00Z', 'The VPN dropped again during the call with Oslo.'],
      ['2026-11-03T15:00:00Z', 'The VPN dropped during the call once more.'],
    ],
  ],
  [
    'builds of one day',
    'nightly image was not pushed three times',
    [
      ['2026-11-03T07:00:00Z', 'Build 811: the nightly image was not pushed.'],
      ['2026-11-03T10:00:00Z', 'Build 815: the nightly image was not pushed.'],
      ['2026-11-03T15:00:00Z', 'Build 822: the nightly image was not pushed.'],
    ],
  ],
  [
    'keys, in months that come again',
    'Lost my keys three times: 3 March, 12 May and 30 August',
    [
      'Lost my keys on 3 March.',
      'Lost my keys again on 12 May.',
      'Lost my keys on 30 August, spare at Anna.',
    ],
  ],
  [
    'what diaries tell among other things',
    'The lift got stuck',
    [
      ['2026-03-02', 'Long day at the office. The lift got stuck between two floors. Pasta for dinner.'],
      ['2026-05-14', 'Anna called about Easter. The lift got stuck again.'],
      ['2026-08-22', 'Rain all day. The lift got stuck for an hour.'],
    ],
  ],
];

const ONCE: readonly (readonly [name: string, group: Group])[] = [
  [
    'repairs of one thing, each another',
    [
      'Fixed the bike chain with Anna in Linz on 3 May.',
      'Fixed the bike lights for Tom in Graz on 9 June.',
      'Fixed the bike brakes before the race to Wels on 2 July.',
    ],
  ],
  ['the rent', ['Paid rent on 1 September.', 'Paid rent on 1 October.', 'Paid rent on 1 November.']],
  [
    'blood pressures',
    [
      'Blood pressure 3 November: 132/84',
      'Blood pressure 9 November: 128/80',
      'Blood pressure 15 November: 135/88',
    ],
  ],
  [
    'habits',
    [
      'Yoga every Tuesday at six.',
      'On Tuesdays yoga, bring a mat.',
      'Yoga on Tuesday usually ends at seven.',
    ],
  ],
  [
    'readings of a meter',
    [
      'Meter reading 1 October: 4,512 kWh.',
      'Meter reading 1 November: 4,733 kWh.',
      'Meter reading 18 November: 4,820 kWh.',
    ],
  ],
  [
    'weights',
    ['Weighed 71.2 kg on 3 November.', 'Weighed 70.9 kg on 9 November.', 'Weighed 71.0 kg on 17 November.'],
  ],
  [
    'runs',
    [
      'Ran 5 km in 27:10 on 3 November.',
      'Ran 5 km in 26:55 on 9 November.',
      'Ran 6 km in 33:02 on 17 November.',
    ],
  ],
  [
    'stand-ups with other content',
    [
      'Standup 2 November: Mira works on billing, blocked by the sandbox.',
      'Standup 9 November: search index rebuilt, Jon is on holiday.',
      'Standup 16 November: release postponed, two bugs in the importer.',
    ],
  ],
  [
    'shopping lists',
    ['Buy milk, eggs and bread.', 'Buy milk, butter and rice.', 'Buy eggs, bread and apples.'],
  ],
  [
    'rules',
    [
      'Always restart the label printer before lunch.',
      'The label printer must be restarted before each batch.',
      'Restart the label printer whenever it blinks.',
    ],
  ],
  ['plans', ['Dentist on 3 December.', 'Dentist on 9 January 2027.', 'Dentist on 4 February 2027.']],
  ['two occasions', ['The heating failed on 3 November.', 'Heating failed again on 9 November.']],
  ['one note three times', ['The heating failed.', 'The heating failed.', 'The heating failed.']],
  [
    'one topic',
    ['The heating has a new pump.', 'Heating oil costs 1,200 euro.', 'The heating failed on 3 November.'],
  ],
  [
    'three people',
    ['Anna was ill on 3 November.', 'Ben was ill on 9 November.', 'Carl was ill on 17 November.'],
  ],
  [
    'questions',
    [
      'Did the heating fail on 3 November?',
      'Did the heating fail on 9 November?',
      'Did the heating fail on 17 November?',
    ],
  ],
  [
    'what is imagined',
    [
      'If the heating failed we would freeze.',
      'Maybe the heating failed.',
      'What if the heating failed in January?',
    ],
  ],
  [
    'bills',
    [
      'Electricity bill October: 84 euro.',
      'Electricity bill September: 79 euro.',
      'Electricity bill August: 66 euro.',
    ],
  ],
  [
    'releases',
    ['Released 4.1.0 on 3 October.', 'Released 4.2.0 on 9 October.', 'Released 4.3.0 on 17 October.'],
  ],
  [
    'books',
    ['Finished "Dune" on 3 October.', 'Finished "Stoner" on 9 October.', 'Finished "Emma" on 17 October.'],
  ],
  ['how things are', ['The printer is in the hall.', 'The printer is a Brother.', 'The printer is loud.']],
  [
    'invoices of different clients',
    ['Kestrel paid late on 3 October.', 'Hartmann paid late on 9 October.', 'Brask paid late on 17 October.'],
  ],
  [
    'one affair of a day',
    [
      ['2026-11-03T07:00:00Z', 'The heating failed this morning.'],
      ['2026-11-03T09:00:00Z', 'Heating failed, Novak comes at four.'],
      ['2026-11-03T12:00:00Z', 'The heating failed, fourteen degrees in the kitchen.'],
    ],
  ],
  [
    'backups with their times',
    [
      'Backup of alpha took 12 minutes.',
      'Backup of beta took 15 minutes.',
      'Backup of gamma took 9 minutes.',
    ],
  ],
];

describe('what keeps happening', () => {
  it.each(AGAIN)('%s', async (_, title, group) => {
    for (const proposals of await everyWay(group)) {
      const [one, ...more] = proposals;
      expect(more).toEqual([]);
      expect(one?.evidence.map(({ key }) => key).sort()).toEqual(group.map((_, index) => `n${index}`));
    }
    const [one] = await foundIn(notesOf(group));
    expect(one?.title).toContain(title);
  });
});

describe('what does not', () => {
  it.each(ONCE)('%s', async (name, group) => {
    // Who stores three different notes in one second has imported them.
    if (name === 'one affair of a day') expect(await foundIn(notesOf(group))).toEqual([]);
    else for (const proposals of await everyWay(group)) expect(proposals).toEqual([]);
  });
});

it('finds all of them among each other, and nothing else', async () => {
  const again = AGAIN.slice(0, 18);
  const named = [...again.map(([name, , group]) => [name, group] as const), ...ONCE];
  const written = named.flatMap(([name, group]) =>
    notesOf(group).map((note, index) => ({ ...note, key: `${name}: ${index}` })),
  );
  const proposals = await foundIn(written);
  const groups = proposals.map(({ evidence }) => [
    ...new Set(evidence.map(({ key }) => key.replace(/: \d$/u, ''))),
  ]);
  const wanted = again.map(([name]) => [name]);
  // `Nordlys` pays late as `Kestrel` does, and the heating fails in several of the groups.
  const isMixed = ([name = '']: readonly string[]) =>
    /heating|payer|clients|affair|topic|occasions|power/u.test(name);
  expect(groups.filter((names) => !isMixed(names)).sort()).toEqual(
    wanted.filter((names) => !isMixed(names)).sort(),
  );
});

it('says how regular it is, and on which weekday', async () => {
  const at = ['2026-09-04', '2026-09-11', '2026-09-18', '2026-09-25'];
  const [one] = await foundIn(
    at.map((day, index) => ({
      at: day,
      key: `n${index}`,
      value: `The lift got stuck${index % 2 ? ' again' : ''}, took the stairs.`,
    })),
  );
  expect(one?.body).toContain('About every 7 days (± 0). Mostly on a Friday.');
});

it('stops where nobody wants it any more', async () => {
  const written = notesOf(AGAIN[0]?.[2] ?? []);
  expect(await recurring.run(viewOf(written, { now }), contextOf({ cancelled: () => true }))).toEqual([]);
});

describe('a day without its year that is the day on which it was written', () => {
  it('is that day, and none of last year', async () => {
    const [proposal] = await foundIn(
      notesOf([
        ['2026-08-03T20:00:00Z', 'Mon 3 August: nightly backup failed, the snapshot of pg-2 timed out.'],
        [
          '2026-09-07T20:00:00Z',
          '7 September: the nightly backup failed again; the pg-2 snapshot timed out.',
        ],
        ['2026-10-05T20:00:00Z', 'Nightly backup failed on 5 October, same timeout on the pg-2 snapshot.'],
        ['2026-11-02T20:00:00Z', '2 November: nightly backup failed, snapshot of pg-2 timed out as before.'],
      ]),
    );
    expect(proposal?.title).toMatch(/four times[:,] 3 August, 7 September, 5 October and 2 November$/);
  });
});
