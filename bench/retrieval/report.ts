import type { Half } from './benchmark.ts';
import type { Summary } from './metrics.ts';
import { type Abstention, type Part, QUANTILES, type Results } from './results.ts';
import type { AbstentionRates } from './abstention.ts';

const COLUMNS: readonly (readonly [string, keyof Summary])[] = [
  ['any@1', 'any1'],
  ['any@5', 'any5'],
  ['any@10', 'any10'],
  ['all@5', 'all5'],
  ['all@10', 'all10'],
  ['frac@5', 'frac5'],
  ['frac@10', 'frac10'],
];

/** All figures of a benchmark, for a terminal. */
export function reportOf(results: Results): string {
  const blocks = [
    `== ${results.benchmark} ==`,
    ...results.parts.map(partTable),
    latencyTable(results),
    ...(results.abstention.length > 0 ? [abstentionTable(results.abstention)] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function titleOf(half: Half | undefined): string {
  if (half === 'tune') return 'TUNE half (to tune on; not to be published)';
  if (half === 'report') return 'REPORT half (never tuned on)';
  return 'All questions';
}

const percent = (share: number): string => (share * 100).toFixed(1);

function partTable({ half, view, rows }: Part): string {
  const head = ['kind', 'n', 'system', ...COLUMNS.map(([name]) => name), 'MRR@10', 'any@5 − FTS5 [95 %]'];
  const lines = rows.flatMap(({ kind, systems, differences }) =>
    Object.entries(systems).map(([system, summary], at) => {
      const difference = differences[system];
      const signed = (value: number) => `${value > 0 ? '+' : ''}${percent(value)}`;
      return [
        at === 0 ? kind : '',
        at === 0 ? String(summary.questions) : '',
        system,
        ...COLUMNS.map(([, field]) => percent(summary[field])),
        summary.mrr.toFixed(3),
        difference
          ? `${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}]`
          : '',
      ];
    }),
  );
  return `${titleOf(half)}, ranking of ${view}, %\n${aligned([head, ...lines], [0, 2])}`;
}

function latencyTable({ latency }: Results): string {
  const head = ['latency, ms', 'client p50', 'p95', 'server p50', 'p95'];
  const lines = Object.entries(latency).map(([system, { client, server }]) => [
    system,
    ...[client.p50, client.p95, server.p50, server.p95].map((ms) => ms.toFixed(2)),
  ]);
  return aligned([head, ...lines], [0]);
}

function abstentionTable(abstention: readonly Abstention[]): string {
  const head = [
    'score of the best hit',
    'half',
    '',
    'n',
    ...QUANTILES.map((share) => `${share * 100} %`),
    'AUC',
  ];
  const spreads = abstention.flatMap(({ system, half, quantiles, counts, auc }) =>
    (['answerable', 'unanswerable'] as const).map((which, at) => [
      at === 0 ? system : '',
      at === 0 ? (half ?? 'all') : '',
      which,
      String(counts[which]),
      ...quantiles[which].map((score) => score.toFixed(3)),
      at === 0 ? auc.toFixed(3) : '',
    ]),
  );
  const rates = (of: AbstentionRates | undefined) =>
    of ? [of.threshold.toFixed(3), percent(of.right), percent(of.wrong)] : ['–', '–', '–'];
  const ratesHead = ['abstaining below …', 'half', 'best right − wrong', 'right %', 'wrong %'];
  const ratesLines = abstention.map(({ system, half, balanced, careful, silent }) => [
    system,
    half ?? 'all',
    ...rates(balanced),
    ...rates(careful),
    percent(silent.right),
    percent(silent.wrong),
  ]);
  return [
    aligned([head, ...spreads], [0, 1, 2]),
    '',
    'Thresholds are chosen on the tune half: once for the greatest right − wrong, once with at most 5 % wrong.',
    'No answer: the system itself answered nothing. For ask these are the figures that count.',
    aligned(
      [
        [...ratesHead, 'at most 5 % wrong', 'right %', 'wrong %', 'no answer: right %', 'wrong %'],
        ...ratesLines,
      ],
      [0, 1],
    ),
  ].join('\n');
}

/** Columns of equal width; numbers to the right, those named to the left. */
function aligned(rows: readonly (readonly string[])[], left: readonly number[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          left.includes(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
