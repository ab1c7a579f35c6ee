import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { askMemory } from '@reverie/shared/contract/search/ask';
import {
  modelsState,
  type ModelUse,
  stopUsingModels,
  useModel,
} from '@reverie/shared/contract/system/models';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { health, status } from '@reverie/shared/contract/system/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { said, startFakeModelServer } from '../../models/testing/fake-model-server.ts';
import { type FakeOllama, startFakeOllama } from '../../models/testing/fake-ollama.ts';
import type { Saying } from '../../models/testing/talking.ts';
import { dream } from '../dreams/testing.ts';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const [SMALL, LARGE] = ['qwen3.5:4b', 'gemma4:e4b-it-qat'];
let ollama: FakeOllama;
let daemon: TestDaemon;
beforeEach(async () => {
  const model = (name: string) => ({
    name,
    layers: [1],
    context: 8192,
    capabilities: ['completion'] as const,
  });
  ollama = await startFakeOllama({
    has: [
      { ...model(SMALL), capabilities: ['completion'] },
      { ...model(LARGE), capabilities: ['completion'] },
      { ...model('embedder:latest'), capabilities: ['embedding'] },
      { ...model('letters:latest'), capabilities: ['embedding'] },
    ],
    talk: () => RENT,
  });
});
afterEach(async () => {
  await daemon.stop();
  await ollama.stop();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  daemon = await startTestDaemon({ env });
  await daemon.call(setMemory, { body: { key: 'lease', value: LEASE } });
}

const LEASE = 'The rent of the flat in Harbour Street is 940 euro a month.';
const RENT: Saying = {
  text: JSON.stringify({
    answered: true,
    sentences: [{ text: LEASE, sources: [1], quotes: [{ note: 1, words: '940 euro a month' }] }],
    search: [],
  }),
};
const ask = () =>
  daemon.call(askMemory, { body: { question: 'How much is the rent of the flat?', explain: true } });
type Wanted = Parameters<typeof use>[0];
function use(more: {
  name?: string;
  server?: string;
  for?: ModelUse['part'][];
  tokens_per_day?: number | null;
  tokens_per_month?: number | null;
  timeout_ms?: number;
  beyond_this_machine?: boolean;
}) {
  return daemon.call(useModel, { body: { server: ollama.url, name: SMALL, ...more } });
}
const off = (part?: ModelUse['part']) =>
  daemon.call(stopUsingModels, { query: part === undefined ? {} : { for: part } });
const written = (): unknown => JSON.parse(fs.readFileSync(daemon.home.config, 'utf8'));
async function uses(): Promise<Record<ModelUse['part'], ModelUse>> {
  const state = await daemon.call(modelsState, {});
  return Object.fromEntries(state.uses.map((one) => [one.part, one])) as Record<ModelUse['part'], ModelUse>;
}
/** The keys that were sent to a server, with the paths that they were sent to. */
const keysSent = (server: FakeOllama) =>
  server.asked.flatMap(({ headers }) => headers['authorization'] ?? []);

describe('using a model', () => {
  test('applies at once, is written down beside the other settings, and outlives a restart', async () => {
    await start();
    // The table is read behind the first start.
    await expect.poll(async () => (await uses()).vectors.state).toBe('ok');
    expect(await uses()).toMatchObject({
      ask: { server: null, name: null, state: 'off', since: null, settings_from: 'default' },
      dreams: { state: 'off' },
      vectors: { server: null, name: null, state: 'ok', error: null },
    });
    expect((await ask()).model).toBeNull();
    fs.writeFileSync(daemon.home.config, '{"history": {"max_versions": 3}, "llm": {"for_signed_up": true}}');
    const state = await use({ timeout_ms: 5000, tokens_per_day: 100_000 });
    expect(state.uses[0]).toMatchObject({
      part: 'ask',
      server: ollama.url,
      name: SMALL,
      state: 'ok',
      timeout_ms: 5000,
      tokens_per_day: 100_000,
      settings_from: 'file',
    });
    expect(written()).toEqual({
      history: { max_versions: 3 },
      llm: {
        for_signed_up: true,
        base_url: `${ollama.url}/v1`,
        model: SMALL,
        timeout_ms: 5000,
        tokens_per_day: 100_000,
      },
      dream: { llm: { timeout_ms: 5000, tokens_per_day: 100_000 } },
    });
    if (process.platform !== 'win32') expect(fs.statSync(daemon.home.config).mode & 0o777).toBe(0o600);
    expect(await ask()).toMatchObject({ model: SMALL, certainty: 'sure' });
    expect(await daemon.call(health, {})).toMatchObject({ language_model: { model: SMALL, state: 'ok' } });
    await daemon.restart();
    expect(await ask()).toMatchObject({ model: SMALL });
    expect((await daemon.call(status, {})).language_model).toMatchObject({ model: SMALL });
    expect((await uses()).dreams).toMatchObject({ name: SMALL, settings_from: 'file' });
  });

  test('lets a question that is under way end with the one before', async () => {
    await start();
    await use({});
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Saying>();
    ollama.talk = ({ model }) => {
      if (model !== SMALL) return RENT;
      asked.resolve();
      return answer.promise;
    };
    const under = ask();
    await asked.promise;
    await use({ name: LARGE });
    expect((await ask()).model).toBe(LARGE);
    answer.resolve(RENT);
    expect((await under).model).toBe(SMALL);
  });

  test('loses neither of two at once', async () => {
    await start();
    await Promise.all([
      use({ for: ['ask'] }),
      use({ name: LARGE, for: ['dreams'], tokens_per_day: 7 }),
      use({ name: 'embedder:latest', for: ['vectors'] }),
    ]);
    expect(await uses()).toMatchObject({
      ask: { name: SMALL, tokens_per_day: null },
      dreams: { name: LARGE, tokens_per_day: 7 },
      vectors: { name: 'embedder:latest' },
    });
    await daemon.restart();
    expect(await uses()).toMatchObject({
      ask: { name: SMALL },
      dreams: { name: LARGE, tokens_per_day: 7 },
      vectors: { name: 'embedder:latest' },
    });
  });

  test('can be given up, by one part or by all', async () => {
    await start();
    await use({});
    await off('dreams');
    expect(await uses()).toMatchObject({ ask: { name: SMALL }, dreams: { state: 'off' } });
    await use({ for: ['dreams'] });
    await off('ask');
    expect(await uses()).toMatchObject({ ask: { state: 'off' }, dreams: { name: SMALL } });
    expect((await ask()).model).toBeNull();
    expect((await daemon.call(health, {})).language_model).toMatchObject({ model: SMALL });
    await daemon.restart();
    expect(await uses()).toMatchObject({ ask: { state: 'off' }, dreams: { name: SMALL } });
    await off();
    expect(await uses()).toMatchObject({ ask: { state: 'off' }, dreams: { state: 'off' } });
    expect((await daemon.call(health, {})).language_model).toBeNull();
    expect(written()).toEqual({ dream: { llm: { off: false } } });
  });

  test('is refused where a variable of the start sets it, which is named, and nothing is written', async () => {
    await start({
      REVERIE_LLM_BASE_URL: `${ollama.url}/v1`,
      REVERIE_LLM_MODEL: LARGE,
      REVERIE_EMBEDDING_TIMEOUT_MS: '300',
    });
    expect((await uses()).ask).toMatchObject({ name: LARGE, settings_from: 'variable' });
    for (const refused of [() => use({}), () => off(), () => off('ask'), () => use({ for: ['ask'] })])
      await expect(refused()).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('REVERIE_LLM_MODEL') as string,
      });
    await expect(use({ name: 'embedder', for: ['vectors'], timeout_ms: 400 })).rejects.toMatchObject({
      message: expect.stringContaining('REVERIE_EMBEDDING_TIMEOUT_MS') as string,
    });
    expect(fs.existsSync(daemon.home.config)).toBe(false);
    // Dreams follow it, and can be told otherwise.
    await off('dreams');
    expect(await uses()).toMatchObject({
      ask: { name: LARGE },
      dreams: { state: 'off', settings_from: 'file' },
    });
  });

  test('shows a model that reads little fewer notes, and none of them cut', async () => {
    await start();
    for (let n = 0; n < 12; n += 1)
      await daemon.call(setMemory, {
        body: {
          key: `flat ${n}`,
          value: `The rent of flat ${n} is ${900 + n} euro. ${'It is let. '.repeat(40)}`,
        },
      });
    ollama.add({ name: 'tiny:1b', layers: [1], context: 2_500, capabilities: ['completion'] });
    const notesShown = async () => {
      let prompt = '';
      ollama.talk = (chat) => {
        prompt = chat.prompt;
        return RENT;
      };
      await ask();
      return prompt.match(/^\[\d+\] /gmu)?.length ?? 0;
    };
    await use({});
    const all = await notesShown();
    expect(all).toBeGreaterThan(10);
    await use({ name: 'tiny:1b' });
    const some = await notesShown();
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(all);
    await daemon.restart();
    expect(await notesShown()).toBe(some);
  });

  test.each<[string, Wanted, object]>([
    ['a model that is not there', { name: 'other' }, { code: 'model_not_found', status: 404 }],
    [
      'one that makes no vectors',
      { name: 'other', for: ['vectors'] },
      { code: 'model_not_found', status: 404 },
    ],
    ['a server that is away', { server: 'http://127.0.0.1:9' }, { code: 'model_unreachable', status: 503 }],
    ['another machine', { server: 'http://192.0.2.1:11434' }, { code: 'conflict', status: 409 }],
    ['a model of a cloud', { name: 'gpt-oss:120b-cloud' }, { code: 'conflict', status: 409 }],
    [
      'a name in the address',
      { server: 'http://me:secret@127.0.0.1:9' },
      { code: 'invalid_request', status: 400 },
    ],
  ])('is refused for %s, and nothing is changed', async (_, wanted, refusal) => {
    await start();
    await expect(use(wanted)).rejects.toMatchObject(refusal);
    expect(fs.existsSync(daemon.home.config)).toBe(false);
    expect(await uses()).toMatchObject({ ask: { state: 'off' }, vectors: { server: null } });
  });

  test('is refused where the file is no JSON, and to others than the owner of the machine', async () => {
    await start();
    fs.writeFileSync(daemon.home.config, '{"llm": ');
    await expect(use({})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('JSON') as string,
    });
    expect(fs.readFileSync(daemon.home.config, 'utf8')).toBe('{"llm": ');
    const other = daemon.addAccount('owner');
    for (const key of [other.key, daemon.apiKey]) {
      await expect(daemon.as(key)(modelsState, {})).rejects.toMatchObject({ code: 'forbidden_scope' });
      await expect(
        daemon.as(key)(useModel, { body: { server: ollama.url, name: SMALL } }),
      ).rejects.toMatchObject({ code: 'forbidden_scope' });
      await expect(daemon.as(key)(stopUsingModels, { query: {} })).rejects.toMatchObject({
        code: 'forbidden_scope',
      });
    }
  });
});

describe('the key of a model server', () => {
  const keep = (secrets: object) =>
    fs.writeFileSync(path.join(daemon.home.folder, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });

  test('that was kept for one server is not sent to another, and is there for the first one again', async () => {
    await start();
    const other = await startFakeOllama({
      has: [{ name: SMALL, layers: [1], context: 8192, capabilities: ['completion'] }],
      talk: () => RENT,
    });
    // As older versions left it: nothing says whose key it is.
    keep({ llm: 'sk-first' });
    fs.writeFileSync(
      daemon.home.config,
      JSON.stringify({ llm: { base_url: `${ollama.url}/v1`, model: SMALL } }),
    );
    await daemon.restart();
    await ask();
    expect(keysSent(ollama)).toEqual(['Bearer sk-first']);
    await use({ server: other.url });
    expect((await ask()).model).toBe(SMALL);
    await daemon.restart();
    expect((await ask()).model).toBe(SMALL);
    expect(other.asked.length).toBeGreaterThan(2);
    expect(keysSent(other)).toEqual([]);
    await use({});
    await ask();
    expect(keysSent(ollama).length).toBeGreaterThan(2);
    await other.stop();
  });

  test('that was kept before any server is sent to none that does without, also after a restart', async () => {
    await start();
    keep({ llm: 'sk-free', embedding: 'sk-vectors' });
    await use({});
    await use({ name: 'embedder', for: ['vectors'] });
    await ask();
    await daemon.restart();
    await ask();
    expect(keysSent(ollama)).toEqual([]);
  });

  test('that was kept before any server goes to the one that is used and asks for a key, and to no other after it', async () => {
    await start();
    const guarded = await startFakeModelServer(({ path: asked, authorization }) => {
      if (authorization !== 'Bearer sk-free') return { status: 401, body: {} };
      return asked === '/v1/models'
        ? { body: { data: [{ id: 'large' }] } }
        : said('text' in RENT ? RENT.text : '');
    });
    const server = guarded.baseUrl.replace('/v1', '');
    await expect(use({ server, name: 'large' })).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining(`reverie secret set llm --server ${server}`) as string,
    });
    keep({ llm: 'sk-free', llm_origin: 'none' });
    await use({ server, name: 'large' });
    expect((await ask()).model).toBe('large');
    await daemon.restart();
    expect((await ask()).model).toBe('large');
    await use({});
    expect((await ask()).model).toBe(SMALL);
    expect(keysSent(ollama)).toEqual([]);
    await guarded.stop();
  });
});

describe('limits', () => {
  test('that are reached give the part a rest until the next UTC day, over restarts, and calls that fail count', async () => {
    await start();
    // Each answer takes 12 tokens.
    await use({ tokens_per_day: 20 });
    expect((await ask()).model).toBe(SMALL);
    ollama.talk = () => ({ status: 500, error: 'out of memory' });
    expect((await ask()).model).toBeNull();
    ollama.talk = () => RENT;
    daemon.clock.advance(10_000);
    expect((await ask()).model).toBe(SMALL);
    expect((await uses()).ask).toMatchObject({
      spent: { tokens_today: 24, tokens_month: 24, calls_month: 3, failed_month: 1 },
      state: 'down',
      error: 'its 20 tokens a day are used up: it rests until 00:00 UTC',
    });
    const before = ollama.asked.length;
    for (let restarts = 0; restarts < 2; restarts += 1) {
      const resting = await ask();
      expect(resting).toMatchObject({
        model: null,
        certainty: expect.stringMatching(/sure|likely/u) as string,
      });
      expect(resting.answer).toContain('940 euro');
      expect(resting.understood?.model_failed).toBe(
        'its 20 tokens a day are used up: it rests until 00:00 UTC',
      );
      await daemon.restart();
    }
    expect(ollama.asked).toHaveLength(before);
    // Dreams have tokens of their own.
    expect((await uses()).dreams).toMatchObject({ state: 'ok', spent: { calls_month: 0 } });
    daemon.clock.advance(86_400_000);
    expect((await ask()).model).toBe(SMALL);
    expect((await uses()).ask).toMatchObject({ state: 'ok', spent: { tokens_today: 12, tokens_month: 36 } });
    await use({ tokens_per_day: 0, for: ['ask'] });
    expect((await ask()).model).toBeNull();
    await use({ tokens_per_day: null });
    expect((await ask()).model).toBe(SMALL);
  });

  test('of a month hold whatever the day has left, and are told apart from those of a day', async () => {
    await start();
    await use({ tokens_per_day: 1000, tokens_per_month: 20 });
    await ask();
    await ask();
    expect((await uses()).ask).toMatchObject({
      tokens_per_day: 1000,
      tokens_per_month: 20,
      state: 'down',
      error: expect.stringMatching(
        /^its 20 tokens a month are used up: it rests until 00:00 UTC on .*-01$/u,
      ) as string,
    });
    const before = ollama.asked.length;
    await daemon.restart();
    expect((await ask()).model).toBeNull();
    expect(ollama.asked).toHaveLength(before);
    // Whatever day it is, the next month begins within 31 days.
    daemon.clock.advance(31 * 86_400_000);
    expect((await ask()).model).toBe(SMALL);
    await use({ tokens_per_month: null });
    expect((await uses()).ask).toMatchObject({ tokens_per_day: 1000, tokens_per_month: null });
  });

  test('of dreams leave what is found by structure as it is, and the dream says why', async () => {
    await start();
    const items = ['a', 'b'].map((key) => ({ key, value: 'The garage code is 4711.', namespace: 'n' }));
    await daemon.call(storeBatch, { body: { items } });
    await use({ tokens_per_day: 0, for: ['dreams'] });
    const job = await dream(daemon.call, { namespace: 'n', strategies: ['refine'] });
    expect(job).toMatchObject({ status: 'complete', tokens: { used: 0 } });
    expect(job.strategies[0]).toMatchObject({
      insights: 1,
      note: expect.stringContaining('its 0 tokens a day are used up: it rests until 00:00 UTC') as string,
    });
  });

  test('of time end a question that takes longer, and what was sent is counted', async () => {
    await start();
    await use({ timeout_ms: 200 });
    ollama.talk = () => ({ does: 'never' });
    const reply = await ask();
    expect(reply).toMatchObject({ model: null });
    expect(reply.understood?.model_failed).toMatch(/0\.2 s|too long/u);
    const { spent } = (await uses()).ask;
    expect(spent.calls_month).toBe(1);
    expect(spent.tokens_today).toBeGreaterThan(100);
  });
});

describe('vectors', () => {
  const find = async (query: string) =>
    (await daemon.call(searchMemories, { body: { query, limit: 3 } })).results.map(({ key }) => key)[0];
  const embedder = async () => (await daemon.call(status, {})).embedder;
  async function until(state: ModelUse['state']): Promise<void> {
    while ((await uses()).vectors.state !== state) await pause(2);
  }

  test('are made anew at once when their model changes, while words find what is searched', async () => {
    await start();
    await daemon.call(setMemory, { body: { key: 'fruit', value: 'pear apple' } });
    ollama.add({ name: 'letters:latest', layers: [1], context: 1, capabilities: ['embedding'] });
    await use({ name: 'embedder', for: ['vectors'] });
    expect(await find('pear')).toBe('fruit');
    // No word in common: an anagram is as near as can be. It is `ok` also before the first look at what is to be made anew.
    await expect.poll(() => find('appel arep')).toBe('fruit');
    await expect.poll(embedder).toMatchObject({ model: 'embedder@26', embedded: 2, total: 2 });
    // As long as the ones before, and of another model.
    await use({ name: 'letters', for: ['vectors'] });
    await expect.poll(embedder).toMatchObject({ model: 'letters@26', embedded: 2, total: 2 });
    await until('ok');
    expect(await find('appel arep')).toBe('fruit');
    expect((await uses()).vectors.spent).toMatchObject({ failed_month: 0 });
    expect((await uses()).vectors.spent.tokens_today).toBeGreaterThan(0);
    await off('vectors');
    await expect.poll(embedder).toMatchObject({
      model: expect.not.stringMatching(/letters|embedder/u) as string,
      embedded: 2,
      total: 2,
    });
    await until('ok');
    expect(await find('a pear')).toBe('fruit');
  });

  test('whose limit is reached wait for the next day, and words find what is searched', async () => {
    await start();
    await use({ name: 'embedder', for: ['vectors'], tokens_per_day: 1 });
    await until('down');
    await daemon.call(setMemory, { body: { key: 'fruit', value: 'pear apple' } });
    expect(await find('pear')).toBe('fruit');
    expect((await daemon.call(health, {})).indexing.pending).toBe(1);
    daemon.clock.advance(86_400_000);
    await until('down');
    while ((await daemon.call(health, {})).indexing.pending > 0) {
      daemon.clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
