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
}

/** The features by name. */
export function featuresOf({ base, place, evidence }: Seen) {
  return {
    search: logit(base),
    place: 1 / (place + 1),
    said: evidence.said,
    told: evidence.told,
    literal: evidence.literal,
    names: evidence.names,
    nouns: evidence.nouns,
    verbs: evidence.verbs,
    focus: evidence.focus,
    type: evidence.type,
    meaning: evidence.cosine,
  };
}

function logit(share: number): number {
  const kept = Math.min(0.99, Math.max(0.01, share));
  return Math.log(kept / (1 - kept));
}

/** A linear model over the features. */
interface Linear {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** Fitted by bench/retrieval/ask-fit.ts (docs/decisions/0012). */
const MODEL = {
  bias: -5.08,
  weights: {
    search: 0.99,
    place: 0.25,
    said: 0.36,
    told: 0.39,
    literal: 0.53,
    names: 0.58,
    nouns: 0.35,
    verbs: 0.02,
    focus: -0.17,
    type: 0.48,
    meaning: 0.29,
  },
} as const;

/** How likely a memory answers, and what each feature adds to the log odds of it. */
export function scoreBy(seen: Seen, { bias, weights }: Linear = MODEL): Pick<Answering, 'score' | 'boosts'> {
  const features: Readonly<Record<string, number>> = featuresOf(seen);
  const boosts = Object.entries(weights).map(([name, weight]) => ({
    name,
    points: Number((weight * (features[name] ?? 0)).toFixed(3)),
  }));
  const sum = boosts.reduce((all, { points }) => all + points, bias);
  return {
    score: Number((1 / (1 + Math.exp(-sum))).toFixed(6)),
    boosts: boosts.filter(({ points }) => points !== 0),
  };
}
