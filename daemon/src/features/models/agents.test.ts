import fs from 'node:fs';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams/dreams';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import {
  agentKinds,
  examineModel,
  findModels,
  modelsState,
  type ModelUse,
  stopUsingModels,
  useModel,
} from '@reverie/shared/contract/system/models';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type FakeAgents,
  installFakeAgents,
  isAlive,
  LEASE,
  RENT,
} from '../../models/agents/testing/fake-agents.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const TEXT =
  'The notes that fit your question, or that a dream compares (some thousands of tokens each time), are sent to Anthropic through your own Claude Code login. Reverie sends nothing else, and you can turn it off at any time.';

let agents: FakeAgents;
let daemon: TestDaemon;
beforeEach(async () => {
  agents = installFakeAgents(RENT);
  daemon = await startTestDaemon({ env: { PATH: agents.folder } });
  await daemon.call(setMemory, { body: { key: 'lease', value: LEASE } });
});
afterEach(async () => {
  await daemon.stop();
  agents.remove();
});

const ask = () =>
  daemon.call(askMemory, { body: { question: 'How much is the rent of the flat?', explain: true } });
const use = (more: Partial<Parameters<typeof daemon.call<typeof useModel>>[1]['body']> = {}) =>
  daemon.call(useModel, { body: { server: 'agent:claude-code', name: 'default', consent: true, ...more } });
async function useOf(part: ModelUse['part']): Promise<ModelUse | undefined> {
  return (await daemon.call(modelsState, {})).uses.find((one) => one.part === part);
}
const words = () => agents.calls().map(({ stdin }) => stdin);

describe.skipIf(process.platform === 'win32')('a coding agent as a model', () => {
  test('is found first, by its version alone, with what a person would agree to', async () => {
    const { servers } = await daemon.call(findModels, {});
    expect(servers.slice(0, 6).map(({ kind }) => kind)).toEqual(agentKinds);
    expect(servers[0]).toEqual({
      kind: 'claude-code',
      url: 'agent:claude-code',
      version: '2.1.332',
      needs_key: false,
      models: [{ name: 'default', bytes: null, context: null, can: ['chat', 'schema'] }],
      consent: { vendor: 'Anthropic', text: TEXT, given_at: null },
    });
    expect(servers.slice(1, 6).map(({ version }) => version)).toEqual([
      ...['0.171.0', '0.61.0', '1.18.33', '1.0.102', '0.24.4'],
    ]);
    expect(agents.calls()).toEqual([]);
    agents.uninstall('codex');
    // Another program of the name `copilot` is none.
    fs.writeFileSync(`${agents.folder}/copilot`, '#!/bin/sh\necho "copilot version: v1.34.0"\n');
    daemon.clock.advance(5000);
    const kinds = (await daemon.call(findModels, {})).servers.map(({ kind }) => kind);
    expect(kinds).not.toContain('codex');
    expect(kinds).not.toContain('copilot');
  });

  test('is asked for nothing without a consent, and the refusal says what is sent and what to do', async () => {
    await expect(use({ consent: false })).rejects.toMatchObject({
      status: 409,
      code: 'consent_needed',
      message: expect.stringContaining(TEXT) as string,
    });
    await expect(
      daemon.call(examineModel, { body: { server: 'agent:claude-code', name: 'default' } }),
    ).rejects.toMatchObject({ code: 'consent_needed' });
    expect(await useOf('ask')).toMatchObject({ server: null, state: 'off', consent: null });
    expect((await ask()).model).toBeNull();
    expect(agents.calls()).toEqual([]);
  });

  test('answers after a consent that is kept, with its time, until it is used no more', async () => {
    const state = await use();
    expect(state.uses[0]).toMatchObject({
      server: 'agent:claude-code',
      name: 'default',
      state: 'ok',
      timeout_ms: 60_000,
      consent: { vendor: 'Anthropic', given_at: new Date(daemon.clock.now()).toISOString() },
    });
    expect(state.uses[1]).toMatchObject({ part: 'dreams', server: 'agent:claude-code', timeout_ms: 300_000 });
    expect(words()).toEqual(['Answer {"yes": true}.']);
    expect(await ask()).toMatchObject({ model: 'Claude Code', certainty: 'sure' });
    expect(words()[1]).toContain(LEASE);
    expect((await useOf('ask'))?.spent).toMatchObject({ tokens_today: 1034, calls_month: 1 });
    await daemon.restart();
    expect(await ask()).toMatchObject({ model: 'Claude Code' });
    await daemon.call(stopUsingModels, { query: { for: 'ask' } });
    expect((await useOf('dreams'))?.consent?.given_at).not.toBeNull();
    await daemon.call(stopUsingModels, { query: {} });
    const { servers } = await daemon.call(findModels, {});
    expect(servers[0]?.consent?.given_at).toBeNull();
  });

  test('whose limits are changed keeps the time of its consent', async () => {
    const [before] = (await use()).uses;
    daemon.clock.advance(1000);
    const [after] = (await use({ for: ['ask'], tokens_per_month: 500_000 })).uses;
    expect(after).toMatchObject({ tokens_per_month: 500_000, consent: before?.consent });
    expect(before?.consent?.given_at).not.toBeNull();
  });

  test('is not asked where the file names it and nobody agreed, and the state says so', async () => {
    fs.writeFileSync(daemon.home.config, '{"llm": {"base_url": "agent:codex", "model": "default"}}');
    await daemon.restart();
    expect(await useOf('ask')).toMatchObject({
      server: 'agent:codex',
      state: 'down',
      consent: { vendor: 'OpenAI', given_at: null },
      error: 'nobody agreed that Codex is asked: run `reverie models use codex`',
    });
    expect((await ask()).model).toBeNull();
    expect(agents.calls()).toEqual([]);
  });

  test('whose command is gone, or that fails, leaves the answer without it', async () => {
    await use();
    agents.be({ kind: 'logged-out' });
    expect((await ask()).model).toBeNull();
    expect(await useOf('ask')).toMatchObject({
      state: 'down',
      error: 'Claude Code is not logged in: run `claude` and type /login',
    });
    await expect(use({ server: 'agent:qwen' })).rejects.toMatchObject({
      code: 'model_unreachable',
      message: 'Qwen Code is not logged in: run `qwen` and choose how to log in. Nothing was changed.',
    });
    expect((await useOf('ask'))?.server).toBe('agent:claude-code');
    agents.uninstall('claude');
    expect((await useOf('ask'))?.error).toMatch(
      /is not found: install it again, or run `reverie models off`/u,
    );
    expect((await ask()).model).toBeNull();
    await expect(use()).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  test('has the time that it was given when it was chosen, not that of the start', async () => {
    fs.writeFileSync(daemon.home.config, '{"llm": {"timeout_ms": 300}}');
    await daemon.restart();
    await use();
    agents.be({ ...RENT, kind: 'slow' });
    expect((await ask()).model).toBe('Claude Code');
  });

  test('reads the notes of a dream', async () => {
    await use();
    agents.be({ kind: 'answer', text: '{}' });
    await daemon.call(setMemory, {
      body: { key: 'letter', value: 'The rent of the flat in Harbour Street is 960 euro a month.' },
    });
    const { id } = await daemon.call(startDream, { body: { namespace: 'default' } });
    await vi.waitFor(
      async () => {
        const { status } = await daemon.call(dreamStatus, { params: { id } });
        expect(status).toBe('complete');
      },
      { timeout: seconds(30), interval: 100 },
    );
    expect(words().some((text) => text.includes('960 euro'))).toBe(true);
  });

  test('that is asked when the daemon stops ends with it', async () => {
    await use();
    agents.be({ kind: 'hang' });
    const asking = ask().catch(() => undefined);
    await vi.waitFor(() => agents.pids(), { timeout: seconds(10) });
    const restarted = daemon.restart();
    await vi.waitFor(() => expect(agents.pids().map(isAlive)).toEqual([false, false]), {
      timeout: seconds(5),
    });
    await Promise.all([restarted, asking]);
  });

  test.each([
    [{ for: ['vectors'] as const }, 'for: claude-code makes no vectors: use it for ask and dreams'],
    [{ name: '--dangerously-skip-permissions' }, /^name: must be default, or a model's name/u],
    [{ name: 'opus; touch /tmp/x' }, /^name: must be default/u],
    [{ server: 'agent:cursor' }, /must be the address of a server .* one of claude-code, codex/u],
    [{ server: 'agent:' }, /must be the address of a server/u],
    [{ server: 'file:///etc/passwd' }, /must be the address of a server/u],
  ])('refuses %j', async (body, message) => {
    const { json, status } = await daemon.ask({
      path: '/v1/models/use',
      body: { server: 'agent:claude-code', name: 'default', consent: true, ...body },
    });
    expect(status).toBe(400);
    expect(`${json.detail}${JSON.stringify(json.errors)}`.replace(/^.*?(name|for):/u, '$1:')).toMatch(
      message,
    );
    expect(agents.calls()).toEqual([]);
  });
});
