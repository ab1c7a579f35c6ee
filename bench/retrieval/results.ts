import { quantile } from '../latency/statistics.ts';
import { abstain, type AbstentionRates, auc, bestThreshold, type TopScores } from './abstention.ts';
import { type Benchmark, type Half, halves, type View } from './benchmark.ts';
import { type Summary, summarise } from './metrics.ts';
import type { Asked } from './run.ts';
import { type Interval, pairedInterval } from './significance.ts';

/** The figures of some questions: each system's, and how much the others differ from the baseline. */
export interface Row {
  kind: string;
  systems: Record<string, Summary>;
  /** any@5 of each other system less the baseline's. */
  differences: Record<string, Interval>;
}

/** A half of the questions in one view; no half where the benchmark has none. */
export interface Part {
  half: Half | undefined;
  view: View;
  rows: Row[];
}

export interface Latency {
  client: { p50: number; p95: number };
  server: { p50: number; p95: number };
}

/** Top scores of one system in one half, and what abstaining would give there at the tune half's thresholds. */
export interface Abstention {
  system: string;
  half: Half | undefined;
  quantiles: Record<'answerable' | 'unanswerable', number[]>;
  counts: Record<'answerable' | 'unanswerable', number>;
  auc: number;
  /** At the threshold of the greatest right less wrong. */
  balanced: AbstentionRates | undefined;
  /** At the best threshold with at most 5 % wrong. */
  careful: AbstentionRates | undefined;
  /** Of the questions to which it answered nothing at all, without a threshold: ask says itself what is not in memory. */
  silent: AbstentionRates;
}

export interface Results {
  benchmark: string;
  parts: Part[];
  latency: Record<string, Latency>;
  abstention: Abstention[];
}

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
/** What of the answerable questions may be answered "not in memory" (issue 3). */
const MOST_WRONG = 0.05;

interface Measured {
  benchmark: Benchmark;
  asked: readonly Asked[];
  systems: readonly string[];
  /** The system that the others are compared with. */
  baseline: string;
  resamples: number;
}

/** Everything that is printed of a benchmark. */
export function resultsOf(measured: Measured): Results {
  const { benchmark, asked, systems } = measured;
  const parts = halvesOf(asked).flatMap((half) =>
    benchmark.views.map((view) => ({ half, view, rows: rowsOf(measured, half, view) })),
  );
  const latency = Object.fromEntries(
    systems.map((system): [string, Latency] => {
      const of = (which: 'clientMs' | 'serverMs') => {
        const times = asked.map(({ answers }) => answers[system]?.[which] ?? Number.NaN);
        return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
      };
      return [system, { client: of('clientMs'), server: of('serverMs') }];
    }),
  );
  const abstention = systems.flatMap((system) => abstentionOf(asked, system));
  return { benchmark: benchmark.name, parts, latency, abstention };
}

/** The halves that were asked, in order; undefined for questions without one. */
function halvesOf(asked: readonly Asked[]): (Half | undefined)[] {
  const some = new Set(asked.map(({ question }) => question.half));
  return [...halves, undefined].filter((half) => some.has(half));
}

function rowsOf(measured: Measured, half: Half | undefined, view: View): Row[] {
  const { benchmark, asked } = measured;
  const ofHalf = asked.filter(({ question, judged }) => question.half === half && judged[view]);
  const kinds = [...new Set(ofHalf.map(({ question }) => question.kind))];
  const together = ofHalf.filter(({ question }) => !benchmark.apart.includes(question.kind));
  const rows = kinds.map((kind) =>
    rowOf(measured, view, { kind, asked: ofHalf.filter(({ question }) => question.kind === kind) }),
  );
  if (kinds.length > 1) rows.push(rowOf(measured, view, { kind: 'all', asked: together }));
  for (const kind of benchmark.without.filter((left) => kinds.includes(left) && kinds.length > 2)) {
    const rest = together.filter(({ question }) => question.kind !== kind);
    rows.push(rowOf(measured, view, { kind: `all but ${kind}`, asked: rest }));
  }
  return rows.filter((row) => Object.values(row.systems).some(({ questions }) => questions > 0));
}

function rowOf(
  { systems, baseline, resamples }: Measured,
  view: View,
  { kind, asked }: { kind: string; asked: readonly Asked[] },
): Row {
  const of = (system: string) => asked.flatMap(({ judged }) => judged[view]?.[system] ?? []);
  const any5 = (system: string) => of(system).map(({ found }) => Number(found[5] > 0));
  const others = asked.length === 0 ? [] : systems.filter((system) => system !== baseline);
  return {
    kind,
    systems: Object.fromEntries(systems.map((system) => [system, summarise(of(system))])),
    differences: Object.fromEntries(
      others.map((system) => [system, pairedInterval(any5(system), any5(baseline), { resamples })]),
    ),
  };
}

function topScores(asked: readonly Asked[], system: string): TopScores {
  const top = (some: readonly Asked[]) => some.map(({ answers }) => answers[system]?.page[0]?.score ?? 0);
  return {
    answerable: top(asked.filter(({ question }) => !question.unanswerable)),
    unanswerable: top(asked.filter(({ question }) => question.unanswerable)),
  };
}

function abstentionOf(asked: readonly Asked[], system: string): Abstention[] {
  const ofHalf = (half: Half | undefined) =>
    topScores(
      asked.filter(({ question }) => question.half === half),
      system,
    );
  const tune = ofHalf('tune');
  const isTuned = tune.answerable.length > 0 && tune.unanswerable.length > 0;
  const balanced = isTuned ? bestThreshold(tune).threshold : undefined;
  const careful = isTuned ? bestThreshold(tune, MOST_WRONG).threshold : undefined;
  return halvesOf(asked).flatMap((half): Abstention[] => {
    const scores = ofHalf(half);
    if (scores.answerable.length === 0 || scores.unanswerable.length === 0) return [];
    const spread = (values: readonly number[]) => QUANTILES.map((share) => quantile(values, share));
    const rates = (threshold: number | undefined) =>
      threshold === undefined ? undefined : abstain(scores, threshold);
    return [
      {
        system,
        half,
        quantiles: { answerable: spread(scores.answerable), unanswerable: spread(scores.unanswerable) },
        counts: { answerable: scores.answerable.length, unanswerable: scores.unanswerable.length },
        auc: auc(scores),
        balanced: rates(balanced),
        careful: rates(careful),
        // No hit counts as score 0, and no hit has it.
        silent: abstain(scores, Number.MIN_VALUE),
      },
    ];
  });
}
