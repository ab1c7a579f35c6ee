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
  bias: -7.831,
  weights: {
    share: -2.048,
    terms: 0.898,
    term: -0.344,
    thing: 0.767,
    concept: -0.254,
    kindOfThing: 0.336,
    happenings: 2.403,
    happening: 7.799,
    name: 1.594,
    others: -0.507,
    near: 3.964,
    fail: 1.017,
    again: 1.093,
    told: 2.53,
    tight: -3.663,
    'happening*thing': -2.528,
    bare: -1.278,
    'near*thing': 1.583,
    state: -0.37,
    reading: -0.753,
  },
};

/** Whether a group of occasions is a recurrence; fitted over what the pairs bring together in the open sets, each weighted alike. */
export const GROUPS: LinearModel = {
  bias: -5.566,
  weights: {
    pairmean: 0.565,
    pairleast: 0.325,
    apart: 0.484,
    rankleast: 3.111,
    again: 1.659,
    past: 0.818,
    once: 1.888,
    state: -3.498,
    turns: -5.107,
    gap2: -4.164,
    tight: -2.28,
    uneven: -4.034,
    weekday: 1.213,
    span: 3.502,
  },
};
