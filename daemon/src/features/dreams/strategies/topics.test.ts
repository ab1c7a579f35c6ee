import { describe, expect, it } from 'vitest';
import { contextOf, viewOf, type Written } from './fixtures/view.ts';
import { devSet } from './fixtures/dev-set.ts';
import { reflect } from './reflect.ts';
import { importanceOf, sleep } from './sleep.ts';
import { readingOf } from './reading.ts';
import { summarize } from './summarize.ts';
import { synthesize } from './synthesize.ts';
import type { Proposal, RecallView, StrategyContext } from './strategy.ts';

const days = (values: readonly string[], prefix = 'topic') =>
  values.map((value, index): Written => ({
    at: `2026-06-${String(index + 1).padStart(2, '0')}`,
    key: `${prefix}/${index}`,
    value,
  }));
const harbour = days([
  'The barge Margriet needs a new bilge pump before the season.',
  'Sanded the hull of the barge Margriet with Ole, two coats of primer next.',
  'The barge Margriet has a berth at the east quay, number 14.',
  'Insurance for the barge Margriet runs through the sailing club.',
  'Ole found dry rot in the wheelhouse of the barge Margriet.',
]);
const quotes = (proposals: readonly Proposal[], written: readonly Written[]) => {
  const values = new Map(written.map(({ key, value }) => [key, value]));
  expect(proposals.length).toBeGreaterThan(0);
  for (const { evidence, title } of proposals) {
    expect(title.length).toBeLessThanOrEqual(200);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { key, sentence } of evidence) expect(values.get(key)).toContain(sentence);
  }
};

describe('summarize', () => {
  it('sums up a topic in sentences that stand in its memories, one of each', async () => {
    const written = [...devSet, ...harbour];
    const proposals = await summarize.run(viewOf(written), contextOf());
    quotes(proposals, written);
    const barge = proposals.find(({ title }) => /margriet|barge/iu.test(title));
    expect(new Set(barge?.evidence.map(({ key }) => key)).size).toBe(barge?.evidence.length);
    expect(barge?.evidence.every(({ key }) => key.startsWith('topic/'))).toBe(true);
  });

  it('is silent where nothing is a topic', async () => {
    const apart = days([
      'Bought pears.',
      'The lift is broken.',
      'Call the notary.',
      'It snowed in Riga.',
      'Kiln cools slowly.',
    ]);
    expect(await summarize.run(viewOf(apart), contextOf())).toEqual([]);
    expect(await summarize.run(viewOf([]), contextOf())).toEqual([]);
  });
});

describe('synthesize', () => {
  const about = days([
    'Bought apples with Thora.',
    'Thora is a cellist in the opera.',
    'Thora lives near the lighthouse.',
    'Thora has two sons and a parrot.',
  ]);

  it('puts what is stated of one name together, each clause with its source', async () => {
    const written = [...devSet, ...about];
    const proposals = await synthesize.run(viewOf(written), contextOf());
    quotes(proposals, written);
    const thora = proposals.find(({ title }) => title.startsWith('Thora'));
    expect(thora?.evidence.map(({ key }) => key)).toEqual(['topic/1', 'topic/2', 'topic/3']);
    expect(thora?.body).toContain('Thora lives near the lighthouse. ("topic/2", 3 June 2026)');
  });

  it('is silent about questions, plans and what was, and about fewer than three', async () => {
    const none = days([
      'Bought apples with Thora.',
      'Thora is a cellist in the opera.',
      'Thora is moving to Turku? Who knows.',
      'Thora has previously worked as a diver.',
      'Thora wants to buy a boat next year, she will need a loan.',
    ]);
    const proposals = await synthesize.run(viewOf([...devSet, ...none]), contextOf());
    expect(proposals.filter(({ title }) => title.startsWith('Thora'))).toEqual([]);
  });

  it('takes the newest of facts that have one object at a time', async () => {
    const written = days([
      'Thora: Oslo.',
      'Thora: Bergen now.',
      'Thora: choir on Mondays.',
      'Thora: drives a van.',
    ]);
    const fact = (memoryId: number, predicate: string, object: string) => ({
      memoryId,
      subject: 'Thora',
      subjectNorm: 'thora',
      predicate,
      said: predicate,
      object,
      objectNorm: object.toLowerCase(),
      kind: 'text' as const,
      negated: false,
      functional: predicate === 'lives_in',
      sentence: written[memoryId - 1]?.value ?? '',
      confidence: 0.9,
      observedAt: memoryId,
      validFrom: memoryId,
    });
    const facts = [
      fact(1, 'lives_in', 'Oslo'),
      fact(2, 'lives_in', 'Bergen'),
      fact(3, 'sings', 'Mondays'),
      fact(4, 'drives', 'van'),
    ];
    const [thora] = await synthesize.run(viewOf(written, { facts }), contextOf());
    expect(thora?.evidence.map(({ key }) => key)).toEqual(['topic/1', 'topic/2', 'topic/3']);
    const said = written.map((memory) => ({ ...memory, value: `I ${memory.value.replace(/^\S+ /u, '')}` }));
    const mine = facts.map((one, i) => ({
      ...one,
      ...{ subject: 'I', subjectNorm: 'i', sentence: said[i]?.value ?? '' },
    }));
    expect(await synthesize.run(viewOf(said, { facts: mine }), contextOf())).toEqual([]);
  });
});

describe('reflect', () => {
  const ask =
    (citations: readonly string[]): NonNullable<StrategyContext['ask']> =>
    () =>
      Promise.resolve({
        answer: 'The barge Margriet has a berth at the east quay, number 14.',
        found: true,
        citations: citations.map((key) => ({ key, quote: '', score: 0.8 })),
      });

  it('answers the question of the job with citations, and names what nothing is known of', async () => {
    const [answer] = await reflect.run(
      viewOf(harbour),
      contextOf({ task: 'Where is the Margriet, and where is Quirin?', ask: ask(['topic/2', 'elsewhere']) }),
    );
    expect(answer?.evidence).toEqual([
      { key: 'topic/2', sentence: 'The barge Margriet has a berth at the east quay, number 14.' },
    ]);
    expect(answer?.body).toContain('Nothing was found on: Quirin.');
  });

  it('drops an answer that cites nothing of the namespace', async () => {
    const context = contextOf({ task: 'Where is the Margriet?', ask: ask(['elsewhere']) });
    expect(await reflect.run(viewOf(harbour), context)).toEqual([]);
    expect(await reflect.run(viewOf(harbour), contextOf({ task: 'Where is the Margriet?' }))).toEqual([]);
  });

  it('says of a topic what is known, what was asked, and since when nothing is new', async () => {
    const written = [
      ...harbour,
      { at: '2026-06-07', key: 'topic/7', value: 'Who repairs the wheelhouse of the barge Margriet?' },
    ];
    const proposals = await reflect.run(viewOf(written), contextOf());
    quotes(proposals, written);
    expect(proposals[0]?.body).toContain(
      'not answered beside it: Who repairs the wheelhouse of the barge Margriet?',
    );
    expect(proposals[0]?.body).toContain('Nothing new since 7 June 2026');
  });
});

describe('sleep', () => {
  const now = '2026-12-31T09:00:00Z';
  const recall = (memoryId: number, count: number, on = '2026-12-20'): RecallView => ({
    memoryId,
    count,
    days: Math.min(count, 6),
    queries: Math.min(count, 5),
    lastAt: Date.parse(on),
  });

  it('keeps at hand what was asked for most, and proposes to archive what nobody asked for', async () => {
    const written = days([...harbour.map(({ value }) => value), 'Pears.', 'Rain.', 'Tram late.'], 'note');
    const recalls = [recall(1, 9), recall(2, 7), recall(3, 5), recall(4, 1)];
    const proposals = await sleep.run(viewOf(written, { now, recalls }), contextOf());
    quotes(proposals, written);
    expect(proposals[0]?.evidence.map(({ key }) => key)).toEqual(['note/0', 'note/1', 'note/2']);
    const archive = proposals.find(({ change }) => change?.kind === 'archive');
    expect(archive?.evidence.map(({ key }) => key).sort()).toEqual(['note/5', 'note/6', 'note/7']);
  });

  it('is silent where nothing was ever recalled, and leaves young memories alone', async () => {
    expect(await sleep.run(viewOf(harbour, { now }), contextOf())).toEqual([]);
    const young = viewOf(days(['Pears.', 'Rain.', 'Tram late.', 'Snow.']), {
      now: '2026-07-01T00:00:00Z',
      recalls: [recall(1, 1)],
    });
    expect(await sleep.run(young, contextOf())).toEqual([]);
  });

  it('weighs more what was recalled more often, by more queries, on more days, and lately', () => {
    const reading = readingOf(viewOf(harbour));
    const of = reading.memories[0];
    if (!of) throw new Error('the fixture has memories');
    const weigh = (of_: RecallView | undefined) =>
      importanceOf({ of, recall: of_ }, { reading, most: 9, now: Date.parse(now) });
    expect(weigh(recall(1, 5))).toBeGreaterThan(weigh(recall(1, 2)));
    expect(weigh(recall(1, 2))).toBeGreaterThan(weigh(recall(1, 2, '2026-08-01')));
    expect(weigh(recall(1, 2, '2026-08-01'))).toBeGreaterThan(weigh(undefined));
    expect(weigh(recall(1, 9))).toBeLessThanOrEqual(1);
  });
});
