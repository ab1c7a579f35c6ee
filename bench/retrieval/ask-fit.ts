/**
 * Fits what orders ask's candidates (features/ask/reranking.ts) and what says "not in memory" (features/ask/judgement.ts):
 *
 *   node bench/retrieval/ask-fit.ts [--write] [--sources]
 *
 * On the tune half of the own set, and on ../calibration/near-misses.jsonl and near-misses-2.jsonl: questions about memories of their
 * own, some answered, some near misses. Prints what it does to questions that were left out of the fit (eight folds; with `--sources`
 * also to each source by what was fitted on the others alone), and the weights for reranking.ts; `--write` writes daemon/data/ask.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

import { type Alignment, alignedWith } from '../../daemon/src/features/ask/alignment.ts';
import { type Answering, featuresOf, scoreBy } from '../../daemon/src/features/ask/reranking.ts';
import { type Sign, type SigningDeps, signsOf } from '../../daemon/src/features/ask/signs.ts';
import { type Forest, FOREST, logOddsBy } from '../../daemon/src/features/ask/trees.ts';
import { auc, bestThreshold } from './abstention.ts';
import { isOffTopic, type Seen, seenQuestions, sources } from './ask-questions.ts';
import { boosted, type Growing } from './boosting.ts';
import { type Example, foldOf, listwise, logistic, type Model, sum } from './fitting.ts';

const FOLDS = 8;
/** What a question counts beside 1: the near misses written later are many, the unanswerable ones of the own set few. */
const COUNTS = {
  ownUnanswerable: 4,
  'own set, tune half': 1,
  'near-misses': 1,
  'near-misses-2': 0.5,
} as const;
/** What a question counts that has to do with nothing in memory: they are easy to write and alike. */
const OFF_TOPIC = 0.25;
/**
 * Share of the answerable questions of every source, left out of the fit, that may be declined. Of every one, for the shapes of answers
 * were written with the tune half and near-misses.jsonl in view: what is left out of the fit is not unseen there.
 */
const MOST_WRONG = 0.05;

/** Signs of which more cannot mean that less is answered. */
const RISING: readonly Sign[] = [
  ...(['type', 'typeHere', 'typeNear', 'typeInClause', 'close'] as const),
  ...(['said', 'told', 'attributes', 'nouns', 'names', 'namesHere', 'verb', 'verbNear', 'inClause'] as const),
  ...(['leastName', 'leastNameHere', 'leastNoun', 'saidMost'] as const),
];
const GROWING: Growing = {
  ...{ trees: 220, leaves: 8, rate: 0.05, least: 20, penalty: 5, rows: 0.7, columns: 0.35, seed: 1 },
  rising: Object.fromEntries(RISING.map((sign) => [sign, 1] as const)),
};

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

function countOf({ source, question }: Seen): number {
  if (isOffTopic(question)) return OFF_TOPIC;
  return source === sources[0] && question.unanswerable ? COUNTS.ownUnanswerable : COUNTS[source];
}

const rounded = ({ bias, weights }: Model): Model => ({
  bias: Number(bias.toFixed(2)),
  weights: Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(2))]),
  ),
});

interface Fit {
  order: Model;
  forest: Forest;
}

function fit(deps: SigningDeps, some: readonly Seen[]): Fit {
  const order = rounded(fitOrder(some));
  const examples = some.map((one) => ({
    row: signsOf(deps, one.state.question, inOrder(one, order)),
    yes: one.question.unanswerable !== true,
    counts: countOf(one),
  }));
  return { order, forest: boosted(examples, GROWING) };
}

interface Judged extends Seen {
  /** Log odds that it is answered. */
  certainty: number;
  /** Places of its evidence. */
  places: number[];
}

function judged(deps: SigningDeps, one: Seen, { order, forest }: Fit): Judged {
  const ordered = inOrder(one, order);
  return {
    ...one,
    certainty: logOddsBy(forest, signsOf(deps, one.state.question, ordered)),
    places: ordered.flatMap((answering, at) => (isRight(one, answering) ? [at + 1] : [])),
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const chance = ({ certainty }: { certainty: number }) => 1 / (1 + Math.exp(-certainty));

function report(name: string, of: readonly Judged[]): void {
  const answerable = of.filter(({ question }) => !question.unanswerable);
  const off = of.filter(({ question }) => isOffTopic(question));
  const share = (some: readonly unknown[], all: readonly unknown[]) => percent(some.length / all.length);
  const within = (k: number) =>
    share(
      answerable.filter(({ places }) => places.some((place) => place <= k)),
      answerable,
    );
  const base = (k: number) =>
    share(
      answerable.filter((one) => one.state.ranked.some((a) => isRight(one, a) && a.place <= k)),
      answerable,
    );
  console.log(`${name}: any@1 ${within(1)}, any@5 ${within(5)}; by search alone ${base(1)}, ${base(5)}`);
  const scores = {
    answerable: answerable.map(chance),
    unanswerable: of.filter(({ question }) => question.unanswerable && !isOffTopic(question)).map(chance),
  };
  console.log(
    `  ${answerable.length} / ${scores.unanswerable.length} questions, AUC ${auc(scores).toFixed(3)}`,
  );
  for (const most of [0.025, 0.036, MOST_WRONG, 0.07, 0.1, 0.15, 0.2]) {
    const { threshold, right, wrong } = bestThreshold(scores, most);
    const odds = Math.log(threshold / (1 - threshold)).toFixed(2);
    const others = share(
      off.filter((one) => chance(one) < threshold),
      off,
    );
    console.log(`    below ${odds}: right ${percent(right)}, off topic ${others}, wrong ${percent(wrong)}`);
  }
}

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, sources: { type: 'boolean', default: false } },
});
const { seen, deps: aligning } = await seenQuestions();
// The same sentences are read in every fold.
const known = new Map<string, Alignment>();
const deps: SigningDeps = {
  align(question, sentence) {
    const key = `${question.text}\n${sentence}`;
    const alignment = known.get(key) ?? alignedWith(aligning, question, sentence);
    known.set(key, alignment);
    return alignment;
  },
};

// Each question is judged by what was fitted without it.
const unseen: Judged[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const isOut = ({ question }: Seen) => foldOf(question.id, FOLDS) === fold;
  const fitted = fit(
    deps,
    seen.filter((one) => !isOut(one)),
  );
  unseen.push(...seen.filter(isOut).map((one) => judged(deps, one, fitted)));
}
for (const source of sources)
  report(
    `${source}, left out of the fit`,
    unseen.filter((one) => one.source === source),
  );
if (options.sources)
  for (const source of sources) {
    const fitted = fit(
      deps,
      seen.filter((one) => one.source !== source && !isOffTopic(one.question)),
    );
    report(
      `${source}, fitted on the others alone`,
      seen.filter((one) => one.source === source).map((one) => judged(deps, one, fitted)),
    );
  }

const thresholds = sources.map((source) => {
  const of = unseen.filter((one) => one.source === source && !isOffTopic(one.question));
  const scores = {
    answerable: of.filter(({ question }) => !question.unanswerable).map(chance),
    unanswerable: of.filter(({ question }) => question.unanswerable).map(chance),
  };
  return bestThreshold(scores, MOST_WRONG).threshold;
});
const { order, forest } = fit(deps, seen);
console.log('reranking.ts', order);
if (options.write) {
  mkdirSync(dirname(FOREST), { recursive: true });
  const lowest = Math.min(...thresholds);
  const least = Number(Math.log(lowest / (1 - lowest)).toFixed(2));
  const { trees, ...rest } = forest;
  const lines = trees.map((tree) => JSON.stringify(tree)).join(',\n');
  writeFileSync(FOREST, `${JSON.stringify({ least, ...rest }).slice(0, -1)},"trees":[\n${lines}\n]}\n`);
}
