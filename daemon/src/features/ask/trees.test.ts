import { describe, expect, it } from 'vitest';

import { certaintyBy, leafOf, loadForest, logOddsBy, type Tree } from './trees.ts';

/** Asks whether the second number is at most 0.5, and where it is, whether the first is at most 2. */
const tree: Tree = {
  asks: [1, 0],
  most: [0.5, 2],
  yes: [1, -1],
  no: [-3, -2],
  leaves: [1, 10, 100],
};

describe('trees', () => {
  it.each([
    [[2, 0.5], 1],
    [[2.1, 0.5], 10],
    [[0, 0.6], 100],
  ])('of %j says %j', (values, leaf) => {
    expect(leafOf(tree, values)).toBe(leaf);
  });

  it('a tree without a question has one leaf', () => {
    expect(leafOf({ asks: [], most: [], yes: [], no: [], leaves: [7] }, [1, 2])).toBe(7);
  });

  it('adds up leaves and bias, by the names of the numbers', () => {
    const forest = { names: ['far', 'near'], bias: -1, trees: [tree, tree] };
    expect(logOddsBy(forest, { near: 0.6, far: 0 })).toBe(199);
    expect(logOddsBy(forest, { far: 3 })).toBe(19);
  });

  it('count by half, and nets by the other', () => {
    const net = { weights: [[1, 0]], biases: [0], out: [3], bias: 0 };
    const forest = { names: ['far', 'near'], bias: -1, trees: [tree] };
    const fitted = { ...forest, means: [0, 0], spreads: [1, 1], nets: [net] };
    expect(certaintyBy(fitted, { far: 2 })).toBe((logOddsBy(forest, { far: 2 }) + 6) / 2);
  });

  it('the fitted nets have a weight for each number that they name', () => {
    const { names, means, spreads, nets } = loadForest();
    expect(nets.length).toBeGreaterThan(0);
    expect([means.length, spreads.length]).toEqual([names.length, names.length]);
    expect(spreads.every((spread) => spread > 0)).toBe(true);
    for (const { weights, biases, out } of nets) {
      expect([biases.length, out.length]).toEqual([weights.length, weights.length]);
      expect(weights.every((row) => row.length === names.length)).toBe(true);
    }
  });

  it('the fitted ones ask for numbers that they name only, and go nowhere but to their own nodes and leaves', () => {
    const { names, trees, least } = loadForest();
    expect(trees.length).toBeGreaterThan(100);
    expect(Number.isFinite(least)).toBe(true);
    for (const { asks, most, yes, no, leaves } of trees) {
      expect([most.length, yes.length, no.length]).toEqual([asks.length, asks.length, asks.length]);
      expect(asks.every((at) => names[at] !== undefined)).toBe(true);
      for (const place of [...yes, ...no])
        expect(place >= 0 ? place < asks.length : -1 - place < leaves.length).toBe(true);
    }
  });
});
