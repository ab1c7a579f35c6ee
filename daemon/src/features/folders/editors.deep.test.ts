import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient } from '@reverie/shared/client';
import { addFolder, listFolders, pruneFolder } from '@reverie/shared/contract/memories/folders';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as trash from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { homeAt } from '../../platform/home/home.ts';
import { spawnDaemon, startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';
import { createEditors, notesBelow, seeded } from './testing/editors.ts';

const namespace = 'notes';
let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let root = '';
beforeEach(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'notes');
});
afterEach(async () => {
  await daemon.stop();
  temporary.remove();
});

async function storedBy(call: Client): Promise<[string, string][]> {
  const { memories } = await call(contract.listMemories, { body: { namespace, limit: 1000 } });
  return memories.map(({ key, value = '' }) => [key, value]);
}
const stored = async () => Object.fromEntries(await storedBy(daemon.call));

/** Says that what is held back is meant to be gone: a slow look may meet a folder that has lost most of its few files, or all. */
async function pruneHeld(): Promise<void> {
  const { folders } = await daemon.call(listFolders, {});
  for (const { id, state } of folders)
    if (state.kind === 'holding' || state.kind === 'paused')
      await daemon.call(pruneFolder, { params: { id } }).catch(ignoreLet);
}

/** The files may be there again since the folders were listed. */
function ignoreLet(cause: unknown): void {
  if ((cause as { code?: unknown }).code !== 'conflict') throw cause;
}

/** Waits until memories and files say the same; the limit is for what never does. */
const untilEqual = () =>
  vi.waitFor(
    async () => {
      await pruneHeld();
      expect(await stored()).toEqual(notesBelow(root));
    },
    { timeout: seconds(15), interval: 50 },
  );

describe('real editors', () => {
  test.each([20_261_123, 7])(
    'seed %i: 300 deeds, a restart among them, and all is as the files say',
    async (seed) => {
      const random = seeded(seed);
      const editors = createEditors({ root, outside: path.join(temporary.folder, 'outside'), random });
      const said: string[] = [];
      const edit = (times: number) => {
        for (let left = times; left > 0; left -= 1) said.push(editors.step());
      };
      edit(20);
      await daemon.call(addFolder, { body: { path: root, namespace, format: 'markdown' } });
      for (let round = 0; round < 14; round += 1) {
        edit(20);
        // Some are done while it looks, some while nothing runs.
        if (round % 3 === 0) await untilEqual();
        if (round === 7) {
          const restarted = daemon.restart();
          edit(20);
          await restarted;
        }
      }
      await untilEqual();
      expect(new Set(said).size).toBeGreaterThan(15);
      const [folder] = (await daemon.call(listFolders, {})).folders;
      expect(folder).toMatchObject({ issues: [], memories: Object.keys(notesBelow(root)).length });
    },
  );

  test('killed with -9 in the midst, three times', async () => {
    const home = path.join(temporary.folder, 'home');
    const editors = createEditors({
      root,
      outside: path.join(temporary.folder, 'outside'),
      random: seeded(3),
    });
    const start = async () => {
      const running = spawnDaemon(home);
      const origin = await running.ready;
      const key = fs.readFileSync(homeAt(home).ownerKey, 'utf8').trim();
      return { running, call: createClient({ origin, key: () => key }) };
    };
    let { running, call } = await start();
    try {
      for (let left = 60; left > 0; left -= 1) editors.step();
      await call(addFolder, { body: { path: root, namespace, format: 'markdown' } });
      for (let kills = 0; kills < 3; kills += 1) {
        for (let left = 20; left > 0; left -= 1) editors.step();
        // In the midst of taking them over, once the first of them are here.
        await vi.waitFor(async () => expect((await storedBy(call)).length).toBeGreaterThan(0), {
          timeout: seconds(8),
          interval: 5,
        });
        running.kill('SIGKILL');
        await running.ended;
        for (let left = 10; left > 0; left -= 1) editors.step();
        ({ running, call } = await start());
      }
      await vi.waitFor(
        async () => expect(Object.fromEntries(await storedBy(call))).toEqual(notesBelow(root)),
        { timeout: seconds(15), interval: 50 },
      );
    } finally {
      running.kill('SIGKILL');
      await running.ended;
    }
  });

  test('edits here and there, by chance: both say the same afterwards, and nothing echoes', async () => {
    const random = seeded(42);
    const editors = createEditors({ root, outside: path.join(temporary.folder, 'outside'), random });
    await daemon.call(addFolder, { body: { path: root, namespace, sync: 'both' } });
    for (let round = 0; round < 60; round += 1) {
      editors.step();
      editors.step();
      const keys = Object.keys(await stored());
      const key = keys[Math.floor(random() * keys.length)] ?? 'first.md';
      if (random() < 0.6)
        await daemon.call(contract.setMemory, { body: { key, value: `written here, ${round}`, namespace } });
      else if (random() < 0.5 && keys.includes(key))
        await daemon.call(trash.trashMemories, { body: { items: [{ key, namespace }] } }).catch(ignoreGone);
      else
        await daemon.call(contract.setMemory, {
          body: { key: `here/${round}.md`, value: `new here, ${round}`, namespace },
        });
      if (round % 10 === 9) await untilEqual();
      if (round === 35) await daemon.restart();
    }
    await untilEqual();
    const before = await events();
    await daemon.restart();
    await untilEqual();
    await vi.waitFor(async () =>
      expect((await daemon.call(listFolders, {})).folders[0]?.state).toEqual({ kind: 'watching' }),
    );
    expect(await events()).toBe(before);
  });
});

/** It may have gone since it was listed. */
function ignoreGone(cause: unknown): void {
  if ((cause as { code?: unknown }).code !== 'memory_not_found') throw cause;
}

const events = () =>
  Promise.resolve(
    daemon.withStore((store) =>
      store.read(
        (db) => db.prepare<[], { count: number }>('SELECT count(*) AS count FROM events').get()?.count,
      ),
    ),
  );
