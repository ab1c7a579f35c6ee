/**
 * Fits what orders ask's candidates (features/ask/reranking.ts) and what says "not in memory" (features/ask/judgement.ts):
 *
 *   node bench/retrieval/ask-fit.ts
 *
 * On the tune half of the own set, and on ../calibration/near-misses.jsonl: questions about memories of the other sets there, some
 * answered, some near misses. Prints the weights for the two files, and what they do to questions that were left out of the fit.
 */
import { join } from 'node:path';

import { z } from 'zod';

import { askMemories, askSearch, conceptNamer } from '../../daemon/src/asking.ts';
import { loadMigrations } from '../../daemon/src/db/migrations.ts';
import { openStore, type Store } from '../../daemon/src/db/open-store.ts';
import { findMachineAccount } from '../../daemon/src/features/accounts/accounts.store.ts';
import { lookFor } from '../../daemon/src/features/ask/ask.service.ts';
import { signsOf } from '../../daemon/src/features/ask/judgement.ts';
import { createLikeness } from '../../daemon/src/features/ask/likeness.ts';
import type { AskState } from '../../daemon/src/features/ask/state.ts';
import { type Answering, featuresOf, scoreBy } from '../../daemon/src/features/ask/reranking.ts';
import { createFrequencies } from '../../daemon/src/features/search/frequencies.ts';
import { createMeanings } from '../../daemon/src/features/search/meanings.ts';
import { createSegments } from '../../daemon/src/features/search/segments.ts';
import { loadTagWords } from '../../daemon/src/language/parts-of-speech.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
import { startTestDaemon } from '../../daemon/src/testing.ts';
import { auc, bestThreshold } from './abstention.ts';
import type { Batch, Item, Question } from './benchmark.ts';
import { fillDaemon } from './endpoints.ts';
import { type Example, foldOf, listwise, logistic, type Model, sum } from './fitting.ts';
import { readJsonl } from './jsonl.ts';
import { ownSet } from './own-set.ts';

const FOLDS = 8;
/** What the unanswerable questions of the own set count, beside 1 for each other question. */
const OWN_UNANSWERABLE = 4;
/** What a question counts that has to do with nothing in memory: they are easy to write and alike. */
const OFF_TOPIC = 0.25;

const folder = join(import.meta.dirname, '../calibration');
const Pair = z.object({ kind: z.string().optional(), q: z.string().optional(), m: z.string() });
const NearMiss = z.strictObject({
  id: z.string(),
  question: z.string(),
  about: z.string(),
  answered: z.boolean(),
});

/** The memories of ../calibration with its questions, those of a keyword or three left out, and the near misses. */
function calibrationSet(): Batch {
  const sources = { pairs: 'pairs.jsonl', haystack: 'haystack.jsonl' };
  // Keys that say nothing, as they are made where none is given.
  const keyOf = (about: string) => `mem_${about.replace(':', '').toLowerCase().padStart(26, '0')}`;
  const items: Item[] = [];
  const questions: Question[] = [];
  for (const [name, file] of Object.entries(sources)) {
    for (const [at, { kind, q = '', m }] of readJsonl(join(folder, file), Pair).entries()) {
      const key = keyOf(`${name}:${at}`);
      items.push({ key, value: m, metadata: {}, created_at: '2026-11-01T00:00:00Z' });
      if (name === 'pairs' && kind !== 'keyword' && q.split(' ').length > 3)
        questions.push({ id: `c${at}`, text: q, kind: 'calibration', evidence: [key], sessions: [] });
    }
  }
  for (const { id, question: text, about, answered } of readJsonl(
    join(folder, 'near-misses.jsonl'),
    NearMiss,
  )) {
    const question = {
      id,
      text,
      kind: about === 'nothing' ? 'off topic' : 'calibration',
      evidence: answered ? [keyOf(about)] : [],
      sessions: [],
    };
    questions.push(answered ? question : { ...question, unanswerable: true });
  }
  return { namespace: 'calibration', items, questions };
}

interface Seen {
  question: Question;
  own: boolean;
  state: AskState;
}

const daemon = await startTestDaemon();
const seen: Seen[] = [];
let store: Store | undefined;
try {
  const batches = [...ownSet().batches, calibrationSet()];
  for (const batch of batches) await fillDaemon({ client: daemon.call }, batch);
  store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
  const table = loadStaticTable();
  const meanings = createMeanings(table);
  const indexes = {
    embedder: table,
    segments: createSegments(table),
    meanings,
    frequencies: createFrequencies(),
  };
  const deps = {
    memories: askMemories({ store }),
    search: askSearch({ store, ...indexes }),
    facts: undefined,
    tagger: loadTagWords,
    elapsed: () => performance.now(),
    likeness: createLikeness(table),
    vectors: table,
    nameConcepts: conceptNamer(meanings),
    model: undefined,
    signal: new AbortController().signal,
  };
  const account = store.read(findMachineAccount)?.id;
  if (account === undefined) throw new Error('There is no account of the machine');
  const offTopic = batches.flatMap(({ questions }) => questions.filter(({ kind }) => kind === 'off topic'));
  for (const [at, { namespace, questions }] of batches.entries())
    for (const question of [...questions, ...(at === 0 ? offTopic : [])].filter(
      ({ half }) => half !== 'report',
    )) {
      const now = new Date(question.now ?? '2026-11-20T12:00:00Z');
      const scope = { account, namespace, asOf: undefined };
      const { state } = await lookFor(deps, { scope, text: question.text, now });
      seen.push({ question, own: question.half === 'tune', state });
    }
} finally {
  store?.close();
  await daemon.stop();
}

const isRight = ({ question }: Seen, { memory }: Answering) => question.evidence.includes(memory.key);
const inOrder = ({ state }: Seen, model: Model): Answering[] =>
  state.ranked
    .map((one) => ({ ...one, ...scoreBy(one, model) }))
    .sort((a, b) => b.score - a.score || a.place - b.place);

/** Orders the candidates: fitted on questions whose evidence is among them. */
function fitOrder(some: readonly Seen[]): Model {
  const choices = some
    .filter((one) => one.state.ranked.some((answering) => isRight(one, answering)))
    .map((one) => ({
      rows: one.state.ranked.map(featuresOf),
      right: one.state.ranked.map((answering) => isRight(one, answering)),
    }));
  const order = listwise(choices, { penalty: 0.02 });
  // What the sum means: how likely a candidate answers, among all that stand on a first page.
  const pages = some.flatMap((one): Example[] =>
    inOrder(one, order)
      .slice(0, 10)
      .map((answering) => ({
        row: { sum: sum(order, featuresOf(answering)) },
        yes: isRight(one, answering),
        counts: 1,
      })),
  );
  const { bias, weights } = logistic(pages, { penalty: 0.01 });
  const factor = weights['sum'] ?? 1;
  const scaled = Object.entries(order.weights).map(([name, weight]) => [name, weight * factor] as const);
  return { bias, weights: Object.fromEntries(scaled) };
}

function weightOf({ own, question }: Seen): number {
  if (question.kind === 'off topic') return OFF_TOPIC;
  return own && question.unanswerable ? OWN_UNANSWERABLE : 1;
}

const fitJudgement = (some: readonly Seen[], order: Model): Model =>
  logistic(
    some.map((one) => ({
      row: signsOf(one.state.question, inOrder(one, order)),
      yes: one.question.unanswerable !== true,
      counts: weightOf(one),
    })),
    { penalty: 10 },
  );

// Each question is judged by what was fitted without it.
const judged = seen.map((one) => ({ ...one, certainty: 0, places: [] as number[] }));
for (let fold = 0; fold < FOLDS; fold++) {
  const isOut = ({ question }: Seen) => foldOf(question.id, FOLDS) === fold;
  const rest = seen.filter((one) => !isOut(one));
  const order = fitOrder(rest);
  const judgement = fitJudgement(rest, order);
  for (const one of judged.filter(isOut)) {
    const ordered = inOrder(one, order);
    one.certainty = sum(judgement, signsOf(one.state.question, ordered));
    one.places = ordered.flatMap((answering, at) => (isRight(one, answering) ? [at + 1] : []));
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
for (const [name, own] of [
  ['own set, tune half', true],
  ['calibration', false],
] as const) {
  const of = judged.filter((one) => one.own === own);
  const answerable = of.filter(({ question }) => !question.unanswerable);
  const within = (k: number) =>
    percent(answerable.filter(({ places }) => places.some((place) => place <= k)).length / answerable.length);
  const base = (k: number) =>
    percent(
      answerable.filter((one) => one.state.ranked.some((a) => isRight(one, a) && a.place <= k)).length /
        answerable.length,
    );
  console.log(`${name}, left out of the fit: any@1 ${within(1)}, any@5 ${within(5)}, any@10 ${within(10)}`);
  console.log(`  by search alone:        any@1 ${base(1)}, any@5 ${base(5)}, any@10 ${base(10)}`);
  const chance = ({ certainty }: { certainty: number }) => 1 / (1 + Math.exp(-certainty));
  const scores = {
    answerable: answerable.map(chance),
    unanswerable: of
      .filter(({ question }) => question.unanswerable && question.kind !== 'off topic')
      .map(chance),
  };
  console.log(`  not in memory: AUC ${auc(scores).toFixed(3)}`);
  for (const most of [0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2]) {
    const { threshold, right, wrong } = bestThreshold(scores, most);
    const off = judged.filter(({ question }) => question.kind === 'off topic');
    const rightOff = off.filter((one) => chance(one) < threshold).length / off.length;
    console.log(
      `    below ${threshold.toFixed(3)} (log odds ${Math.log(threshold / (1 - threshold)).toFixed(2)}): right ${percent(right)}, off topic ${percent(rightOff)}, wrong ${percent(wrong)}`,
    );
  }
}
const order = fitOrder(seen);
const shown = ({ bias, weights }: Model) => ({
  bias: Number(bias.toFixed(2)),
  weights: Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(2))]),
  ),
});
console.log('reranking.ts', shown(order));
console.log('judgement.ts', shown(fitJudgement(seen, order)));
