import type { Certainty } from '@reverie/shared/contract/ask';
import { shareOf } from '../reading/evidence.ts';
import { type Linear, logit, valueOf } from '../reading/linear.ts';
import type { QuestionTerm, Question } from '../question/question.ts';
import type { Answering } from '../reading/reranking.ts';

/** What is elsewhere in the memory counts less than what the passage says. */
const NEARBY = 0.8;
/** Candidates in which a word is looked for before it is called missing. */
const CLOSE = 10;
/** Less alike than this, a word is another one. */
const STRANGER = 0.35;
/** From here on another word is one of like meaning. */
const ALIKE = 0.6;
/** Share of what a question asks about, by weight, that no candidate has where it is about something else than memory is. */
const NOWHERE = 0.6;

/** Whether a word names somebody or something, or a time. */
const isNamed = ({ role }: QuestionTerm) => role === 'name' || role === 'date';
const isContent = ({ role }: QuestionTerm) => role !== 'scaffold';

/** How clearly a candidate says the word at place `at` of the question, 0..1. */
export function toldBy(answering: Answering | undefined, at: number): number {
  if (!answering) return 0;
  const { here, near } = answering.evidence;
  return Math.max(here[at] ?? 0, NEARBY * (near[at] ?? 0));
}

/** The features by which it is judged whether the first candidate answers a question, under the names that the fitted model knows. */
export function signsOf({ words, expects }: Question, ranked: readonly Answering[]) {
  const [best, second] = ranked;
  const told = words.map((_, at) => toldBy(best, at));
  const gaps = words
    .flatMap((word, at) => (isContent(word) ? [word.weight * (1 - (told[at] ?? 0))] : []))
    .sort((a, b) => b - a);
  const nouns = words.flatMap(({ role }, at) => (role === 'noun' ? [told[at] ?? 0] : []));
  const missing = missingIn(words, ranked);
  const mass = massOf(words.filter(isContent));
  return {
    score: logit(best?.score ?? 0),
    margin: Math.min(4, logit(best?.score ?? 0) - logit(second?.score ?? 0)),
    close: best?.evidence.close ?? 0,
    told: best?.evidence.told ?? 0,
    names: words.some(isNamed) ? shareOf(words, told, isNamed) : 1,
    type: best?.evidence.type ?? 0,
    gap: gaps[0] ?? 0,
    secondGap: gaps[1] ?? 0,
    absent: mass === 0 ? 0 : massOf(missing) / mass,
    leastNoun: Math.min(1, ...nouns),
    open: Number(expects.length === 0),
  };
}

const massOf = (words: readonly QuestionTerm[]) => words.reduce((sum, { weight }) => sum + weight, 0);

/** Words of a question that none of the candidates says, in this or any like form. */
function missingIn(words: readonly QuestionTerm[], ranked: readonly Answering[]): QuestionTerm[] {
  const close = ranked.slice(0, CLOSE);
  return words.filter((word, at) => {
    const said = close.map(({ evidence }) => Math.max(evidence.here[at] ?? 0, evidence.near[at] ?? 0));
    return isContent(word) && Math.max(0, ...said) < STRANGER;
  });
}

/** Fitted by bench/ask/fit.ts: the chance that the first candidate answers (docs/decisions/0012). */
const MODEL: Linear = {
  bias: -7.73,
  weights: {
    score: 0.3,
    margin: 0.34,
    close: 1.21,
    told: 2.06,
    names: 2.53,
    type: 1.82,
    gap: 0.82,
    secondGap: 1.39,
    absent: 1.01,
    leastNoun: 0.5,
    open: 0.85,
  },
};

/** From these chances on an answer is told as sure, as likely, or told at all. */
const AT_LEAST = { sure: 0.8, likely: 0.68, unsure: 0.02 } as const;
const LEVELS = ['sure', 'likely', 'unsure'] as const;
/** A note that says the one word of a question need not say what is asked of it: `Do I have a dog?` and the neighbours' dog. */
const SEVERAL = 2;
/** What a question of small words only has to have, and what search then has to say of the best memory: `When do I get up?`, not `Who is it?`. */
const SMALL_WORDS = { atLeast: 4, base: 0.3 } as const;

/** How surely memory answers a question. */
export interface JudgedCertainty {
  readonly certainty: Certainty;
  /** 0..1. */
  readonly chance: number;
  /** What is closest is hardly about what is asked. */
  readonly isFar: boolean;
  /** Words of the question as they were asked, where the index has none of them in any form. */
  readonly missing: readonly string[];
}

/**
 * Judges by the best candidates how surely the first of them answers. That nothing answers is said only where neither the index has any word
 * that was asked, nor a candidate one of like meaning: what is closest is told otherwise, and that it is not sure.
 */
export function judge(question: Question, ranked: readonly Answering[]): JudgedCertainty {
  const { words, own } = question;
  const [best] = ranked;
  const notFound = missingIn(words, ranked);
  const isSaid = ({ evidence }: Answering, at: number) =>
    Math.max(evidence.here[at] ?? 0, evidence.near[at] ?? 0) >= ALIKE;
  const isKnown =
    !question.isPast &&
    (own.some((word) => word.isKnown) || words.some((word) => isContent(word) && word.weight < 1));
  const isNowhere =
    !isKnown &&
    !words.some((word, at) => isContent(word) && ranked.slice(0, CLOSE).some((one) => isSaid(one, at)));
  const missing = isNowhere
    ? own.flatMap(({ written }) => (written === undefined ? [] : [written])).slice(0, 3)
    : [];
  const none = { certainty: 'none', chance: 0, isFar: true, missing } as const;
  if (!best) return none;
  if (words.length === 0) {
    const asked = question.text.match(/\p{L}+/gu)?.length ?? 0;
    const isRead = asked >= SMALL_WORDS.atLeast && best.base >= SMALL_WORDS.base;
    return isRead ? { ...none, certainty: 'unsure', isFar: false } : none;
  }
  const names = words.filter(({ role }) => role === 'name');
  const mass = massOf(words.filter(isContent));
  const isElsewhere =
    (names.length > 0 && names.every((word) => notFound.includes(word))) ||
    massOf(notFound) >= NOWHERE * mass;
  const chance = valueOf(MODEL, signsOf(question, ranked));
  const isFew = words.filter(isContent).length < SEVERAL;
  const levels = LEVELS.slice(isFew ? (question.isYesNo ? 2 : 1) : 0);
  const reached = isElsewhere ? undefined : levels.find((level) => chance >= AT_LEAST[level]);
  if (isNowhere) return { ...none, chance };
  return { certainty: reached ?? 'unsure', chance, isFar: reached === undefined, missing };
}
