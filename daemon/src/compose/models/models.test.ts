import fs from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@reverie/shared/client';
import { setMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { health, status } from '@reverie/shared/contract/system/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isDeep } from '@reverie/shared/testing/depth';
import {
  embeds,
  type FakeModelServer,
  startFakeModelServer,
} from '../../models/testing/fake-model-server.ts';
import { homeAt } from '../../platform/home/home.ts';
import {
  type DaemonProcess,
  spawnDaemon,
  startTestDaemon,
  temporaryFolder,
  type TestDaemon,
} from '../../testing.ts';

let fake: FakeModelServer;
let daemon: TestDaemon | undefined;
let child: DaemonProcess | undefined;
const remove: (() => void)[] = [];
beforeEach(async () => {
  fake = await startFakeModelServer(embeds());
});
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  child?.kill('SIGKILL');
  await child?.ended;
  child = undefined;
  await fake.stop();
  for (const one of remove.splice(0)) one();
});

function settings(more: Record<string, string> = {}): Record<string, string> {
  return { REVERIE_EMBEDDING_BASE_URL: fake.baseUrl, REVERIE_EMBEDDING_MODEL: 'letters', ...more };
}

async function start(more: Record<string, string> = {}): Promise<TestDaemon> {
  daemon = await startTestDaemon({ env: settings(more) });
  return daemon;
}

/** Waits until the embedder is in a state; the clock stands, or goes on by so much at each look. */
async function until(
  state: string,
  { call, clock }: { call: Client; clock?: TestDaemon['clock'] },
  step = 0,
): Promise<void> {
  for (;;) {
    const { embedder } = await call(health, {});
    if (embedder.state === state) return;
    clock?.advance(step);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function found(call: Client, query: string): Promise<string[]> {
  const { results } = await call(searchMemories, { body: { query, limit: 3 } });
  return results.map(({ key }) => key);
}

const FRUIT = { fruit: 'pear apple', tool: 'mmm vvv', drink: 'oooo uuuu' };

async function store(call: Client): Promise<void> {
  for (const [key, value] of Object.entries(FRUIT)) await call(setMemory, { body: { key, value } });
}

describe('an embedding server', () => {
  test('embeds texts in the background and queries before they are searched', async () => {
    const { call } = await start();
    await store(call);
    await until('ok', { call });
    // No word in common: an anagram is as near as can be.
    expect((await found(call, 'appel arep'))[0]).toBe('fruit');
    expect(await call(status, {})).toMatchObject({
      embedder: { model: 'letters@26', dimensions: 26, embedded: 3, total: 3, state: 'ok', error: null },
      language_model: null,
    });
  });

  test('that is down leaves search to words, says so, and catches up when it is back', async () => {
    const { call, clock } = await start();
    await store(call);
    await until('ok', { call });
    await fake.stop();
    await call(setMemory, { body: { key: 'new', value: 'kkk jjj' } });
    await until('down', { call });
    expect((await found(call, 'kkk'))[0]).toBe('new');
    expect((await found(call, 'pear'))[0]).toBe('fruit');
    expect((await call(health, {})).embedder).toMatchObject({
      error: expect.stringMatching(/no model server answers/) as string,
    });
    expect((await call(health, {})).indexing.pending).toBe(1);
    await fake.start();
    await until('ok', { call, clock }, 1000);
    expect((await call(health, {})).indexing.pending).toBe(0);
    expect((await found(call, 'jkjkjk'))[0]).toBe('new');
  });

  test.each([
    ['never answers', () => 'never' as const],
    ['answers rubbish', () => ({ body: '<html>' })],
    ['answers 429', () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} })],
  ])('that %s never fails a search, nor holds it up', async (_, behaviour) => {
    const { call, clock } = await start({ REVERIE_EMBEDDING_TIMEOUT_MS: '300' });
    await store(call);
    // The machine may be busy: what took too long is asked again.
    await until('ok', { call, clock }, 1000);
    fake.behave(behaviour);
    expect((await found(call, 'pear'))[0]).toBe('fruit');
    expect((await call(health, {})).embedder.state).toBe('down');
    const before = fake.asked.length;
    expect((await found(call, 'mmm'))[0]).toBe('tool');
    expect(fake.asked).toHaveLength(before);
  });

  test('takes the place of the table when it answers, and its vectors that of the old ones; without it the table is back', async () => {
    const first = await startTestDaemon();
    daemon = first;
    await store(first.call);
    expect((await first.call(status, {})).embedder).toMatchObject({ embedded: 3, state: 'ok' });
    const models = () =>
      first.withStore((one) =>
        one.read((db) =>
          db
            .prepare<[], { model: string | null }>('SELECT DISTINCT model FROM chunks')
            .all()
            .map(({ model }) => model),
        ),
      );
    const [table] = models();
    const { folder } = first.home;
    await fake.stop();
    const processEnv = settings();
    // A server that has never answered takes nothing away.
    child = spawnDaemon(copyOf(folder), processEnv);
    let call = await clientOf(child);
    await until('down', { call: call.client });
    expect(await modelsIn(call.folder)).toEqual([table]);
    await fake.start();
    await until('ok', { call: call.client });
    expect(await modelsIn(call.folder)).toEqual(['letters@26']);
    expect((await found(call.client, 'appel arep'))[0]).toBe('fruit');
    child.kill('SIGTERM');
    await child.ended;
    child = spawnDaemon(call.folder);
    call = await clientOf(child);
    for (;;)
      if (
        (await call.client(health, {})).indexing.pending === 0 &&
        (await modelsIn(call.folder))[0] === table
      )
        break;
    expect(await modelsIn(call.folder)).toEqual([table]);
  });

  test('whose vectors change their length has all texts embedded again', async () => {
    const { call, clock } = await start();
    await store(call);
    await until('ok', { call });
    fake.behave(embeds(13));
    await call(setMemory, { body: { key: 'new', value: 'kkk jjj' } });
    await until('down', { call });
    await until('ok', { call, clock }, 1000);
    for (;;) {
      const { embedder } = await call(status, {});
      if (embedder.model === 'letters@13' && embedder.embedded === 4 && embedder.state === 'ok') break;
      clock.advance(1000);
    }
    expect((await found(call, 'jkjkjk'))[0]).toBe('new');
  });
});

/** Where the process of a test keeps its memories. */
let processFolder = '';

function copyOf(folder: string): string {
  const temporary = temporaryFolder();
  remove.push(temporary.remove);
  processFolder = path.join(temporary.folder, 'home');
  fs.cpSync(folder, processFolder, { recursive: true });
  return processFolder;
}

async function clientOf(one: DaemonProcess): Promise<{ client: Client; folder: string }> {
  const origin = await one.ready;
  const key = fs.readFileSync(homeAt(processFolder).ownerKey, 'utf8').trim();
  return { client: createClient({ origin, key: () => key }), folder: processFolder };
}

async function modelsIn(folder: string): Promise<(string | null)[]> {
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(homeAt(folder).database, { readonly: true });
  try {
    return db
      .prepare<[], { model: string | null }>('SELECT DISTINCT model FROM chunks')
      .all()
      .map(({ model }) => model);
  } finally {
    db.close();
  }
}

if (isDeep)
  test('kill -9 in the middle of embedding anew loses nothing, and it goes on', async () => {
    const temporary = temporaryFolder();
    remove.push(temporary.remove);
    processFolder = path.join(temporary.folder, 'home');
    child = spawnDaemon(processFolder);
    const items = Array.from({ length: 400 }, (_, n) => ({
      key: `k${n}`,
      value: `memory ${n} of pears and apples`,
    }));
    await (await clientOf(child)).client(storeBatch, { body: { items } });
    child.kill('SIGTERM');
    await child.ended;
    for (let kills = 0; kills < 3; kills += 1) {
      // After some batches the server hangs: that is the moment.
      let batches = 2;
      fake.behave((asked) => ((batches -= 1) < 0 ? 'never' : embeds()(asked)));
      const before = fake.asked.length;
      child = spawnDaemon(processFolder, settings({ REVERIE_EMBEDDING_BATCH: '32' }));
      const { client } = await clientOf(child);
      while (fake.asked.length < before + 3) await client(health, {});
      child.kill('SIGKILL');
      await child.ended;
    }
    fake.behave(embeds());
    child = spawnDaemon(processFolder, settings({ REVERIE_EMBEDDING_BATCH: '32' }));
    const { client, folder } = await clientOf(child);
    for (;;) {
      const { embedder } = await client(status, {});
      if (embedder.embedded === 400 && embedder.state === 'ok' && (await modelsIn(folder)).length === 1)
        break;
    }
    expect(await modelsIn(folder)).toEqual(['letters@26']);
  });
