import { describe, expect, it } from 'vitest';
import { syntheticCorpus } from './corpus.ts';
import { judge, targets } from './report.ts';
import { quantile, spread } from './statistics.ts';

describe('statistics', () => {
  it('takes the nearest rank, whatever the order', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0.5, 0.95, 0.99, 1].map((share) => quantile(values, share))).toEqual([50, 95, 99, 100]);
    expect(quantile([7], 0.95)).toBe(7);
    expect(spread([3, 1, 2])).toEqual({ count: 3, p50: 2, p95: 3, p99: 3, max: 3 });
  });
});

describe('the synthetic corpus', () => {
  const corpus = syntheticCorpus(400, 5);

  it('is the same for a seed, and another for another', () => {
    expect(syntheticCorpus(400, 5)).toEqual(corpus);
    expect(syntheticCorpus(400, 6).items).not.toEqual(corpus.items);
  });

  it('has texts of 20 to 120 words under keys of their own, and says that it is synthetic', () => {
    expect(new Set(corpus.items.map(({ key }) => key)).size).toBe(400);
    for (const { value } of corpus.items) {
      // A title of two words and its mark may stand above the text.
      const words = value.split(/\s+/).length;
      expect(words).toBeGreaterThanOrEqual(20);
      expect(words).toBeLessThanOrEqual(123);
    }
    expect(corpus.origin).toContain('synthetic');
  });

  it('asks 200 queries or more, of seven kinds, none twice in a kind', () => {
    expect(corpus.queries.length).toBeGreaterThanOrEqual(200);
    expect(new Set(corpus.queries.map(({ kind }) => kind)).size).toBe(7);
    const named = corpus.queries.map(({ kind, text }) => `${kind}: ${text}`);
    expect(new Set(named).size).toBe(named.length);
  });
});

describe('the verdict', () => {
  const even = (ms: number) => spread([ms]);
  const timed = (ms: number) => ({ client: even(ms), server: even(ms), cpu: even(ms), wait: even(0) });
  const measured = (ms: number, perSecond: number) => ({
    memories: 100_000,
    searchFirst: timed(ms),
    searchAlone: timed(10),
    searchWorded: timed(ms < 100 ? 16 : 17),
    get: timed(ms),
    set: timed(ms),
    batch1000PerSecond: perSecond,
    batchCpuMs: 1000 / perSecond,
    residentLoadedMb: 300,
    residentSearchedMb: 500,
    listening: even(ms),
    readyCpu: even(ms),
    fsyncBefore: even(0),
  });

  it('tells for each target of a size that was measured whether it is met', () => {
    const judged = (ms: number, perSecond: number) =>
      judge([measured(ms, perSecond) as never]).map(({ what, met }) => `${met ? 'met' : 'missed'} ${what}`);
    expect(judged(2, 3000)).toEqual([
      'met hybrid search, server p95',
      'met search with four further wordings, p95 to that of one',
      'met get, client p95',
      'met durable set, client p95',
      'met batches of 1,000',
      'missed resident memory',
      'met main() to listening, median',
    ]);
    expect(judged(1000, 2999).every((line) => line.startsWith('missed'))).toBe(true);
    expect(targets.map(({ memories }) => memories)).toContain(10_000);
  });
});
