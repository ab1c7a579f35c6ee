/**
 * Fits the model of daemon/src/features/search/ranking/calibration.ts and says what its scores mean:
 *
 *   node bench/calibration/fit.ts
 *
 * On the tune half of the own retrieval set, and on every second line of `pairs.jsonl` among `haystack.jsonl`; the figures are
 * of questions that the weights were not fitted on (five folds; for the pairs the other lines). The weights are copied into the
 * code by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { calibrate, inputsOf } from '../../daemon/src/features/search/ranking/calibration.ts';
import { ownMemories, ownSet } from '../retrieval/sets/own-set.ts';
import { type Asked, collect, type Judged, type Seen, type Stored } from './collect.ts';
import { fitOrder, fitScale } from './regression.ts';

interface Pair {
  kind: string;
  q: string;
  m: string;
}

/** Questions of one source, with how much each counts. */
interface Source {
  name: string;
  weight: number;
  seen: Seen[];
}

const read = (file: string): Pair[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair);

async function ownTuneHalf(): Promise<Source> {
  const [batch] = [...ownSet().batches];
  const questions = (batch?.questions ?? [])
    .filter(({ half, unanswerable }) => half === 'tune' && !unanswerable)
    .map(({ text, kind, evidence }): Asked => ({ text, kind, evidence }));
  return { name: 'own set, tune half', weight: 1, seen: await collect(ownMemories(), questions) };
}

async function calibrationPairs(): Promise<Source> {
  const pairs = read('pairs.jsonl');
  const stored = [...pairs, ...read('haystack.jsonl')].map(({ m }, at): Stored => ({
    key: `${at}`,
    value: m,
    metadata: {},
  }));
  const questions = pairs.map(({ q, kind }, at): Asked => ({ text: q, kind, evidence: [`${at}`] }));
  return { name: 'pairs', weight: 0.5, seen: await collect(stored, questions) };
}

/** Inputs that are fitted; a phrase is too seldom to tell anything. */
const FITTED = ['cosine', 'sentence', 'coverage', 'match', 'concepts', 'alike', 'follows'] as const;

const valuesOf = ({ features }: Judged): number[] => {
  const inputs = inputsOf(features);
  return FITTED.map((name) => inputs.find(({ feature }) => feature === name)?.value ?? 0);
};

interface Row {
  source: Source;
  seen: Seen;
  values: number[][];
  relevant: boolean[];
}

const rows = [await ownTuneHalf(), await calibrationPairs()].flatMap((source) =>
  source.seen.map((seen): Row => ({
    source,
    seen,
    values: seen.candidates.map(valuesOf),
    relevant: seen.candidates.map(({ relevant }) => relevant),
  })),
);

/** The order is fitted first, question by question; then one scale and one bias for all, so that a score is a probability. */
function fit(some: readonly Row[]): number[] {
  const questions = some.map(({ values, relevant, source }) => ({ values, relevant, weight: source.weight }));
  const order = fitOrder(questions);
  const { scale, bias } = fitScale(questions, order);
  return [bias, ...order.map((weight) => weight * scale)];
}

const say = (text: string) => process.stdout.write(`${text}\n`);
const sumOf = (weights: readonly number[], values: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + value * (weights[i + 1] ?? 0), weights[0] ?? 0);
const quantiles = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.05, 0.25, 0.5, 0.75, 0.95]
    .map((share) => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(3))
    .join('  ');
};

const final = fit(rows);
say(`bias ${(final[0] ?? 0).toFixed(2)}`);
for (const [i, name] of FITTED.entries()) say(`${name} ${(final[i + 1] ?? 0).toFixed(2)}`);

const FOLDS = 5;
const held = new Map<Row, number[]>();
for (let fold = 0; fold < FOLDS; fold++) {
  const weights = fit(rows.filter((_, at) => at % FOLDS !== fold));
  for (const row of rows.filter((_, at) => at % FOLDS === fold)) held.set(row, weights);
}

/** Places of the first candidate that answers; Infinity where none does. */
const placeIn = ({ relevant }: Row, scores: readonly number[]): number => {
  const best = Math.max(-Infinity, ...scores.filter((_, at) => relevant[at]));
  return best === -Infinity ? Infinity : scores.filter((score) => score > best).length;
};

function report(name: string, some: readonly Row[]): void {
  const within = (places: readonly number[], k: number) =>
    ((100 * places.filter((place) => place < k).length) / places.length).toFixed(1);
  for (const [by, scoresOf] of [
    ['held-out folds', (row: Row) => row.values.map((values) => sumOf(held.get(row) ?? final, values))],
    ['code as it is', (row: Row) => row.seen.candidates.map(({ features }) => calibrate(features).score)],
  ] as const) {
    const places = some.map((row) => placeIn(row, scoresOf(row)));
    say(`${name.padEnd(34)} ${by}: any@1/5/10 ${[1, 5, 10].map((k) => within(places, k)).join(' / ')}`);
  }
}

say('');
for (const name of new Set(rows.map(({ source }) => source.name))) {
  const some = rows.filter(({ source }) => source.name === name);
  report(name, some);
  for (const kind of new Set(some.map(({ seen }) => seen.asked.kind)))
    report(
      `  ${kind}`,
      some.filter(({ seen }) => seen.asked.kind === kind),
    );
}

say('\nscores of the code as it is: 5 %    25 %   50 %   75 %   95 %   (candidates that were read)');
for (const name of new Set(rows.map(({ source }) => source.name))) {
  const all = rows.filter(({ source }) => source.name === name).flatMap(({ seen }) => seen.candidates);
  for (const relevant of [true, false]) {
    const scores = all
      .filter((one) => one.relevant === relevant)
      .map(({ features }) => calibrate(features).score);
    const low = scores.filter((score) => score < 0.2).length / scores.length;
    say(
      `${name}, ${relevant ? 'answers' : 'does not'}: ${quantiles(scores)}  below .2: ${(100 * low).toFixed(1)} %`,
    );
  }
}
