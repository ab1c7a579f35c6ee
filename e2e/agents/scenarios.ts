import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client, createClient } from '@reverie/shared/client';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams/dreams';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import {
  agentAddress,
  type AgentKind,
  findModels,
  modelsState,
  stopUsingModels,
  useModel,
} from '@reverie/shared/contract/system/models';
import { listSessions } from '@reverie/shared/contract/sessions/sessions';
import { startDaemon } from '../../daemon/src/main.ts';
import { adapters } from '../../daemon/src/models/agents/adapters.ts';
import { commandFolders } from '../../daemon/src/models/agents/find-command.ts';
import { type FakeModel, type ModelRequest, startFakeModel } from './model/fake-model.ts';
import type { ModelTurn } from './model/protocol.ts';
import { furnishHome, KEYS, pointedAt } from './homes.ts';
import { insideModel, killInsideModel, leftAfter } from './processes.ts';

export interface Trying {
  /** An empty folder, for homes. */
  folder: string;
  /** The folder of the commands; undefined for the PATH. */
  agents: string | undefined;
  kinds: readonly AgentKind[];
  say: (line: string) => void;
}

const LEASE = 'The rent of the flat in Harbour Street is 940 euro a month.';
const QUESTION = 'How much is the rent of the flat in Harbour Street?';
const RENT = {
  answered: true,
  sentences: [{ quotes: [{ note: 1, words: '940 euro a month' }], text: LEASE }],
  search: [],
};
/** What stands in a brief or a tool of ours, and in no question that a model is asked. */
const OF_OURS = /memory_search|memory_ask|Reverie keeps what/u;

/** What is answered: a word, the rent, else that nothing was found; by the tool of Claude Code that takes an answer in a form, where it is. */
function answered({ body, tools }: ModelRequest): ModelTurn {
  const said = saidTo(body);
  const form = tools.find(({ name }) => name === 'StructuredOutput');
  return form
    ? { text: '', calls: [{ name: form.name, input: said }] }
    : { text: JSON.stringify(said), calls: [] };
}

function saidTo(body: string): Record<string, unknown> {
  if (body.includes('{\\"yes\\": true}')) return { yes: true };
  if (body.includes('Task Routing AI')) return { complexity_reasoning: 'none', complexity_score: 1 };
  return body.includes(QUESTION) ? RENT : { found: [], verdict: 'no', reason: '' };
}

/** Tries every scenario with every agent; resolves to how many things were not as they should be. */
export async function tryAgents({ folder, agents, kinds, say }: Trying): Promise<number> {
  let faults = 0;
  const check = (isRight: boolean, what: string, more = '') => {
    if (!isRight) faults += 1;
    say(`  ${isRight ? 'ok   ' : 'FAULT'} ${what}${!isRight && more !== '' ? `: ${more}` : ''}`);
  };
  check(await isCutOff(), 'there is no way out of this network');
  const fake = await startFakeModel(answered);
  const home = path.join(folder, 'home');
  const program = path.join(folder, 'reverie');
  fs.mkdirSync(home);
  // It says when it is called; agents that are asked as models must not get anything of it.
  const calls = path.join(folder, 'calls');
  const real = path.join(import.meta.dirname, '../../daemon/bin/reverie.cjs');
  fs.writeFileSync(
    program,
    `#!/bin/sh\necho "$1 inside=$REVERIE_INSIDE_MODEL" >> "${calls}"\nexec "${process.execPath}" "${real}" "$@"\n`,
    { mode: 0o700 },
  );
  furnishHome(home, { origin: fake.origin, program });
  fs.mkdirSync(os.tmpdir(), { recursive: true });
  const PATH = [agents, path.dirname(process.execPath), process.env['PATH']]
    .filter(Boolean)
    .join(path.delimiter);
  const environment = {
    PATH,
    HOME: home,
    TMPDIR: os.tmpdir(),
    REVERIE_HOME: path.join(home, 'reverie'),
    REVERIE_PORT: '0',
    REVERIE_LOG_LEVEL: 'warn',
    DO_NOT_TRACK: '1',
    CI: '1',
    ...pointedAt(fake.origin),
  };
  for (const isLoggedIn of [true, false]) {
    const running = await startDaemon({
      env: { ...environment, ...(isLoggedIn && KEYS) },
      flags: {},
    });
    const key = fs.readFileSync(path.join(home, 'reverie/owner-key'), 'utf8').trim();
    const call = createClient({ origin: running.origin, key: () => key });
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await running.stop();
      isStopped = true;
    };
    const ground: Ground = { call, fake, check, stop };
    try {
      const before = fake.asked.length;
      const { servers } = await call(findModels, {});
      const there = kinds.filter((kind) => servers.some((server) => server.kind === kind));
      for (const kind of kinds.filter((one) => !there.includes(one)))
        say(
          `- ${kind} is skipped: no \`${adapters[kind].command}\` in ${commandFolders(environment).join(', ')}`,
        );
      check(fake.asked.length === before, 'finding them asks no model');
      if (isLoggedIn) await call(setMemory, { body: { key: 'lease', value: LEASE } });
      for (const kind of there) {
        say(
          `${kind} ${servers.find((server) => server.kind === kind)?.version}${isLoggedIn ? '' : ', not logged in'}`,
        );
        await (isLoggedIn ? tryAgent(ground, kind) : tryLoggedOut(ground, kind));
      }
      if (isLoggedIn) await tryEnd(ground, there);
    } finally {
      await stop();
    }
  }
  const called = fs.existsSync(calls) ? fs.readFileSync(calls, 'utf8').trim().split('\n') : [];
  check(
    called.every((line) => line.endsWith('inside=1')),
    `our program was called ${called.length} times, each time inside of a model`,
  );
  check(!fs.existsSync(path.join(home, 'reverie/logs/hooks.log')), 'no hook told anything');
  const sessions = await sessionsOf(environment);
  check(sessions === 0, 'no coding session was taken in', `${sessions}`);
  fake.stop();
  return faults;
}

interface Ground {
  call: Client;
  fake: FakeModel;
  check: (isRight: boolean, what: string, more?: string) => void;
  stop: () => Promise<void>;
}

const ask = (call: Client) => call(askMemory, { body: { question: QUESTION, explain: true } });
const use = (call: Client, kind: AgentKind, more: { consent?: boolean; timeout_ms?: number } = {}) =>
  call(useModel, { body: { server: agentAddress(kind), name: 'default', consent: true, ...more } });
const isLeft = async (check: Ground['check'], what: string) => {
  const left = await leftAfter(5000);
  check(left.length === 0, `${what}: nothing is left running`, left.join(', '));
};

async function tryAgent({ call, fake, check }: Ground, kind: AgentKind): Promise<void> {
  fake.mode = 'answers';
  const before = fake.asked.length;
  const refused = await problemOf(use(call, kind, { consent: false }));
  check(
    refused?.code === 'consent_needed' && fake.asked.length === before,
    'without a consent it is not asked',
  );
  const used = await problemOf(use(call, kind, { timeout_ms: 120_000 }));
  check(used === undefined, 'with a consent it is used', used?.message);
  const { title } = adapters[kind];
  const { result, seconds } = await timed(ask(call));
  check(
    result.model === title && result.answer.includes('940'),
    `a question is answered with it in ${seconds} s`,
    JSON.stringify(result).slice(0, 300),
  );
  const asked = fake.asked.slice(before);
  const tools = [...new Set(asked.flatMap((one) => one.tools.map(({ name }) => name)))];
  check(
    !asked.some(({ body }) => OF_OURS.test(body)),
    `nothing of Reverie comes back; its tools: ${tools.join(' ') || 'none'}`,
  );
  await isLeft(check, 'asked');
  const spent = (await call(modelsState, {})).uses[0]?.spent;
  check((spent?.tokens_today ?? 0) >= 1290, 'its tokens are counted', JSON.stringify(spent));

  await call(setMemory, {
    body: {
      key: `lease-${kind}`,
      value: `The rent of the flat in Harbour Street rose: ${kind} says 960 euro.`,
    },
  });
  const dreams = fake.asked.length;
  const job = await call(startDream, { body: { namespace: 'default' } });
  const state = await ended(call, job.id);
  check(
    state === 'complete' && fake.asked.length > dreams,
    `a dream asks it ${fake.asked.length - dreams} times`,
    state,
  );

  const failing = async (mode: FakeModel['mode'], timeout_ms: number, error: RegExp) => {
    fake.mode = 'answers';
    await use(call, kind, { timeout_ms });
    fake.mode = mode;
    const reply = await timed(ask(call));
    const { uses } = await call(modelsState, {});
    check(
      reply.result.model === null && reply.seconds < timeout_ms / 1000 + 5,
      `${mode}: answered without it in ${reply.seconds} s`,
      JSON.stringify(reply.result).slice(0, 200),
    );
    check(error.test(uses[0]?.error ?? ''), `${mode}: its state says ${uses[0]?.error ?? 'nothing'}`);
    await isLeft(check, mode);
  };
  await failing('refuses', 120_000, /is not logged in/u);
  await failing('hangs', 6000, /did not answer within 6(?:\.\d)? s/u);
  await failing('garbage', 120_000, /^$/u);
  await failing('huge', 120_000, /^$/u);

  fake.mode = 'answers';
  await use(call, kind, { timeout_ms: 120_000 });
  fake.mode = 'hangs';
  const asking = timed(ask(call));
  const count = fake.asked.length;
  while (fake.asked.length === count) await pause(50);
  killInsideModel();
  const killed = await asking;
  check(
    killed.result.model === null && killed.seconds < 60,
    `killed: answered without it in ${killed.seconds} s`,
  );
  await isLeft(check, 'killed');
  await call(stopUsingModels, { query: {} });
}

async function tryLoggedOut({ call, fake, check }: Ground, kind: AgentKind): Promise<void> {
  fake.mode = 'answers';
  const { result, seconds } = await timed(problemOf(use(call, kind)));
  check(
    result?.code === 'model_unreachable',
    `not logged in, after ${seconds} s: ${result?.message ?? 'used all the same'}`,
  );
  await isLeft(check, 'not logged in');
}

/** A daemon that stops while an agent is asked takes it along. */
async function tryEnd({ call, fake, check, stop }: Ground, kinds: readonly AgentKind[]): Promise<void> {
  const [kind] = kinds;
  if (kind === undefined) return;
  fake.mode = 'answers';
  await use(call, kind, { timeout_ms: 120_000 });
  fake.mode = 'hangs';
  const asking = ask(call).catch(() => undefined);
  while (insideModel().length === 0) await pause(50);
  const { seconds } = await timed(stop());
  check(seconds < 5, `the daemon stops in ${seconds} s while ${kind} is asked`);
  await asking;
  await isLeft(check, 'stopped');
  fake.mode = 'answers';
}

async function ended(call: Client, id: string): Promise<string> {
  const until = performance.now() + 180_000;
  for (;;) {
    const { status } = await call(dreamStatus, { params: { id } });
    if (!['queued', 'running'].includes(status) || performance.now() > until) return status;
    await pause(300);
  }
}

/** How many coding sessions a daemon finds in the home that the agents ran with. */
async function sessionsOf(environment: NodeJS.ProcessEnv): Promise<number> {
  const running = await startDaemon({ env: environment, flags: {} });
  try {
    const file = path.join(environment['REVERIE_HOME'] ?? '', 'owner-key');
    const key = fs.readFileSync(file, 'utf8').trim();
    const call = createClient({ origin: running.origin, key: () => key });
    await pause(5000);
    return (await call(listSessions, { query: {} })).sessions.length;
  } finally {
    await running.stop();
  }
}

async function problemOf(asked: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await asked;
    return undefined;
  } catch (cause) {
    if (cause instanceof ApiError) return cause;
    throw cause;
  }
}

async function timed<T>(work: Promise<T>): Promise<{ result: T; seconds: number }> {
  const from = performance.now();
  const result = await work;
  return { result, seconds: Math.round((performance.now() - from) / 100) / 10 };
}

/** Whether no address beyond this machine is reached. */
function isCutOff(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '1.1.1.1', port: 443 });
    socket.on('connect', () => resolve(false));
    socket.on('error', () => resolve(true));
    socket.setTimeout(2000, () => resolve(false));
  });
}
