/**
 * What strangers and neighbours cost: the owner's requests with and without a flood of wrong keys, and the search of
 * a small account with and without a big one beside it. Figures are ratios, for machines differ:
 *
 *   node bench/accounts/accounts.ts [--flood 10000] [--big 20000] [--small 300]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ask, spawnDaemon } from '../../daemon/src/testing.ts';
import { syntheticCorpus } from '../latency/corpus.ts';
import { type Spread, spread } from '../latency/statistics.ts';
import { type Flooded, type WayToFlood, waysToFlood } from './flood.ts';

const { values: options } = parseArgs({
  options: {
    flood: { type: 'string', default: '10000' },
    big: { type: 'string', default: '20000' },
    small: { type: 'string', default: '300' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Running {
  pid: number;
  origin: string;
  ownerKey: string;
  stop(): Promise<string>;
}

async function start(env: Record<string, string> = {}): Promise<Running> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-accounts-bench-'));
  const home = path.join(folder, 'home');
  const daemon = spawnDaemon(home, { REVERIE_LOG_LEVEL: 'info', ...env });
  const origin = await daemon.ready;
  return {
    pid: daemon.pid,
    origin,
    ownerKey: fs.readFileSync(path.join(home, 'owner-key'), 'utf8').trim(),
    async stop() {
      daemon.kill('SIGTERM');
      const { stderr } = await daemon.ended;
      fs.rmSync(folder, { recursive: true, force: true });
      return stderr;
    },
  };
}

/** Milliseconds that the main thread of a process ran: what others do on the machine is not in it. */
function cpuMs(pid: number): number {
  const [ns] = fs.readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}

/** Milliseconds of so many requests, one after the other, each over a connection of its own. */
async function times(count: number, run: (i: number) => Promise<unknown>): Promise<number[]> {
  const all = [];
  for (let i = 0; i < count; i += 1) {
    const from = performance.now();
    await run(i);
    all.push(performance.now() - from);
  }
  return all;
}

const shown = ({ p50, p95, p99 }: Spread) =>
  `p50 ${p50.toFixed(2)}  p95 ${p95.toFixed(2)}  p99 ${p99.toFixed(2)} ms`;
const ratio = (one: Spread, other: Spread) =>
  `p50 ×${(one.p50 / other.p50).toFixed(2)}  p95 ×${(one.p95 / other.p95).toFixed(2)}`;

/** What the owner's requests take while an address sends so many wrong keys a second. */
async function wrongKeys(perSecond: number, way: WayToFlood): Promise<void> {
  const daemon = await start();
  const { origin, ownerKey: key } = daemon;
  await ask(origin, { path: '/v1/memory-set', key, body: { key: 'k', value: 'of the owner' } });
  const get = () => ask(origin, { path: '/v1/memory-get', key, body: { key: 'k' } });
  await times(500, get);
  const { port } = new URL(origin);
  const [alone, flooded]: [number[], number[]] = [[], []];
  const total: Flooded = { sent: 0, answered: 0, seconds: 0 };
  let cpu = 0;
  // In turns, for the machine does other things, too.
  for (let round = 0; round < 5; round += 1) {
    alone.push(...(await times(400, get)));
    const before = cpuMs(daemon.pid);
    const flood = new Worker(new URL('./flood.ts', import.meta.url), {
      workerData: { port: Number(port), perSecond, way },
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    flooded.push(...(await times(400, get)));
    const ended = new Promise<Flooded>((resolve) => flood.once('message', resolve));
    flood.postMessage('stop');
    const done = await ended;
    total.sent += done.sent;
    total.answered += done.answered;
    total.seconds += done.seconds;
    cpu += cpuMs(daemon.pid) - before;
    await flood.terminate();
  }
  const lines = (await daemon.stop()).split('\n').filter((line) => line !== '');
  const { sent, answered, seconds } = total;
  const perS = (count: number) => Math.round(count / seconds);
  say(
    `${perSecond} wrong keys a second, an address that ${way}: ${perS(sent)} were sent, ${perS(answered)} answered`,
  );
  say(`  the owner's get, alone:    ${shown(spread(alone))}`);
  say(`  while the flood lasts:     ${shown(spread(flooded))}   ${ratio(spread(flooded), spread(alone))}`);
  say(
    `  processor time of the daemon, the owner's requests counted in: ${((cpu / 1000 / seconds) * 100).toFixed(0)} % of a core`,
  );
  say(`  lines in the log of level info: ${lines.length} (start and stop)`);
}

/** Waits until nothing is left to be done in the background. */
async function settled(origin: string): Promise<void> {
  for (;;) {
    const { text } = await ask(origin, { path: '/v1/healthz', key: null });
    const left = [...text.matchAll(/"\w*pending\w*":(\d+)/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    if (left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function neighbours(big: number, small: number): Promise<void> {
  const corpus = syntheticCorpus(big + small, 7);
  const mine = corpus.items.slice(0, small);
  const theirs = corpus.items.slice(small);
  const queries = corpus.queries.slice(0, 100).map(({ text }) => text);
  const runs: { scores: string; latency: Spread; cpu: number }[] = [];
  for (const beside of [[], theirs]) {
    const daemon = await start();
    const { origin, ownerKey } = daemon;
    const store = async (key: string, items: typeof mine) => {
      for (let at = 0; at < items.length; at += 500) {
        const answer = await ask(origin, {
          path: '/v1/memory/store-batch',
          key,
          body: { items: items.slice(at, at + 500) },
        });
        if (answer.status !== 200) throw new Error(answer.text);
      }
    };
    await store(ownerKey, beside);
    const signup = await ask(origin, {
      path: '/v1/auth/bot-signup',
      key: null,
      body: { email: 'small@example.org' },
    });
    const key = String(signup.json['api_key']);
    const { json } = await ask(origin, { path: '/v1/accounts', key: ownerKey });
    const { id } = (json['accounts'] as { id: string }[])[0] ?? { id: '' };
    await ask(origin, { method: 'PATCH', path: `/v1/accounts/${id}`, key: ownerKey, body: { tier: 'pro' } });
    await store(key, mine);
    await settled(origin);
    const results: unknown[] = [];
    const search = async (i: number) => {
      const answer = await ask(origin, {
        path: '/v1/memory-search',
        key,
        body: { query: queries[i % queries.length], limit: 20 },
      });
      const hits = answer.json['results'] as { key: string; score: number }[];
      results.push(hits.map((hit) => [hit.key, hit.score]));
    };
    await times(queries.length, search);
    const scores = JSON.stringify(results);
    const before = cpuMs(daemon.pid);
    const latency = spread(await times(queries.length * 5, search));
    runs.push({ scores, latency, cpu: (cpuMs(daemon.pid) - before) / (queries.length * 5) });
    await daemon.stop();
  }
  const [alone, crowded] = runs;
  if (!alone || !crowded) throw new Error('nothing was measured');
  say(`A small account (${small} memories) searches, alone:      ${shown(alone.latency)}`);
  say(
    `beside a big one (${big} memories):                    ${shown(crowded.latency)}   ${ratio(crowded.latency, alone.latency)}`,
  );
  say(
    `Processor time of a search: ${alone.cpu.toFixed(2)} and ${crowded.cpu.toFixed(2)} ms, ×${(crowded.cpu / alone.cpu).toFixed(2)}`,
  );
  say(
    `Scores of ${queries.length} queries: ${alone.scores === crowded.scores ? 'the same to the last bit' : 'DIFFERENT'}`,
  );
}

if (Number(options.flood) > 0) for (const way of waysToFlood) await wrongKeys(Number(options.flood), way);
if (Number(options.big) > 0) await neighbours(Number(options.big), Number(options.small));
