import type { Alignment } from './alignment.ts';
import { shareOf } from './evidence.ts';
import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';
import type { AttributeReader } from './signs-of-attributes.ts';
import { outcomeSigns } from './signs-of-outcome.ts';
import { ownerSigns } from './signs-of-owner.ts';
import { topicSigns } from './signs-of-topic.ts';

/** Candidates that may hold what the best one lacks. */
const TOGETHER = 3;
/** What is not in the sentence itself counts less. */
export const NEARBY = 0.8;
/** What stands for a share of words that a question does not have. */
const NONE = 0.7;
/** The least that is said of words that a question does not have. */
const NO_SUCH_WORD = 1.2;

export interface SigningDeps {
  /** Lays a question on a sentence. */
  align: (question: Question, sentence: string) => Alignment;
  /** Whether the candidates state the attribute that is asked for. */
  attributeSigns: AttributeReader;
}

/**
 * What tells whether a question is answered. Scores do not (AUC .5: a question whose topic is known and whose answer is not
 * scores as any other): it is that the names are there and what is asked of them is not.
 */
export function signsOf(
  { align, attributeSigns }: SigningDeps,
  question: Question,
  ranked: readonly Answering[],
) {
  const { words, expects, isYesNo, isSeveral } = question;
  const [best, second] = ranked;
  const first = ranked.slice(0, TOGETHER);
  const aligned = first.map(({ evidence }) => align(question, evidence.passage?.text ?? ''));
  const there = aligned[0] ?? align(question, '');
  const most = (of: keyof Alignment) => Math.max(...[there, ...aligned].map((one) => one[of]));
  const here = best?.evidence.here ?? words.map(() => 0);
  const told = words.map((_, at) => toldBy(best, at));
  const together = words.map((_, at) => Math.max(...first.map((one) => toldBy(one, at)), 0));
  const wide = isSeveral ? together : told;
  const types = first.slice(0, isSeveral ? TOGETHER : 1).map(({ evidence }) => evidence.type);
  const named = words.some(isNamed) ? shareOf(words, wide, isNamed) : undefined;
  const nouns = words.some(isNoun) ? shareOf(words, wide, isNoun) : NONE;
  const figures = together.filter((_, at) => /\p{N}/u.test(words[at]?.text ?? ''));
  const content = words.flatMap((word, at) => (word.role === 'scaffold' ? [] : [{ word, at }]));
  const gaps = (covered: readonly number[]) =>
    content.map(({ word, at }) => word.weight * (1 - (covered[at] ?? 0))).sort((a, b) => b - a);
  const least = (covered: readonly number[], wanted: (word: Asked) => boolean) =>
    Math.min(NO_SUCH_WORD, ...content.flatMap(({ word, at }) => (wanted(word) ? [covered[at] ?? 0] : [])));
  const close = ranked.slice(0, NEXT);
  const is = (...wanted: readonly string[]) => Number(expects.some((type) => wanted.includes(type)));
  return {
    // What the answer has to have.
    type: Math.max(0, ...types),
    typeHere: best?.evidence.type ?? 0,
    typeNear: best?.evidence.typeNear ?? 0,
    typeInClause: there.type,
    close: best?.evidence.close ?? 0,
    figureNear: most('figure'),
    nameNear: most('name'),
    // What is there of what is asked.
    said: best?.evidence.said ?? 0,
    told: best?.evidence.told ?? 0,
    literal: best?.evidence.literal ?? 0,
    meaning: best?.evidence.cosine ?? 0,
    attributes: attributesSaid(words, here),
    nouns: best?.evidence.nouns ?? 0,
    names: named ?? 1,
    namesHere: best?.evidence.names ?? 0,
    verb: there.verb,
    verbNear: most('verb'),
    inClause: there.clause,
    literally: content.filter(({ at }) => here[at] === 1).length / Math.max(1, content.length),
    leastName: least(told, ({ role }) => role === 'name'),
    leastNameHere: least(here, ({ role }) => role === 'name'),
    leastNoun: least(told, isNoun),
    // What is missing.
    gap: gaps(told)[0] ?? 0,
    thirdGap: gaps(told)[2] ?? 0,
    thirdGapHere: gaps(here)[2] ?? 0,
    namedOnly: named === undefined ? 0 : named * (1 - nouns),
    nothingNamed: named === undefined ? 1 : 0,
    figureMissing: figures.length === 0 ? 0 : 1 - Math.min(...figures),
    // The candidates beside each other.
    score: logit(best?.score ?? 0),
    searched: logit(best?.base ?? 0),
    searchedMost: logit(Math.max(0, ...ranked.map(({ base }) => base))),
    second: logit(second?.score ?? 0),
    margin: logit(best?.score ?? 0) - logit(second?.score ?? 0),
    saidMost: Math.max(0, ...close.map(({ evidence }) => evidence.said)),
    meaningMost: Math.max(0, ...close.map(({ evidence }) => evidence.cosine)),
    length: there.length,
    unsaid: there.unsaid,
    // What kind of question it is.
    words: Math.min(8, content.length) / 8,
    rare: Math.max(0, ...content.map(({ word }) => word.weight)),
    rareInAll: content.reduce((sum, { word }) => sum + word.weight, 0) / Math.max(1, content.length),
    nameCount: Math.min(3, content.filter(({ word }) => word.role === 'name').length) / 3,
    open: Number(expects.length === 0),
    yesNo: Number(isYesNo),
    several: Number(isSeveral),
    past: Number(/\b(?:did|was|were|had)\b/iu.test(question.text)),
    own: Number(/\b(?:my|our|i|we|me|us)\b/iu.test(question.text)),
    asksForName: is('name'),
    asksForPerson: is('person'),
    asksForReason: is('reason'),
    asksForPlace: is('place'),
    asksForDuration: is('duration'),
    ...attributeSigns(question, ranked),
    ...ownerSigns(question, best),
    ...outcomeSigns(question, best?.evidence.passage?.text ?? ''),
    ...topicSigns(question, ranked),
  };
}
export type Sign = keyof ReturnType<typeof signsOf>;

/** Candidates among which the best sentences are looked for. */
const NEXT = 5;

/** Whether a word names somebody or something, or a time. */
export const isNamed = ({ role }: Asked) => role === 'name' || role === 'date';
const isNoun = ({ role }: Asked) => role === 'noun';

/** How well a candidate says a word of the question. */
export function toldBy(answering: Answering | undefined, at: number): number {
  if (!answering) return 0;
  const { here, near } = answering.evidence;
  return Math.max(here[at] ?? 0, NEARBY * (near[at] ?? 0));
}

function logit(share: number): number {
  const kept = Math.min(0.9999, Math.max(0.0025, share));
  return Math.log(kept / (1 - kept));
}

const ATTRIBUTES = { noun: 1, verb: 0.6, other: 0.5, name: 0, date: 0, scaffold: 0 } as const;
/** What is asked for counts more. */
const FOCUS = 1.5;

/** How much of what is asked of the names the sentence itself says. */
function attributesSaid(words: readonly Asked[], here: readonly number[]): number {
  let [mass, covered] = [0, 0];
  for (const [at, { role, weight, isFocus }] of words.entries()) {
    const counts = weight * ATTRIBUTES[role] * (isFocus ? FOCUS : 1);
    mass += counts;
    covered += counts * (here[at] ?? 0);
  }
  return mass === 0 ? NONE : covered / mass;
}
