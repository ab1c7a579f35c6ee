import { describe, expect, it } from 'vitest';
import { devSet } from '../fixtures/dev-set.ts';
import { viewOf } from '../fixtures/view.ts';
import { ENOUGH } from './judgement.ts';
import { likelyPairsOf } from './pairs.ts';

const watch = { isStopped: () => false, step: () => undefined };
const likelihood = (older: string, newer: string): number => {
  const view = viewOf([
    ...devSet,
    { at: '2026-02-10', key: 'older', value: older },
    { at: '2026-07-21', key: 'newer', value: newer },
  ]);
  const found = likelyPairsOf(view, watch).find(
    ({ pair }) => pair.older.memory.memory.key === 'older' && pair.newer.memory.memory.key === 'newer',
  );
  return found?.likelihood ?? 0;
};

describe('how likely one of two memories speaks against the other', () => {
  it.each([
    ['our flat has 94 square metres.', "Katrin's flat has 63 square metres."],
    ['Ward 4 is on extension 2209.', 'Ward 7 is on extension 2361.'],
    ['Timeout of the upload is 30 s.', 'Timeout of the download is 120 s.'],
    ['The blue bin is collected on Mondays.', 'The yellow bin is collected on Thursdays.'],
  ])('is less where another is meant: %s / %s', (older, newer) => {
    expect(likelihood(older, newer)).toBeLessThan(ENOUGH);
  });

  it('is more where one is meant', () => {
    expect(likelihood('Timeout of the upload is 30 s.', 'Timeout of the upload is 120 s.')).toBeGreaterThan(
      0.55,
    );
  });

  it('answers the likeliest first, and the same each time', () => {
    const read = () =>
      likelyPairsOf(viewOf(devSet), watch).map(({ pair, likelihood }) => [pair.place, likelihood] as const);
    const once = read();
    expect(once.length).toBeGreaterThan(10);
    expect(once.map(([, likelihood]) => likelihood)).toEqual(
      once.map(([, likelihood]) => likelihood).sort((a, b) => b - a),
    );
    expect(read()).toEqual(once);
  });
});
