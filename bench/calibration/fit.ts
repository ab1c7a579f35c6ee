/**
 * Fits the logistic model of daemon/src/features/search/calibration.ts and says what its scores mean:
 *
 *   node bench/calibration/fit.ts [MORE_MEMORIES.jsonl ...]
 *
 * `pairs.jsonl` holds questions and the memory that answers each, written for this and used for nothing else. Every second one
 * is fitted on; the figures are of the others. `haystack.jsonl`, 1,000 memories from the table's training pairs (CC0), and further
 * files only stand among those searched.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { calibrate, type CandidateFeatures } from '../../daemon/src/features/search/calibration.ts';
import { coverageOf } from '../../daemon/src/features/search/coverage.ts';
import { fuse } from '../../daemon/src/features/search/fusion.ts';
import {
  indexedText,
  matchExpression,
  queryTerms,
  tokenWeights,
  type QueryTerm,
} from '../../daemon/src/features/search/terms.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';

interface Pair {
  area: string;
  kind: string;
  q: string;
  m: string;
}

/** A query with one memory, and whether that is the one which answers. */
interface Judged {
  pair: Pair;
  held: boolean;
  relevant: boolean;
  /** Place in the first page; 0 for the best, undefined where it is not on it. */
  place: number | undefined;
  /** Place on a page of three times the size. */
  widePlace: number | undefined;
  features: CandidateFeatures;
}

const read = (file: string): Pair[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair);

const pairs = read(join(import.meta.dirname, 'pairs.jsonl'));
const others = [join(import.meta.dirname, 'haystack.jsonl'), ...process.argv.slice(2)];
const memories = [...pairs, ...others.flatMap(read)].map((pair) => pair.m);
const table = loadStaticTable();
const vectors = memories.map((text) => table.encode(text));
const db = new Database(':memory:');
db.exec(`CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'porter unicode61 remove_diacritics 2')`);
const insert = db.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
for (const [id, text] of memories.entries()) insert.run(id, indexedText(text));
const matches = db.prepare<[string], { id: number; score: number }>(
  'SELECT rowid AS id, -bm25(t) AS score FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 200',
);
const counts = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM t WHERE t MATCH ?');
const df = (term: QueryTerm): number => counts.get(term.match)?.n ?? 0;
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

function judge(pair: Pair, answer: number, held: boolean): Judged[] {
  const terms = queryTerms(pair.q);
  const query = table.encode(pair.q, tokenWeights(terms, df, memories.length));
  const known = query.some((x) => x !== 0);
  const cosines = vectors.map((vector, id) => ({ id, cosine: dot(query, vector) }));
  const expression = matchExpression(terms);
  const found = expression === '' ? [] : matches.all(expression);
  const page = fuse(found, cosines, 10).map((hit) => hit.id);
  const wide = fuse(found, cosines, 30).map((hit) => hit.id);
  const coverage = coverageOf(terms, df, memories.length);
  const best = found[0]?.score ?? 0;
  const lexical = new Map(found.map((hit) => [hit.id, best > 0 ? hit.score / best : 0]));
  return cosines.map(({ id, cosine }) => {
    const text = memories[id] ?? '';
    const place = page.indexOf(id);
    return {
      pair,
      held,
      relevant: id === answer,
      place: place < 0 ? undefined : place,
      widePlace: wide.includes(id) ? wide.indexOf(id) : undefined,
      features: {
        cosine,
        coverage: coverage(text),
        lexical: lexical.get(id) ?? 0,
        phrase: / /.test(pair.q) && text.toLowerCase().includes(pair.q.toLowerCase()),
        exact: false,
        hasVector: known,
      },
    };
  });
}

const judged = pairs.flatMap((pair, at) => judge(pair, at, at % 2 === 1));

/** Inputs of the model with vectors, and of the one without. */
const inputs = {
  withVector: ({ cosine, coverage, lexical, phrase }: CandidateFeatures): number[] => [
    1,
    Math.max(0, cosine),
    coverage,
    lexical * coverage,
    phrase ? 1 : 0,
  ],
  wordsOnly: ({ coverage, lexical, phrase }: CandidateFeatures): number[] => [
    1,
    coverage,
    lexical * coverage,
    phrase ? 1 : 0,
  ],
};

/** Of the pairs that no page shows, every so many are fitted on: they are many and alike. */
const CHANCE_STEP = 41;

/** Logistic regression by gradient steps, a small penalty on large weights, and none below zero but the first. */
function fit(inputOf: (features: CandidateFeatures) => number[], rows: readonly Judged[]): number[] {
  // Half of the mass is relevant; of the rest one half are what a page shows in vain, and one half any others.
  const groups = [
    { share: 0.5, rows: rows.filter((row) => row.relevant) },
    { share: 0.25, rows: rows.filter((row) => !row.relevant && row.place !== undefined) },
    {
      share: 0.25,
      rows: rows.filter((row, at) => !row.relevant && row.place === undefined && at % CHANCE_STEP === 0),
    },
  ];
  const samples = groups.flatMap(({ share, rows: group }) =>
    group.map((row) => ({ x: inputOf(row.features), y: row.relevant ? 1 : 0, w: share / group.length })),
  );
  const beta = (samples[0]?.x ?? []).map(() => 0);
  for (let step = 0; step < 4_000; step++) {
    const gradient = beta.map((b, i) => (i === 0 ? 0 : b * 0.0005));
    for (const { x, y, w } of samples) {
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (beta[i] ?? 0), 0)));
      for (let i = 0; i < x.length; i++) gradient[i] = (gradient[i] ?? 0) + w * (p - y) * (x[i] ?? 0);
    }
    for (let i = 0; i < beta.length; i++) {
      const next = (beta[i] ?? 0) - 4 * (gradient[i] ?? 0);
      beta[i] = i === 0 ? next : Math.max(0, next);
    }
  }
  return beta;
}

const training = judged.filter((row) => !row.held);
for (const [name, inputOf] of Object.entries(inputs)) {
  // What no word and no vector found is no candidate.
  const found =
    name === 'wordsOnly' ? training.filter((row) => !row.relevant || row.features.coverage > 0) : training;
  console.log(
    `${name}: ${fit(inputOf, found)
      .map((b) => b.toFixed(2))
      .join(', ')}`,
  );
}

const quantile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? NaN).toFixed(3);
function report(name: string, rows: readonly Judged[], change: Partial<CandidateFeatures> = {}): void {
  const scores = rows.map((row) => calibrate({ ...row.features, ...change }).score);
  const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99].map((share) => quantile(scores, share)).join('  ');
  console.log(`${name.padEnd(44)} ${String(rows.length).padStart(6)}   ${quantiles}`);
}
for (const held of [false, true]) {
  const rows = judged.filter((row) => row.held === held);
  const relevant = rows.filter((row) => row.relevant);
  console.log(`\n${held ? 'held out' : 'fitted on'}${''.padEnd(44)}5%     25%    50%    75%    95%    99%`);
  report('relevant', relevant);
  for (const kind of new Set(pairs.map((pair) => pair.kind)))
    report(
      `  ${kind}`,
      relevant.filter((row) => row.pair.kind === kind),
    );
  report(
    'irrelevant, at random',
    rows.filter((row) => !row.relevant),
  );
  report(
    'irrelevant, shown on the first page',
    rows.filter((row) => !row.relevant && row.place !== undefined),
  );
  report(
    'irrelevant, shown first',
    rows.filter((row) => !row.relevant && row.place === 0),
  );
  report('relevant, without vectors', relevant, { hasVector: false, cosine: 0 });
  report(
    'irrelevant at random, without vectors',
    rows.filter((row) => !row.relevant),
    { hasVector: false, cosine: 0 },
  );
}

/** Does sorting the page by score, instead of by fusion, bring what answers nearer to the top? */
console.log('\nfirst page of 10, all pairs       R@1    R@3    R@10   MRR    R@1 of paraphrases, R@10');
function order(
  name: string,
  on: 'place' | 'widePlace',
  placeOf: (row: Judged, page: readonly Judged[]) => number,
): void {
  const places = pairs.map((pair, at) => {
    const page = judged
      .slice(at * memories.length, (at + 1) * memories.length)
      .filter((row) => row[on] !== undefined);
    const answer = page.find((row) => row.relevant);
    return { pair, place: answer ? placeOf(answer, page) : Infinity };
  });
  const within = (k: number, kind?: string): string => {
    const some = places.filter(({ pair }) => kind === undefined || pair.kind === kind);
    return (some.filter(({ place }) => place < k).length / some.length).toFixed(3);
  };
  const mrr = places.reduce((sum, { place }) => sum + (place < 10 ? 1 / (place + 1) : 0), 0) / places.length;
  const paraphrases = `${within(1, 'paraphrase')} ${within(10, 'paraphrase')}`;
  console.log(
    `${name.padEnd(32)} ${within(1)}  ${within(3)}  ${within(10)}  ${mrr.toFixed(3)}  ${paraphrases}`,
  );
}
const above = (row: Judged, page: readonly Judged[]): number =>
  page.filter((other) => calibrate(other.features).score > calibrate(row.features).score).length;
order('as fused', 'place', (row) => row.place ?? Infinity);
order('by calibrated score', 'place', above);
order('by score, of 30 candidates', 'widePlace', above);
