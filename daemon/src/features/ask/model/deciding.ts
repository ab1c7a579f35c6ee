import type { AskStage } from '@reverie/shared/contract/ask';
import type { TagWords } from '../../../language/parts-of-speech.ts';
import { type LanguageModel, ModelFailure } from '../../../models/language-model.ts';
import { type Composed, composedAnswer, type MemoryQuote, NOTES, type AnswerSentence } from './composing.ts';
import type { Answering } from '../reading/reranking.ts';
import type { AskState } from '../state.ts';

/** What was found, and the stages that found it. */
export interface Look {
  readonly state: AskState;
  readonly stages: readonly AskStage[];
}

/** What a language model decided: the sentences that answer, none where nothing does; `failed` says why it could not decide. */
export interface ModelDecision {
  readonly sentences: readonly AnswerSentence[];
  /** How many sentences were dropped, for their quotes do not bear them out. */
  readonly dropped: number;
  /** What those quoted that stands in a memory. */
  readonly closest: readonly MemoryQuote[];
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
  /** Looks for something else in the same memories. */
  readonly lookFor: (text: string) => Promise<Look>;
}

/** Notes of the first look that are shown again in the second one, for an answer may need both. */
const AGAIN = 4;
/** New notes in the second look. */
const FURTHER = 12;

/**
 * Has the model decide by the best candidates. Where it says that they do not answer, what it would look for instead is looked for,
 * and what that brings is shown to it once more: what is answered takes one call, what seems to have no answer two.
 */
export async function decide(deciding: Deciding, first: Look): Promise<ModelDecision> {
  const { question } = first.state;
  const shown = bySearch(first).slice(0, NOTES);
  const none = { sentences: [], dropped: 0, closest: [], phrases: [], looks: [first], failed: undefined };
  let found: Composed;
  try {
    found = await composedAnswer(deciding, question, shown);
  } catch (cause) {
    return { ...none, failed: reasonOf(cause) };
  }
  if (found.answered) return decided(found, none);
  const phrases = found.search;
  const looks: Look[] = [];
  for (const phrase of phrases) {
    // Where no time is left to ask once more, or nobody waits any more, there is nothing to look for either.
    if (deciding.signal.aborted) return { ...none, phrases: phrases.slice(0, looks.length) };
    looks.push(await deciding.lookFor(phrase));
  }
  const second = { ...none, phrases, looks: [first, ...looks] };
  const brought = inTurns(looks.map(bySearch));
  // What the first look had left over alone is no reason to ask again.
  if (without(shown, brought).length === 0) return second;
  const further = without(shown, [...brought, ...bySearch(first)]).slice(0, FURTHER);
  try {
    return decided(await composedAnswer(deciding, question, [...shown.slice(0, AGAIN), ...further]), second);
  } catch (cause) {
    // What it said of the first notes stands.
    reasonOf(cause);
    return second;
  }
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

/** What was found, in the order of search: a model reads better than the signs do, and has to be shown what they pass over. */
function bySearch({ state }: Look): Answering[] {
  return [...state.ranked].sort((a, b) => a.place - b.place);
}

/** The first of each list, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** What is not among those that were shown, each memory once. */
function without(shown: readonly Answering[], all: readonly Answering[]): Answering[] {
  const known = new Set(shown.map(({ memory }) => memory.id));
  return all.filter(({ memory }) => {
    if (known.has(memory.id)) return false;
    known.add(memory.id);
    return true;
  });
}

/** The stages of several looks as one: their times added up, with the most candidates. */
export function stagesOf(looks: readonly Look[]): AskStage[] {
  const [first, ...others] = looks;
  return (first?.stages ?? []).map((stage) => {
    const same = others.flatMap(({ stages }) => stages.filter(({ name }) => name === stage.name));
    const { skipped, ...rest } = stage;
    const all = [stage, ...same];
    const isSkipped = skipped !== undefined && all.every((one) => one.skipped !== undefined);
    return {
      ...rest,
      latency_ms: Number(all.reduce((sum, one) => sum + one.latency_ms, 0).toFixed(3)),
      candidates: Math.max(...all.map(({ candidates }) => candidates)),
      ...(isSkipped && { skipped }),
    };
  });
}
