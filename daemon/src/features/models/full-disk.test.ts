import fs from 'node:fs';
import path from 'node:path';
import { createClient } from '@reverie/shared/client';
import { modelsState, useModel } from '@reverie/shared/contract/system/models';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { expect, test } from 'vitest';
import { startFakeOllama } from '../../models/testing/fake-ollama.ts';
import { homeAt } from '../../platform/home/home.ts';
import { spawnDaemon, temporaryFolder } from '../../testing.ts';

const mountable = canMount();
if (!mountable) console.warn('skipped: this machine lets no test mount a small disk (root is needed)');

test.skipIf(!mountable)(
  'on a full disk nothing is changed, and it says so; with room it goes on',
  async () => {
    const { folder, remove } = temporaryFolder();
    const home = homeAt(path.join(folder, 'home'));
    const disks = createSmallDisks();
    disks.mount(home.folder, '24m');
    const before = '{"history": {"max_versions": 3}}';
    fs.writeFileSync(home.config, before);
    const name = 'qwen3.5:4b';
    const ollama = await startFakeOllama({
      has: [{ name, layers: [1], context: 8192, capabilities: ['completion'] }],
    });
    const child = spawnDaemon(home.folder);
    try {
      const origin = await child.ready;
      const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
      const call = createClient({ origin, key: () => key });
      const use = () => call(useModel, { body: { server: ollama.url, name } });
      const free = disks.fill(home.folder);
      await expect(use()).rejects.toMatchObject({ code: 'disk_full', status: 507 });
      expect(fs.readFileSync(home.config, 'utf8')).toBe(before);
      expect((await call(modelsState, {})).uses.map(({ state }) => state)).toEqual(['off', 'off', 'ok']);
      free();
      expect((await use()).uses.map(({ name: used }) => used)).toEqual([name, name, null]);
    } finally {
      child.kill('SIGKILL');
      await child.ended;
      disks.unmountAll();
      await ollama.stop();
      remove();
    }
  },
);
