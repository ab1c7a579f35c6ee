import type { AccountId } from '@reverie/shared/accounts/caller';
import type { askMemory, AskStage, Citation } from '@reverie/shared/contract/ask';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { TagWords } from '../../language/parts-of-speech.ts';
import { type LanguageModel, ModelFailure } from '../../models/language-model.ts';
import { dateOf, noAnswer, quotedAnswer } from './answer.ts';
import { composedAnswer } from './composing.ts';
import type { EvidenceDeps } from './evidence.ts';
import { judge } from './judgement.ts';
import type { AskFacts, AskMemories, AskSearch, Scope } from './ports.ts';
import { understand } from './question.ts';
import type { Answering } from './reranking.ts';
import { factLookup } from './stages/fact-lookup.ts';
import { fullContextFallback } from './stages/full-context-fallback.ts';
import { keywordFallback } from './stages/keyword-fallback.ts';
import { queryExpansion } from './stages/query-expansion.ts';
import { rerank } from './stages/rerank.ts';
import { vectorSearch } from './stages/vector-search.ts';
import { type AskState, candidateIds, type Stage } from './state.ts';

/** What the stages need. */
export interface LookingDeps extends EvidenceDeps {
  memories: AskMemories;
  search: AskSearch;
  facts: AskFacts | undefined;
  /** Loaded when it is first needed. */
  tagger: () => Promise<TagWords>;
  /** Milliseconds that have passed since some moment. */
  elapsed: () => number;
}

export interface Thinking {
  model: LanguageModel | undefined;
  signal: AbortSignal;
}

const STAGES: readonly Stage<LookingDeps & Thinking>[] = [
  factLookup,
  queryExpansion,
  vectorSearch,
  keywordFallback,
  fullContextFallback,
  rerank,
];

/** Runs the six stages in their order. */
export async function lookFor(
  deps: LookingDeps & Thinking,
  { scope, text, now }: { scope: Omit<Scope, 'among'>; text: string; now: Date },
): Promise<{ state: AskState; stages: AskStage[] }> {
  const among = scope.asOf === undefined ? undefined : deps.memories.newest(scope, Number.MAX_SAFE_INTEGER);
  const whole: Scope = { ...scope, among };
  await deps.search.prepare?.(text, now);
  const question = understand(
    { text, now },
    {
      rarity: (words) => deps.search.rarity(whole, words),
      tagWords: await deps.tagger(),
      nameConcepts: deps.nameConcepts,
    },
  );
  let state: AskState = { scope: whole, question, queries: [text], found: [], facts: [], ranked: [] };
  const stages: AskStage[] = [];
  for (const { name, run } of STAGES) {
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

export interface AskDeps extends LookingDeps {
  now: () => number;
  /** Asked each time, for it may be configured while the daemon runs. */
  model: () => LanguageModel | undefined;
  /** How long the model may take in all, in ms. */
  timeoutMs: number;
  /** Told which memories a question recalled. */
  recalled: (account: AccountId, memoryIds: readonly number[], question: string) => void;
}

/** What is less likely than this share of the best is not cited. */
const LEAST_LIKELY = 0.01;

type Input = Parsed<typeof askMemory>['body'];

/** Answers a question from the memories of a namespace. Reads only; a model that fails is passed over. */
export async function ask(deps: AskDeps, account: AccountId, input: Input): Promise<Reply<typeof askMemory>> {
  const from = deps.elapsed();
  const { question: text, namespace, as_of, limit, explain } = input;
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const now = input.now === undefined ? (asOf ?? deps.now()) : Date.parse(input.now);
  const model = deps.model();
  const signal = model ? AbortSignal.timeout(deps.timeoutMs) : new AbortController().signal;
  const scope = { account, namespace, asOf };
  const { state, stages } = await lookFor({ ...deps, model, signal }, { scope, text, now: new Date(now) });
  const { question, ranked } = state;
  const judgement = judge(deps, question, ranked);
  const best = ranked[0]?.score ?? 0;
  const likely = ranked.filter(({ score }) => score >= LEAST_LIKELY * best);
  const cited = judgement.found ? likely.slice(0, limit) : [];
  deps.recalled(
    account,
    cited.map(({ memory }) => memory.id),
    text,
  );
  const composed = judgement.found && model ? await compose({ model, signal }, question, cited) : {};
  const answer = judgement.found
    ? (composed.answer ?? quotedAnswer(question, cited))
    : noAnswer(judgement, asOf);
  return {
    answer,
    citations: cited.map((answering) => citationOf(state, answering, explain)),
    latency_ms: Math.round(deps.elapsed() - from),
    found: judgement.found,
    model: composed.answer === undefined ? null : (model?.model ?? null),
    ...(explain && {
      stages,
      understood: {
        expects: [...question.expects],
        queries: state.queries.slice(1),
        ...(!judgement.found && { abstained: answer }),
        ...(composed.failed !== undefined && { model_failed: composed.failed }),
      },
    }),
  };
}

async function compose(
  thinking: { model: LanguageModel; signal: AbortSignal },
  question: AskState['question'],
  cited: readonly Answering[],
): Promise<{ answer?: string; failed?: string }> {
  try {
    const answer = await composedAnswer(thinking, question, cited);
    return answer === undefined ? { failed: 'It said nothing that the memories support' } : { answer };
  } catch (cause) {
    if (cause instanceof ModelFailure) return { failed: cause.message };
    throw cause;
  }
}

function citationOf(
  state: AskState,
  { memory, score, evidence, boosts }: Answering,
  explain: boolean,
): Citation {
  const { key, value, namespace, metadata, created_at, updated_at, id } = memory;
  const date = dateOf(memory, state.question);
  const streams = state.found.flatMap(({ name, hits }) => {
    const at = hits.findIndex((hit) => hit.id === id);
    return at < 0 ? [] : [{ name, rank: at + 1 }];
  });
  const facts = state.facts
    .filter(({ memoryId }) => memoryId === id)
    .map(({ subject, predicate, object, valid_from, superseded }) => ({
      subject,
      predicate,
      object,
      superseded,
      ...(valid_from !== undefined && { valid_from }),
    }));
  return {
    ...{ key, value, score, namespace, metadata, created_at, updated_at },
    quote: evidence.passage?.text ?? value.slice(0, 600).toWellFormed(),
    ...(date !== undefined && { date }),
    ...(explain && { why: { streams, boosts: [...boosts], ...(facts.length > 0 && { facts }) } }),
  };
}
