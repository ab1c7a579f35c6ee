/** What is known of a query and one candidate. */
export interface CandidateFeatures {
  /** Of the best chunk; 0 without a vector. */
  readonly cosine: number;
  /** Share of the query's idf mass that the text contains, 0..1. */
  readonly coverage: number;
  /** BM25 as a share of the query's best, 0..1; 0 where the words did not find it. */
  readonly lexical: number;
  /** The query stands in the text as a run of words. */
  readonly phrase: boolean;
  /** The query is the whole text, case and white space aside. */
  readonly exact: boolean;
  /** Query and text both have vectors. */
  readonly hasVector: boolean;
}

/**
 * Weights of the logistic model, beside the fit of bench/calibration/fit.ts rounded and checked on the tune half of the own
 * retrieval set (docs/decisions/0009).
 */
const WEIGHTS = {
  withVector: { bias: -3.8, cosine: 7.2, coverage: 1.8, match: 4.5, phrase: 0.1 },
  wordsOnly: { bias: -3.4, coverage: 3, match: 4.5, phrase: 0.5 },
} as const;

/** The largest score of what is not an exact match: 1 is kept for those. */
const LARGEST = 0.99;

/** A score, and what each feature added to its log odds. */
export interface Calibrated {
  readonly score: number;
  readonly parts: readonly { readonly name: string; readonly points: number }[];
}

/**
 * A score in 0..1 that means the same across queries: how likely a memory with these features answers the query. 1 only for an
 * exact match. On held-out pairs: random ones 95 % below 0.1; those that answer, median 0.97 (0.25 where no word is shared).
 */
export function calibrate(features: CandidateFeatures): Calibrated {
  if (features.exact) return { score: 1, parts: [] };
  const coverage = clamp(features.coverage);
  const { withVector, wordsOnly } = WEIGHTS;
  const weights = features.hasVector ? withVector : wordsOnly;
  const parts = [
    { name: 'meaning', points: features.hasVector ? withVector.cosine * Math.max(0, features.cosine) : 0 },
    { name: 'words', points: weights.coverage * coverage },
    { name: 'rare words', points: weights.match * clamp(features.lexical) * coverage },
    { name: 'phrase', points: weights.phrase * (features.phrase ? 1 : 0) },
  ].filter(({ points }) => points > 0);
  const sum = parts.reduce<number>((total, { points }) => total + points, weights.bias);
  return { score: LARGEST / (1 + Math.exp(-sum)), parts };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
