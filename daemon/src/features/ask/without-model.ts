import type { Certainty } from '@reverie/shared/contract/search/ask';
import { WEAKER } from '@reverie/shared/contract/search/search';
import { foldText, WORD } from '../../language/words/words.ts';
import type { MemoryQuote } from './answer.ts';
import type { Candidate, Look } from './look.ts';
import { saidAt } from './notes.ts';

/** Passages that are quoted. */
const QUOTED = 3;
/** What is so much less likely than the best is not quoted. */
const NEARLY = 0.4;
/** What speaks of the subject of another one is about as likely. */
const ABOUT_AS_LIKELY = 0.8;
/** Words that no memory has, of those that are named. */
const NAMED = 3;

/** What is told without a model. */
export interface ClosestPassages {
  readonly certainty: Extract<Certainty, 'unsure' | 'none'>;
  readonly quotes: readonly MemoryQuote[];
  /** Those that are quoted first, then those that may answer as well. */
  readonly cited: readonly Candidate[];
  /** Words of the question that no memory has, where that is why nothing is told. */
  readonly missing: readonly string[];
}

/**
 * The passages that are closest to a question. They are pointers and no verdict: whether one of them answers, no rule of ours told rightly
 * on notes that nobody had tuned to (docs/decisions/0012). Nothing is told only where no memory has a word of the question.
 */
export function closestPassages(
  look: Look,
  {
    words,
    isThere,
    limit,
  }: {
    words: { readonly all: readonly string[]; readonly unknown: readonly string[] };
    isThere: (one: Candidate) => boolean;
    limit: number;
  },
): ClosestPassages {
  const there = look.ranked.filter((one) => one.read !== undefined && isThere(one));
  const [best] = there;
  // A word of a past time may be gone from the index by now, and stand in what was read.
  const isRead = look.scope.asOf !== undefined && there.some((one) => markedIn(one).size > 0);
  const isUnknown = !isRead && words.unknown.length === words.all.length;
  if (!best || best.score === 0 || (isUnknown && best.score < WEAKER))
    return {
      certainty: 'none',
      quotes: [],
      cited: [],
      missing: isUnknown ? asWritten(look.queries[0] ?? '', words.unknown).slice(0, NAMED) : [],
    };
  const near = there.filter(({ score }) => score >= NEARLY * best.score).slice(0, Math.min(QUOTED, limit));
  const told = newestFirst(near);
  return {
    certainty: 'unsure',
    quotes: told.map((one) => ({
      memory: one.memory,
      text: one.read?.quote ?? '',
      until: told
        .filter((other) => saidAt(other.memory) > saidAt(one.memory) && isOtherValue(other, one))
        .map(({ memory }) => saidAt(memory))
        .sort((a, b) => a - b)[0],
    })),
    cited: [...told, ...there.filter((one) => !told.includes(one))].slice(0, limit),
    missing: [],
  };
}

/** Words of a question as it writes them; a piece of a word is none. */
function asWritten(question: string, tokens: readonly string[]): string[] {
  const written = new Map(question.match(WORD)?.map((word) => [foldText(word).toLowerCase(), word]));
  return tokens.flatMap((token) => written.get(token) ?? []);
}

/** The newest of those that speak of one subject stands in the place of the best of them; each of the others keeps its place. */
function newestFirst(near: readonly Candidate[]): Candidate[] {
  const [best, ...others] = near;
  if (!best) return [];
  const same = [best, ...others.filter((one) => isOneSubject(best, one))];
  const rest = others.filter((one) => !same.includes(one));
  return [...same.sort((a, b) => saidAt(b.memory) - saidAt(a.memory)), ...rest];
}

/** Whether two passages have the same words of the question. */
function isOneSubject(one: Candidate, other: Candidate): boolean {
  const [a, b] = [markedIn(one), markedIn(other)];
  return (
    a.size > 0 &&
    other.score >= ABOUT_AS_LIKELY * one.score &&
    a.size <= b.size &&
    [...a].every((word) => b.has(word))
  );
}

function markedIn({ memory: { value }, read }: Candidate): Set<string> {
  return new Set(
    (read?.passage.marks ?? []).map(([start, end]) => foldText(value.slice(start, end)).toLowerCase()),
  );
}

/** Whether two texts say the same but for a figure. */
function isOtherValue(one: Candidate, other: Candidate): boolean {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  const figures = (words: readonly string[]) => words.filter((word) => /\p{N}/u.test(word)).join(' ');
  const rest = (words: readonly string[]) => words.filter((word) => !/\p{N}/u.test(word)).join(' ');
  return rest(a) === rest(b) && rest(a) !== '' && figures(a) !== figures(b);
}

const wordsIn = ({ read }: Candidate): string[] =>
  foldText(read?.quote ?? '')
    .toLowerCase()
    .match(WORD) ?? [];
