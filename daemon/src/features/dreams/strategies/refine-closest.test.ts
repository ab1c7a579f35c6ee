import { describe, expect, it } from 'vitest';
import { devSet } from './fixtures/dev-set.ts';
import { contextOf, viewOf, type ViewParts } from './fixtures/view.ts';
import { refine } from './refine.ts';

type Told = readonly [at: string, value: string];

const pairsOf = async (told: readonly Told[], parts: ViewParts = {}) =>
  (
    await refine.run(
      viewOf(
        told.map(([at, value], index) => ({ at, key: `m${index}`, value })),
        parts,
      ),
      contextOf(),
    )
  ).flatMap(({ change, evidence }) => (change?.kind === 'merge' ? [evidence.map(({ key }) => key)] : []));

const bills: readonly Told[] = [
  ['2026-03-01', 'Bills to the mill have to carry the order number on the first page or they are sent back.'],
  ['2026-08-01', 'If the order number is missing from page one, the mill returns our invoice unpaid.'],
];

describe('refine, of two that are nearest of each other', () => {
  it('merges what says the same in other words', async () => {
    expect(await pairsOf(bills)).toEqual([['m0', 'm1']]);
  });

  it('does not where a third is as near', async () => {
    const third: Told = ['2026-05-01', 'The mill grinds rye in winter.'];
    const neighbours = (id: number) =>
      [1, 2, 3]
        .filter((other) => other !== id)
        .map((other, index) => ({ id: other, rank: index + 1, cosine: 0.7 }));
    expect(await pairsOf([...bills, third], { neighbours })).toEqual([]);
  });

  it.each([
    [
      'what stands on opposite sides',
      'Keep the blinds of the mill down on the south side.',
      'On the north side of the mill keep the blinds up, for the plants.',
    ],
    [
      'what has become another state',
      'Okke rides to work on the moped.',
      'Okke has sold the moped and comes by train.',
    ],
    ['two names in one slot', 'Team chat: Mattermost.', 'The team uses Slack for chat.'],
    [
      'what is so only',
      'The stove of the mill takes wood only, says the sweep.',
      'Wood for the stove of the mill is fine, says the sweep, as is peat.',
    ],
  ])('does not merge %s', async (_, one, other) => {
    expect(
      await pairsOf([
        ['2026-03-01', one],
        ['2026-08-01', other],
      ]),
    ).toEqual([]);
  });
});

describe('refine, of what happened', () => {
  const fall = [
    "Corinna's knee gave way on the ladder of the kiln tower, she sits in the hut with ice and counts tiles.",
    'Had to get Corinna down from the kiln tower, her knee buckled; she counts tiles with a cold pack on it.',
  ] as const;

  it('merges what is told twice within a day, and not what is told weeks apart', async () => {
    const told = (at: string) =>
      pairsOf([
        ['2026-03-01', fall[0]],
        [at, fall[1]],
      ]);
    expect([await told('2026-03-01'), await told('2026-03-02'), await told('2026-03-20')]).toEqual([
      [['m0', 'm1']],
      [['m0', 'm1']],
      [],
    ]);
  });

  it.each([
    [
      'what came of it the next day',
      fall[0],
      "Corinna's knee is better again, she went up the ladder of the kiln tower and counts tiles there.",
    ],
    [
      'what happened to two',
      fall[0],
      'Had to get Otto down from the kiln tower, his knee buckled; he counts tiles with a cold pack on it.',
    ],
    [
      'a plan and what was done',
      'Ola and I will carry the big loom from the attic of the mill to the yard, with straps and planks.',
      'Ola and I carried the big loom from the attic of the mill to the yard, with straps and planks.',
    ],
  ])('does not merge %s', async (_, one, other) => {
    expect(
      await pairsOf([
        ['2026-03-01', one],
        ['2026-03-02', other],
      ]),
    ).toEqual([]);
  });

  it.each([['No hot water from seven to eight, pilot light out.'], ['No power in the mill all morning.']])(
    'does not merge what has no verb and two days: %s',
    async (value) => {
      const told = (at: string) =>
        pairsOf([
          ['2026-03-01', value],
          [at, value],
        ]);
      expect([await told('2026-03-01'), await told('2026-06-01')]).toEqual([[['m0', 'm1']], []]);
    },
  );
});

describe('refine, of one word in the place of another', () => {
  const near = (one: string, other: string) =>
    pairsOf([
      ['2026-03-01', one],
      ['2026-08-01', other],
    ]);

  it.each([
    [
      'a letter',
      'Otto has blood group A positive, it is on his donor card.',
      'Otto has blood group O positive, it is on his donor card.',
    ],
    [
      'a part of an hour',
      'The mill is shut from seven to quarter to eight every day.',
      'The mill is shut from seven to half past eight every day.',
    ],
    [
      'what is called off',
      'Open evening of the traders on 10 December, mulled wine, every shop.',
      'The open evening on 10 December is off, too few shops said yes.',
    ],
  ])('does not merge %s', async (_, one, other) => {
    expect(await near(one, other)).toEqual([]);
  });

  it('does not merge a colour among many memories, where the rest of the sentence weighs more', async () => {
    const pair = ['red', 'ochre'].map((colour, index) => ({
      at: '2026-03-01',
      key: `m${index}`,
      value: `On the site matrix Roman contexts are coloured ${colour}.`,
    }));
    const found = await refine.run(viewOf([...devSet, ...pair]), contextOf());
    expect(found.filter(({ evidence }) => evidence.some(({ key }) => key === 'm0'))).toEqual([]);
  });

  it('merges where both stand for the same, whatever they are', async () => {
    expect(
      await near(
        'The mill sends at most 3 letters a week to each client; the rest are bundled.',
        'The mill sends at most 3 letters a week to each client; the remainder are bundled.',
      ),
    ).toEqual([['m0', 'm1']]);
  });

  it('merges labels that are alike, and leaves initials and articles alone', async () => {
    expect(
      await near(
        'Parcels go to gate C, by the mill, before noon.',
        'Parcels go to gate C by the mill before noon.',
      ),
    ).toEqual([['m0', 'm1']]);
    expect(
      await near('The mill is run by J. Otte, not by his son.', 'the mill is run by J Otte - not by his son'),
    ).toEqual([['m0', 'm1']]);
  });
});

it('proposes nothing new in the development set', async () => {
  const merged = async (more: readonly Told[]) =>
    (
      await refine.run(
        viewOf([...devSet, ...more.map(([at, value], index) => ({ at, key: `m${index}`, value }))]),
        contextOf(),
      )
    ).length;
  const before = await merged([]);
  expect(await merged([['2026-03-01', 'The mill grinds rye in winter.']])).toBe(before);
});
