import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contestant, rank } from './tournament.ts';

const contestant = (id: string, more: Partial<Contestant> = {}): Contestant => ({
  id,
  strategy: 'refine',
  confidence: 0.5,
  isActionable: false,
  sources: ['a', 'b'],
  sessions: [],
  words: [id, 'word'],
  ...more,
});
const order = (ranked: readonly { id: string }[]) => ranked.map(({ id }) => id);

describe('the stronger proposal', () => {
  test.each<[string, Partial<Contestant>, Partial<Contestant>]>([
    ['rests on more sources', { sources: ['a', 'b', 'c'] }, { sources: ['a'] }],
    ['rests on several sessions', { sessions: ['s', 't'] }, { sessions: ['s', 's'] }],
    ['is more certain', { confidence: 0.9 }, { confidence: 0.6 }],
    ['is not what is accepted already', { words: ['new', 'thing'] }, { words: ['known', 'thing'] }],
    ['is the only one of its strategy', { strategy: 'forecast' }, {}],
    [
      'can be acted on, however much speaks for the other',
      { isActionable: true },
      { sources: ['a', 'b', 'c', 'd'], confidence: 1 },
    ],
  ])('%s', (_, stronger, weaker) => {
    const ranked = rank(
      [contestant('weak', weaker), contestant('strong', stronger), contestant('other', { confidence: 0.1 })],
      [['known', 'thing']],
    );
    expect(order(ranked)[0]).toBe('strong');
  });
});

const any = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 6 }),
    strategy: fc.constantFrom('refine' as const, 'rem' as const, 'contradict' as const),
    isActionable: fc.boolean(),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    sources: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }),
    sessions: fc.constant([]),
    words: fc.array(fc.constantFrom('x', 'y', 'z', 'v', 'w')),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
);

test('everybody is ranked once, with a score from 0 to 1, the same in whatever order they enter', () => {
  fc.assert(
    fc.property(any, fc.infiniteStream(fc.nat()), (all, chance) => {
      const ranked = rank(all, []);
      expect(order(ranked).sort()).toEqual(all.map(({ id }) => id).sort());
      for (const { score } of ranked) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      const shuffled = all
        .map((one) => ({ one, at: chance.next().value as number }))
        .sort((a, b) => a.at - b.at);
      expect(
        rank(
          shuffled.map(({ one }) => one),
          [],
        ),
      ).toEqual(ranked);
    }),
  );
});

test('nobody wins who is weaker in everything', () => {
  const many = Array.from({ length: 100 }, (_, n) =>
    contestant(`n${n}`, { confidence: n / 100, sources: n === 99 ? ['a', 'b', 'c', 'd'] : ['a'] }),
  );
  const ranked = order(rank(many, []));
  expect(ranked[0]).toBe('n99');
  expect(ranked.indexOf('n0')).toBeGreaterThan(50);
});

test('whatever can be acted on is above .5, the rest below', () => {
  fc.assert(
    fc.property(any, (all) => {
      const can = new Map(all.map(({ id, isActionable }) => [id, isActionable]));
      for (const { id, score } of rank(all, [])) expect(score >= 0.5).toBe(can.get(id));
    }),
  );
});
