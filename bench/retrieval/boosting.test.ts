import { describe, expect, it } from 'vitest';

import { logOddsBy } from '../../daemon/src/features/ask/trees.ts';
import { boosted, type Growing } from './boosting.ts';

const GROWING: Growing = {
  ...{ trees: 60, leaves: 4, rate: 0.2, least: 4, penalty: 1, rows: 1, columns: 1, seed: 1 },
  rising: {},
};

/** A grid of two numbers. */
const grid = Array.from({ length: 400 }, (_, at) => ({ x: (at % 20) / 20, y: Math.floor(at / 20) / 20 }));
const examples = (isYes: (row: { x: number; y: number }) => boolean) =>
  grid.map((row) => ({ row, yes: isYes(row), counts: 1 }));

describe('boosted trees', () => {
  it('learn what no line tells: one or the other, not both', () => {
    const isYes = ({ x, y }: { x: number; y: number }) => x < 0.5 !== y < 0.5;
    const forest = boosted(examples(isYes), { ...GROWING, columns: 1.1, rows: 0.8 });
    const right = grid.filter((row) => logOddsBy(forest, row) > 0 === isYes(row));
    expect(right.length / grid.length).toBeGreaterThan(0.95);
  });

  it('heed what can only rise', () => {
    const forest = boosted(
      examples(({ x }) => x < 0.5),
      { ...GROWING, rising: { x: 1 } },
    );
    expect(logOddsBy(forest, { x: 0.9, y: 0.5 })).toBeGreaterThanOrEqual(
      logOddsBy(forest, { x: 0.1, y: 0.5 }),
    );
    const free = boosted(
      examples(({ x }) => x < 0.5),
      GROWING,
    );
    expect(logOddsBy(free, { x: 0.9, y: 0.5 })).toBeLessThan(logOddsBy(free, { x: 0.1, y: 0.5 }));
  });

  it('are the same for the same seed', () => {
    const half = { ...GROWING, rows: 0.5, trees: 5 };
    const of = (seed: number) =>
      boosted(
        examples(({ x, y }) => x + y > 1),
        { ...half, seed },
      );
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  it('pass over what does not count', () => {
    const wrong = grid.map((row) => ({ row, yes: row.x < 0.5, counts: 0 }));
    const forest = boosted([...examples(({ x }) => x >= 0.5), ...wrong], GROWING);
    expect(logOddsBy(forest, { x: 0.9, y: 0.5 })).toBeGreaterThan(0);
  });
});
