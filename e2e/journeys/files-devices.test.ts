import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  getAttachment,
  listAttachments,
  memoryAttachments,
} from '@reverie/shared/contract/memories/attachments';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { deepTest } from '@reverie/shared/testing/depth';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lines, pdfOf } from '../../daemon/src/features/attachments/texts/testing/pdf.ts';
import { linkAll, startSyncWorld, type SyncWorld, type TestDevice } from '../devices.ts';

// The pictures and PDFs that notes of a followed folder name, on the other devices of the account.
let world: SyncWorld;
let a: TestDevice;
let b: TestDevice;
let vault = '';
beforeEach(async () => {
  world = await startSyncWorld();
  vault = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-vault-')));
}, seconds(30));
afterEach(async () => {
  await world.stop();
  fs.rmSync(vault, { recursive: true });
});

const namespace = 'vault';
/** A picture, told by its beginning, with something of its own. */
const picture = (of: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(of)]);

function write(name: string, bytes: string | Buffer): void {
  fs.mkdirSync(path.dirname(path.join(vault, name)), { recursive: true });
  fs.writeFileSync(path.join(vault, name), bytes);
}

const follow = (device: TestDevice) =>
  device.call(addFolder, { body: { path: vault, namespace, format: 'markdown', sync: 'both' } });

/** What a device has of the files of the namespace, by their paths. */
async function filesOf(device: TestDevice): Promise<Record<string, string>> {
  const { attachments } = await device.call(listAttachments, { query: { namespace } });
  const read = attachments.map(async ({ path: name, hash }) => {
    const bytes = await device.call(getAttachment, { params: { hash }, query: { namespace } });
    return [name, Buffer.from(await bytes.arrayBuffer()).toString('latin1')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

const untilHas = (device: TestDevice, expected: Readonly<Record<string, Buffer>>) =>
  vi.waitFor(
    async () =>
      expect(await filesOf(device)).toEqual(
        Object.fromEntries(Object.entries(expected).map(([name, bytes]) => [name, bytes.toString('latin1')])),
      ),
    { timeout: seconds(12), interval: 100 },
  );

test(
  'are there with the notes that name them, changed and removed with them, and found',
  async () => {
    [a, b] = await Promise.all([world.device(), world.device()]);
    await linkAll([a, b], world.relay);
    const paper = pdfOf([lines('The lease of the lighthouse ends in May')]);
    write('a.md', '![[pic.png]] and ![](assets/plan.png) and [[paper.pdf]]');
    write('pic.png', picture('one'));
    write('assets/plan.png', picture('plan'));
    write('paper.pdf', paper);
    write('unnamed.png', picture('of nobody'));
    await follow(a);
    const all = { 'pic.png': picture('one'), 'assets/plan.png': picture('plan'), 'paper.pdf': paper };
    await untilHas(a, all);
    await untilHas(b, all);
    const named = await b.call(memoryAttachments, { query: { key: 'a.md', namespace } });
    expect(named.attachments.map(({ link }) => link).sort()).toEqual([
      'assets/plan.png',
      'paper.pdf',
      'pic.png',
    ]);
    await vi.waitFor(
      async () => {
        const { files } = await b.call(searchMemories, { body: { query: 'lease lighthouse', namespace } });
        expect(files?.[0]).toMatchObject({ path: 'paper.pdf' });
      },
      { timeout: seconds(12), interval: 100 },
    );

    write('pic.png', picture('two'));
    await untilHas(b, { ...all, 'pic.png': picture('two') });
    // A note of the other device that names a file no more, as any edit of it.
    await b.call(setMemory, { body: { namespace, key: 'a.md', value: 'only ![[pic.png]]' } });
    await untilHas(a, { 'pic.png': picture('two') });
    await untilHas(b, { 'pic.png': picture('two') });
    await vi.waitFor(() => expect(fs.readdirSync(path.join(b.folder, 'attachments'))).toHaveLength(1), {
      timeout: seconds(12),
    });
  },
  seconds(60),
);

deepTest(
  'come all the same where either device, or the relay, is killed on the way',
  async () => {
    [a, b] = await Promise.all([
      world.device({ running: 'own-process' }),
      world.device({ running: 'own-process' }),
    ]);
    await linkAll([a, b], world.relay);
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`p${n}.png`, picture(`${n} `.repeat(200_000))]),
    );
    write(
      'a.md',
      Object.keys(many)
        .map((name) => `![[${name}]]`)
        .join('\n'),
    );
    for (const [name, bytes] of Object.entries(many)) write(name, bytes);
    await follow(a);
    for (const victim of ['a', 'relay', 'b', 'a', 'b', 'relay'] as const) {
      await new Promise((resolve) => setTimeout(resolve, 700));
      if (victim === 'relay') {
        await world.killRelay();
        await world.startRelay();
      } else {
        const device = victim === 'a' ? a : b;
        await device.kill();
        await device.start();
      }
    }
    await untilHas(a, many);
    await vi.waitFor(() => untilHas(b, many), { timeout: seconds(60) });
  },
  seconds(120),
);
