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
  bias: -9.083,
  weights: {
    series: 6.033,
    share: -0.787,
    terms: 0.9,
    term: -1.157,
    thing: 1.989,
    concept: 2.319,
    kindOfThing: -1.74,
    happenings: -1.328,
    happening: 12.666,
    name: 2.664,
    others: -0.288,
    near: 3.629,
    fail: 1.139,
    again: 1.327,
    told: 3.211,
    tight: -3.834,
    'happening*thing': -5.089,
    bare: -1.876,
    'near*thing': -0.036,
    state: -0.638,
    reading: -0.984,
  },
};

/** Whether a group of occasions is a recurrence; fitted over what the pairs bring together in the open sets, each weighted alike. */
export const GROUPS: LinearModel = {
  bias: -6.139,
  weights: {
    kind: 6.905,
    item: -1.823,
    pairmean: 0.342,
    pairleast: 0.394,
    apart: 0.28,
    rankleast: 4.685,
    again: 1.332,
    past: 1.696,
    once: 0.145,
    state: -2.429,
    turns: -6.416,
    gap2: -4.887,
    tight: -1.961,
    uneven: -3.679,
    weekday: 2.134,
    span: 0.974,
  },
};
