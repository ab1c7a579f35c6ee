import { describe, expect, it } from 'vitest';
import { AT_ONCE, keysOf, orders, type Pair, written } from '../testing/pairs.ts';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import { connect } from './connect.ts';
import { rem } from './rem.ts';

/** Two notes that name one rare thing, and say different things of it. */
const LINKED: readonly Pair[] = [
  [
    'ticket QV-310: labels of the Molnar printer come out mirrored',
    'the Molnar printer reads its margins from the driver, not from the file',
  ],
  ['QV-412 waits for the customer.', 'The changelog of Tuesday mentions QV-412 as fixed.'],
  ['Label layouts go through zplkit.', 'Read a post: zplkit 3 drops support for 203 dpi heads.'],
  ['The dishwasher stopped with E24, water stands in it.', 'Freya: on theirs an E24 was only a kinked hose.'],
  ['The shelf takes brackets of type KB-4471.', 'The man at the flea market had a box of KB-4471, unused.'],
  ['Drafts are stored with idb-keyval.', 'Safari in private mode throws on first open with idb-keyval.'],
  ['The shelf was built by Ansgar Tholen.', 'Concert in the barn; the cellist was Ansgar Tholen.'],
  ['Dr. Wittling wants the blood test repeated in May.', 'The choir has a new bass, a certain Dr. Wittling.'],
  ['Zdeněk Hrubín made the garden gate.', 'A collection agency writes on behalf of Z. Hrubín.'],
  ['The shelf needs oil, as they sell it at Skarvøya harbour.', 'Skarvøya harbour closes in October.'],
  [
    'Zelvarin makes me dizzy in the morning.',
    'Zelvarin must not be taken with grapefruit, says the leaflet.',
  ],
  [
    'litestream replicates rota.db to the storage share.',
    'A man lost an hour of writes because litestream was two versions behind.',
  ],
  [
    'Sensor boards: moved the prototype to an ESP32-C6.',
    'Gethin knows someone who sells the ESP32-C6 at cost.',
  ],
  [
    'The skylight in the loft is a Velux GGL 308, the seal is brittle.',
    'Bargain corner: gasket set, fits GGL 308.',
  ],
  ['Recurring shifts are expanded with rrule.', 'Bug of the month: rrule skips the 31st.'],
  ['Gwenda Pryce taught me to read music.', 'Programme of the Advent service, organ: Gwenda Pryce.'],
  ['Krompholz repairs bows while you wait.', 'Krompholz has moved its shop to Goat Lane.'],
  [
    'HMAC check for the ward tablets uses the header X-Brannock-Sig.',
    'IT strips unknown headers at the proxy, but not X-Brannock-Sig.',
  ],
  ['The Quillon cabin has no stove.', 'Aunt Ruth rents out the Quillon cabin in winter.'],
  [
    'Doris hums from the back seat: fuel pump, 0580453021 stamped on it.',
    'Gethin clears out his garage: an unused 0580453021 in its box.',
  ],
];

/** Names in passing, dates, languages, what everybody has heard of, the same thing twice, and what the notes say is another. */
const APART: readonly Pair[] = [
  ['Had a coffee near Brackwater.', 'Missed the bus in Brackwater.'],
  ['The menu was in Portuguese.', 'Lena learns Portuguese.'],
  ['Meeting on 3 March 2027.', 'The lease ends on 3 March 2027.'],
  ['Send it by WhatsApp.', 'The class uses WhatsApp.'],
  ['The database is Postgres 16.', 'Postgres drops the connection at night.'],
  ['Paid 240 euros for the tyres.', 'The deposit was 240 euros.'],
  ['Screws M8 for the bench.', 'The garage needs an M8 key.'],
  [
    'Redis on plover: maxmemory 512mb, policy allkeys-lru.',
    'Redis on plover: maxmemory 768mb, policy allkeys-lru.',
  ],
  ['Doris takes 15W-40, about six litres.', 'DORIS takes 15W-40: about six litres!'],
  ['Mr Goethals of the insurance looked at pulp.', 'Her teacher is Mrs Goethals, strict and funny.'],
  ['Ansgar Tholen built the shelf.', 'Corinna Tholen plays the cello.'],
  ['The shelf came from Quendelin.', 'The Quendelin of the concert is a namesake, no relation.'],
  ['log_level = info in production', 'log_level = debug on staging'],
  ['The tests fail with ECONNRESET.', 'The crawler stops with ECONNRESET.'],
  ['Took the train to Berlin.', 'Berlin was cold in March.'],
  ['Watched a film about Mozart.', 'The radio played Mozart.'],
  ['Open the README first.', 'The README is out of date.'],
  ['Monday was rainy.', 'Monday is bin day.'],
  ['The parser reads UTF-8.', 'Exports are written in UTF-8.'],
  ['Ibuprofen helps her.', 'Ibuprofen is in the blue box.'],
];

const proposed = async (notes: readonly FixtureMemory[]) => connect.run(viewOf(notes), contextOf());

describe.each(orders)('two notes %s', (_, notesOf) => {
  it.each(LINKED)('belong together: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([['one', 'other']]);
  });
  it.each(APART)('do not: %s | %s', async (...pair) => {
    expect(keysOf(await proposed(notesOf(pair)))).toEqual([]);
  });
});

describe('connect', () => {
  const pair: Pair = [
    'Label layouts go through zplkit.',
    'Read a post: zplkit 3 drops support for 203 dpi heads.',
  ];

  it('leaves what a third note names, and what one conversation says', async () => {
    const third: FixtureMemory = {
      at: '2026-05-02',
      key: 'third',
      value: 'The zplkit repo has a new maintainer.',
    };
    expect(await proposed([...written(pair, AT_ONCE), third])).toEqual([]);
    expect(await proposed(written(pair, AT_ONCE).map((one) => ({ ...one, session: 's' })))).toEqual([]);
  });

  it('leaves two notes of a small folder, and not of one in which everything lies', async () => {
    const many = Array.from({ length: 20 }, (__, at): FixtureMemory => ({
      at: '2026-01-01',
      key: `vault/${at}`,
      value: `Nothing much happened in week ${at}.`,
    }));
    const inFolder = (folder: string) =>
      pair.map((value, at): FixtureMemory => ({ at: '2026-05-01', key: `${folder}/${at}-note`, value }));
    expect(await proposed([...many, ...inFolder('labels')])).toEqual([]);
    expect(keysOf(await proposed([...many, ...inFolder('vault')]))).toEqual([
      ['vault/0-note', 'vault/1-note'],
    ]);
  });

  it('asks a model about names in passing, and says how many there are where there is none', async () => {
    const said: string[] = [];
    const view = viewOf(written(['Had a coffee near Brackwater.', 'Missed the bus in Brackwater.'], AT_ONCE));
    await connect.run(view, contextOf({ leaves: (what) => said.push(what) }));
    expect(said).toEqual(['1 pair names something in passing; a model would tell']);
    expect(keysOf((await connect.nominees?.(view, contextOf())) ?? [])).toEqual([['one', 'other']]);
  });
});

describe('rem', () => {
  const chain: readonly FixtureMemory[] = [
    ...written(['Label layouts go through zplkit.', 'The author of zplkit is Ansgar Tholen.'], AT_ONCE),
    { at: '2026-05-01', key: 'third', value: 'The kitchen shelf was built by Ansgar Tholen.' },
  ];

  it('goes from one end of a chain to the other', async () => {
    const proposals = await rem.run(viewOf(chain), contextOf());
    expect(keysOf(proposals)).toEqual([['one', 'other', 'third']]);
    expect(proposals[0]?.evidence[1]?.key).toBe('other');
  });

  it('leaves a pair that is linked by itself', async () => {
    const [first, ...others] = chain;
    if (!first) throw new Error('the chain has members');
    const more: Readonly<Record<string, string>> = {
      one: 'KB-4471 holds the roll.',
      third: 'Nobody sells KB-4471 any longer.',
    };
    const ends = [first, ...others].map((one) => ({ ...one, value: `${one.value} ${more[one.key] ?? ''}` }));
    expect(keysOf(await proposed(ends))).toContainEqual(['one', 'third']);
    expect(await rem.run(viewOf(ends), contextOf())).toEqual([]);
  });
});
