/**
 * Fits what orders ask's candidates (features/ask/reranking.ts) and what says "not in memory" (features/ask/judgement.ts):
 *
 *   node bench/retrieval/ask-fit.ts [--write] [--sources]
 *
 * On the tune half of the own set, and on ../calibration/near-misses.jsonl and near-misses-2.jsonl: questions about memories of their
 * own, some answered, some near misses. Prints what it does to questions that were left out of the fit (five folds by memory; with `--sources`
 * also to each source by what was fitted on the others alone), and the weights for reranking.ts; `--write` writes daemon/data/ask.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

import { alignedWith } from '../../daemon/src/features/ask/alignment.ts';
import type { Nets } from '../../daemon/src/features/ask/judgement-nets.ts';
import { type Answering, featuresOf, scoreBy } from '../../daemon/src/features/ask/reranking.ts';
import { createAttributeSigns } from '../../daemon/src/features/ask/signs-of-attributes.ts';
import { type Sign, type SigningDeps, signsOf } from '../../daemon/src/features/ask/signs.ts';
import { certaintyBy, type Forest, FOREST } from '../../daemon/src/features/ask/trees.ts';
import { loadAttributes } from '../../daemon/src/language/attributes.ts';
import { auc, bestThreshold } from './abstention.ts';
import { isFromElsewhere, isOffTopic, type Seen, seenQuestions, sources } from './ask-questions.ts';
import { boosted, type Growing } from './boosting.ts';
import { type Example, foldOf, listwise, logistic, type Model, sum } from './fitting.ts';
import { fittedNets, type Learning } from './fitting-nets.ts';

const FOLDS = 5;
/** What a question counts: the unanswerable ones of the own set are few. */
const COUNTS = {
  ownUnanswerable: 4,
  'own set, tune half': 1,
  'near-misses': 1,
  'near-misses-2': 1,
} as const;
/** What a question counts that has to do with nothing in memory: they are easy to write and alike. */
const OFF_TOPIC = 0.25;
/** … and one that was written for other memories: they are many. */
const FROM_ELSEWHERE = 0.1;
/**
 * Share of the answerable questions of every source, left out of the fit, that may be declined. Of every one, for the shapes of answers
 * were written with the tune half and near-misses.jsonl in view: what is left out of the fit is not unseen there.
 */
const MOST_WRONG = 0.04;

/** Signs of which more cannot mean that less is answered. */
const RISING: readonly Sign[] = [
  ...(['type', 'typeHere', 'typeNear', 'typeInClause', 'close'] as const),
  ...(['said', 'told', 'attributes', 'nouns', 'names', 'namesHere', 'verb', 'verbNear', 'inClause'] as const),
  ...(['leastName', 'leastNameHere', 'leastNoun', 'saidMost', 'saidByBest', 'leastNounOfAny'] as const),
  ...(['attributeHere', 'attributeTold', 'attributeAny', 'attributeFirstHere'] as const),
  ...([
    'attributeFirstTold',
    'attributeShare',
    'kindHere',
    'kindTold',
    'nearerToAsked',
    'ownerNear',
  ] as const),
];
/** … and of which more cannot mean that more is. */
const FALLING: readonly Sign[] = ['absent', 'nearerToOthers', 'kindDiffers'];
const GROWING: Growing = {
  ...{ trees: 440, leaves: 10, rate: 0.025, least: 20, penalty: 5, rows: 0.7, columns: 0.2, seed: 1 },
  rising: Object.fromEntries([
    ...RISING.map((sign) => [sign, 1] as const),
    ...FALLING.map((sign) => [sign, -1] as const),
  ]),
};

const LEARNING: Learning = {
  ...{ nets: 5, units: 24, rounds: 60, batch: 128, rate: 0.002, penalty: 0.002 },
  ...{ inputsOut: 0.2, unitsOut: 0.3, seed: 1 },
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
  if (isFromElsewhere(question)) return FROM_ELSEWHERE;
  if (isOffTopic(question)) return OFF_TOPIC;
  return source === sources[0] && question.unanswerable ? COUNTS.ownUnanswerable : COUNTS[source];
}

const rounded = ({ bias, weights }: Model): Model => ({
  bias: Number(bias.toFixed(2)),
  weights: Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(2))]),
  ),
});

/** A question with its signs. */
interface Signed extends Seen {
  example: Example;
  /** Places of its evidence. */
  places: number[];
}

function signed(deps: SigningDeps, one: Seen, order: Model): Signed {
  const ordered = inOrder(one, order);
  const row = signsOf(deps, one.state.question, ordered);
  return {
    ...one,
    example: { row, yes: one.question.unanswerable !== true, counts: countOf(one) },
    places: ordered.flatMap((answering, at) => (isRight(one, answering) ? [at + 1] : [])),
  };
}

function fit(some: readonly Signed[]): Forest & Nets {
  const examples = some.map(({ example }) => example);
  return { ...fittedNets(examples, LEARNING), ...boosted(examples, GROWING) };
}

interface Judged extends Signed {
  /** Log odds that it is answered. */
  certainty: number;
}

const judged = (one: Signed, fitted: Forest & Nets): Judged => ({
  ...one,
  certainty: certaintyBy(fitted, one.example.row),
});

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const chance = ({ certainty }: { certainty: number }) => 1 / (1 + Math.exp(-certainty));

function report(name: string, of: readonly Judged[]): void {
  const answerable = of.filter(({ question }) => !question.unanswerable);
  const elsewhere = of.filter(({ question }) => isFromElsewhere(question));
  const off = of.filter(({ question }) => isOffTopic(question) && !isFromElsewhere(question));
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
  for (const most of [0.025, MOST_WRONG, 0.05, 0.07, 0.1, 0.15, 0.2]) {
    const { threshold, right, wrong } = bestThreshold(scores, most);
    const odds = Math.log(threshold / (1 - threshold)).toFixed(2);
    const declined = (some: readonly Judged[]) =>
      share(
        some.filter((one) => chance(one) < threshold),
        some,
      );
    console.log(
      `    below ${odds}: right ${percent(right)}, off topic ${declined(off)}, ` +
        `from elsewhere ${declined(elsewhere)}, wrong ${percent(wrong)}`,
    );
  }
}

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, sources: { type: 'boolean', default: false } },
});
const { seen, deps: aligning } = await seenQuestions();
// Its eleven weights are fitted once, on all questions: what is left out of a fit hardly moves them.
const order = rounded(fitOrder(seen));
const deps: SigningDeps = {
  attributeSigns: createAttributeSigns(loadAttributes()),
  align: (question, sentence) => alignedWith(aligning, question, sentence),
};
const all = seen.map((one) => signed(deps, one, order));

// Each question is judged by what was fitted without it.
const unseen: Judged[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const isOut = ({ group }: Seen) => foldOf(group, FOLDS) === fold;
  const fitted = fit(all.filter((one) => !isOut(one)));
  unseen.push(...all.filter(isOut).map((one) => judged(one, fitted)));
}
for (const source of sources)
  report(
    `${source}, left out of the fit`,
    unseen.filter((one) => one.source === source),
  );
const strangers: Judged[] = [];
if (options.sources || options.write)
  for (const source of sources) {
    // What has to do with nothing here may be a question of the source that is left out.
    const fitted = fit(all.filter((one) => one.source !== source && !isOffTopic(one.question)));
    const of = all.filter((one) => one.source === source).map((one) => judged(one, fitted));
    report(`${source}, fitted on the others alone`, of);
    strangers.push(...of);
  }

/** The greatest odds below which at most so many of a source's answerable questions lie. */
function thresholdOf(judgements: readonly Judged[], source: string): number {
  const odds = judgements
    .filter((one) => one.source === source && !one.question.unanswerable)
    .map(({ certainty }) => certainty)
    .sort((a, b) => a - b);
  return odds[Math.floor(MOST_WRONG * odds.length)] ?? 0;
}
console.log('reranking.ts', order);
if (options.write) {
  const thresholds = sources.flatMap((source) => [unseen, strangers].map((of) => thresholdOf(of, source)));
  console.log('thresholds', thresholds.map((odds) => odds.toFixed(2)).join(' '));
  const least = Number((Math.min(...thresholds) - 0.005).toFixed(2));
  const { trees, nets, ...rest } = fit(all);
  const lines = (some: readonly unknown[]) => some.map((one) => JSON.stringify(one)).join(',\n');
  mkdirSync(dirname(FOREST), { recursive: true });
  writeFileSync(
    FOREST,
    `${JSON.stringify({ least, ...rest }).slice(0, -1)},"nets":[\n${lines(nets)}\n],"trees":[\n${lines(trees)}\n]}\n`,
  );
}
