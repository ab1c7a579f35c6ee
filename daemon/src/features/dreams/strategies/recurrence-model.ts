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
  bias: -8.642,
  weights: {
    series: 5.709,
    share: -1.206,
    terms: 0.718,
    term: -1.146,
    thing: 2.183,
    concept: 0.613,
    kindOfThing: 0.03,
    happenings: -1.672,
    happening: 12.44,
    name: 1.94,
    others: -0.434,
    near: 4.317,
    fail: 0.935,
    again: 1.331,
    told: 3.035,
    tight: -3.902,
    'happening*thing': -4.661,
    bare: -1.319,
    'near*thing': 0.158,
    state: -0.562,
    reading: -0.972,
  },
};

/** Whether a group of occasions is a recurrence; fitted over what the pairs bring together in the open sets, each weighted alike. */
export const GROUPS: LinearModel = {
  bias: -7.293,
  weights: {
    kind: 3.888,
    item: -0.509,
    pairmean: 0.33,
    pairleast: 0.532,
    apart: 0.356,
    rankleast: 3.706,
    again: 2.161,
    past: 2.084,
    once: 0.612,
    state: -1.947,
    turns: -5.282,
    gap2: -4.987,
    tight: -1.337,
    uneven: -3.061,
    weekday: 1.07,
    span: 2.403,
  },
};
