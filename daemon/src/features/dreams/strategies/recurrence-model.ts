/** A linear model over what is measured, by name: log odds. */
export interface LinearModel {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** Log odds of what was measured. */
export function oddsBy({ bias, weights }: LinearModel, measured: Readonly<Record<string, number>>): number {
  let odds = bias;
  for (const name in weights) odds += (weights[name] ?? 0) * (measured[name] ?? 0);
  return odds;
}

/** Whether of two occasions one is the other happening again; fitted over the pairs of the open sets (`node bench/dreams/recurrence-fit.ts --weights`). */
export const PAIRS: LinearModel = {
  bias: -9.085,
  weights: {
    series: 3.151,
    share: 3.123,
    terms: 0.261,
    term: -1.807,
    thing: 2.773,
    concept: 0.598,
    kindOfThing: 1.119,
    happenings: -1.856,
    happening: 12.709,
    name: 1.879,
    others: -0.268,
    near: 3.18,
    fail: 0.81,
    again: 0.989,
    told: 3.954,
    tight: -4.524,
    'happening*thing': -5.237,
    bare: -2.262,
    'near*thing': -0.945,
    state: -0.576,
    reading: -1.212,
  },
};

/** Whether a group of occasions is a recurrence; fitted over what the pairs bring together in the open sets, each weighted alike. */
export const GROUPS: LinearModel = {
  bias: -5.286,
  weights: {
    kind: 5.201,
    item: -2.48,
    pairmean: 0.379,
    pairleast: 0.273,
    apart: 0.243,
    rankleast: 4.67,
    again: 0.966,
    past: 2.469,
    once: 0.661,
    state: -1.114,
    turns: -6.924,
    gap2: -5.349,
    tight: -0.625,
    uneven: -4.431,
    weekday: 3.068,
    span: 0.95,
  },
};
