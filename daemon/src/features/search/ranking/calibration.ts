/** What is known of a query and one candidate. */
export interface CandidateFeatures {
  /** Of the best chunk; 0 without a vector. */
  readonly cosine: number;
  /** Of the best sentence; 0 without a vector. */
  readonly sentence: number;
  /** Share of the query's idf mass that the text contains, 0..1. */
  readonly coverage: number;
  /** BM25 as a share of the query's best, 0..1; 0 where the words did not find it. */
  readonly lexical: number;
  /** Share of the idf mass of the query's words that the text says in other words of the same concept, 0..1. */
  readonly concepts: number;
  /** How alike its words are to those of the query that it lacks, 0..1. */
  readonly alike: number;
  /** It comes soon after a memory of this score in a session, 0..1. */
  readonly follows: number;
  /** The query stands in the text as a run of words. */
  readonly phrase: boolean;
  /** The query is the whole text, case and white space aside. */
  readonly exact: boolean;
  /** Words of the query were read as others that are spelt alike. */
  readonly respelled?: boolean;
  /** The text is in another language than the query. */
  readonly isAbroad?: boolean;
  /** Query and text both have vectors. */
  readonly hasVector: boolean;
}

/** How much each feature adds to the log odds for a value of 1. */
export interface Weights {
  readonly bias: number;
  readonly cosine: number;
  readonly sentence: number;
  readonly coverage: number;
  /** Of BM25 times coverage: rare words that both have. */
  readonly match: number;
  readonly concepts: number;
  readonly alike: number;
  readonly follows: number;
  readonly phrase: number;
}

/**
 * The logistic model, as bench/calibration/fit.ts makes it of the tune half of the own retrieval set and of pairs
 * (docs/decisions/0010).
 */
export const WEIGHTS: { readonly withVector: Weights; readonly wordsOnly: Weights } = {
  withVector: {
    bias: -4.3,
    cosine: 2.4,
    sentence: 1.9,
    coverage: 0.1,
    match: 5.6,
    concepts: 2.3,
    alike: 5.6,
    follows: 2.5,
    phrase: 0.1,
  },
  wordsOnly: {
    bias: -3.4,
    cosine: 0,
    sentence: 0,
    coverage: 3,
    match: 4.5,
    concepts: 0,
    alike: 0,
    follows: 1,
    phrase: 0.5,
  },
};

/** What it takes from the log odds that a word may have been meant otherwise: of every hit, so their order is that of the right spelling. */
const RESPELLED = -0.5;

/** What it takes that a word may mean something else in the other language: of two notes that fit as well, that in the language of the query is meant. */
const ABROAD = -0.6;

/** The largest score of what is not an exact match: 1 is kept for those. */
const LARGEST = 0.99;

/** A score, and what each feature added to its log odds. */
export interface Calibrated {
  readonly score: number;
  readonly parts: readonly { readonly name: string; readonly points: number }[];
}

/**
 * A score in 0..1 that means the same across queries: how likely a memory with these features answers the query. 1 only for an
 * exact match. What it is on held-out pairs: bench/calibration/README.md.
 */
export function calibrate(features: CandidateFeatures): Calibrated {
  if (features.exact) return { score: 1, parts: [] };
  const weights = weightsOf(features);
  const parts: { name: string; points: number }[] = inputsOf(features)
    .map(({ name, feature, value }) => ({ name, points: weights[feature] * value }))
    .filter(({ points }) => points > 0);
  if (features.respelled === true) parts.push({ name: 'misspelt', points: RESPELLED });
  if (features.isAbroad === true) parts.push({ name: 'other language', points: ABROAD });
  return { score: scoreOf(features), parts };
}

/** The score alone: most candidates are not shown, and nobody asks why they stand where they do. */
export function scoreOf(features: CandidateFeatures): number {
  if (features.exact) return 1;
  const weights = weightsOf(features);
  const coverage = clamp(features.coverage);
  const sum =
    weights.bias +
    weights.cosine * clamp(features.cosine) +
    weights.sentence * clamp(features.sentence) +
    weights.coverage * coverage +
    weights.match * clamp(features.lexical) * coverage +
    weights.concepts * clamp(features.concepts) +
    weights.alike * clamp(features.alike) +
    weights.follows * clamp(features.follows) +
    (features.phrase ? weights.phrase : 0) +
    (features.respelled === true ? RESPELLED : 0) +
    (features.isAbroad === true ? ABROAD : 0);
  return LARGEST / (1 + Math.exp(-sum));
}

/** What the log odds of a score lose where it counts `worth` times as much; undefined for an exact match, which has none. */
export function pointsOfWorth(score: number, worth: number): number | undefined {
  const oddsOf = (of: number) => -Math.log(LARGEST / of - 1);
  const points = oddsOf(score * worth) - oddsOf(score);
  return Number.isFinite(points) ? points : undefined;
}

const weightsOf = ({ hasVector }: CandidateFeatures): Weights =>
  hasVector ? WEIGHTS.withVector : WEIGHTS.wordsOnly;

/** The inputs of the model, by the name of their weight, with a name for people. */
export function inputsOf(features: CandidateFeatures) {
  const coverage = clamp(features.coverage);
  return [
    { name: 'meaning', feature: 'cosine', value: clamp(features.cosine) },
    { name: 'sentence', feature: 'sentence', value: clamp(features.sentence) },
    { name: 'words', feature: 'coverage', value: coverage },
    { name: 'rare words', feature: 'match', value: clamp(features.lexical) * coverage },
    { name: 'concepts', feature: 'concepts', value: clamp(features.concepts) },
    { name: 'like words', feature: 'alike', value: clamp(features.alike) },
    { name: 'follows', feature: 'follows', value: clamp(features.follows) },
    { name: 'phrase', feature: 'phrase', value: features.phrase ? 1 : 0 },
  ] as const;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}
