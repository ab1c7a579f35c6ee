import { shareOf } from './evidence.ts';
import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Whether memory answers a question; where not, what it does mention and what is missing. */
export type Judgement =
  | { readonly found: true }
  | { readonly found: false; readonly mentions: readonly string[]; readonly missing: readonly string[] };

/** Candidates that may hold what the best one lacks. */
const TOGETHER = 3;
/** What is not in the sentence itself counts less. */
const NEARBY = 0.8;
/** What stands for a share of words that a question does not have. */
const NONE = 0.7;

/**
 * What tells whether a question is answered, each about 0..1. Scores do not (AUC .5: a question whose topic is known and whose answer is not
 * scores as any other): it is that the names are there and what is asked of them is not.
 */
export function signsOf({ words, expects, isYesNo, isSeveral }: Question, ranked: readonly Answering[]) {
  const [best] = ranked;
  const here = best?.evidence.here ?? words.map(() => 0);
  const together = words.map((_, at) =>
    Math.max(...ranked.slice(0, TOGETHER).map((one) => toldBy(one, at)), 0),
  );
  const told = isSeveral ? together : words.map((_, at) => toldBy(best, at));
  const share = (there: readonly number[], wanted: (word: Asked) => boolean) =>
    words.some(wanted) ? shareOf(words, there, wanted) : undefined;
  const names = share(told, isNamed);
  const nouns = share(told, ({ role }) => role === 'noun') ?? NONE;
  const figures = together.filter((_, at) => /\p{N}/u.test(words[at]?.text ?? ''));
  const is = (...types: readonly string[]) => Number(expects.some((type) => types.includes(type)));
  const types = ranked.slice(0, isSeveral ? TOGETHER : 1).map(({ evidence }) => evidence.type);
  const type = Math.max(0, ...types);
  return {
    type,
    said: attributesSaid(words, here),
    names: names ?? 1,
    strongest: Math.max(0, ...told.filter((_, at) => words[at]?.role === 'noun')),
    namedOnly: names === undefined ? 0 : names * (1 - nouns),
    nothingNamed: names === undefined ? 1 : 0,
    figureMissing: figures.length === 0 ? 0 : 1 - Math.min(...figures),
    length: Math.min(8, words.filter(({ role }) => role !== 'scaffold').length) / 8,
    close: best?.evidence.close ?? 0,
    sure: best ? Math.max(-1, Math.log(best.score / (1 - best.score)) / 5) : -1,
    meaning: best?.evidence.cosine ?? 0,
    open: Number(expects.length === 0),
    yesNo: Number(isYesNo),
    several: Number(isSeveral),
    reason: is('reason'),
    noReason: is('reason') * (1 - type),
    name: is('name'),
    person: is('person'),
    noPerson: is('person') * (1 - type),
    duration: is('duration'),
    place: is('place'),
  };
}
export type Sign = keyof ReturnType<typeof signsOf>;

const isNamed = ({ role }: Asked) => role === 'name' || role === 'date';

function toldBy(answering: Answering | undefined, at: number): number {
  if (!answering) return 0;
  const { here, near } = answering.evidence;
  return Math.max(here[at] ?? 0, NEARBY * (near[at] ?? 0));
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

/** Fitted by bench/retrieval/ask-fit.ts (docs/decisions/0012). */
const BIAS = -4.8;
const WEIGHTS: Readonly<Record<Sign, number>> = {
  type: 1.61,
  said: 0.89,
  names: 2.09,
  strongest: -0.88,
  namedOnly: -1.56,
  nothingNamed: 0.59,
  figureMissing: -2.82,
  length: 2.73,
  close: 1.21,
  sure: 0.19,
  meaning: 0.48,
  open: 1.65,
  yesNo: -0.5,
  several: 2.95,
  reason: 1.44,
  noReason: 1.45,
  name: -0.74,
  person: -0.38,
  noPerson: 0.96,
  duration: 1.55,
  place: 0.38,
};
/**
 * Below this it is not: of the answerable questions of the tune half that the fit had not seen, 3.7 % are, a standard error and more
 * below the 5 % that are allowed.
 */
const LEAST = -1.04;
/** Where the best memory is less likely than this, nothing is even near. */
const NOTHING_NEAR = 0.004;

/** How sure it is that the question is answered: log odds. */
export function certainty(question: Question, ranked: readonly Answering[]): number {
  const signs = signsOf(question, ranked);
  return (Object.keys(WEIGHTS) as Sign[]).reduce((sum, sign) => sum + WEIGHTS[sign] * signs[sign], BIAS);
}

/** Decides by the best candidates whether the question is answered at all. */
export function judge(question: Question, ranked: readonly Answering[]): Judgement {
  const [best] = ranked;
  if (!best || best.score < NOTHING_NEAR) return { found: false, mentions: [], missing: [] };
  if (certainty(question, ranked) >= LEAST) return { found: true };
  const told = question.words.map((_, at) => toldBy(best, at));
  const pick = (wanted: (word: Asked, share: number) => boolean) =>
    question.words.flatMap((word, at) =>
      word.role !== 'scaffold' && wanted(word, told[at] ?? 0) ? [word.written] : [],
    );
  return {
    found: false,
    mentions: pick((word, share) => share >= NEARBY && (isNamed(word) || word.role === 'noun')).slice(0, 3),
    missing: pick((word, share) => share < 0.5 && (word.isFocus || word.role === 'noun')).slice(0, 3),
  };
}
