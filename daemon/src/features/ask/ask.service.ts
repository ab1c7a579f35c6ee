import type { AccountId } from '@reverie/shared/accounts/caller';
import type { askMemory, AskStage } from '@reverie/shared/contract/ask';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import type { TagWords } from '../../language/parts-of-speech.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { emptyAnswer, noAnswer, quotedAnswer } from './answer.ts';
import { readNotesAbroad } from './asked-abroad.ts';
import { citationOf, type Cited, citedAnswer } from './citing.ts';
import { decide, type Deciding, type Decision, type Look, stagesOf } from './deciding.ts';
import type { EvidenceDeps } from './evidence.ts';
import { judge, type Judgement } from './judgement.ts';
import { pointOf, spoken } from './phrasing.ts';
import type { AskFacts, AskMemories, AskSearch, Scope } from './ports.ts';
import { type Question, understand } from './question.ts';
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
  { scope, text, now }: { scope: Omit<Scope, 'among'>; text: string; now: Date },
): Promise<Look> {
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
  /** Asked each time, for it may be configured while the daemon runs. Of the account whose key it is, whatever is asked about. */
  model: (account: AccountId) => OfferedModel;
  /** How long the model may take in all, in ms; the looks between its calls count, the first one does not. */
  timeoutMs: number;
  /** Told which memories a question recalled. */
  recalled: (account: AccountId, memoryIds: readonly number[], question: string) => void;
}

/** The language model that an account may use, or why it may not use the one that is configured; undefined where none is. */
export type OfferedModel = { readonly model: LanguageModel } | { readonly withheld: string } | undefined;

/** Who asks. */
export interface Asker {
  /** Whose memories are asked about. */
  readonly account: AccountId;
  /** Whose key it is. */
  readonly payer: AccountId;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone?: AbortSignal | undefined;
}

/** Characters of a question that are read; a pasted page is no question, and would keep everybody else waiting. */
const MOST_READ = 1_000;

const ASKS_NOTHING = 'The question has no word that could be looked for: say what it is about.';

/** What is less likely than this share of the best is not cited. */
const LEAST_LIKELY = 0.01;

type Input = Parsed<typeof askMemory>['body'];

/**
 * Answers a question from the memories of a namespace. Reads only. Whether they answer it is decided by the language model where one
 * is configured (docs/decisions/0025), else, or where it fails, by the signs of the question.
 */
export async function ask(
  deps: AskDeps,
  { account, payer, gone }: Asker,
  input: Input,
): Promise<Reply<typeof askMemory>> {
  const from = deps.elapsed();
  const { question: text, namespace, as_of, limit, explain } = input;
  const asOf = as_of === undefined ? undefined : Date.parse(as_of);
  const now = new Date(input.now === undefined ? (asOf ?? deps.now()) : Date.parse(input.now));
  const look = (wanted: string) => lookFor(deps, { scope: { account, namespace, asOf }, text: wanted, now });
  const offered = deps.model(payer);
  const model = offered && 'model' in offered ? offered.model : undefined;
  const said = spoken(text.slice(0, MOST_READ).toWellFormed());
  const first = await look(model ? said : pointOf(said));
  const { question } = first.state;
  // Where nothing at all is found there is nothing to decide.
  const decision =
    model && first.state.ranked.length > 0
      ? await decided(
          { model, timeoutMs: deps.timeoutMs, lookFor: look, gone, tagWords: await deps.tagger() },
          first,
        )
      : undefined;
  const failed = offered && 'withheld' in offered ? offered.withheld : decision?.failed;
  const isThere = decision ? standing(deps, decision) : () => true;
  const abroad = decision?.failed === undefined && decision ? undefined : await readNotesAbroad(look, first);
  const ranked = (abroad?.ranked ?? first.state.ranked).filter(isThere);
  const judgement = abroad?.judgement ?? judge(deps, question, ranked);
  const byModel =
    decision?.failed === undefined
      ? decision && {
          ...decision,
          sentences: decision.sentences.filter((said) => said.from.every(isThere)),
        }
      : undefined;
  const found = byModel ? byModel.sentences.length > 0 : judgement.found;
  const { answer, memories } = found
    ? byModel
      ? citedAnswer(byModel.sentences)
      : quoted(question, ranked, limit)
    : {
        answer: unanswered(deps, first, judgement),
        memories: [],
      };
  if (gone?.aborted !== true)
    deps.recalled(
      account,
      memories.map(({ memory }) => memory.id),
      text,
    );
  const looks = decision?.looks ?? [first, ...(abroad ? [abroad.look] : [])];
  const states = looks.map(({ state }) => state);
  return {
    answer,
    citations: memories.map((answering) => citationOf(answering, states, explain)),
    latency_ms: Math.round(deps.elapsed() - from),
    found,
    model: byModel && found ? (model?.model ?? null) : null,
    ...(explain && {
      stages: stagesOf(looks),
      understood: {
        expects: [...question.expects],
        queries: [...first.state.queries.slice(1), ...(decision?.phrases ?? [])],
        decided_by: byModel ? 'model' : 'signs',
        signs_found: judgement.found,
        ...(text.length > MOST_READ && { cut: { characters: MOST_READ, of: text.length } }),
        ...(!found && { abstained: answer }),
        ...(decision && { unsupported: decision.dropped }),
        ...(failed !== undefined && { model_failed: failed }),
      },
    }),
  };
}

/** Says why there is no answer. */
function unanswered({ memories, now }: AskDeps, { state }: Look, judgement: Judgement): string {
  const { question, scope } = state;
  if (question.words.length === 0) return ASKS_NOTHING;
  // What will be known some day is not: the future is answered from the present.
  const asOf = scope.asOf !== undefined && scope.asOf < now() ? scope.asOf : undefined;
  if (state.ranked.length === 0 && memories.newest(scope, 1).length === 0)
    return emptyAnswer(scope.namespace, asOf);
  return noAnswer(judgement.found ? { mentions: [], missing: [] } : judgement, asOf);
}

/** What the model decides; its time begins once what this program needs for it is loaded. */
async function decided(
  {
    timeoutMs,
    gone,
    ...deciding
  }: Omit<Deciding, 'signal'> & Pick<Asker, 'gone'> & Pick<AskDeps, 'timeoutMs'>,
  first: Look,
): Promise<Decision> {
  // Where it cannot be loaded, the model says so when it is asked.
  await deciding.model.ready?.().catch(() => undefined);
  const timeout = AbortSignal.timeout(timeoutMs);
  return decide({ ...deciding, signal: gone ? AbortSignal.any([gone, timeout]) : timeout }, first);
}

/** Tells which memories are still there: a model thinks for seconds, and what is deleted meanwhile is told to nobody any more. */
function standing({ memories }: AskDeps, { looks }: Decision): (one: Answering) => boolean {
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

/** The answer without a model, and the memories that it may quote. */
function quoted(question: Question, ranked: readonly Answering[], limit: number): Cited {
  const best = ranked[0]?.score ?? 0;
  const memories = ranked.filter(({ score }) => score >= LEAST_LIKELY * best).slice(0, limit);
  return { answer: quotedAnswer(question, memories), memories };
}
