import type { Evidence } from './evidence.ts';
import { type Linear, logit, valueOf } from './linear.ts';
import type { AskMemory } from '../ports.ts';

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
export interface CandidateScores {
  readonly base: number;
  /** Place by search, 1 is the best. */
  readonly place: number;
  readonly evidence: Evidence;
}

/** The features by name. */
export function featuresOf({ base, evidence }: CandidateScores) {
  return {
    search: logit(base),
    said: evidence.said,
    told: evidence.told,
    literal: evidence.literal,
    names: evidence.names,
    nouns: evidence.nouns,
    type: evidence.type,
    meaning: evidence.cosine,
    close: evidence.close,
    length: evidence.length,
  };
}

/** Fitted by bench/ask/fit.ts (docs/decisions/0012). */
const MODEL: Linear = {
  bias: -4.67,
  weights: {
    search: 1.06,
    said: 0.24,
    told: 0.26,
    literal: 0.26,
    names: 0.58,
    nouns: 0.19,
    type: 0.5,
    meaning: 0.2,
    close: 0.32,
    length: -0.2,
  },
};

/** How likely a memory answers, and what each feature adds to the log odds of it. */
export function scoreBy(seen: CandidateScores, model: Linear = MODEL): Pick<Answering, 'score' | 'boosts'> {
  const features: Readonly<Record<string, number>> = featuresOf(seen);
  const boosts = Object.entries(model.weights).map(([name, weight]) => ({
    name,
    points: Number((weight * (features[name] ?? 0)).toFixed(3)),
  }));
  return {
    score: Number(valueOf(model, features).toFixed(6)),
    boosts: boosts.filter(({ points }) => points !== 0),
  };
}
