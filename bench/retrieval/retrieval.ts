/**
 * How well a question finds what answers it, beside bare FTS5 in the same run, through the daemon's HTTP API:
 *
 *   npm run bench:retrieval -- [--half tune|report|both] [--kinds time,code] [--probe] [--quick]
 *     [--locomo FILE] [--longmemeval FILE [--unit session|turn]] [--systems search] [--output FILE]
 *
 * Without a file it runs on the project's own set. README.md says what the figures mean.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';

import { bareFts } from './bare-fts.ts';
import { type Benchmark, halves, type Question } from './benchmark.ts';
import { startDaemon } from './daemon.ts';
import { daemonSystem, endpoints } from './endpoints.ts';
import { locomo } from './sets/locomo.ts';
import { longMemEval, units } from './sets/longmemeval.ts';
import { ownSet, quickSet } from './sets/own-set.ts';
import { paraphraseProbe } from './probe.ts';
import { reportOf } from './report.ts';
import { type Results, resultsOf } from './results.ts';
import { type Asked, run } from './run.ts';

const { values: options } = parseArgs({
  options: {
    half: { type: 'string', default: 'both' },
    kinds: { type: 'string' },
    systems: { type: 'string', default: Object.keys(endpoints).join(',') },
    probe: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    locomo: { type: 'string' },
    longmemeval: { type: 'string' },
    unit: { type: 'string', default: 'session' },
    output: { type: 'string' },
  },
});

const BASELINE = 'bare FTS5';
const RESAMPLES = options.quick ? 200 : 10_000;
const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

function choice<T extends string>(name: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === given);
  if (found === undefined) throw new Error(`--${name} takes ${allowed.join(', ')}, not ${given}`);
  return found;
}

const half = choice('half', options.half, [...halves, 'both']);
const unit = choice('unit', options.unit, units);
const kinds = options.kinds?.split(',');
const names = options.systems.split(',').map((name) => choice('systems', name, Object.keys(endpoints)));

function isAsked(question: Question): boolean {
  if (half !== 'both' && question.half !== undefined && question.half !== half) return false;
  return kinds === undefined || question.half === undefined || kinds.includes(question.kind);
}

function* benchmarks(): Generator<Benchmark> {
  if (options.locomo !== undefined) yield locomo(options.locomo);
  if (options.longmemeval !== undefined) yield longMemEval(options.longmemeval, unit);
  if (options.locomo === undefined && options.longmemeval === undefined)
    yield options.quick ? quickSet() : ownSet();
  if (options.probe) yield paraphraseProbe();
}

/** What each question of the tune half found. Those of the report half are not to be looked at one by one. */
function details(asked: readonly Asked[]) {
  return asked
    .filter(({ question }) => question.half !== 'report')
    .map(({ question, answers, judged }) => ({
      ...question,
      systems: Object.entries(answers).map(([system, { page }]) => ({
        system,
        first: judged.memories?.[system]?.first ?? null,
        page,
      })),
    }));
}

/** The commit that is measured, `-dirty` where files differ from it; `unknown` outside of a checkout. */
function commit(): string {
  const git = spawnSync('git', ['describe', '--always', '--dirty'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return git.status === 0 ? git.stdout.trim() : 'unknown';
}

// A signal ends a process without its `exit` handlers, unless somebody listens.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const from = performance.now();
const measured = commit();
process.stdout.write(`Retrieval at commit ${measured}, bootstrap of ${RESAMPLES} resamples\n\n`);
const daemon = await startDaemon();
const all: { results: Results; questions: ReturnType<typeof details> }[] = [];
try {
  const systems = [
    ...names.map((name, at) => daemonSystem(daemon, name, { fills: at === 0 })),
    bareFts(BASELINE, { stopWords: 'out' }),
    bareFts('FTS5, all words', { stopWords: 'kept' }),
  ];
  for (const benchmark of benchmarks()) {
    const asked = await run({ benchmark, systems, isAsked, say });
    if (asked.length === 0) throw new Error(`${benchmark.name} has no such question`);
    const results = resultsOf({
      benchmark,
      asked,
      systems: systems.map(({ name }) => name),
      baseline: BASELINE,
      resamples: RESAMPLES,
    });
    all.push({ results, questions: details(asked) });
    process.stdout.write(`${reportOf(results)}\n`);
  }
} finally {
  await daemon.stop();
}
say(`${((performance.now() - from) / 1000).toFixed(0)} s in all, load ${os.loadavg()[0]?.toFixed(1)}`);

if (options.output !== undefined) {
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, node: process.version };
  const made = new Date().toISOString();
  const written = { made, commit: measured, machine, load: os.loadavg(), options, benchmarks: all };
  fs.writeFileSync(options.output, `${JSON.stringify(written, null, 2)}\n`);
}
