/** A question's candidates: the inputs of each, and whether it answers. */
export interface Listed {
  readonly values: readonly (readonly number[])[];
  readonly relevant: readonly boolean[];
  readonly weight: number;
}

const STEPS = 600;
const RATE = 0.05;
/** Penalty on large weights, of inputs that are divided by their spread. */
const SHRINK = 0.002;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/**
 * Weights that put what answers above the other candidates of the same question: the likelihood that a draw by exp(sum) draws one
 * that answers (a softmax over each list). Adam; no weight below zero, for no input may speak against a memory.
 */
export function fitOrder(questions: readonly Listed[]): number[] {
  const some = questions.filter(({ relevant }) => relevant.includes(true));
  const width = some[0]?.values[0]?.length ?? 0;
  const spread = spreads(some, width);
  const scaled = some.map((question) => ({
    ...question,
    values: question.values.map((values) => values.map((value, i) => value / (spread[i] ?? 1))),
  }));
  const weights = Array.from({ length: width }, () => 0.1);
  const first = weights.map(() => 0);
  const second = weights.map(() => 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => 2 * SHRINK * weight);
    for (const question of scaled) addGradient(gradient, weights, { question, count: scaled.length });
    for (const [i, slope] of gradient.entries()) {
      first[i] = 0.9 * (first[i] ?? 0) + 0.1 * slope;
      second[i] = 0.999 * (second[i] ?? 0) + 0.001 * slope * slope;
      const rate = RATE * Math.max(0.02, 1 - step / STEPS);
      const move =
        (first[i] ?? 0) / (1 - 0.9 ** step) / (Math.sqrt((second[i] ?? 0) / (1 - 0.999 ** step)) + 1e-9);
      weights[i] = Math.max(0, (weights[i] ?? 0) - rate * move);
    }
  }
  return weights.map((weight, i) => weight / (spread[i] ?? 1));
}

function spreads(questions: readonly Listed[], width: number): number[] {
  const all = questions.flatMap(({ values }) => values);
  return Array.from({ length: width }, (_, i) => {
    const mean = all.reduce((sum, values) => sum + (values[i] ?? 0), 0) / all.length;
    return Math.sqrt(all.reduce((sum, values) => sum + ((values[i] ?? 0) - mean) ** 2, 0) / all.length) || 1;
  });
}

/** The gradient of -log(Σ exp over those that answer / Σ exp over all). */
function addGradient(
  gradient: number[],
  weights: readonly number[],
  { question, count }: { question: Listed; count: number },
): void {
  const sums = question.values.map((values) => dot(values, weights));
  const largest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const relevant = powers.reduce((sum, power, at) => sum + (question.relevant[at] ? power : 0), 0);
  for (const [at, values] of question.values.entries()) {
    const share = (powers[at] ?? 0) * (1 / total - (question.relevant[at] ? 1 / relevant : 0));
    for (let i = 0; i < gradient.length; i++)
      gradient[i] = (gradient[i] ?? 0) + (question.weight * share * (values[i] ?? 0)) / count;
  }
}

/** Candidates that a page shows. */
const PAGE = 10;

/**
 * The scale and bias that make 1 / (1 + exp(-(scale · sum + bias))) a probability. Candidates that answer have half of the weight, others
 * that a page shows a quarter, and all further ones a quarter.
 */
export function fitScale(
  questions: readonly Listed[],
  weights: readonly number[],
): { scale: number; bias: number } {
  const samples = questions.flatMap(({ values, relevant, weight }) => {
    const sums = values.map((one) => dot(one, weights));
    const shown = [...sums].sort((a, b) => b - a)[PAGE - 1] ?? -Infinity;
    const groups = [
      { share: 0.5, is: (at: number) => relevant[at] === true },
      { share: 0.25, is: (at: number) => !relevant[at] && (sums[at] ?? 0) >= shown },
      { share: 0.25, is: (at: number) => !relevant[at] && (sums[at] ?? 0) < shown },
    ];
    return groups.flatMap(({ share, is }) => {
      const some = sums.flatMap((sum, at) => (is(at) ? [{ sum, y: relevant[at] ? 1 : 0 }] : []));
      return some.map(({ sum, y }) => ({ sum, y, weight: (weight * share) / some.length }));
    });
  });
  return newton(samples);
}

/** Logistic regression with one input, by Newton's method. */
function newton(samples: readonly { sum: number; y: number; weight: number }[]): {
  scale: number;
  bias: number;
} {
  let scale = 0.5;
  let bias = -4;
  for (let step = 0; step < 30; step++) {
    let [gs, gb, ss, sb, bb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { sum, y, weight } of samples) {
      const p = 1 / (1 + Math.exp(-(scale * sum + bias)));
      const slope = weight * (p - y);
      const curve = weight * p * (1 - p);
      gs += slope * sum;
      gb += slope;
      ss += curve * sum * sum;
      sb += curve * sum;
      bb += curve;
    }
    const determinant = ss * bb - sb * sb;
    scale -= (gs * bb - gb * sb) / determinant;
    bias -= (gb * ss - gs * sb) / determinant;
  }
  return { scale, bias };
}
