/** A linear model over named features; its sum is log odds. */
export interface Linear {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** The chance that a model gives, 0..1. */
export function valueOf({ bias, weights }: Linear, features: Readonly<Record<string, number>>): number {
  const sum = Object.entries(weights).reduce(
    (all, [name, weight]) => all + weight * (features[name] ?? 0),
    bias,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** The log odds of a share; 0 and 1, which have none, count as almost 0 and 1. */
export function logit(share: number): number {
  const kept = Math.min(0.9999, Math.max(0.0025, share));
  return Math.log(kept / (1 - kept));
}
