import { describe, expect, it } from 'vitest';
import { contextOf, viewOf, type FixtureMemory } from '../testing/view.ts';
import type { FactView, Proposal, RecallView, Strategy, StrategyContext } from '../strategies/strategy.ts';
import { reflect } from './reflect.ts';
import { sleep } from './sleep.ts';
import { summarize } from './summarize.ts';
import { synthesize } from './synthesize.ts';

const days = (values: readonly string[], more: Partial<FixtureMemory> = {}): FixtureMemory[] =>
  values.map((value, index) => ({
    at: `2026-06-${String(index + 1).padStart(2, '0')}`,
    key: `note/${index}`,
    value,
    ...more,
  }));

/** As it was written, stored in one second, and in the other order. */
async function everyWay(
  strategy: Strategy,
  written: readonly FixtureMemory[],
): Promise<(readonly Proposal[])[]> {
  const atOnce = written.map((one) => ({ ...one, at: '2026-06-20' }));
  return Promise.all(
    [written, atOnce, atOnce.toReversed()].map(async (way) => strategy.run(viewOf(way), contextOf())),
  );
}

/** Every sentence stands in its memory word for word. */
function areQuoted(proposals: readonly Proposal[], written: readonly FixtureMemory[]): void {
  const values = new Map(written.map(({ key, value }) => [key, value]));
  for (const { evidence, title } of proposals) {
    expect(title.length).toBeLessThanOrEqual(200);
    for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
  }
}

const BARGE = [
  'The bilge pump of the barge has to be replaced before the season.',
  'Sanded the hull with Ole, two coats of primer are next.',
  'The berth is at the east quay, number 14.',
  'Insurance runs through the sailing club.',
];

describe('a summary', () => {
  it.each([
    ['a tag', days(BARGE, { tags: ['margriet'] }), 'Margriet: 4 notes in 4 sentences'],
    ['a tag of two words', days(BARGE, { tags: ['barge-margriet'] }), 'Barge margriet: 4 notes'],
    [
      'a project',
      BARGE.map((value, i) => ({ at: '2026-06-01', key: `n${i}`, value, metadata: { project: 'margriet' } })),
      'Margriet: 4 notes',
    ],
    [
      'a folder of keys',
      BARGE.map((value, i) => ({
        at: '2026-06-01',
        key: `project/margriet/${['pump', 'hull', 'berth', 'insurance'][i] ?? ''}`,
        value,
      })),
      'Margriet: 4 notes',
    ],
    ['a heading', days(BARGE.map((value) => `# Margriet\n\n${value}`)), 'Margriet: 4 notes'],
    [
      'a heading below',
      days(BARGE.map((value, i) => `Day ${i}\n\n## Barge Margriet\n\n${value}`)),
      'Barge Margriet: 4 notes',
    ],
  ])('is made of %s, in whole sentences of its notes', async (_, written, title) => {
    for (const proposals of await everyWay(summarize, written)) {
      areQuoted(proposals, written);
      expect(proposals).toHaveLength(1);
      expect(proposals[0]?.title).toContain(title);
      expect(new Set(proposals[0]?.evidence.map(({ key }) => key)).size).toBe(proposals[0]?.evidence.length);
    }
  });

  it.each([
    ['what shares words only', days(BARGE.map((value) => `${value} So much for the barge Margriet.`))],
    ['two notes', days(BARGE.slice(0, 2), { tags: ['margriet'] })],
    [
      'half of all notes',
      Array.from({ length: 21 }, (_, index) => ({
        at: '2026-06-01',
        key: `n${index}`,
        value: `Plank number ${index} of the deck has been oiled.`,
        tags: ['margriet'],
      })),
    ],
    [
      'notes apart',
      days(['Bought pears.', 'The lift is broken.', 'It snowed in Riga.', 'Kiln cools slowly.']),
    ],
    ['headings that name no thing', days(BARGE.map((value) => `# Notes\n\n${value}`))],
    ['a day as heading', days(BARGE.map((value) => `# 3 May 2026\n\n${value}`))],
    [
      'notes that say the same',
      days(
        BARGE.map(() => 'The berth is at the east quay, number 14.'),
        { tags: ['margriet'] },
      ),
    ],
    ['nothing', []],
  ])('is not made of %s', async (_, written) => {
    expect(await everyWay(summarize, written)).toEqual([[], [], []]);
  });

  it('says that a model would find topics without a name', async () => {
    const said: string[] = [];
    await summarize.run(viewOf(days(BARGE)), contextOf({ leaves: (text) => said.push(text) }));
    expect(said).toEqual(['Topics without a name are left out; a language model would find them.']);
  });
});

const fact = (
  memoryId: number,
  [predicate, object]: readonly [predicate: string, object: string],
  over: Partial<FactView> = {},
): FactView => ({
  memoryId,
  subject: 'Thora',
  subjectNorm: 'thora',
  predicate,
  said: predicate,
  object,
  objectNorm: object.toLowerCase(),
  kind: 'text',
  negated: false,
  functional: predicate === 'lives_in',
  sentence: '',
  confidence: 0.9,
  observedAt: memoryId,
  validFrom: memoryId,
  ...over,
});

describe('what is put together of one name', () => {
  const THORA = [
    'Bought apples with Thora.',
    'Thora is a cellist in the opera.',
    'Thora lives near the lighthouse.',
    'Thora has two sons and a parrot.',
  ];

  it('is what its notes state, each with its source', async () => {
    for (const proposals of await everyWay(synthesize, days(THORA))) {
      expect(proposals).toHaveLength(1);
      expect(proposals[0]?.title).toBe('Thora, from 3 notes');
      expect(proposals[0]?.evidence.map(({ key }) => key).sort()).toEqual(['note/1', 'note/2', 'note/3']);
    }
  });

  it.each([
    ['two notes', ['Thora is a cellist in the opera.', 'Thora lives near the lighthouse.']],
    [
      'questions and plans',
      [
        'Thora is a cellist.',
        'Thora is moving to Turku? Who knows.',
        'Thora wants to buy a boat next year, she will need a loan.',
      ],
    ],
    [
      'my things',
      ['My flat is in Graz.', 'My bike has a new chain.', 'My sister lives in Tartu.', 'My shoe size is 42.'],
    ],
    [
      'whoever that is',
      ['She is a cellist.', 'She lives near the lighthouse.', 'She has two sons.', 'It is loud.'],
    ],
    [
      'readings of a day',
      [
        'Zundorf is at 49 % this morning.',
        'Zundorf is at 44 % today.',
        'Greetings to Zundorf, and to Zundorf again.',
        'Zundorf is at 52 % this morning.',
      ],
    ],
    ['ordinary words', ['Coffee is in the cupboard.', 'Coffee has gone up again.', 'Coffee keeps me awake.']],
  ])('is nothing of %s', async (_, values) => {
    expect(await everyWay(synthesize, days(values))).toEqual([[], [], []]);
  });

  it('takes the newest of facts that have one object at a time', async () => {
    const written = days([
      'Thora: Oslo.',
      'Thora: Bergen now.',
      'Thora: choir on Mondays.',
      'Thora: drives a van.',
    ]);
    const facts = ['lives_in', 'lives_in', 'sings', 'drives'].map((predicate, index) =>
      fact(index + 1, [predicate, ['Oslo', 'Bergen', 'Mondays', 'van'][index] ?? ''], {
        sentence: written[index]?.value ?? '',
      }),
    );
    const [thora] = await synthesize.run(viewOf(written, { facts }), contextOf());
    expect(thora?.evidence.map(({ key }) => key)).toEqual(['note/1', 'note/2', 'note/3']);
    const mine = facts.map((one) => ({ ...one, subject: 'My', subjectNorm: 'user' }));
    expect(await synthesize.run(viewOf(written, { facts: mine }), contextOf())).toEqual([]);
  });
});

describe('reflect', () => {
  const berth = 'The berth is at the east quay, number 14.';
  const ask =
    (citations: readonly string[]): NonNullable<StrategyContext['ask']> =>
    () =>
      Promise.resolve({
        answer: berth,
        found: true,
        citations: citations.map((key) => ({ key, quote: '', score: 0.8 })),
      });

  it('answers the question of the job with citations, and names what nothing is known of', async () => {
    const context = contextOf({
      task: 'Where is the berth, and where is Quirin?',
      ask: ask(['note/2', 'elsewhere']),
    });
    const [answer] = await reflect.run(viewOf(days(BARGE)), context);
    expect(answer?.evidence).toEqual([{ key: 'note/2', sentence: berth }]);
    expect(answer?.body).toContain('Nothing was found on: Quirin.');
  });

  it.each([
    ['that cites nothing of the namespace', contextOf({ task: 'Where is it?', ask: ask(['elsewhere']) })],
    ['without anybody to ask', contextOf({ task: 'Where is it?' })],
    ['without a question', contextOf({ ask: ask(['note/2']) })],
  ])('has no answer %s', async (_, context) => {
    expect(await reflect.run(viewOf(days(BARGE)), context)).toEqual([]);
  });
});

describe('sleep', () => {
  const now = '2027-03-31T09:00:00Z';
  const written = days([
    'The API of Kestrel listens on 8443.',
    'The API of Kestrel listens on 9443.',
    'Pears.',
    'The berth is at the east quay.',
  ]);
  const port = (memoryId: number, object: string, over: Partial<FactView> = {}) =>
    fact(memoryId, ['port', object], {
      subject: 'API of Kestrel',
      subjectNorm: 'api of kestrel',
      functional: true,
      ...over,
    });
  const recall = (memoryId: number): RecallView => ({
    memoryId,
    count: 1,
    days: 1,
    queries: 1,
    lastAt: Date.parse('2027-03-20'),
  });
  const run = (facts: readonly FactView[], recalls: readonly RecallView[], at = now) =>
    sleep.run(viewOf(written, { now: at, facts, recalls }), contextOf());
  const replaced = [port(1, '8443'), port(2, '9443')];

  it('proposes to archive what nobody recalled for long and a newer note replaces', async () => {
    const [one, ...more] = await run(replaced, [recall(4)]);
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      title: 'Archive "The API of Kestrel listens on 8443."? A newer note replaces it',
      change: { kind: 'archive', keys: ['note/0'] },
    });
    expect(one?.evidence.map(({ key }) => key)).toEqual(['note/0', 'note/1']);
  });

  it.each([
    ['where it was recalled', replaced, [recall(1)], now],
    ['where nothing was ever recalled', replaced, [], now],
    ['of what is young', replaced, [recall(4)], '2026-07-01T00:00:00Z'],
    ['of what nothing replaces', [port(1, '8443')], [recall(4)], now],
    ['of what says the same', [port(1, '9443'), port(2, '9443')], [recall(4)], now],
    [
      'of what says more that holds',
      [...replaced, port(1, 'Linz', { predicate: 'place' })],
      [recall(4)],
      now,
    ],
    [
      'of what may have several values',
      replaced.map((one) => ({ ...one, functional: false })),
      [recall(4)],
      now,
    ],
  ])('proposes nothing %s', async (...[, facts, recalls, at]) => {
    expect(await run(facts, recalls, at)).toEqual([]);
  });

  it('does not go by the order of what was stored in one second', async () => {
    const atOnce = written.map((one) => ({ ...one, at: '2026-06-01' }));
    const facts = replaced.map((one) => ({ ...one, validFrom: 1, observedAt: 1 }));
    expect(await sleep.run(viewOf(atOnce, { now, facts, recalls: [recall(4)] }), contextOf())).toEqual([]);
  });
});
