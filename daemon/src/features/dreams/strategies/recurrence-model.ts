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
  bias: -9.28,
  weights: {
    series: 3.523,
    share: 3.057,
    terms: 0.09,
    term: -1.631,
    thing: 2.776,
    concept: 0.892,
    kindOfThing: 0.979,
    happenings: -1.865,
    happening: 12.055,
    name: 2.126,
    others: -0.07,
    near: 3.076,
    fail: 0.92,
    again: 1.046,
    told: 4.27,
    tight: -4.071,
    'happening*thing': -5.74,
    bare: -2.075,
    'near*thing': -0.717,
    state: -0.827,
    reading: -1.253,
  },
};

/** Whether a group of occasions is a recurrence; fitted over what the pairs bring together in the open sets, each weighted alike. */
export const GROUPS: LinearModel = {
  bias: -4.53,
  weights: {
    kind: 3.911,
    item: -1.568,
    pairmean: 0.264,
    pairleast: 0.361,
    apart: 0.289,
    rankleast: 3.418,
    again: 0.573,
    past: 2.162,
    once: 1.472,
    state: -0.692,
    turns: -7.072,
    gap2: -7.08,
    tight: 0,
    uneven: -3.895,
    weekday: 3.421,
    span: 0.912,
  },
};
