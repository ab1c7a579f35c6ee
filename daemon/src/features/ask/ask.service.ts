import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { askMemory, Certainty } from '@reverie/shared/contract/search/ask';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { Elsewhere } from '@reverie/shared/contract/search/search';
import { languageAbroad } from '../../language/abroad/in-english.ts';
import type { TagWords } from '../../language/words/parts-of-speech.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { createYielding, type YieldToOthers } from '../../platform/yielding.ts';
import { emptyAnswer, noAnswer, quotedAnswer } from './answer.ts';
import { type Frame, frameOf } from './frames.ts';
import { type Candidate, type Look, lookFor, type LookingDeps, stagesOf } from './look.ts';
import { citationOf, citedAnswer, type CitedMemory, quotedMemories } from './model/citing.ts';
import type { AnswerSentence, Question } from './model/composing.ts';
import { decide, type Deciding, type ModelDecision } from './model/deciding.ts';
import { dayOf, saidAt } from './notes.ts';
import type { AskScope } from './ports.ts';
import { closestPassages } from './without-model.ts';

export interface AskDeps extends Omit<LookingDeps, 'yieldToOthers'> {
  now: () => number;
  /** Loaded when a model is first asked: by it names are told in what the model says. */
  tagger: () => Promise<TagWords>;
  /** Asked each time, for it may be configured while the daemon runs. Of the account whose key it is, for what is asked about. */
  model: (payer: AccountId, scope: Pick<AskScope, 'account' | 'namespace' | 'readable'>) => AccountModel;
  /** Which namespaces of an account a model may see, where all are asked about. */
  visibleTo?: (account: AccountId, model: LanguageModel) => Readable;
  /** How long the model may take in all, in ms; the looks between its calls count, the first one does not. */
  timeoutMs: number;
  /** Where another namespace is likely to answer; `here` is the best score in this one. */
  elsewhere?: (
    scope: Omit<AskScope, 'among'>,
    asked: { query: string; here: number; yieldToOthers: YieldToOthers },
  ) => Promise<readonly Elsewhere[]>;
  /** Told which memories a question recalled. */
  recalled: (account: AccountId, memoryIds: readonly number[], question: string) => void;
}

/** The language model that an account may use, or why it may not use the one that is configured; undefined where none is. */
export type AccountModel = { readonly model: LanguageModel } | { readonly withheld: string } | undefined;

/** Who asks. */
export interface Asker {
  /** Whose memories are asked about. */
  readonly account: AccountId;
  /** Whose key it is. */
  readonly payer: AccountId;
  /** Namespaces that `*` stands for; all where this is missing. */
  readonly readable?: Readable | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}

/** Memories are its only source; `askSources` knows more. */
export type AskInput = Omit<Parsed<typeof askMemory>['body'], 'sources' | 'queries'> & {
  readonly queries?: readonly string[] | undefined;
};

/** Characters of a question that are read; a pasted page is no question, and would keep everybody else waiting. */
export const MOST_READ = 1_000;

/** What is answered, before it is told. */
interface Answered {
  readonly certainty: Certainty;
  readonly answer: string;
  /** Those that are cited; the first of them are quoted. */
  readonly memories: readonly CitedMemory[];
  /** How many of them are quoted, where not all are. */
  readonly quoted?: number;
}

/**
 * Answers a question from the memories of a namespace, or of every one that may be read. Reads only. Whether they answer it is decided by the language model where one
 * is configured (docs/decisions/0025); else, or where it fails, what is closest is quoted and nothing claimed (0012).
 */
export async function ask(
  deps: AskDeps,
  { account, payer, readable, gone }: Asker,
  input: AskInput,
): Promise<Reply<typeof askMemory>> {
  const from = deps.elapsed();
  const { namespace, as_of, limit, queries = [] } = input;
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const now = new Date(input.now === undefined ? (asOf ?? deps.now()) : Date.parse(input.now));
  const looking = { ...deps, yieldToOthers: createYielding(deps.elapsed) };
  const scope: AskScope = { account, namespace, readable, asOf, among: undefined };
  const look = (wordings: readonly string[]) => lookFor(looking, { scope, wordings, now });
  const { model, withheld } = modelFor(deps, payer, scope);
  const text = readOf(input.question);
  const frame = frameOf(languageAbroad(text));
  // A model knows misspelt words, and is asked what was written.
  const respelled = !model && asOf === undefined ? await deps.search.respell?.(scope, text) : undefined;
  const first = await look(wordingsOf(respelled?.text ?? text, queries));
  const isVisible = (model && deps.visibleTo?.(account, model)) ?? (() => true);
  const maySee = ({ memory }: Candidate) => isVisible(memory.namespace);
  const kept = first.ranked.filter((one) => !maySee(one)).length;
  // Where nothing at all is found, or may be shown, there is nothing to decide.
  const decision =
    model && first.ranked.length > kept
      ? await decided({ deps, model, gone, lookFor: look, maySee }, { text, now }, first)
      : undefined;
  const looks = decision?.looks ?? [first];
  const isThere = standing(deps, looks);
  const byModel = answeredByModel(frame, decision, {
    now,
    namespace,
    isThere,
    asOf: pastOf(deps, asOf),
    isAllShown: kept === 0,
  });
  const { certainty, answer, memories, quoted } =
    byModel ?? withoutModel(deps, frame, { first, isThere, limit });
  if (gone?.aborted !== true)
    deps.recalled(
      account,
      memories.slice(0, quoted).map(({ memory }) => memory.id),
      input.question,
    );
  const isModels = byModel !== undefined && decision?.failed === undefined;
  const here = first.ranked[0]?.score ?? 0;
  const isAlone = namespace === EVERY_NAMESPACE || asOf !== undefined || (isModels && certainty !== 'none');
  const elsewhere = isAlone
    ? []
    : ((await deps.elsewhere?.(scope, {
        query: text,
        yieldToOthers: looking.yieldToOthers,
        here: isModels ? 0 : here,
      })) ?? []);
  const found = certainty !== 'none';
  const failed = withheld ?? decision?.failed;
  return {
    answer,
    citations: memories.map((one) => citationOf(one, looks, input.explain)),
    latency_ms: Math.round(deps.elapsed() - from),
    found,
    certainty,
    ...(elsewhere.length > 0 && { elsewhere: [...elsewhere] }),
    model: isModels && found ? (model?.model ?? null) : null,
    ...(input.explain && {
      stages: stagesOf(looks),
      understood: {
        queries: [...new Set([...first.queries.slice(1), ...(decision?.phrases ?? [])])],
        decided_by: isModels ? ('model' as const) : ('search' as const),
        ...(respelled && respelled.corrected.length > 0 && { corrected: respelled.corrected }),
        ...(input.question.length > MOST_READ && {
          cut: { characters: MOST_READ, of: input.question.length },
        }),
        ...(!found && { abstained: answer }),
        ...(decision && { unsupported: decision.dropped }),
        ...(kept > 0 && { kept_from_model: kept }),
        ...(failed !== undefined && { model_failed: failed }),
      },
    }),
  };
}

/** As much of a question, or of a wording of it, as is read. */
const readOf = (text: string): string => text.slice(0, MOST_READ).toWellFormed();

/** The question and its further wordings, each once; a blank one says nothing. */
function wordingsOf(question: string, queries: readonly string[]): string[] {
  return [...new Set([question, ...queries.map(readOf)])].filter((one, at) => at === 0 || one.trim() !== '');
}

/** The past time that is asked about. What will be known some day is not: the future is answered from the present. */
function pastOf({ now }: Pick<AskDeps, 'now'>, asOf: number | undefined): number | undefined {
  return asOf !== undefined && asOf < now() ? asOf : undefined;
}

/** The model that is asked, or why none is where one is configured. */
function modelFor(
  deps: Pick<AskDeps, 'model'>,
  payer: AccountId,
  scope: AskScope,
): { model?: LanguageModel; withheld?: string } {
  return deps.model(payer, scope) ?? {};
}

/** What the model decides; its time begins once what this program needs for it is loaded. */
async function decided(
  {
    deps,
    gone,
    ...deciding
  }: Omit<Deciding, 'signal' | 'tagWords'> &
    Pick<Asker, 'gone'> & { deps: Pick<AskDeps, 'timeoutMs' | 'tagger'> },
  question: Question,
  first: Look,
): Promise<ModelDecision> {
  const tagWords = await deps.tagger();
  // Where it cannot be loaded, the model says so when it is asked.
  await deciding.model.ready?.().catch(() => undefined);
  const timeout = AbortSignal.timeout(deps.timeoutMs);
  const signal = gone ? AbortSignal.any([gone, timeout]) : timeout;
  return decide({ ...deciding, tagWords, signal }, question, first);
}

/** Tells which memories are still there: a model thinks for seconds, others have their turn, and what is deleted meanwhile is told to nobody any more. */
function standing(
  { memories }: AskDeps,
  looks: readonly Look[],
): (one: Pick<Candidate, 'memory'>) => boolean {
  const there = new Set(
    looks.flatMap(({ scope, ranked }) => [
      ...memories
        .byId(
          scope,
          ranked.map(({ memory }) => memory.id),
        )
        .keys(),
    ]),
  );
  return ({ memory }) => there.has(memory.id);
}

/** What is so old, a model's answer is told as of its day. */
const OLD_MS = 365 * 86_400_000;

/** What the model answered, or what it quoted rightly though not what it made of it; undefined where it decided nothing. */
function answeredByModel(
  frame: Frame,
  decision: ModelDecision | undefined,
  {
    now,
    namespace,
    asOf,
    isThere,
    isAllShown,
  }: {
    now: Date;
    namespace: string;
    asOf: number | undefined;
    /** Nothing that was found was kept from it. */
    isAllShown: boolean;
    isThere: (one: Pick<Candidate, 'memory'>) => boolean;
  },
): Answered | undefined {
  if (!decision) return undefined;
  if (decision.failed === undefined) {
    const sentences = decision.sentences.filter(({ quotes }) => quotes.every(({ from }) => isThere(from)));
    if (sentences.length > 0) return saidByModel(frame, sentences, now);
    // What it was not shown may answer.
    const answer = noAnswer(frame, { namespace, missing: [], asOf });
    return isAllShown ? { certainty: 'none', answer, memories: [] } : undefined;
  }
  const closest = quotedMemories(decision.closest.filter(({ from }) => isThere(from)));
  if (closest.length === 0) return undefined;
  const quotes = closest.map(({ memory, quote = '' }) => ({ memory, text: quote }));
  return { certainty: 'unsure', answer: quotedAnswer(frame, quotes), memories: closest };
}

/** A model's sentences with their marks; what rests on old memories alone, with their day. */
function saidByModel(frame: Frame, sentences: readonly AnswerSentence[], now: Date): Answered {
  const { answer, memories } = citedAnswer(sentences);
  const newest = Math.max(...memories.map(({ memory }) => saidAt(memory)));
  const isOld = newest < now.getTime() - OLD_MS;
  return {
    certainty: sentences.some(({ goesBeyond }) => goesBeyond) ? 'likely' : 'sure',
    answer: isOld ? `${answer} ${frame.asOf(dayOf(new Date(newest).toISOString(), frame.locale))}` : answer,
    memories,
  };
}

/** What is closest; or why nothing is told. */
function withoutModel(
  deps: AskDeps,
  frame: Frame,
  {
    first,
    ...wanted
  }: {
    first: Look;
    isThere: (one: Candidate) => boolean;
    limit: number;
  },
): Answered {
  const { scope, ranked, queries } = first;
  const words = deps.search.wordsOf(scope, queries[0] ?? '');
  const { certainty, quotes, cited, missing } = closestPassages(first, { ...wanted, words });
  if (certainty !== 'none')
    return { certainty, answer: quotedAnswer(frame, quotes), memories: cited, quoted: quotes.length };
  const asOf = pastOf(deps, scope.asOf);
  const isEmpty = ranked.length === 0 && deps.memories.newest(scope, 1).length === 0;
  const { namespace } = scope;
  const answer = isEmpty
    ? emptyAnswer(frame, namespace, asOf)
    : noAnswer(frame, { namespace, missing, asOf });
  return { certainty, answer, memories: [] };
}
