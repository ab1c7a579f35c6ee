import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { calibrate } from './calibration.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const features = fc.record({
  cosine: fc.double({ min: -1, max: 1, noNaN: true }),
  coverage: share,
  lexical: share,
  sentence: share,
  concepts: share,
  alike: share,
  follows: share,
  phrase: fc.boolean(),
  hasVector: fc.boolean(),
});

describe('calibration', () => {
  it('is 1 for an exact match and for nothing else', () => {
    fc.assert(
      fc.property(features, (candidate) => {
        expect(calibrate({ ...candidate, exact: true }).score).toBe(1);
        const { score } = calibrate({ ...candidate, exact: false });
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThan(1);
      }),
    );
  });

  it('rises with every feature', () => {
    fc.assert(
      fc.property(features, share, share, (candidate, more, evenMore) => {
        const [low, high] = more < evenMore ? [more, evenMore] : [evenMore, more];
        const score = (change: Partial<typeof candidate>): number =>
          calibrate({ ...candidate, exact: false, ...change }).score;
        expect(score({ coverage: high })).toBeGreaterThanOrEqual(score({ coverage: low }));
        expect(score({ cosine: high })).toBeGreaterThanOrEqual(score({ cosine: low }));
        expect(score({ lexical: high })).toBeGreaterThanOrEqual(score({ lexical: low }));
        for (const name of ['sentence', 'concepts', 'alike', 'follows'] as const)
          expect(score({ [name]: high })).toBeGreaterThanOrEqual(score({ [name]: low }));
        expect(score({ phrase: true })).toBeGreaterThanOrEqual(score({ phrase: false }));
      }),
    );
  });

  it('says little of a chance hit and much of a good one', () => {
    const plain = {
      phrase: false,
      exact: false,
      hasVector: true,
      lexical: 0,
      sentence: 0,
      concepts: 0,
      alike: 0.2,
      follows: 0,
    };
    expect(calibrate({ ...plain, cosine: 0.1, coverage: 0 }).score).toBeLessThan(0.2);
    expect(
      calibrate({ ...plain, cosine: 0.6, coverage: 0.9, lexical: 1, sentence: 0.6 }).score,
    ).toBeGreaterThan(0.5);
    expect(
      calibrate({ ...plain, cosine: 0.5, coverage: 0, sentence: 0.6, concepts: 0.7, alike: 0.6 }).score,
    ).toBeGreaterThan(0.5);
    expect(
      calibrate({ ...plain, cosine: 0, coverage: 1, lexical: 1, hasVector: false }).score,
    ).toBeGreaterThan(0.5);
  });
});
