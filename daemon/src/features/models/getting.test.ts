import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findModels, pullModel, stopPulling } from '@reverie/shared/contract/system/models';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { readMeta } from '../../db/meta.store.ts';
import { type FakeOllama, startFakeOllama } from '../../models/testing/fake-ollama.ts';
import { startFakeVllm } from '../../models/testing/fake-vllm.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let ollama: FakeOllama;
let daemon: TestDaemon;
beforeEach(async () => {
  ollama = await startFakeOllama();
});
afterEach(async () => {
  await daemon.stop();
  await ollama.stop();
});

const start = async (env: Record<string, string> = {}) => {
  daemon = await startTestDaemon({ env: { REVERIE_MODELS_PORTS: String(ollama.port), ...env } });
};
const pull = (name: string, server = ollama.url) => daemon.call(pullModel, { body: { server, name } });

describe('GET /models/found', () => {
  test('tells the servers of all places, and what can be got from none of them yet', async () => {
    const vllm = await startFakeVllm();
    ollama.add({ name: 'qwen3.5:4b', layers: [9], context: 7, capabilities: ['completion'] });
    await start({ REVERIE_MODELS_PORTS: String(vllm.port), OLLAMA_HOST: `127.0.0.1:${ollama.port}` });
    const { servers, offered, install } = await daemon.call(findModels, {});
    expect(servers.map(({ kind }) => kind)).toEqual(['ollama', 'vllm']);
    expect(offered.map(({ name }) => name)).not.toContain('qwen3.5:4b');
    expect([offered.length > 3, install]).toEqual([true, null]);
    await vllm.stop();
  });

  test('where nothing runs it says what to install; a double click asks nobody twice', async () => {
    await start();
    await ollama.stop();
    const { servers, install } = await daemon.call(findModels, {});
    expect([servers, install?.url]).toEqual([[], expect.stringContaining('ollama.com')]);
    await ollama.start();
    daemon.clock.advance(2000);
    const [one, two] = await Promise.all([daemon.call(findModels, {}), daemon.call(findModels, {})]);
    expect(one.servers).toHaveLength(1);
    expect(two).toEqual(one);
    expect(ollama.asked.filter(({ path }) => path === '/api/version')).toHaveLength(1);
  });

  test('Reverie itself is not taken for one, whatever the settings say', async () => {
    const port = String(await steadyPort());
    daemon = await startTestDaemon({
      env: { REVERIE_PORT: port, REVERIE_MODELS_PORTS: port, OLLAMA_HOST: `:${port}` },
    });
    const before = fs.readFileSync(daemon.home.ownerKey, 'utf8');
    expect((await daemon.call(findModels, {})).servers).toEqual([]);
    expect(before).not.toBe('');
    await expect(pull('x', daemon.origin)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('nobody is asked before somebody asks', async () => {
    await start();
    daemon.clock.advance(3_600_000);
    await daemon.ask({ path: '/v1/status' });
    expect(ollama.asked).toEqual([]);
  });
});

describe('/models/pull', () => {
  test('gets a model, which is found then', async () => {
    await start();
    expect((await daemon.call(findModels, {})).servers[0]?.models).toEqual([]);
    const reply = await daemon.ask({
      path: '/v1/models/pull',
      body: { server: ollama.url, name: 'nomic-embed-text' },
    });
    expect([reply.status, reply.json['status']]).toEqual([202, 'running']);
    await ollama.pulls.over();
    await expect
      .poll(async () => (await daemon.call(findModels, {})).servers[0]?.models.map(({ name }) => name))
      .toEqual(['nomic-embed-text:latest']);
  });

  test('stopped, restarted in the middle, and taken up again', async () => {
    await start();
    ollama.pulls.hold();
    await pull('nomic-embed-text');
    await ollama.pulls.underWay();
    await daemon.restart();
    await ollama.pulls.over();
    expect(
      JSON.parse(daemon.withStore((store) => store.read((db) => readMeta(db, 'model_pull'))) ?? ''),
    ).toMatchObject({ name: 'nomic-embed-text', status: 'stopped' });
    await pull('nomic-embed-text');
    const stopped = await daemon.call(stopPulling, {});
    expect(stopped).toMatchObject({ status: 'stopped', error: null });
    await expect(daemon.call(stopPulling, {})).rejects.toMatchObject({ status: 409 });
  });

  test('409, 503, 507 and what is wrong', async () => {
    await start();
    ollama.pulls.hold();
    await pull('nomic-embed-text');
    await expect(pull('qwen3.5:4b')).rejects.toMatchObject({ status: 409, code: 'conflict' });
    await daemon.call(stopPulling, {});
    await expect(pull('x', 'http://127.0.0.1:9')).rejects.toMatchObject({
      status: 503,
      code: 'model_unreachable',
    });
    await expect(pull('x', 'http://10.0.0.1')).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'server' }],
    });
    const wrong = await daemon.ask({
      path: '/v1/models/pull',
      body: { server: 'ftp://x', name: '', more: 1 },
    });
    expect(wrong.json.errors?.map(({ path }) => path).sort()).toEqual(['more', 'name', 'server']);
  });

  test.skipIf(!canMount())('507 where the disk of the models has no room', async () => {
    const { folder, remove } = temporaryFolder();
    const disks = createSmallDisks();
    const models = path.join(folder, 'models');
    disks.mount(models, '8m');
    try {
      await start({ OLLAMA_MODELS: models });
      await expect(pull('nomic-embed-text')).rejects.toMatchObject({ status: 507, code: 'disk_full' });
      expect(ollama.asked.map(({ path: asked }) => asked)).toEqual(['/api/version']);
    } finally {
      disks.unmountAll();
      remove();
    }
  });
});

test('only the owner of this machine may', async () => {
  await start();
  const other = daemon.addAccount('owner');
  const body = { server: ollama.url, name: 'x' };
  for (const key of [daemon.apiKey, other.key])
    for (const asked of [
      { path: '/v1/models/found' },
      { path: '/v1/models/pull', body },
      { path: '/v1/models/pull', method: 'DELETE' },
    ])
      expect((await daemon.ask({ ...asked, key })).status).toBe(403);
  expect((await daemon.ask({ path: '/v1/models/found', key: null })).status).toBe(401);
  expect(ollama.asked).toEqual([]);
});
