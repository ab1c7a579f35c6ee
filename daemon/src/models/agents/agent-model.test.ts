import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentKind, agentKinds } from '@reverie/shared/contract/system/models';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createBreaker } from '../breaker.ts';
import { ModelFailure } from '../language-model.ts';
import { lenientList } from '../lenient.ts';
import { adapters } from './adapters.ts';
import { createAgentModel } from './agent-model.ts';
import { isModelFolder } from './folder.ts';
import { type AgentRunner, createAgentRunner } from './run-agent.ts';
import { strictSchema } from './strict-schema.ts';
import { type FakeAgents, installFakeAgents, isAlive } from './testing/fake-agents.ts';

const Colour = z.object({ colour: z.string(), notes: lenientList(z.int()) });
const RED = { colour: 'red', notes: [1] };
const ANSWER = { kind: 'answer', text: JSON.stringify(RED) } as const;
const SECRET = 'the colour of the door is red';

let agents: FakeAgents;
let runner: AgentRunner;
beforeEach(() => {
  agents = installFakeAgents(ANSWER);
  runner = createAgentRunner({ PATH: agents.folder, REVERIE_HOME: '/nowhere', CLAUDECODE: '1' });
});
afterEach(() => {
  runner.end();
  agents.remove();
});

function modelOf(
  kind: AgentKind,
  more: Partial<Parameters<typeof createAgentModel>[0]> = {},
): ReturnType<typeof createAgentModel> {
  return createAgentModel({
    adapter: adapters[kind],
    model: 'default',
    timeoutMs: 20_000,
    runner,
    isAgreed: () => true,
    breaker: createBreaker({ now: Date.now, random: Math.random }),
    ...more,
  });
}
const prompt = { system: 'You name a colour.', prompt: SECRET, schema: Colour, maxTokens: 100 };
const failureOf = async (asked: Promise<unknown>): Promise<ModelFailure> => {
  const failure = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(failure).toBeInstanceOf(ModelFailure);
  return failure as ModelFailure;
};
/** Folders that commands ran in and that are still there: others' tests have some of their own. */
const left = () => agents.calls().filter(({ cwd }) => fs.existsSync(path.dirname(cwd)));

describe.skipIf(process.platform === 'win32').each(agentKinds)('the command of %s', (kind) => {
  test('answers in an empty folder, with the notes on its standard input and nowhere else', async () => {
    const { model } = modelOf(kind, { model: 'a-model/of:its-own' });
    expect(await model.generate(prompt)).toEqual({ value: RED, tokens: 1034 });
    const [call, ...others] = agents.calls();
    expect(others).toEqual([]);
    expect(call).toMatchObject({
      name: adapters[kind].command,
      stdin: expect.stringContaining(SECRET) as string,
      files: [],
      inside: '1',
      env: ['REVERIE_INSIDE_MODEL'],
    });
    expect(call?.args.join(' ')).not.toContain(SECRET);
    expect(call?.args).toContain('--model=a-model/of:its-own');
    expect(isModelFolder(call?.cwd ?? '')).toBe(true);
    await vi.waitFor(() => expect(left()).toEqual([]));
  });

  test('that is not logged in says what to do, and is left alone; what it said is not repeated', async () => {
    agents.be({ kind: 'logged-out' });
    const { model, state, wait } = modelOf(kind);
    const failure = await failureOf(model.generate(prompt));
    expect(failure).toMatchObject({
      kind: 'refused',
      message: `${adapters[kind].title} is not logged in: run ${adapters[kind].logIn}`,
    });
    expect(state()).toMatchObject({ state: 'down', error: failure.message });
    expect(wait()).toBeGreaterThan(30_000);
    expect(await failureOf(model.generate(prompt))).toMatchObject({ kind: 'unreachable' });
    expect(agents.calls()).toHaveLength(1);
  });

  test.each([
    ['garbage', 'garbage', /answered something that is not what was asked for/u, 2],
    ['huge', 'garbage', /answers more than 1 MiB/u, 1],
    ['broken', 'refused', /failed; run its command by hand/u, 1],
    ['killed', 'refused', /failed; run its command by hand/u, 1],
  ] as const)('that is %s fails as %s', async (...[mode, how, message, calls]) => {
    agents.be({ kind: mode });
    const failure = await failureOf(modelOf(kind).model.generate(prompt));
    expect(failure).toMatchObject({ kind: how, message: expect.stringMatching(message) as string });
    expect(agents.calls()).toHaveLength(calls);
  });
});

test('opencode, asked as a model, has no tools, and does not ask Reverie in its turn', () => {
  const question = { system: 'You name a colour.', prompt: SECRET, schema: undefined, model: undefined };
  const { env } = adapters.opencode.call(question, { file: (name) => name, environment: {} });
  expect(JSON.parse(env?.['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
    share: 'disabled',
    mcp: { reverie: { enabled: false } },
    tools: { '*': false },
  });
});

describe.skipIf(process.platform === 'win32')('a command that hangs', () => {
  const gone = (pids: readonly number[]) =>
    vi.waitFor(() => expect(pids.map(isAlive)).toEqual(pids.map(() => false)), { timeout: 5000 });

  beforeEach(() => agents.be({ kind: 'hang' }));

  test('is ended at its limit with all that it started', async () => {
    // A busy machine may need longer than the limit to start both of its processes: it has more then.
    let timeoutMs = 750;
    do {
      timeoutMs *= 2;
      const failure = await failureOf(modelOf('codex', { timeoutMs }).model.generate(prompt));
      const message = `Codex did not answer within ${timeoutMs / 1000} s`;
      expect(failure).toMatchObject({ kind: 'timeout', message });
    } while (!agents.hasStarted() && timeoutMs < seconds(3));
    expect(agents.pids()).toHaveLength(2);
    expect(agents.calls()).not.toEqual([]);
    await gone(agents.pids());
    await vi.waitFor(() => expect(left()).toEqual([]));
  });

  test('is ended when nobody waits any more, and when the daemon stops', async () => {
    const leaving = new AbortController();
    const asked = failureOf(modelOf('codex').model.generate({ ...prompt, signal: leaving.signal }));
    await vi.waitFor(() => agents.pids(), { timeout: 5000 });
    leaving.abort();
    expect(await asked).toMatchObject({ kind: 'cancelled' });
    await gone(agents.pids());
    fs.rmSync(path.join(agents.folder, 'pids.json'));
    const stopped = failureOf(modelOf('codex').model.generate(prompt));
    await vi.waitFor(() => agents.pids(), { timeout: 5000 });
    runner.end();
    expect(await stopped).toMatchObject({ kind: 'refused' });
    await gone(agents.pids());
    expect(await failureOf(modelOf('codex').model.generate(prompt))).toMatchObject({ kind: 'cancelled' });
  });

  test('keeps a third one waiting, which is not started where its time is over before', async () => {
    const [first, second] = [0, 1].map(() => failureOf(modelOf('codex').model.generate(prompt)));
    await vi.waitFor(() => expect(agents.calls()).toHaveLength(2), { timeout: 5000 });
    const third = await failureOf(modelOf('codex', { timeoutMs: 300 }).model.generate(prompt));
    expect(third.kind).toBe('timeout');
    expect(agents.calls()).toHaveLength(2);
    runner.end();
    await Promise.all([first, second]);
  });
});

describe('a command that may not or cannot be asked', () => {
  test('is not run without a consent, nor where it is gone, and its state says what to do', async () => {
    const asked = modelOf('claude-code', { isAgreed: () => false });
    const why = 'nobody agreed that Claude Code is asked: run `reverie models use claude-code`';
    expect(await failureOf(asked.model.generate(prompt))).toMatchObject({ kind: 'refused', message: why });
    expect(asked.state()).toMatchObject({ state: 'down', error: why });
    agents.uninstall('claude');
    const { model, state } = modelOf('claude-code');
    expect((await failureOf(model.generate(prompt))).message).toMatch(/is not found: install it again/u);
    expect(state().state).toBe('down');
    await pause(50);
    expect(agents.calls()).toEqual([]);
  });
});

describe('the strict form of a schema', () => {
  test('has each field of each object, and says types alone', () => {
    expect(strictSchema(Colour)).toEqual({
      type: 'object',
      properties: {
        colour: { type: 'string' },
        notes: { type: 'array', items: { type: 'integer' } },
      },
      required: ['colour', 'notes'],
      additionalProperties: false,
    });
    expect(
      strictSchema(z.object({ a: z.union([z.string().max(3), z.null()]), b: z.enum(['x', 'y']) })),
    ).toEqual({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        b: { type: 'string', enum: ['x', 'y'] },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    });
  });

  test.each([
    ['a field that may be missing', z.object({ a: z.string().optional() })],
    ['a value of any kind', z.object({ a: z.unknown() })],
    ['any fields', z.object({ a: z.record(z.string(), z.string()) })],
    ['no object', z.array(z.string())],
  ])('is not there for %s', (_, schema) => {
    expect(strictSchema(schema)).toBeUndefined();
  });
});
