/** A linear model over named features. */
export interface Model {
  bias: number;
  weights: Record<string, number>;
}

/** Named features of one thing. */
export type Row = Readonly<Record<string, number>>;

/** What a model gives for a row: log odds, or only an order. */
export function sum({ bias, weights }: Model, row: Row): number {
  return Object.entries(weights).reduce((all, [name, weight]) => all + weight * (row[name] ?? 0), bias);
}

/** Which of `folds` parts a thing is left out with, by its id (FNV-1a). */
export function foldOf(id: string, folds: number): number {
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 8) % folds;
}

export interface Example {
  row: Row;
  yes: boolean;
  /** How much it counts. */
  counts: number;
}

/** Mean and spread of each feature, so that one penalty fits all. */
function scaleOf(rows: readonly Row[], names: readonly string[]) {
  return names.map((name) => {
    const mean = rows.reduce((all, row) => all + (row[name] ?? 0), 0) / rows.length;
    const square = rows.reduce((all, row) => all + ((row[name] ?? 0) - mean) ** 2, 0) / rows.length;
    return { mean, spread: Math.sqrt(square) + 1e-9 };
  });
}

/** Logistic regression by Newton's method; `penalty` on the squares of the weights of scaled features. */
export function logistic(examples: readonly Example[], { penalty }: { penalty: number }): Model {
  const names = Object.keys(examples[0]?.row ?? {});
  const rows = examples.map(({ row }) => row);
  const scale = scaleOf(rows, names);
  const inputs = rows.map((row) => [
    1,
    ...names.map((name, at) => ((row[name] ?? 0) - (scale[at]?.mean ?? 0)) / (scale[at]?.spread ?? 1)),
  ]);
  const size = names.length + 1;
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 25; round++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    for (const [index, input] of inputs.entries()) {
      const { yes, counts } = examples[index] ?? { yes: false, counts: 0 };
      const p = 1 / (1 + Math.exp(-input.reduce((all, x, at) => all + x * (weights[at] ?? 0), 0)));
      for (let i = 0; i < size; i++) {
        const x = input[i] ?? 0;
        gradient[i] = (gradient[i] ?? 0) + counts * x * (Number(yes) - p);
        const line = hessian[i] ?? [];
        for (let j = 0; j < size; j++) line[j] = (line[j] ?? 0) + counts * p * (1 - p) * x * (input[j] ?? 0);
      }
    }
    for (let i = 0; i < size; i++) {
      const held = i === 0 ? 1e-6 : penalty;
      gradient[i] = (gradient[i] ?? 0) - held * (weights[i] ?? 0);
      const line = hessian[i] ?? [];
      line[i] = (line[i] ?? 0) + held;
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, at) => weight + (step[at] ?? 0));
  }
  const unscaled = names.map((_, at) => (weights[at + 1] ?? 0) / (scale[at]?.spread ?? 1));
  const shift = unscaled.reduce((all, weight, at) => all + weight * (scale[at]?.mean ?? 0), 0);
  return {
    bias: (weights[0] ?? 0) - shift,
    weights: Object.fromEntries(names.map((name, at) => [name, unscaled[at] ?? 0])),
  };
}

/** Solves a system of linear equations by elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, at) => [...line, right[at] ?? 0]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    let best = i;
    for (let j = i + 1; j < size; j++)
      if (Math.abs(rows[j]?.[i] ?? 0) > Math.abs(rows[best]?.[i] ?? 0)) best = j;
    const [pivot = [], other = []] = [rows[best], rows[i]];
    rows[i] = pivot;
    rows[best] = other;
    for (let j = 0; j < size; j++) {
      const line = rows[j];
      if (j === i || !line) continue;
      const factor = (line[i] ?? 0) / (pivot[i] ?? 1);
      for (let k = i; k <= size; k++) line[k] = (line[k] ?? 0) - factor * (pivot[k] ?? 0);
    }
  }
  return rows.map((line, at) => (line[size] ?? 0) / (line[at] ?? 1));
}

/** A list of which some are right. */
export interface Choice {
  rows: readonly Row[];
  right: readonly boolean[];
}

/** Weights under which the right ones of each list come first: maximises the softmax's share of them (Adam). */
export function listwise(choices: readonly Choice[], { penalty }: { penalty: number }): Model {
  const names = Object.keys(choices[0]?.rows[0] ?? {});
  const size = names.length;
  const inputs = choices.map(({ rows }) =>
    Float64Array.from(rows.flatMap((row) => names.map((name) => row[name] ?? 0))),
  );
  const weights = new Float64Array(size);
  const [mean, square] = [new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= 400; step++) {
    const gradient = weights.map((weight) => -penalty * weight);
    for (const [index, rows] of inputs.entries()) {
      const right = choices[index]?.right ?? [];
      const mass = new Float64Array(rows.length / size);
      for (let place = 0; place < mass.length; place++)
        for (let at = 0; at < size; at++)
          mass[place] = (mass[place] ?? 0) + (rows[place * size + at] ?? 0) * (weights[at] ?? 0);
      const top = mass.reduce((most, one) => Math.max(most, one), -Infinity);
      let [all, good] = [0, 0];
      for (const [place, one] of mass.entries()) {
        const share = Math.exp(one - top);
        mass[place] = share;
        all += share;
        if (right[place]) good += share;
      }
      for (const [place, one] of mass.entries()) {
        const pull = ((right[place] ? one / good : 0) - one / all) / inputs.length;
        for (let at = 0; at < size; at++)
          gradient[at] = (gradient[at] ?? 0) + (rows[place * size + at] ?? 0) * pull;
      }
    }
    for (const [at, slope] of gradient.entries()) {
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * slope * slope;
      const way = (mean[at] ?? 0) / (1 - 0.9 ** step);
      const size = Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8;
      weights[at] = (weights[at] ?? 0) + (0.05 * way) / size;
    }
  }
  return { bias: 0, weights: Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0])) };
}
