import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LONGEST_HOOK_OUTPUT } from '@reverie/shared/contract/agents/hooks';
import { z } from 'zod';
import { syntheticCorpus } from '../latency/corpus.ts';
import { type Daemon, startDaemon } from '../latency/daemon.ts';
import { quantile, spread } from '../latency/statistics.ts';
import { readJsonl } from '../retrieval/sets/jsonl.ts';

/**
 * How long a hook keeps an agent waiting, over HTTP and as a whole process beside one that does nothing, and a person the commands that
 * are typed most, on a home of 10,000 memories;
 * whether anything that is printed is cut; and how often the line above which a prompt is answered lets something through.
 */
const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    calls: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '300' },
    /** Without: the table of lines is not made. */
    line: { type: 'boolean', default: false },
  },
});
const [memories, calls, processes] = [options.memories, options.calls, options.processes].map(Number) as [
  number,
  number,
  number,
];

/** The most that a command may take beyond a Node that does nothing, ms. */
const MOST = { hook: 50, statusline: 50, status: 150, get: 150, search: 250 } as const;
type Timed = keyof typeof MOST;

const BIN = join(import.meta.dirname, '../../daemon/bin/reverie.cjs');
const OWN_SET = join(import.meta.dirname, '../retrieval/own-set');
const Reply = z.object({ output: z.string(), tokens: z.number(), why: z.string().nullable() });
const Stored = z.object({ key: z.string(), value: z.string() });
const Question = z.object({
  question: z.string(),
  evidence: z.array(z.string()),
  now: z.string().optional(),
});
const Found = z.object({ results: z.array(z.object({ key: z.string(), score: z.number() })) });

const folder = mkdtempSync(join(tmpdir(), 'reverie-hooks-'));
const home = join(folder, 'home');
const project = join(folder, 'api');
mkdirSync(join(project, '.git'), { recursive: true });
writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
writeFileSync(join(project, '.git/config'), '[remote "origin"]\n\turl = git@github.com:acme/api.git\n');
const namespace = 'project/acme/api';

const daemon = await startDaemon(home);
try {
  const { items, queries } = syntheticCorpus(memories);
  await store(daemon, namespace, items);
  await store(
    daemon,
    namespace,
    Array.from({ length: 30 }, (_, at) => ({
      key: `rule-${at}`,
      value: `Always keep rule number ${at}: ${'words that say why it is so. '.repeat(6)}`,
      metadata: { tags: ['pinned'] },
    })),
  );
  await daemon.settled();
  const prompts = queries.map(({ text }) => text);
  console.log(`${memories} memories, one namespace\n`);
  await overHttp(daemon, prompts);
  await asProcesses(prompts);
  if (options.line) await linesOf(daemon);
} finally {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function store(to: Daemon, into: string, items: readonly object[]): Promise<void> {
  for (let at = 0; at < items.length; at += 500)
    await to.call('/memory/store-batch', {
      items: items.slice(at, at + 500).map((item) => ({ ...item, namespace: into })),
    });
}

function inputOf(event: string, at: number, prompt: string): string {
  return JSON.stringify({
    session_id: `bench-${Math.floor(at / 10)}`,
    cwd: project,
    hook_event_name: event,
    ...(event === 'prompt' && { prompt }),
    ...(event !== 'prompt' && { source: `number ${at}`, reason: `number ${at}` }),
  });
}

/** A session of ten: it begins, eight prompts, it ends. */
function eventOf(at: number): 'start' | 'prompt' | 'end' {
  return at % 10 === 0 ? 'start' : at % 10 === 9 ? 'end' : 'prompt';
}

async function overHttp(to: Daemon, prompts: readonly string[]): Promise<void> {
  const took: Record<string, number[]> = { start: [], prompt: [], end: [] };
  const all: number[] = [];
  let [printed, cut, longest] = [0, 0, 0];
  for (let at = 0; at < calls; at += 1) {
    const event = eventOf(at);
    const input = inputOf(event, at, `${prompts[at % prompts.length] ?? ''} number ${at}`);
    const { reply, clientMs } = await to.call('/agents/hooks', { agent: 'claude-code', event, input });
    const { output } = Reply.parse(reply);
    took[event]?.push(clientMs);
    all.push(clientMs);
    if (output === '') continue;
    printed += 1;
    longest = Math.max(longest, output.length);
    // Printed whole: it is the JSON that the agent reads, and ends with our mark.
    const { hookSpecificOutput } = JSON.parse(output) as {
      hookSpecificOutput: { additionalContext: string };
    };
    if (
      output.length > LONGEST_HOOK_OUTPUT ||
      !/<\/reverie-\w{12}>$/.test(hookSpecificOutput.additionalContext)
    )
      cut += 1;
  }
  console.log('over HTTP, ms        calls    p50    p95    p99    max');
  for (const [name, values] of [...Object.entries(took), ['all', all] as const]) row(name, values);
  console.log(`printed something: ${printed}; longest ${longest} characters; cut: ${cut}\n`);
}

async function asProcesses(prompts: readonly string[]): Promise<void> {
  const bare: number[] = [];
  const took: Record<Timed, number[]> = { hook: [], statusline: [], status: [], get: [], search: [] };
  for (let at = 0; at < processes; at += 1) {
    const prompt = `${prompts[at % prompts.length] ?? ''} process ${at}`;
    const input = inputOf(eventOf(at), at + 100_000, prompt);
    const time = async (name: Timed, ...args: string[]) =>
      took[name].push(await processMs([BIN, name, ...args], input));
    bare.push(await processMs(['-e', '0'], ''));
    await time('hook', eventOf(at), '--agent', 'claude-code');
    await time('statusline');
    // Nobody runs them with each prompt.
    if (at % 5 !== 0) continue;
    await time('status');
    await time('get', 'rule-1', '-n', namespace);
    await time('search', prompt, '-n', namespace);
  }
  console.log('whole processes, ms  calls    p50    p95    p99    max');
  row('node -e 0', bare);
  for (const [name, values] of Object.entries(took)) row(`reverie ${name}`, values);
  for (const [name, most] of Object.entries(MOST)) {
    const values = took[name as Timed];
    const beyond = (share: number) => (quantile(values, share) - quantile(bare, share)).toFixed(1);
    console.log(`${name} beyond node -e 0: p50 ${beyond(0.5)} ms, p95 ${beyond(0.95)} ms (at most ${most})`);
  }
}

function processMs(args: readonly string[], input: string): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, REVERIE_HOME: home },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', () => resolve(performance.now() - from)));
}

/** What each line would let through: of questions that a memory answers, and of prompts that no memory has to do with. */
async function linesOf(to: Daemon): Promise<void> {
  const own = readJsonl(join(OWN_SET, 'memories.jsonl'), Stored.extend({ id: z.string() }));
  await store(
    to,
    'own',
    own.map(({ key, value }) => ({ key, value })),
  );
  await to.settled();
  const keyOf = new Map(own.map(({ id, key }) => [id, key]));
  const questions = readJsonl(join(OWN_SET, 'questions.jsonl'), Question).filter(
    ({ evidence }) => evidence.length > 0,
  );
  const search = async (query: string) =>
    Found.parse((await to.call('/memory-search', { query, namespace: 'own', limit: 5 })).reply).results;
  const right: number[] = [];
  const wrong: number[] = [];
  for (const { question, evidence } of questions) {
    const keys = new Set(evidence.map((id) => keyOf.get(id)));
    const results = await search(question);
    right.push(results.find(({ key }) => keys.has(key))?.score ?? 0);
    wrong.push(results.find(({ key }) => !keys.has(key))?.score ?? 0);
  }
  const coding = readFileSync(join(import.meta.dirname, 'coding-prompts.txt'), 'utf8')
    .trim()
    .split('\n');
  const off = await Promise.all(coding.map(async (prompt) => (await search(prompt))[0]?.score ?? 0));
  const share = (scores: readonly number[], line: number) =>
    `${((100 * scores.filter((score) => score >= line).length) / scores.length).toFixed(1)} %`;
  console.log(
    `line   of ${questions.length} questions: told / another, too   of ${coding.length} coding prompts: told something`,
  );
  for (const line of [0.2, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95])
    console.log(`${line.toFixed(2)}   ${share(right, line)} / ${share(wrong, line)}   ${share(off, line)}`);
}

function row(name: string, values: readonly number[]): void {
  const { count, p50, p95, p99, max } = spread(values);
  const figures = [p50, p95, p99, max].map((value) => value.toFixed(1).padStart(7)).join('');
  console.log(`${name.padEnd(20)}${String(count).padStart(6)}${figures}`);
}
