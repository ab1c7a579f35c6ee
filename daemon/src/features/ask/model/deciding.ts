import type { TagWords } from '../../../language/words/parts-of-speech.ts';
import { type LanguageModel, ModelFailure } from '../../../models/language-model.ts';
import { type Candidate, type Look, saidAround } from '../look.ts';
import { saidAt } from '../notes.ts';
import {
  type AnswerSentence,
  type Composed,
  composedAnswer,
  type ModelQuote,
  type Question,
} from './composing.ts';

/** What a language model decided: the sentences that answer, none where nothing does; `failed` says why it could not decide. */
export interface ModelDecision {
  readonly sentences: readonly AnswerSentence[];
  /** How many sentences were dropped, for their quotes do not bear them out. */
  readonly dropped: number;
  /** What those quoted that stands in a memory. */
  readonly closest: readonly ModelQuote[];
  /** What it had looked for. */
  readonly phrases: readonly string[];
  readonly looks: readonly Look[];
  /** Why the model decided nothing; undefined where it did. */
  readonly failed: string | undefined;
  /** It said that memory answers, and nothing that memory bears out. */
  readonly isUnsupported?: boolean;
}

export interface Deciding {
  readonly model: LanguageModel;
  readonly signal: AbortSignal;
  readonly tagWords: TagWords;
  /** Looks for something else in the same memories, in several wordings. */
  readonly lookFor: (wordings: readonly string[]) => Promise<Look>;
  /** Whether a model may be shown a memory. */
  readonly maySee: (one: Candidate) => boolean;
}

/** Tokens of the notes of the first sheet and of the second: with what stands around them and what is answered, 6,000 in all. */
const TOKENS = { first: 2_600, second: 1_800 } as const;
/** Characters that the second sheet shows of a note that was cut on the first. */
const WHOLE = 2_800;
/** The best candidates, whose newer neighbours come along. */
const ANCHORS = 4;
/** Characters of them by which the neighbours are looked for. */
const AROUND = 500;
/** Newer neighbours on the sheet, behind so many of the best. */
const NEWER = 5;
const BEFORE_NEWER = 6;
/** Notes of the first sheet that are shown again on the second, for an answer may need both. */
const AGAIN = 3;

/**
 * Has the model decide by the best candidates and what is newer of the same subject. What it would look for besides is looked for, and
 * shown to it once more where that brings something: one call where the first look suffices, two at most.
 */
export async function decide(deciding: Deciding, question: Question, first: Look): Promise<ModelDecision> {
  const ranked = first.ranked.filter(deciding.maySee);
  const { newer, looks } = await newerOfSame(deciding, ranked, first);
  const none = { sentences: [], dropped: 0, closest: [], phrases: [], looks, failed: undefined };
  const candidates = unique([...ranked.slice(0, BEFORE_NEWER), ...newer, ...ranked]);
  let found: Composed;
  try {
    found = await composedAnswer(deciding, question, { candidates, tokens: TOKENS.first });
  } catch (cause) {
    return { ...none, failed: reasonOf(cause) };
  }
  const phrases = found.search;
  // Where no time is left to ask once more, or nobody waits any more, there is nothing to look for either.
  if (phrases.length === 0 || deciding.signal.aborted) return decided(found, none);
  const look = await deciding.lookFor(phrases);
  const second = { ...none, phrases, looks: [...looks, look] };
  const further = furtherThan(found, look.ranked.filter(deciding.maySee));
  if (further.length === 0) return decided(found, second);
  const sheet = { candidates: further, tokens: TOKENS.second, shown: WHOLE };
  try {
    const again = await composedAnswer(deciding, question, sheet);
    // An answer of the first notes stands where the further ones say nothing of it.
    return decided(again.sentences.length > 0 || !found.answered ? again : found, second);
  } catch (cause) {
    reasonOf(cause);
    return decided(found, second);
  }
}

/** What is newer than the best candidates, and of their subject: what answers best may be out of date. */
async function newerOfSame(
  { lookFor, maySee }: Deciding,
  ranked: readonly Candidate[],
  first: Look,
): Promise<{ newer: readonly Candidate[]; looks: readonly Look[] }> {
  const anchors = ranked.slice(0, ANCHORS).filter(({ read }) => read !== undefined);
  if (anchors.length === 0) return { newer: [], looks: [first] };
  const near = await lookFor(
    anchors.flatMap(({ memory, read }) => (read ? [saidAround(memory.value, read, { most: AROUND })] : [])),
  );
  const oldest = Math.min(...anchors.map(({ memory }) => saidAt(memory)));
  const newer = near.ranked
    .filter((one) => maySee(one) && saidAt(one.memory) > oldest)
    .filter((one) => !anchors.some(({ memory }) => memory.id === one.memory.id))
    .slice(0, NEWER);
  return { newer, looks: [first, near] };
}

/**
 * What the second sheet shows, the best first: what the first did not show or cut, and before it what an answer may need again. Of what
 * was answered only something newer can be wanted. Empty where there is nothing that was not seen.
 */
function furtherThan(found: Composed, brought: readonly Candidate[]): Candidate[] {
  const seen = new Map(found.shown.map((note) => [note.from.memory.id, note]));
  const quoted = found.sentences.flatMap(({ quotes }) => quotes.map(({ from }) => from));
  const newest = Math.max(...quoted.map(({ memory }) => saidAt(memory)));
  const isNew = (one: Candidate) =>
    seen.get(one.memory.id)?.isCut !== false && (!found.answered || saidAt(one.memory) >= newest);
  const further = brought.filter(isNew);
  if (further.length === 0) return [];
  const again = found.answered
    ? quoted
    : [...found.shown]
        .map(({ from }) => from)
        .sort((a, b) => b.score - a.score)
        .slice(0, AGAIN);
  return unique([...again, ...further]);
}

function unique(all: readonly Candidate[]): Candidate[] {
  return [...new Map(all.map((one) => [one.memory.id, one])).values()];
}

function decided(
  { answered, sentences, dropped, closest }: Composed,
  decision: ModelDecision,
): ModelDecision {
  const failed = answered && sentences.length === 0 ? 'It said nothing that the memories support' : undefined;
  return { ...decision, sentences, dropped, closest, failed, isUnsupported: failed !== undefined };
}

/** The reason of a model's failure; any other error is thrown again. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ModelFailure) return cause.message;
  throw cause;
}
