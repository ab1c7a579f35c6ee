import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import {
  getAttachment,
  listAttachments,
  memoryAttachments,
} from '@reverie/shared/contract/memories/attachments';
import { addFolder, listFolders, takeFolderAttachments } from '@reverie/shared/contract/memories/folders';
import { clearNamespace, deleteMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { createBackup } from '@reverie/shared/contract/system/system';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { filesBeside } from '../../platform/home/hashed-files.ts';
import { wipeAccount } from '../accounts/wipe.store.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

let daemon: TestDaemon;
let temporary: { folder: string; remove: () => void };
let root = '';
beforeEach(async () => {
  daemon = await startTestDaemon();
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'vault');
  fs.mkdirSync(root);
});
afterEach(async () => {
  await daemon.stop();
  temporary.remove();
});

const namespace = 'vault';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG =
  '<?xml version="1.0"?>\n<!-- a dot -->\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';
const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const at = (name: string) => path.join(root, name);
function put(name: string, bytes: Buffer | string): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), bytes);
}
/** Stores notes as an import has them, and takes their pictures. */
async function imported(notes: Record<string, string>, into = namespace) {
  await daemon.call(storeBatch, {
    body: { items: Object.entries(notes).map(([key, value]) => ({ key, value, namespace: into })) },
  });
  return daemon.call(takeFolderAttachments, { body: { path: root, namespace: into } });
}
const listed = async (within = namespace) =>
  (await daemon.call(listAttachments, { query: { namespace: within } })).attachments;
const paths = async (within = namespace) => (await listed(within)).map((one) => one.path);
const ofNote = async (key: string) =>
  Object.fromEntries(
    (await daemon.call(memoryAttachments, { query: { namespace, key } })).attachments.map((one) => [
      one.link,
      one.path,
    ]),
  );
const stored = () => (fs.existsSync(daemon.home.attachments) ? fs.readdirSync(daemon.home.attachments) : []);
const get = (hash: string, headers: Record<string, string> = {}, within = namespace) =>
  daemon.ask({ path: `/v1/attachments/${hash}?namespace=${within}`, headers });
const reasons = (left: readonly { path: string; reason: string }[]) =>
  Object.fromEntries(left.map((one) => [one.path, one.reason]));
const until = (holds: () => Promise<void> | void) =>
  vi.waitFor(holds, { timeout: seconds(10), interval: 50 });

describe('pictures of imported notes', () => {
  test('are stored once by what they hold, where notes name them, and led to as notes are', async () => {
    put('pic.png', PNG);
    put('deep/dir/pic two.png', Buffer.concat([PNG, Buffer.from('2')]));
    put('assets/same.png', PNG);
    put('assets/Ünicode.png'.normalize('NFD'), Buffer.concat([PNG, Buffer.from('u')]));
    put('paper.pdf', '%PDF-1.7 text');
    put('dot.svg', SVG);
    put('nobody.png', PNG);
    put('song.mp3', 'ID3 no picture');
    put('table.csv', 'a,b');
    const { left, ...counts } = await imported({
      'a.md': '![[pic.png|300]] ![](deep/dir/pic%20two.png) [[paper.pdf#page=3]] ![[PIC.PNG]] [[song.mp3]]',
      'deep/b.md': '![b](dir/pic%20two.png) ![](../dot.svg) ![[same.png]] ![[ünicode.png]] ![[gone.png]]',
      'pages/c.md': '![x](../../assets/same.png)',
    });
    expect(counts).toMatchObject({ stored: 6, unchanged: 0 });
    expect(reasons(left)).toEqual({ 'nobody.png': 'not_named', 'song.mp3': 'other_type' });
    expect(stored().sort()).toEqual([...new Set((await listed()).map((one) => one.hash))].sort());
    expect(stored()).toHaveLength(5);
    for (const name of stored())
      expect(fs.statSync(path.join(daemon.home.attachments, name)).mode & 0o777).toBe(0o600);
    expect(await ofNote('a.md')).toEqual({
      'pic.png': 'pic.png',
      'deep/dir/pic two.png': 'deep/dir/pic two.png',
      'paper.pdf': 'paper.pdf',
      'PIC.PNG': 'pic.png',
    });
    expect(await ofNote('deep/b.md')).toEqual({
      'dir/pic two.png': 'deep/dir/pic two.png',
      '../dot.svg': 'dot.svg',
      'same.png': 'assets/same.png',
      'ünicode.png': 'assets/Ünicode.png',
    });
    expect(await ofNote('pages/c.md')).toEqual({ '../../assets/same.png': 'assets/same.png' });
    await expect(ofNote('absent')).rejects.toMatchObject({ code: 'memory_not_found' });
    expect(await daemon.call(takeFolderAttachments, { body: { path: root, namespace } })).toMatchObject({
      stored: 0,
      unchanged: 6,
    });
  });

  test('of names that differ in case alone the one that is written so is meant', async () => {
    put('Pic.png', PNG);
    put('pic.png', Buffer.concat([PNG, Buffer.from('small')]));
    await imported({ 'a.md': '![[Pic.png]]', 'b.md': '![[pic.png]]' });
    expect(await ofNote('a.md')).toEqual({ 'Pic.png': 'Pic.png' });
    expect(await ofNote('b.md')).toEqual({ 'pic.png': 'pic.png' });
  });

  test('are answered with the type that their bytes have, and nothing of them runs', async () => {
    put('pic.gif', PNG);
    put('dot.svg', SVG);
    put('paper.pdf', '%PDF-1.7 text');
    await imported({ 'a.md': '![[pic.gif]] ![[dot.svg]] [[paper.pdf]]' });
    const picture = await get(hashOf(PNG));
    expect(picture).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        'content-disposition': "inline; filename*=UTF-8''pic.gif",
        'cache-control': 'no-store',
        etag: `"${hashOf(PNG)}"`,
      },
    });
    expect((await get(hashOf(SVG))).headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': expect.stringContaining('sandbox') as string,
    });
    expect((await get(hashOf('%PDF-1.7 text'))).headers['content-disposition']).toMatch(/^attachment;/u);
    expect(await get(hashOf(PNG), { 'If-None-Match': `"${hashOf(PNG)}"` })).toMatchObject({
      status: 304,
      text: '',
    });
    const blob = await daemon.call(getAttachment, { params: { hash: hashOf(PNG) }, query: { namespace } });
    expect(Buffer.from(await blob.arrayBuffer())).toEqual(PNG);
  });

  test('are nobody’s but those of the namespace and of keys that have it', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    const absent = await get(hashOf('nothing'));
    expect(absent.status).toBe(404);
    for (const other of [
      await get(hashOf(PNG), {}, 'other'),
      await daemon.ask({
        path: `/v1/attachments/${hashOf(PNG)}?namespace=${namespace}`,
        key: daemon.addAccount('owner').key,
      }),
      await daemon.ask({
        path: `/v1/attachments/${hashOf(PNG)}?namespace=${namespace}`,
        key: (
          await daemon.call(createKey, { body: { name: 'narrow', scope: 'read', namespaces: ['other'] } })
        ).key,
      }),
    ])
      expect({ status: other.status, detail: other.json.detail }).toEqual({
        status: 404,
        detail: absent.json.detail,
      });
    expect((await daemon.ask({ path: `/v1/attachments/${hashOf(PNG)}`, key: null })).status).toBe(401);
    expect((await get('../../owner-key')).status).toBe(404);
    expect((await get('%2e%2e%2fowner-key')).status).toBe(400);
  });

  test('go with their namespace, and with the last that names them', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    await imported({ 'a.md': '![[pic.png]]' }, 'second');
    await daemon.call(clearNamespace, { body: { namespace } });
    daemon.clock.advance(1_000);
    expect(await paths()).toEqual([]);
    expect(stored()).toEqual([hashOf(PNG)]);
    expect((await get(hashOf(PNG), {}, 'second')).status).toBe(200);
    await daemon.call(clearNamespace, { body: { namespace: 'second' } });
    daemon.clock.advance(1_000);
    expect(stored()).toEqual([]);
  });

  test('stay while a note of theirs is in the trash, and go with the last one', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    const items = [{ key: 'a.md', namespace }];
    await daemon.call(trashMemories, { body: { items } });
    daemon.clock.advance(61_000);
    expect(stored()).toEqual([hashOf(PNG)]);
    await daemon.call(restoreTrash, { body: { items } });
    expect(await ofNote('a.md')).toEqual({ 'pic.png': 'pic.png' });
    await daemon.call(deleteMemory, { body: { key: 'a.md', namespace } });
    daemon.clock.advance(61_000);
    daemon.clock.advance(1_000);
    expect(stored()).toEqual([]);
  });

  test('go with their account', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    daemon.withStore((store) => store.write((db) => wipeAccount(db, 1 as AccountId)));
    daemon.clock.advance(1_000);
    expect(stored()).toEqual([]);
  });

  test('on a full disk nothing is stored, and that is what is said', async () => {
    put('pic.png', PNG);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const rename = vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw full;
    });
    try {
      await expect(imported({ 'a.md': '![[pic.png]]' })).rejects.toMatchObject({ code: 'disk_full' });
    } finally {
      rename.mockRestore();
    }
    expect(stored()).toEqual([]);
    expect(await paths()).toEqual([]);
    const again = await daemon.call(takeFolderAttachments, { body: { path: root, namespace } });
    expect(again).toMatchObject({ stored: 1 });
  });

  test('what an end in the midst left is taken away at the next start', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    fs.writeFileSync(path.join(daemon.home.attachments, 'f'.repeat(64)), 'stray');
    fs.writeFileSync(path.join(daemon.home.attachments, '0123456789ab.part'), 'half');
    await daemon.restart();
    expect(stored()).toEqual([hashOf(PNG)]);
  });

  test('a backup has them beside it', async () => {
    put('pic.png', PNG);
    await imported({ 'a.md': '![[pic.png]]' });
    const { file } = await daemon.call(createBackup, { body: {} });
    expect(fs.readdirSync(filesBeside(file))).toEqual([hashOf(PNG)]);
    await daemon.call(clearNamespace, { body: { namespace } });
    daemon.clock.advance(1_000);
    expect(fs.readFileSync(path.join(filesBeside(file), hashOf(PNG)))).toEqual(PNG);
  });
});

describe('hostile pictures', () => {
  test('links and pipes are not read, what is too large is left out, and each is named', async () => {
    const outside = path.join(temporary.folder, 'outside.png');
    fs.writeFileSync(outside, Buffer.concat([PNG, Buffer.from('secret')]));
    fs.mkdirSync(path.join(temporary.folder, 'elsewhere'));
    fs.writeFileSync(path.join(temporary.folder, 'elsewhere', 'in.png'), PNG);
    fs.symlinkSync(outside, at('link.png'));
    fs.symlinkSync(path.join(temporary.folder, 'elsewhere'), at('folder'));
    fs.symlinkSync('/dev/zero', at('zero.png'));
    execFileSync('mkfifo', [at('pipe.png')]);
    put('real.png', PNG);
    fs.symlinkSync('real.png', at('alias.png'));
    put('text.png', 'no picture');
    put('page.svg', '<html><script>alert(1)</script></html>');
    put('empty.png', '');
    for (let n = 0; n < 20; n += 1) {
      put(`huge${n}.png`, PNG);
      fs.truncateSync(at(`huge${n}.png`), 26 * 1024 * 1024);
      put(`hollow${n}.png`, '');
      fs.truncateSync(at(`hollow${n}.png`), 24 * 1024 * 1024);
    }
    const names = ['link', 'folder/in', 'zero', 'pipe', 'real', 'alias', 'text', 'empty', '../outside'];
    const { left, left_total, ...counts } = await imported({
      'a.md': [...names, ...Array.from({ length: 20 }, (_, n) => `huge${n}]] ![[hollow${n}`)]
        .map((name) => `![[${name}.png]] ![[page.svg]]`.replaceAll(']] ![[hollow', '.png]] ![[hollow'))
        .join('\n'),
    });
    expect(counts).toEqual({ stored: 1, unchanged: 0 });
    expect(left_total).toBe(left.length);
    const named = reasons(left);
    expect(named).toMatchObject({
      'link.png': 'link',
      'text.png': 'other_type',
      'page.svg': 'other_type',
      'empty.png': 'other_type',
      'huge0.png': 'too_large',
      'hollow19.png': 'other_type',
    });
    expect(Object.values(named).filter((reason) => reason === 'too_large')).toHaveLength(20);
    expect(stored()).toEqual([hashOf(PNG)]);
  });

  test(
    'thousands of pictures of one name, and as many links to it, hold nobody up',
    async () => {
      for (let n = 0; n < 1_500; n += 1) put(`d${n}/image.png`, PNG);
      const links = Array.from({ length: 1_500 }, (_, n) => `![[image.png#${n}]] ![[d${n}/image.png]]`).join(
        '\n',
      );
      const taking = imported({ 'a.md': links, 'b.md': links });
      let slowest = 0;
      for (let isDone = false; !isDone;) {
        const from = performance.now();
        await daemon.ask({ path: '/v1/healthz', key: null });
        slowest = Math.max(slowest, performance.now() - from);
        isDone = await Promise.race([
          taking.then(() => true),
          new Promise<false>((done) => setTimeout(() => done(false), 20)),
        ]);
      }
      expect(await taking).toMatchObject({ stored: 1_500, left: [] });
      expect(stored()).toEqual([hashOf(PNG)]);
      expect(slowest).toBeLessThan(seconds(1));
    },
    seconds(60),
  );

  test('the folder that is named may not be the home, the system’s, or nowhere', async () => {
    for (const wrong of [daemon.home.folder, '/proc', at('nowhere'), 'relative'])
      await expect(
        daemon.call(takeFolderAttachments, { body: { path: wrong, namespace } }),
      ).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('pictures of a followed folder', () => {
  test('come, change and go with its files, and what is left out is named', async () => {
    put('pic.png', PNG);
    put('nobody.png', PNG);
    put('text.png', 'no picture');
    put('a.md', '![[pic.png]] ![[text.png]]');
    await daemon.call(addFolder, { body: { path: root, namespace, format: 'markdown' } });
    await until(async () => expect(await paths()).toEqual(['pic.png']));
    const issues = async () =>
      ((await daemon.call(listFolders, {})).folders[0]?.issues ?? []).map(({ path: name, detail }) => [
        name,
        detail,
      ]);
    await until(async () =>
      expect(await issues()).toEqual([
        ['text.png', expect.stringContaining('by what it holds') as string],
        ['.', expect.stringContaining('no note names nobody.png') as string],
      ]),
    );
    put('pic.png', Buffer.concat([PNG, Buffer.from('changed')]));
    await until(async () => expect((await listed())[0]?.hash).toBe(hashOf(fs.readFileSync(at('pic.png')))));
    put('b.md', '![[nobody.png]]');
    await until(async () => expect(await paths()).toEqual(['nobody.png', 'pic.png']));
    fs.rmSync(at('pic.png'));
    await until(async () => expect(await paths()).toEqual(['nobody.png']));
    daemon.clock.advance(1_000);
    expect(stored()).toEqual([hashOf(PNG)]);
  });

  test('of Logseq are those of its assets, from pages and journals', async () => {
    put('logseq/config.edn', '{}');
    put('assets/pic.png', PNG);
    put('assets/dot.svg', SVG);
    put('pages/a___b.md', '- ![a](../assets/pic.png){:height 200}');
    put('journals/2024_05_06.md', '- ![](../assets/dot.svg)');
    await daemon.call(addFolder, { body: { path: root, namespace, format: 'logseq' } });
    await until(async () => expect(await paths()).toEqual(['assets/dot.svg', 'assets/pic.png']));
    expect(await ofNote('pages/a___b.md')).toEqual({ '../assets/pic.png': 'assets/pic.png' });
  });
});
