/**
 * What dreams find and leave alone in the planted set, and what they cost on 10,000 memories, through the daemon's HTTP API:
 *
 *   npm run bench:dreams -- [--only planted|large] [--set NAME] [--memories 10000] [--show] [--at-once] [--output FILE]
 *                           [--model-replies FILE] [--pending FILE] [--budget 1000000] [--sheet-tokens 24000] [--unlisted FILE]
 *
 * Sets were written without looking at the code; open ones may be looked at, and their figures are no result. `--show` prints each proposal with
 * its verdict, of open sets only. `--at-once` stores all of them in one second, that of the dream. With `--model-replies` a language model is
 * configured that says what it once said to the same questions (`bench/models/recorded-model.ts`), on sheets of `--sheet-tokens`; what it was
 * never asked goes to `--pending`, and changes nothing. What is neither planted nor listed as acceptable goes to `--unlisted` with its notes, for
 * somebody to judge who has not seen the code.
 *
 * The large namespace is dreamt over once by all strategies, for the time that it takes, then by the heavy ones one after the other, each between
 * two rests, so that what else this machine does falls on both alike. Three threads want a core: the daemon's main thread, the dream's, and this
 * program, which waits while the daemon works; V8 adds some that collect garbage. Nothing is pinned: on a machine of two cores they share them as
 * they would with a user's own client.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@reverie/shared/client';
import { type DreamJob, type Insight, startDream } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { forgetPeak, residentMb, startDaemon as startOn } from '../latency/daemon.ts';
import { startRecordedModel } from '../models/recorded-model.ts';
import { type Daemon, startDaemon } from '../retrieval/daemon.ts';
import { digestOf, dream, fill, type Imported, insightsOf, nothingFound, overOf } from './dreaming.ts';
import { largeNamespace, noRounds, type Rounds, searchedIn, searchUntil, watchThreads } from './large.ts';
import { judge, kindOf, type Planted, precision, recall, type Score, score } from './matching.ts';
import { type PlantedSet, plantedSet, plantedSets } from './planted.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    set: { type: 'string' },
    memories: { type: 'string', default: '10000' },
    show: { type: 'boolean', default: false },
    'at-once': { type: 'boolean', default: false },
    output: { type: 'string' },
    'model-replies': { type: 'string' },
    pending: { type: 'string' },
    budget: { type: 'string', default: '1000000' },
    'sheet-tokens': { type: 'string', default: '24000' },
    unlisted: { type: 'string' },
  },
});

const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
/** What Node ends with where an await at the top is never settled. */
const UNSETTLED = 13;
/** When the dream over the large namespace dreams. */
const NOW = '2026-10-01T09:00:00Z';
const lines: string[] = [];
const print = (line = '') => {
  lines.push(line);
  process.stdout.write(`${line}\n`);
};
const percent = (share: number) => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`);

/** Where nothing is left to wait for, or a signal comes, a program ends without a word: this one says so, and fails. */
let isDone = false;
process.once('exit', (code) => {
  if (isDone || (code !== 0 && code !== UNSETTLED)) return;
  process.exitCode = 1;
  say('ended before it was done, for what it waited for is gone: was the daemon or the model ended?');
});
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const)
  process.once(signal, () => {
    say(`ended by ${signal} before it was done`);
    process.exit(1);
  });

async function withDaemon(
  run: (daemon: Daemon) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const daemon = await startDaemon(env);
  try {
    await run(daemon);
  } finally {
    await daemon.stop();
  }
}

/** Dreams with a model that says what it once said, and says how much of that it knew. */
async function withRecordedModel(
  file: string,
  run: (env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const model = await startRecordedModel({ file, otherwise: nothingFound });
  try {
    await run({
      REVERIE_LLM_BASE_URL: model.baseUrl,
      REVERIE_LLM_MODEL: 'recorded',
      REVERIE_DREAM_BUDGET_TOKENS: options.budget,
      REVERIE_DREAM_SHEET_TOKENS: options['sheet-tokens'],
    });
    const { answered, missing } = model.counts;
    print();
    print(
      `The model was asked ${answered + missing} questions: ${answered} replies from the record, ${missing} missing`,
    );
    const pending = model.pending().map((line) => `${line}\n`);
    if (options.pending !== undefined) fs.writeFileSync(options.pending, pending.join(''));
  } finally {
    await model.stop();
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
  for (const { strategy, note } of job.strategies) if (note !== undefined) print(`- ${strategy}: ${note}`);
  if (options['model-replies'] !== undefined)
    print(
      `- ${job.tokens.used} tokens of ${job.tokens.budget}; the same dream again took ${again.tokens.used}`,
    );
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

async function planted(daemon: Daemon, name: PlantedSet): Promise<void> {
  const { memories, planted: expected } = plantedSet(name);
  const { now } = plantedSets[name];
  await fill(
    daemon.client,
    options['at-once']
      ? memories.map((memory) => ({ ...memory, created_at: plantedSets[name].now }))
      : memories,
  );
  print(
    `## ${name}: ${memories.length} memories, ${expected.findings.length} findings, ${expected.decoys.length} decoys`,
  );
  print();
  const { job, insights } = await dreamTwice(daemon, now);
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
  if (options.unlisted !== undefined)
    fs.writeFileSync(options.unlisted, unlistedOf(insights, { memories, expected }));
  printTimes(job);
  if (options.show)
    for (const insight of insights) {
      const verdict = judge(insight, expected);
      process.stderr.write(
        `${verdict?.kind ?? '-'}\t${insight.strategy}\t${insight.title}\t${insight.evidence.join(' ')}\t${verdict?.kind === 'false' ? (verdict.decoy ?? '') : ''}\n`,
      );
    }
}

/** What somebody has to judge, one line of JSON each. */
function unlistedOf(
  insights: readonly Insight[],
  { memories, expected }: { memories: readonly Imported[]; expected: Planted },
): string {
  const byKey = new Map(memories.map((memory) => [memory.key, memory]));
  return insights
    .filter((insight) => judge(insight, expected)?.kind === 'false')
    .map(({ strategy, title, body, evidence, due_on }) => {
      const notes = evidence.map((key) => ({
        key,
        date: byKey.get(key)?.created_at.slice(0, 10),
        text: byKey.get(key)?.value,
      }));
      return `${JSON.stringify({ kind: kindOf[strategy], title, why: body, due_on, notes })}\n`;
    })
    .join('');
}

/** Searches that the quiet daemon answers between two dreams. */
const QUIET = 150;
/** The strategies that take long enough to be met by searches. */
const HEAVY = ['refine', 'contradict', 'pattern', 'connect', 'synthesize', 'forecast'] as const;

async function large(home: string): Promise<void> {
  const daemon = await startOn(home);
  const key = fs.readFileSync(path.join(home, 'owner-key'), 'utf8').trim();
  const { origin } = JSON.parse(fs.readFileSync(path.join(home, 'daemon.json'), 'utf8')) as {
    origin: string;
  };
  const client = createClient({ origin, key: () => key });
  try {
    const { memories, queries } = largeNamespace(Number(options.memories), Date.parse(NOW));
    say(`storing ${memories.length} memories`);
    await fill(client, memories);
    const rest = (rounds: Rounds) =>
      searchUntil(daemon.call, queries, { rounds, isOver: (asked) => asked >= QUIET });
    await rest(noRounds());
    const digest = await digestOf(client);
    forgetPeak(daemon.pid);
    const atRest = residentMb(daemon.pid).now;
    const began = performance.now();
    const { id } = await client(startDream, { body: { now: NOW } });
    let job: DreamJob | undefined;
    const threads = watchThreads(daemon.pid);
    await searchUntil(daemon.call, queries, {
      rounds: noRounds(),
      async isOver(asked) {
        threads.look();
        if (asked % 5 === 0) job = await overOf(client, id);
        return job !== undefined;
      },
    });
    const seconds = (performance.now() - began) / 1000;
    const { peak } = residentMb(daemon.pid);
    const [quiet, dreaming] = [noRounds(), noRounds()];
    for (const strategy of HEAVY) {
      await rest(quiet);
      const one = await client(startDream, { body: { now: NOW, strategies: [strategy] } });
      await searchUntil(daemon.call, queries, {
        rounds: dreaming,
        isOver: async (asked) => asked % 5 === 0 && (await overOf(client, one.id)) !== undefined,
      });
    }
    await rest(quiet);
    const isSame = (await digestOf(client)) === digest;
    print(`## ${memories.length} memories, all strategies`);
    print();
    print(
      `${job?.status} in ${seconds.toFixed(1)} s, of which its threads ran ${threads.seconds().toFixed(1)} s; ${job?.insights} insights; memories ${isSame ? 'byte for byte as before' : 'CHANGED'}; peak ${peak.toFixed(0)} MB, at rest ${atRest.toFixed(0)}`,
    );
    print();
    printSearches({ quiet, dreaming });
    if (job) printTimes(job);
    print();
    print(`The same job again proposes ${(await dream(client, { now: NOW })).insights}`);
  } finally {
    await daemon.stop();
  }
}

function printSearches(rounds: Record<'quiet' | 'dreaming', Rounds>): void {
  const [quiet, dreaming] = [searchedIn(rounds.quiet), searchedIn(rounds.dreaming)];
  print('| search, ms | between dreams | during | growth |');
  print('| --- | ---: | ---: | ---: |');
  for (const [name, of] of [
    ['as the server says', 'server'],
    ['its main thread ran', 'cpu'],
    ['its main thread waited for a core', 'wait'],
  ] as const)
    for (const share of ['p50', 'p95'] as const) {
      const [before, during] = [quiet[of][share], dreaming[of][share]];
      print(
        `| ${name}, ${share} | ${before.toFixed(1)} | ${during.toFixed(1)} | ${percent(during / before - 1)} |`,
      );
    }
  print(`(${quiet.server.count} searches between dreams, ${dreaming.server.count} during them)`);
}

async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-dreams-'));
  try {
    await run(home);
  } finally {
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

if (options.only !== undefined && !['planted', 'large'].includes(options.only))
  throw new Error('--only takes planted or large');
const wanted = (Object.keys(plantedSets) as PlantedSet[]).filter((name) =>
  options.set === undefined ? name.startsWith('planted') : options.set === name,
);
if (
  options['model-replies'] !== undefined &&
  options.only !== 'large' &&
  (options.set === undefined || options.only !== 'planted')
)
  throw new Error('--model-replies goes with --only planted and one --set, or with --only large');
if (wanted.length === 0) throw new Error(`--set takes ${Object.keys(plantedSets).join(' or ')}`);
if (options.show && wanted.some((name) => plantedSets[name].isBlind))
  throw new Error('--show tells what is in a set: name an open one with --set');
if (options.only !== 'large')
  for (const name of wanted) {
    const run = (env: Record<string, string>) => withDaemon((daemon) => planted(daemon, name), env);
    if (options['model-replies'] === undefined) await run({});
    else await withRecordedModel(options['model-replies'], run);
    print();
  }
if (options.only !== 'planted') {
  const file = options['model-replies'];
  // The daemon of the large namespace is started with what this process has in its environment.
  const withModel = (home: string, replies: string) =>
    withRecordedModel(replies, (env) => {
      Object.assign(process.env, env);
      return large(home);
    });
  await withHome((home) => (file === undefined ? large(home) : withModel(home, file)));
}
if (options.output !== undefined) fs.writeFileSync(options.output, `${lines.join('\n')}\n`);
isDone = true;
