import { describe, expect, it } from 'vitest';

import { inputsOf, logOddsByNets, type Net, oddsBy } from './judgement-nets.ts';

/** One or the other, but not both: what no line tells. */
const either: Net = {
  weights: [
    [1, 1],
    [1, 1],
  ],
  biases: [0, -1],
  out: [1, -2],
  bias: -0.5,
};

describe('nets', () => {
  it.each([
    [0, 0, -0.5],
    [1, 0, 0.5],
    [0, 1, 0.5],
    [1, 1, -0.5],
  ])('of %d and %d say %d', (one, other, odds) => {
    expect(oddsBy(either, Float64Array.of(one, other))).toBe(odds);
  });

  it('take numbers by their names, in spreads from the mean, and nothing too far', () => {
    const scale = { names: ['a', 'b'], means: [1, 10], spreads: [2, 0.5] };
    expect([...inputsOf(scale, { b: 10.5, a: 3, c: 7 })]).toEqual([1, 1]);
    expect([...inputsOf(scale, { b: 99 })]).toEqual([-0.5, 3]);
  });

  it('count by their mean', () => {
    const scale = { names: ['a', 'b'], means: [0, 0], spreads: [1, 1] };
    const contrary: Net = { ...either, out: [0, 0], bias: 2.5 };
    expect(logOddsByNets({ ...scale, nets: [either, contrary] }, { a: 1 })).toBe(1.5);
  });
});
