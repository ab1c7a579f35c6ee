import { describe, expect, it } from 'vitest';

import { logOddsByNets } from '../../daemon/src/features/ask/judgement-nets.ts';
import { fittedNets, type Learning } from './fitting-nets.ts';

const LEARNING: Learning = {
  ...{ nets: 2, units: 12, rounds: 120, batch: 16, rate: 0.02, penalty: 0 },
  ...{ inputsOut: 0, unitsOut: 0, seed: 1 },
};

/** A grid of two numbers. */
const grid = Array.from({ length: 225 }, (_, at) => ({ x: at % 15, y: 100 * Math.floor(at / 15) }));
const isYes = ({ x, y }: { x: number; y: number }) => x < 7 !== y < 700;
const examples = grid.map((row) => ({ row, yes: isYes(row), counts: 1 }));
const share = (nets: ReturnType<typeof fittedNets>) =>
  grid.filter((row) => logOddsByNets(nets, row) > 0 === isYes(row)).length / grid.length;

describe('nets that are fitted', () => {
  it('learn what no line tells, whatever the numbers are measured in', () => {
    expect(share(fittedNets(examples, LEARNING))).toBeGreaterThan(0.93);
    expect(share(fittedNets(examples, { ...LEARNING, units: 1, nets: 1 }))).toBeLessThan(0.85);
  });

  it('pass over what does not count', () => {
    const wrong = examples.map((one) => ({ ...one, yes: !one.yes, counts: 0 }));
    expect(share(fittedNets([...examples, ...wrong], LEARNING))).toBeGreaterThan(0.9);
  });

  it('are the same for the same seed, and keep their numbers short', () => {
    const few = { ...LEARNING, rounds: 2, inputsOut: 0.2, unitsOut: 0.3 };
    expect(fittedNets(examples, few)).toEqual(fittedNets(examples, few));
    const [net] = fittedNets(examples, { ...few, seed: 9 }).nets;
    expect(net).not.toEqual(fittedNets(examples, few).nets[0]);
    expect(JSON.stringify(net?.out).length).toBeLessThan(12 * 11);
  });
});
