import { foldText, WORD } from '../../language/words.ts';
import { stem } from '../../language/porter.ts';
import { instancesOf } from './answer-types.ts';
import type { Likeness } from './likeness.ts';
import { isStopWord } from './passages.ts';
import type { NameConcepts } from './ports.ts';
import type { Question } from './question.ts';

export interface AlignmentDeps {
  likeness: Likeness;
  nameConcepts: NameConcepts;
}

/** How a question lies on a sentence, word by word in their order; shares are 0..1. */
export interface Alignment {
  /** How well the question's verb is said; a little below 0 where it has none. */
  readonly verb: number;
  /** Share of the question, by weight, that a single clause says. */
  readonly clause: number;
  /** How surely that clause, or less the further off another, has what the answer has to have; 0.5 where the question does not say. */
  readonly type: number;
  /** How near to a word of the question the next figure, and the next name, stands that the question does not have. */
  readonly figure: number;
  readonly name: number;
  /** Words of the sentence, and those of them that the question does not say. */
  readonly length: number;
  readonly unsaid: number;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly clause: number;
  readonly isStop: boolean;
  readonly isName: boolean;
  readonly isFigure: boolean;
}

/** Characters of a sentence that are aligned. */
const MOST = 1_200;
const NEW_CLAUSE = /[,;:.()!?\n]\s|[—–]|\.\.\./u;
const JOINS = new Set(['and', 'but', 'because', 'while']);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let [clause, end] = [0, 0];
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const between = text.slice(end, index);
    const lower = raw.toLowerCase();
    end = index + raw.length;
    if (NEW_CLAUSE.test(between) || JOINS.has(lower)) clause++;
    // What stands behind an apostrophe is an ending: Anna's, don't.
    if (/^(?:s|d|ll|re|ve|m|t)$/iu.test(raw) && /['’]/u.test(between)) continue;
    const opens = tokens.length === 0 || /[.!?:"“„«(\n]\s*$/u.test(between);
    tokens.push({
      ...{ text: lower, start: index, end, clause },
      isStop: isStopWord(lower),
      isName: /\p{Ll}\p{Lu}/u.test(raw) || (/^\p{Lu}/u.test(raw) && !opens),
      isFigure: /\p{N}/u.test(raw),
    });
  }
  return tokens;
}

/** Another phrase of the same concept. */
const SAME_CONCEPT = 0.9;
/** From here on a word says a word of the question. */
const SAYS = 0.5;
/** A border between clauses is as far as three words. */
const BORDER = 3;
/** Words between that halve how near something is. */
const HALF = 4;

/** Lays a question on a sentence. */
export function alignedWith(
  { likeness, nameConcepts }: AlignmentDeps,
  question: Question,
  sentence: string,
): Alignment {
  const text = foldText(sentence.slice(0, MOST));
  const { words } = question;
  const tokens = tokensOf(text);
  const concepts = nameConcepts(text);
  const best = words.map(() => 0);
  const clauses = new Map<number, Set<number>>();
  const matched = new Set<number>();
  for (const [place, token] of tokens.entries()) {
    if (token.isStop) continue;
    const named = concepts.get(token.text) ?? [];
    const said = { written: token.text, text: token.text, stem: stem(token.text), isName: token.isName };
    for (const [at, asked] of words.entries()) {
      const alike = Math.max(
        likeness(asked, said),
        asked.concepts.some((concept) => named.includes(concept)) ? SAME_CONCEPT : 0,
      );
      best[at] = Math.max(best[at] ?? 0, alike);
      if (alike < SAYS || (asked.role === 'scaffold' && alike < 1)) continue;
      if (asked.role !== 'scaffold') matched.add(place);
      clauses.set(token.clause, (clauses.get(token.clause) ?? new Set()).add(at));
    }
  }
  const weightOf = (places: Iterable<number>) =>
    [...places].reduce((sum, at) => sum + (words[at]?.role === 'scaffold' ? 0 : (words[at]?.weight ?? 0)), 0);
  let [main, mass] = [-1, 0];
  for (const [clause, said] of clauses) if (weightOf(said) > mass) [main, mass] = [clause, weightOf(said)];
  const nearest = (wanted: (token: Token) => boolean) =>
    Math.max(
      0,
      ...tokens.flatMap((token, place) => {
        if (token.isStop || matched.has(place) || !wanted(token)) return [];
        const away = [...matched].map(
          (other) => Math.abs(other - place) + BORDER * Math.abs((tokens[other]?.clause ?? 0) - token.clause),
        );
        return away.length === 0 ? [] : [HALF / (HALF + Math.min(...away) - 1)];
      }),
    );
  const verbs = words.flatMap(({ role }, at) =>
    role === 'verb' && !question.isYesNo ? [best[at] ?? 0] : [],
  );
  const total = weightOf(words.keys());
  return {
    verb: verbs.length === 0 ? NO_VERB : Math.max(...verbs),
    clause: total === 0 ? 0 : mass / total,
    type: typeBy(question, text, (at) => {
      const token = tokens.find(({ end }) => end > at);
      return token === undefined || main < 0 ? 0 : 1 / (1 + Math.abs(token.clause - main));
    }),
    figure: nearest(({ isFigure }) => isFigure),
    name: nearest(({ isName, isFigure }) => isName && !isFigure),
    length: Math.min(40, tokens.length) / 40,
    unsaid: Math.min(15, tokens.filter(({ isStop }, place) => !isStop && !matched.has(place)).length) / 15,
  };
}
/** What stands for the verb of a question without one. */
const NO_VERB = -0.2;

function typeBy({ expects, text: asked }: Question, text: string, nearAt: (at: number) => number): number {
  if (expects.length === 0) return 0.5;
  return Math.max(
    0,
    ...expects.flatMap((type) =>
      instancesOf(type, text, asked).map(({ start, sure }) => sure * nearAt(start)),
    ),
  );
}
