import type { Measured } from './measure.ts';
import type { Spread } from './statistics.ts';

/** A figure that the daemon has to reach at a size. */
export interface Target {
  memories: number;
  what: string;
  limit: number;
  unit: string;
  /** Whether more is better. */
  atLeast: boolean;
  value: (measured: Measured) => number;
  /** What the main thread ran for it (for a set with one fsync): the figure without other programs on the same cores. */
  alone?: (measured: Measured) => number;
}

const at100k = { memories: 100_000, atLeast: false };

/** The targets that the daemon has to meet with 10,000 and 100,000 memories (issue 2). */
export const targets: readonly Target[] = [
  {
    memories: 10_000,
    atLeast: false,
    what: 'hybrid search, server p95',
    limit: 10,
    unit: 'ms',
    value: (m) => m.searchFirst.server.p95,
    alone: (m) => m.searchFirst.cpu.p95,
  },
  {
    ...at100k,
    what: 'hybrid search, server p95',
    limit: 30,
    unit: 'ms',
    value: (m) => m.searchFirst.server.p95,
    alone: (m) => m.searchFirst.cpu.p95,
  },
  {
    ...at100k,
    what: 'search with four further wordings, p95 to that of one',
    limit: 1.6,
    unit: 'times',
    value: (m) => m.searchWorded.server.p95 / m.searchAlone.server.p95,
    alone: (m) => m.searchWorded.cpu.p95 / m.searchAlone.cpu.p95,
  },
  {
    ...at100k,
    what: 'get, client p95',
    limit: 2,
    unit: 'ms',
    value: (m) => m.get.client.p95,
    alone: (m) => m.get.cpu.p95,
  },
  {
    ...at100k,
    what: 'durable set, client p95',
    limit: 5,
    unit: 'ms',
    value: (m) => m.set.client.p95,
    alone: (m) => m.set.cpu.p95 + m.fsyncBefore.p95,
  },
  {
    ...at100k,
    atLeast: true,
    what: 'batches of 1,000',
    limit: 3000,
    unit: 'memories/s',
    value: (m) => m.batch1000PerSecond,
    alone: (m) => 1000 / m.batchCpuMs,
  },
  {
    ...at100k,
    what: 'resident memory',
    limit: 400,
    unit: 'MB',
    value: (m) => Math.max(m.residentLoadedMb, m.residentSearchedMb),
  },
  {
    ...at100k,
    what: 'main() to listening, median',
    limit: 400,
    unit: 'ms',
    value: (m) => m.listening.p50,
    alone: (m) => m.readyCpu.p50,
  },
];

export interface Verdict {
  memories: number;
  what: string;
  limit: string;
  value: number;
  alone: number | undefined;
  met: boolean;
}

/** Each target of the sizes that were measured, met or missed. */
export function judge(measured: readonly Measured[]): Verdict[] {
  return targets.flatMap((target) => {
    const of = measured.find(({ memories }) => memories === target.memories);
    if (!of) return [];
    const value = target.value(of);
    const met = target.atLeast ? value >= target.limit : value <= target.limit;
    return [
      {
        memories: target.memories,
        what: target.what,
        limit: `${target.atLeast ? '≥' : '≤'} ${target.limit} ${target.unit}`,
        value,
        alone: target.alone?.(of),
        met,
      },
    ];
  });
}

/** A table for a terminal: one column for each size. */
export function table(measured: readonly Measured[]): string {
  const rows: [string, (m: Measured) => string][] = [
    ['memories', (m) => m.memories.toLocaleString('en')],
    ['batches of 1,000, memories/s', (m) => m.batch1000PerSecond.toFixed(0)],
    ['  main thread running/waiting, ms each', (m) => `${round(m.batchCpuMs)} / ${round(m.batchWaitMs)}`],
    ['batches of 100, memories/s', (m) => m.batch100PerSecond.toFixed(0)],
    ['set, p50/p95/p99 ms', (m) => ms(m.set.client, 'p50', 'p95', 'p99')],
    ['  main thread running, p50/p95 ms', (m) => ms(m.set.cpu)],
    ['get, p50/p95 ms', (m) => ms(m.get.client)],
    ['list, first pages, p50/p95 ms', (m) => ms(m.list.client)],
    ['list, any page, p50/p95 ms', (m) => ms(m.listDeep.client)],
    ['search, first time, server p50/p95/max ms', (m) => ms(m.searchFirst.server, 'p50', 'p95', 'max')],
    ['search, first time, client p50/p95 ms', (m) => ms(m.searchFirst.client)],
    ['  main thread running, p50/p95/max ms', (m) => ms(m.searchFirst.cpu, 'p50', 'p95', 'max')],
    ['  main thread waiting for a core, p50/p95 ms', (m) => ms(m.searchFirst.wait)],
    ['search, again, server p50/p95 ms', (m) => ms(m.searchAgain.server)],
    ['search, 8 at once, server p50/p95 ms', (m) => ms(m.searchEightAtOnce.server)],
    ['search, 8 at once, client p50/p95 ms', (m) => ms(m.searchEightAtOnce.client)],
    ['search, four further wordings, server p50/p95 ms', (m) => ms(m.searchWorded.server)],
    ['  the same queries alone, by turns', (m) => ms(m.searchAlone.server)],
    ['search kept on one core', (m) => (m.oneCore ? 'yes' : 'no (no taskset)')],
    ...Object.keys(measured[0]?.searchByKind ?? {}).map((kind): [string, (m: Measured) => string] => [
      `  ${kind}, main thread running p50/p95 ms`,
      (m) => (m.searchByKind[kind] ? ms(m.searchByKind[kind].cpu) : '–'),
    ]),
    ['first search after a start, p50/max ms', (m) => ms(m.searchCold.client, 'p50', 'max')],
    ['main() to listening, p50/max ms', (m) => ms(m.listening, 'p50', 'max')],
    ['  main thread running, p50/max ms', (m) => ms(m.readyCpu, 'p50', 'max')],
    ['spawn to ready line, p50/max ms', (m) => ms(m.ready, 'p50', 'max')],
    ['stop, ms', (m) => m.stopMs.toFixed(0)],
    [
      'resident, empty home / loaded / searched / asked / peak MB',
      (m) =>
        [m.residentEmptyMb, m.residentLoadedMb, m.residentSearchedMb, m.residentAskedMb, m.residentPeakMb]
          .map((mb) => mb.toFixed(0))
          .join(' / '),
    ],
    ['on disk MB', (m) => m.diskMb.toFixed(0)],
    ['overwriting by batches, memories/s', (m) => m.overwritePerSecond.toFixed(0)],
    ['set over an old one, p50/p95 ms', (m) => ms(m.overwriteSet.client)],
    ['  main thread running, p50/p95 ms', (m) => ms(m.overwriteSet.cpu)],
    ['delete, p50/p95 ms', (m) => ms(m.remove.client)],
    ['  main thread running, p50/p95 ms', (m) => ms(m.remove.cpu)],
    ['search after those, server p50/p95 ms', (m) => ms(m.searchAfterChurn.server)],
    ['  main thread running, p50/p95 ms', (m) => ms(m.searchAfterChurn.cpu)],
    ['clear everything, ms', (m) => m.clearMs.toFixed(0)],
    ['on disk after it MB', (m) => m.diskClearedMb.toFixed(0)],
    ['bare FTS5: batches of 1,000, memories/s', (m) => m.bare.batchPerSecond.toFixed(0)],
    ['bare FTS5: set, p50/p95 ms', (m) => ms(m.bare.set)],
    ['bare FTS5: get, p50/p95 ms', (m) => ms(m.bare.get)],
    ['bare FTS5: search (OR), p50/p95 ms', (m) => ms(m.bare.search)],
    ['bare FTS5: on disk MB', (m) => m.bare.diskMb.toFixed(0)],
    ['4 KiB + fsync before, p50/p95 ms', (m) => ms(m.fsyncBefore)],
    ['4 KiB + fsync after, p50/p95 ms', (m) => ms(m.fsyncAfter)],
  ];
  const cells = rows.map(([name, show]) => [name, ...measured.map(show)]);
  return aligned(cells);
}

function ms(of: Spread, ...shares: (keyof Spread)[]): string {
  const wanted = shares.length > 0 ? shares : (['p50', 'p95'] as const);
  return wanted.map((share) => round(of[share])).join(' / ');
}

function round(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

function aligned(rows: readonly string[][]): string {
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  const line = (row: string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ');
  return rows.map(line).join('\n');
}

/** The verdicts for a terminal. */
export function verdictTable(verdicts: readonly Verdict[]): string {
  return aligned(
    verdicts.map(({ memories, what, limit, value, alone, met }) => [
      `${met ? 'met   ' : 'MISSED'} ${memories.toLocaleString('en')}: ${what}`,
      round(value),
      limit,
      alone === undefined ? '' : `(main thread: ${round(alone)})`,
    ]),
  );
}
