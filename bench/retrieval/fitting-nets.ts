import { inputsOf, type Net, type Nets } from '../../daemon/src/features/ask/judgement-nets.ts';
import { seeded } from './boosting.ts';
import type { Example } from './fitting.ts';

/** How nets are fitted. */
export interface Learning {
  nets: number;
  /** Hidden units. */
  units: number;
  /** Times that each example is seen. */
  rounds: number;
  /** Examples of a step. */
  batch: number;
  /** Step at the beginning; it shrinks to a twentieth. */
  rate: number;
  /** Pull of the weights towards 0. */
  penalty: number;
  /** Share of the inputs, and of the units, that are left out of a step by chance. */
  inputsOut: number;
  unitsOut: number;
  seed: number;
}

/** Small nets for yes or no, each from another beginning; of their answers the mean counts. */
export function fittedNets(examples: readonly Example[], learning: Learning): Nets {
  const names = Object.keys(examples[0]?.row ?? {});
  const columns = names.map((name) => examples.map(({ row }) => row[name] ?? 0));
  const means = columns.map((column) => column.reduce((sum, one) => sum + one, 0) / column.length);
  const spreads = columns.map((column, at) => {
    const square = column.reduce((sum, one) => sum + (one - (means[at] ?? 0)) ** 2, 0) / column.length;
    return Math.sqrt(square) + 1e-6;
  });
  const scale = { names, means: means.map(short), spreads: spreads.map(short) };
  const inputs = examples.map(({ row }) => inputsOf(scale, row));
  const nets = Array.from({ length: learning.nets }, (_, at) =>
    fittedNet({ examples, inputs, size: names.length }, { ...learning, seed: learning.seed + at }),
  );
  return { ...scale, nets };
}

const short = (one: number) => Number(one.toPrecision(4));

interface Ground {
  examples: readonly Example[];
  inputs: readonly Float64Array[];
  size: number;
}

/** Numbers as they are learnt, with what Adam remembers of their slopes. */
class Learnt {
  readonly values: Float64Array;
  readonly slopes: Float64Array;
  private readonly mean: Float64Array;
  private readonly square: Float64Array;

  constructor(values: Float64Array) {
    this.values = values;
    this.slopes = new Float64Array(values.length);
    this.mean = new Float64Array(values.length);
    this.square = new Float64Array(values.length);
  }

  /** One step against the slopes, which are forgotten. */
  step(count: number, rate: number, penalty: number): void {
    const { values, slopes, mean, square } = this;
    const [first, second] = [1 - 0.9 ** count, 1 - 0.999 ** count];
    for (let at = 0; at < values.length; at++) {
      const slope = slopes[at] ?? 0;
      const m = (mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope);
      const s = (square[at] = 0.999 * (square[at] ?? 0) + 0.001 * slope * slope);
      const way = m / first / (Math.sqrt(s / second) + 1e-8) + penalty * (values[at] ?? 0);
      values[at] = (values[at] ?? 0) - rate * way;
      slopes[at] = 0;
    }
  }
}

function fittedNet({ examples, inputs, size }: Ground, learning: Learning): Net {
  const { units, rounds, batch, rate, penalty, inputsOut, unitsOut } = learning;
  const random = seeded(learning.seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drawn = (length: number, spread: number) => Float64Array.from({ length }, () => normal() * spread);
  const weights = new Learnt(drawn(units * size, 1 / Math.sqrt(size)));
  const biases = new Learnt(new Float64Array(units));
  const out = new Learnt(drawn(units, 1 / Math.sqrt(units)));
  const bias = new Learnt(new Float64Array(1));
  const kept = new Float64Array(size);
  const active = new Float64Array(units);
  const order = examples.map((_, at) => at);
  let steps = 0;

  /** Adds what one example pulls at. */
  function learn(at: number, share: number): void {
    const { yes, counts } = examples[at] ?? { yes: false, counts: 0 };
    const input = inputs[at] ?? kept;
    for (let i = 0; i < size; i++) kept[i] = random() < inputsOut ? 0 : (input[i] ?? 0) / (1 - inputsOut);
    let odds = bias.values[0] ?? 0;
    for (let unit = 0; unit < units; unit++) {
      active[unit] = 0;
      if (random() < unitsOut) continue;
      let sum = biases.values[unit] ?? 0;
      for (let i = 0, from = unit * size; i < size; i++)
        sum += (weights.values[from + i] ?? 0) * (kept[i] ?? 0);
      if (sum <= 0) continue;
      active[unit] = sum / (1 - unitsOut);
      odds += (active[unit] ?? 0) * (out.values[unit] ?? 0);
    }
    const pull = (1 / (1 + Math.exp(-odds)) - Number(yes)) * counts * share;
    bias.slopes[0] = (bias.slopes[0] ?? 0) + pull;
    for (let unit = 0; unit < units; unit++) {
      const sum = active[unit] ?? 0;
      if (sum === 0) continue;
      out.slopes[unit] = (out.slopes[unit] ?? 0) + pull * sum;
      const back = (pull * (out.values[unit] ?? 0)) / (1 - unitsOut);
      biases.slopes[unit] = (biases.slopes[unit] ?? 0) + back;
      for (let i = 0, from = unit * size; i < size; i++)
        weights.slopes[from + i] = (weights.slopes[from + i] ?? 0) + back * (kept[i] ?? 0);
    }
  }

  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    const now = rate * Math.max(0.05, 1 - round / rounds);
    for (let from = 0; from < order.length; from += batch) {
      const some = order.slice(from, from + batch);
      for (const at of some) learn(at, 1 / some.length);
      steps++;
      weights.step(steps, now, penalty);
      biases.step(steps, now, 0);
      out.step(steps, now, penalty);
      bias.step(steps, now, 0);
    }
  }
  return {
    weights: Array.from({ length: units }, (_, unit) =>
      Array.from(weights.values.subarray(unit * size, (unit + 1) * size), short),
    ),
    biases: Array.from(biases.values, short),
    out: Array.from(out.values, short),
    bias: short(bias.values[0] ?? 0),
  };
}
