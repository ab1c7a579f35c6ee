import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelPull } from '@reverie/shared/contract/system/models';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore, type Store } from '../../../db/open-store.ts';
import { type FakeOllama, startFakeOllama } from '../../../models/testing/fake-ollama.ts';
import { startProtocolServer, sendText } from '../../../models/testing/protocol-server.ts';
import { freeForModels } from './free-space.ts';
import { createPulls, type Pulls } from './pull.service.ts';

const NAME = 'tiny:1b';
const GB = 1e9;

let ollama: FakeOllama;
let store: Store;
let clock: FakeClock;
let free: number;
let got: number;
let pulls: Pulls;

const create = () =>
  createPulls({
    store,
    clock,
    log: pino({ level: 'silent' }),
    world: {
      isOwn: (port) => port === 7337,
      free: () => ({ folder: '/models', bytes: free }),
      got: () => (got += 1),
    },
  });
beforeEach(async () => {
  ollama = await startFakeOllama({
    library: [
      { name: NAME, layers: [3000, 400], context: 1, capabilities: ['completion'] },
      { name: 'qwen3.5:4b', layers: [10], context: 1, capabilities: ['completion'] },
    ],
  });
  store = openStore({ file: ':memory:', migrations: loadMigrations() });
  clock = createFakeClock();
  [free, got] = [100 * GB, 0];
  pulls = create();
});
afterEach(async () => {
  pulls.close();
  await ollama.stop();
  store.close();
});

const has = (part: string): unknown => expect.stringContaining(part);
const start = (name = NAME) => pulls.start({ server: ollama.url, name });
/** Waits until the pull is as is expected; it is looked at whenever the event loop has turned. */
async function until(holds: (pull: ModelPull) => boolean): Promise<ModelPull> {
  for (;;) {
    const pull = pulls.current();
    if (pull && holds(pull)) return pull;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const over = () => until(({ status }) => status !== 'running');

describe('getting a model', () => {
  test('its bytes are counted until Ollama has it', async () => {
    ollama.pulls.hold();
    expect(pulls.current()).toBeNull();
    expect(await start()).toMatchObject({ name: NAME, status: 'running', bytes_done: 0, ended_at: null });
    ollama.pulls.arrive(1000);
    expect(await until(({ bytes_done }) => bytes_done === 1000)).toMatchObject({ bytes_total: 3000 });
    ollama.pulls.arrive();
    expect(await over()).toMatchObject({ status: 'done', bytes_done: 3400, bytes_total: 3400, error: null });
    expect([ollama.names(), got]).toEqual([[NAME], 1]);
  });

  test('stopped, it goes on where it was', async () => {
    ollama.pulls.hold();
    await start();
    ollama.pulls.arrive(1500);
    await until(({ bytes_done }) => bytes_done === 1500);
    expect(pulls.stop()).toMatchObject({ status: 'stopped', bytes_done: 1500, error: null });
    await ollama.pulls.over();
    expect(() => pulls.stop()).toThrow('No model is being got');
    expect(await start()).toMatchObject({ status: 'running', bytes_done: 1500, bytes_total: 3000 });
    ollama.pulls.arrive();
    expect(await over()).toMatchObject({ status: 'done', bytes_done: 3400 });
    expect(ollama.pulls.arrived(NAME)).toBe(3400);
  });

  test('a daemon that ended in the middle finds it stopped, and goes on', async () => {
    ollama.pulls.hold();
    await start();
    ollama.pulls.arrive(1000);
    await until(({ bytes_done }) => bytes_done === 1000);
    clock.advance(5000);
    ollama.pulls.arrive(500);
    await until(({ bytes_done }) => bytes_done === 1500);
    // As after a crash: the database is what it was, nobody closed anything.
    const after = create();
    expect(after.current()).toMatchObject({ name: NAME, status: 'stopped', bytes_done: 1500 });
    pulls.close();
    pulls = create();
    expect(pulls.current()).toMatchObject({ status: 'stopped', bytes_done: 1500, bytes_total: 3000 });
    await start();
    ollama.pulls.arrive();
    expect(await over()).toMatchObject({ status: 'done' });
  });

  test('progress is not written all the time', async () => {
    const versions = () =>
      store.read((db) => db.prepare('SELECT total_changes() AS n').get()) as { n: number };
    ollama.pulls.hold();
    await start();
    const before = versions().n;
    for (let bytes = 100; bytes <= 1000; bytes += 100) {
      ollama.pulls.arrive(100);
      await until(({ bytes_done }) => bytes_done === bytes);
    }
    expect(versions().n).toBe(before);
    clock.advance(5000);
    ollama.pulls.arrive(100);
    await until(({ bytes_done }) => bytes_done === 1100);
    expect(versions().n).toBe(before + 1);
  });

  test('one at a time; the same one is not started twice', async () => {
    ollama.pulls.hold();
    const [one, two] = await Promise.all([start(), start()]);
    expect(two).toEqual(one);
    expect(await start()).toEqual(pulls.current());
    await expect(start('qwen3.5:4b')).rejects.toMatchObject({ code: 'conflict' });
    await ollama.pulls.underWay();
    expect(ollama.asked.filter(({ path }) => path === '/api/pull')).toHaveLength(1);
  });

  test.each([
    ['max retries exceeded', 'Ollama could not get it: max retries exceeded'],
    ['pull model manifest: file does not exist', `Ollama knows no model ${NAME}.`],
  ])('what Ollama says of a failure is told: %s', async (message, told) => {
    ollama.pulls.fail(message);
    await start();
    const { status, error } = await over();
    expect([status, error]).toEqual(['failed', has(told)]);
    // The failure is over with it.
    await start();
    expect(await over()).toMatchObject({ status: 'done', error: null });
  });

  test('a connection that breaks is told, and asking again goes on', async () => {
    ollama.pulls.hold();
    await start();
    ollama.pulls.arrive(700);
    await until(({ bytes_done }) => bytes_done === 700);
    ollama.pulls.breakOff();
    expect(await over()).toMatchObject({
      status: 'failed',
      bytes_done: 700,
      error: has('ask again'),
    });
    await start();
    ollama.pulls.arrive();
    expect(await over()).toMatchObject({ status: 'done' });
  });
});

describe('what is refused', () => {
  test('too little room, before anything is asked of Ollama', async () => {
    free = 2 * GB;
    await expect(start('qwen3.5:4b')).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/3\.4 GB are missing .* \/models has 2\.0 GB left/) as unknown,
    });
    expect(ollama.asked.map(({ path }) => path)).toEqual(['/api/version']);
    expect(pulls.current()).toBeNull();
  });

  test('too little room for a model of unknown size, as soon as Ollama says how large it is', async () => {
    ollama.pulls.hold();
    free = 1000;
    await start();
    ollama.pulls.arrive(10);
    expect(await over()).toMatchObject({
      status: 'failed',
      error: has('not enough room'),
    });
    await ollama.pulls.over();
    expect(ollama.names()).toEqual([]);
  });

  test.each(['http://192.168.1.2:11434', 'https://ollama.example.com', 'http://127.0.0.1:7337'])(
    'a server that is not on this machine, or Reverie itself: %s',
    async (server) => {
      await expect(pulls.start({ server, name: NAME })).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ path: 'server' }],
      });
    },
  );

  test('what does not answer, and what is no Ollama', async () => {
    const other = await startProtocolServer({
      routes: { '*': (_, response) => sendText(response, 200, 'hello') },
    });
    await expect(pulls.start({ server: other.url, name: NAME })).rejects.toMatchObject({ code: 'conflict' });
    await other.stop();
    await expect(pulls.start({ server: other.url, name: NAME })).rejects.toMatchObject({
      code: 'model_unreachable',
    });
    expect(pulls.current()).toBeNull();
  });
});

test('the room is that of the disk of the folder, or of the nearest one above it', () => {
  const { folder, bytes } = freeForModels('/tmp/no/such/folder');
  expect(folder).toBe('/tmp/no/such/folder');
  expect(bytes).toBeGreaterThan(0);
  expect(freeForModels(undefined).folder).toMatch(/\.ollama.models$/);
});
