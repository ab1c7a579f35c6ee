import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import type { askMemory, AskStage } from '@reverie/shared/contract/ask';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { Elsewhere } from '@reverie/shared/contract/search';
import type { Reply } from '@reverie/shared/contract/route';
import type { TagWords } from '../../language/parts-of-speech.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { createYielding, type YieldToOthers } from '../../platform/yielding.ts';
import { emptyAnswer, noAnswer } from './answer.ts';
import { decide, type Deciding, type ModelDecision, type Look } from './model/deciding.ts';
import { frameOf } from './frames.ts';
import type { EvidenceDeps } from './reading/evidence.ts';
import { MOST_READ, pointOf, spoken } from './question/phrasing.ts';
import type { AskFacts, AskMemories, AskSearch, AskScope } from './ports.ts';
import { understand } from './question/question.ts';
import type { Answering } from './reading/reranking.ts';
import { type AskInput, replyOf } from './reply.ts';
import { quotedAnswer } from './without-model/quoted-answer.ts';
import { factLookup } from './stages/fact-lookup.ts';
import { fullContextFallback } from './stages/full-context-fallback.ts';
import { keywordFallback } from './stages/keyword-fallback.ts';
import { queryExpansion } from './stages/query-expansion.ts';
import { rerank } from './stages/rerank.ts';
import { vectorSearch } from './stages/vector-search.ts';
import { type AskState, candidateIds, type Stage } from './state.ts';
import { answerOf, certaintyOf, type AskVerdict, verdictOf } from './verdict.ts';

/** What the stages need. */
export interface LookingDeps extends EvidenceDeps {
  memories: AskMemories;
  search: AskSearch;
  facts: AskFacts | undefined;
  /** Called between the pieces of the work. */
  yieldToOthers: YieldToOthers;
  /** Loaded when it is first needed. */
  tagger: () => Promise<TagWords>;
  /** Milliseconds that have passed since some moment. */
  elapsed: () => number;
}

const STAGES: readonly Stage<LookingDeps>[] = [
  factLookup,
  queryExpansion,
  vectorSearch,
  keywordFallback,
  fullContextFallback,
  rerank,
];

/** Runs the six stages in their order. */
export async function lookFor(
  deps: LookingDeps,
  { scope, text, now }: { scope: Omit<AskScope, 'among'>; text: string; now: Date },
): Promise<Look> {
  const among = scope.asOf === undefined ? undefined : deps.memories.existing(scope);
  const whole: AskScope = { ...scope, among };
  await deps.search.prepare?.(whole, text, now);
  const tagWords = await deps.tagger();
  await deps.yieldToOthers();
  const question = understand(
    { text, now, isPast: among !== undefined },
    {
      rarity: (words) => deps.search.rarity(whole, words),
      tagWords,
      nameConcepts: deps.nameConcepts,
    },
  );
  let state: AskState = {
    ...{ scope: whole, question, queries: [text] },
    ...{ found: [], facts: [], ranked: [] },
  };
  const stages: AskStage[] = [];
  for (const { name, run } of STAGES) {
    await deps.yieldToOthers();
    const from = deps.elapsed();
    const step = await run(deps, state);
    if ('state' in step) ({ state } = step);
    stages.push({
      name,
      latency_ms: Number((deps.elapsed() - from).toFixed(3)),
      candidates: name === 'rerank' ? state.ranked.length : candidateIds(state).length,
      ...('skipped' in step && { skipped: step.skipped }),
    });
  }
  return { state, stages };
}

export interface AskDeps extends Omit<LookingDeps, 'yieldToOthers'> {
  now: () => number;
  /** Asked each time, for it may be configured while the daemon runs. Of the account whose key it is, for what is asked about. */
  model: (payer: AccountId, scope: Pick<AskScope, 'account' | 'namespace' | 'readable'>) => AccountModel;
  /** Which namespaces of an account a model may see, where all are asked about. */
  visibleTo?: (account: AccountId, model: LanguageModel) => Readable;
  /** How long the model may take in all, in ms; the looks between its calls count, the first one does not. */
  timeoutMs: number;
  /** Where another namespace is likely to answer. */
  elsewhere?: (
    scope: Omit<AskScope, 'among'>,
    asked: { query: string; yieldToOthers: YieldToOthers },
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

/**
 * Answers a question from the memories of a namespace, or of every one that may be read. Reads only. Whether they answer it is decided by the language model where one
 * is configured (docs/decisions/0025), else, or where it fails, by the signs of the question.
 */
export async function ask(
  deps: AskDeps,
  { account, payer, readable, gone }: Asker,
  input: AskInput,
): Promise<Reply<typeof askMemory>> {
  const from = deps.elapsed();
  const { question: text, namespace, as_of, limit } = input;
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const now = new Date(input.now === undefined ? (asOf ?? deps.now()) : Date.parse(input.now));
  const yieldToOthers = createYielding(deps.elapsed);
  const looking = { ...deps, yieldToOthers };
  const scope: AskScope = { account, namespace, readable, asOf, among: undefined };
  const look = (wanted: string) => lookFor(looking, { scope, text: wanted, now });
  const { model, withheld } = modelFor(deps, payer, scope);
  const said = spoken(text.slice(0, MOST_READ).toWellFormed());
  // A model knows misspelt words, and is asked what was written; what was said once no index knows.
  const respelled = !model && asOf === undefined ? await deps.search.respell?.(scope, said) : undefined;
  const corrected = respelled?.corrected ?? [];
  const first = await look(model ? said : pointOf(respelled?.text ?? said));
  const { question } = first.state;
  // Where nothing at all is found there is nothing to decide.
  const decision =
    model && first.state.ranked.length > 0
      ? await decided(
          { model, timeoutMs: deps.timeoutMs, lookFor: look, gone, tagWords: await deps.tagger() },
          first,
        )
      : undefined;
  const isThere = standing(deps, decision?.looks ?? [first]);
  const verdict = verdictOf(decision, {
    isThere,
    ranked: first.state.ranked,
    isRespelled: corrected.length > 0,
    tell: () => quotedAnswer(first.state, { isThere, limit }),
  });
  const found = certaintyOf(verdict) !== 'none';
  const { answer, memories } = found
    ? answerOf(question, verdict)
    : { answer: unanswered(deps, first, verdict), memories: [] };
  if (gone?.aborted !== true)
    deps.recalled(
      account,
      memories.map(({ memory }) => memory.id),
      text,
    );
  // As it was written: a word that is misspelt here may stand there just so.
  const query = corrected.length > 0 ? pointOf(said) : question.asked;
  const isNear = found && !('told' in verdict && verdict.told.judged.isFar);
  const isAlone =
    isNear || namespace === EVERY_NAMESPACE || asOf !== undefined || question.words.length === 0;
  const elsewhere = isAlone ? [] : ((await deps.elsewhere?.(scope, { query, yieldToOthers })) ?? []);
  return replyOf(input, {
    ...{ first, corrected, decision, verdict, answer, memories, elsewhere },
    model: model?.model,
    failed: withheld ?? decision?.failed,
    elapsed: () => deps.elapsed() - from,
  });
}

/** The model that is asked, or why none is where one is configured. */
function modelFor(
  deps: Pick<AskDeps, 'model'>,
  payer: AccountId,
  scope: AskScope,
): { model?: LanguageModel; withheld?: string } {
  return deps.model(payer, scope) ?? {};
}

/** Says why there is no answer. */
function unanswered({ memories, now }: AskDeps, { state }: Look, verdict: AskVerdict): string {
  const { question, scope } = state;
  const frame = frameOf(question.language);
  if (question.words.length === 0) return frame.asksNothing;
  // What will be known some day is not: the future is answered from the present.
  const asOf = scope.asOf !== undefined && scope.asOf < now() ? scope.asOf : undefined;
  if (state.ranked.length === 0 && memories.newest(scope, 1).length === 0)
    return emptyAnswer(frame, scope.namespace, asOf);
  return noAnswer(frame, 'told' in verdict ? verdict.told.judged.missing : [], asOf);
}

/** What the model decides; its time begins once what this program needs for it is loaded. */
async function decided(
  {
    timeoutMs,
    gone,
    ...deciding
  }: Omit<Deciding, 'signal'> & Pick<Asker, 'gone'> & Pick<AskDeps, 'timeoutMs'>,
  first: Look,
): Promise<ModelDecision> {
  // Where it cannot be loaded, the model says so when it is asked.
  await deciding.model.ready?.().catch(() => undefined);
  const timeout = AbortSignal.timeout(timeoutMs);
  return decide({ ...deciding, signal: gone ? AbortSignal.any([gone, timeout]) : timeout }, first);
}

/** Tells which memories are still there: a model thinks for seconds, others have their turn, and what is deleted meanwhile is told to nobody any more. */
function standing({ memories }: AskDeps, looks: readonly Look[]): (one: Answering) => boolean {
  const there = new Set(
    looks.flatMap(({ state: { scope, ranked } }) => [
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
