/** A net of one hidden layer: each unit adds up the inputs by its weights, and counts as far as that is above 0. */
export interface Net {
  /** For each unit the weights of the inputs. */
  readonly weights: readonly (readonly number[])[];
  readonly biases: readonly number[];
  /** What each unit adds to the log odds. */
  readonly out: readonly number[];
  readonly bias: number;
}

/** Small nets of which the mean counts; `names` says which number is which, `means` and `spreads` how they are scaled. */
export interface Nets {
  readonly names: readonly string[];
  readonly means: readonly number[];
  readonly spreads: readonly number[];
  readonly nets: readonly Net[];
}

/** What lies further from the mean, in spreads, counts as this far. */
const FURTHEST = 3;

/** A row of numbers as the nets take it; what it lacks counts as 0. */
export function inputsOf(
  { names, means, spreads }: Omit<Nets, 'nets'>,
  row: Readonly<Record<string, number>>,
): Float64Array {
  return Float64Array.from(names, (name, at) => {
    const scaled = ((row[name] ?? 0) - (means[at] ?? 0)) / (spreads[at] ?? 1);
    return Math.max(-FURTHEST, Math.min(FURTHEST, scaled));
  });
}

/** Log odds by one net. */
export function oddsBy({ weights, biases, out, bias }: Net, inputs: Float64Array): number {
  let odds = bias;
  for (const [unit, row] of weights.entries()) {
    let sum = biases[unit] ?? 0;
    for (let at = 0; at < inputs.length; at++) sum += (row[at] ?? 0) * (inputs[at] ?? 0);
    if (sum > 0) odds += sum * (out[unit] ?? 0);
  }
  return odds;
}

/** Log odds by the mean of all nets. */
export function logOddsByNets(nets: Nets, row: Readonly<Record<string, number>>): number {
  const inputs = inputsOf(nets, row);
  return nets.nets.reduce((sum, net) => sum + oddsBy(net, inputs), 0) / Math.max(1, nets.nets.length);
}
