import type { Evidence } from './evidence.ts';
import type { AskMemory } from './ports.ts';

/** A memory that may answer, with what is seen in it and how likely it does. */
export interface Answering {
  readonly memory: AskMemory;
  /** Search's own score, 0..1, and its place by it. */
  readonly base: number;
  readonly place: number;
  readonly evidence: Evidence;
  /** How likely it answers, 0..1. */
  readonly score: number;
  /** What each feature adds to the log odds of the score. */
  readonly boosts: readonly { readonly name: string; readonly points: number }[];
}

/** What is known of one candidate. */
export interface Seen {
  readonly base: number;
  /** Place by search, 1 is the best. */
  readonly place: number;
  readonly evidence: Evidence;
  readonly hasFact: boolean;
}

/** The features by name; the weights of the model stand beside them in `WEIGHTS`. */
export function featuresOf({ base, place, evidence, hasFact }: Seen) {
  return {
    search: logit(base),
    place: 1 / (place + 1),
    said: evidence.said,
    told: evidence.told,
    literal: evidence.literal,
    names: evidence.names,
    attributes: evidence.attributes,
    focus: evidence.focus,
    least: evidence.least,
    type: evidence.type,
    meaning: evidence.cosine,
    fact: hasFact ? 1 : 0,
  };
}
export type FeatureName = keyof ReturnType<typeof featuresOf>;

function logit(share: number): number {
  const kept = Math.min(0.99, Math.max(0.01, share));
  return Math.log(kept / (1 - kept));
}

export const BIAS = -4;
export const WEIGHTS: Readonly<Record<FeatureName, number>> = {
  search: 1,
  place: 1,
  said: 1,
  told: 1,
  literal: 0,
  names: 0.5,
  attributes: 0.5,
  focus: 0.5,
  least: 0,
  type: 0.5,
  meaning: 1,
  fact: 0.3,
};

/** How likely a memory answers, and what each feature adds to the log odds of it. */
export function scoreOf(seen: Seen): Pick<Answering, 'score' | 'boosts'> {
  const features = featuresOf(seen);
  const boosts = (Object.keys(WEIGHTS) as FeatureName[]).map((name) => ({
    name,
    points: Number((WEIGHTS[name] * features[name]).toFixed(3)),
  }));
  const sum = boosts.reduce((all, { points }) => all + points, BIAS);
  return {
    score: Number((1 / (1 + Math.exp(-sum))).toFixed(6)),
    boosts: boosts.filter(({ points }) => points !== 0),
  };
}
