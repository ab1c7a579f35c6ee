/**
 * What dreams find and leave alone in the planted set, and what they cost on 10,000 memories, through the daemon's HTTP API:
 *
 *   npm run bench:dreams -- [--only planted|large] [--memories 10000] [--show] [--output FILE]
 *
 * The planted set was written without looking at the code, and is not to be tuned against: `--show`, which prints each proposal with its
 * verdict, is for finding faults after the figures were written down.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import type { DreamJob, Insight, Strategy } from '@reverie/shared/contract/dreams';
import { type Daemon, startDaemon } from '../retrieval/daemon.ts';
import { digestOf, dream, fill, insightsOf } from './dreaming.ts';
import { largeNamespace, searchWhile } from './large.ts';
import { judge, kindOf, precision, recall, type Score, score } from './matching.ts';
import { NOW, plantedSet } from './planted.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    memories: { type: 'string', default: '10000' },
    show: { type: 'boolean', default: false },
    output: { type: 'string' },
  },
});

const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
const lines: string[] = [];
const print = (line = '') => {
  lines.push(line);
  process.stdout.write(`${line}\n`);
};
const percent = (share: number) => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`);

async function withDaemon(run: (daemon: Daemon) => Promise<void>): Promise<void> {
  const daemon = await startDaemon();
  try {
    await run(daemon);
  } finally {
    await daemon.stop();
  }
}

/** Dreams, again, and compares what the memories say before and after. */
async function dreamTwice({ client }: Daemon, now: string): Promise<{ job: DreamJob; insights: Insight[] }> {
  const before = await digestOf(client);
  const job = await dream(client, { now });
  if (job.status === 'failed') print(`The dream failed: ${job.error?.code}: ${job.error?.message}`);
  const insights = await insightsOf(client);
  const again = await dream(client, { now });
  const unchanged = (await digestOf(client)) === before;
  print(
    `Insights ${job.insights}; the same job again proposes ${again.insights}; memories are ${unchanged ? 'as they were, byte for byte' : 'CHANGED'}`,
  );
  return { job, insights };
}

function printTimes(job: DreamJob): void {
  print();
  print('| strategy | ms | insights |');
  print('| --- | ---: | ---: |');
  for (const { strategy, ms, insights } of job.strategies) print(`| ${strategy} | ${ms} | ${insights} |`);
}

async function planted(daemon: Daemon): Promise<void> {
  const { memories, planted: expected } = plantedSet();
  await fill(daemon.client, memories);
  print(
    `## Planted set: ${memories.length} memories, ${expected.findings.length} findings, ${expected.decoys.length} decoys`,
  );
  print();
  const { job, insights } = await dreamTwice(daemon, NOW);
  print();
  print('| strategy | found | recall | proposals | hits | acceptable | false | of them decoys | precision |');
  print('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  const row = (one: Score) =>
    print(
      `| ${one.name} | ${one.found} of ${one.of} | ${percent(recall(one))} | ${one.proposals} | ${one.hits} | ${one.acceptable} | ${one.wrong} | ${one.decoys} | ${percent(precision(one))} |`,
    );
  const of = (names: readonly Strategy[]) => insights.filter(({ strategy }) => names.includes(strategy));
  for (const [strategy, kind] of Object.entries(kindOf) as [
    Strategy,
    NonNullable<(typeof kindOf)[Strategy]>,
  ][])
    row(score(strategy, kind, { proposals: of([strategy]), planted: expected }));
  row(score('connect + rem', 'link', { proposals: of(['connect', 'rem']), planted: expected }));
  printTimes(job);
  if (options.show)
    for (const insight of insights) {
      const verdict = judge(insight, expected);
      process.stderr.write(
        `${verdict?.kind ?? '-'}\t${insight.strategy}\t${insight.title}\t${insight.evidence.join(' ')}\t${verdict?.kind === 'false' ? (verdict.decoy ?? '') : ''}\n`,
      );
    }
}

/** Searches that the quiet daemon answers before, in each of two rounds around the dream. */
const QUIET = 300;

async function large(daemon: Daemon): Promise<void> {
  const count = Number(options.memories);
  const now = Date.parse(NOW);
  const { memories, queries } = largeNamespace(count, now);
  say(`storing ${memories.length} memories, and finding their facts`);
  await fill(daemon.client, memories);
  await searchWhile(daemon, queries, (asked) => asked < 100);
  const before = await searchWhile(daemon, queries, (asked) => asked < QUIET);
  print(`## ${memories.length} memories, all strategies`);
  print();
  let over = false;
  const began = performance.now();
  let seconds = 0;
  const digest = await digestOf(daemon.client);
  const dreaming = dream(daemon.client, { now: NOW }).then((job) => {
    over = true;
    seconds = (performance.now() - began) / 1000;
    return job;
  });
  const during = await searchWhile(daemon, queries, () => !over);
  const job = await dreaming;
  const after = await searchWhile(daemon, queries, (asked) => asked < QUIET);
  print(
    `${job.status} in ${seconds.toFixed(1)} s; ${job.insights} insights; memories ${(await digestOf(daemon.client)) === digest ? 'byte for byte as before' : 'CHANGED'}`,
  );
  const quiet = (before.p95 + after.p95) / 2;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  print(
    `Search p95: before ${ms(before.p95)}, during ${ms(during.p95)} (${during.count} searches), after ${ms(after.p95)}; it grows by ${percent(during.p95 / quiet - 1)}`,
  );
  print(`Search p50: before ${ms(before.p50)}, during ${ms(during.p50)}, after ${ms(after.p50)}`);
  printTimes(job);
  const again = await dream(daemon.client, { now: NOW });
  print();
  print(`The same job again proposes ${again.insights}`);
}

if (options.only !== undefined && !['planted', 'large'].includes(options.only))
  throw new Error('--only takes planted or large');
if (options.only !== 'large') await withDaemon(planted);
if (options.only === undefined) print();
if (options.only !== 'planted') await withDaemon(large);
if (options.output !== undefined) fs.writeFileSync(options.output, `${lines.join('\n')}\n`);
