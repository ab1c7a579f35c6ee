import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { listAttachments, memoryAttachments } from '@reverie/shared/contract/memories/attachments';
import { addFolder, takeFolderAttachments } from '@reverie/shared/contract/memories/folders';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { clearNamespace, deleteMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import type { Sent } from '@reverie/shared/contract/route';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { restoreTrash, trashMemories } from '@reverie/shared/contract/memories/trash';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder, startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { wipeAccount } from '../../accounts/wipe.store.ts';
import { bombOf, lines, lockedPdf, pdfOf } from './testing/pdf.ts';

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
const PAPER = pdfOf([
  lines('On the keeping of bees', 'This page is about hives and frames.'),
  lines('Of stripes', 'The quagga is an extinct zebra that lived in the Karoo.', 'Its mane was brown.'),
]);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function put(name: string, bytes: Buffer | string): void {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, bytes);
}
/** Stores notes as an import has them, and takes what they name. */
async function imported(notes: Record<string, string>, into = namespace) {
  const items = Object.entries(notes).map(([key, value]) => ({ key, value, namespace: into }));
  await daemon.call(storeBatch, { body: { items } });
  return daemon.call(takeFolderAttachments, { body: { path: root, namespace: into } });
}
const files = async (
  query: string,
  { key, ...more }: Partial<Sent<typeof searchMemories>['body']> & { key?: string } = {},
) =>
  (
    await (key === undefined ? daemon.call : daemon.as(key))(searchMemories, {
      body: { namespace, ...more, query },
    })
  ).files ?? [];
const until = (holds: () => Promise<void> | void) =>
  vi.waitFor(holds, { timeout: seconds(20), interval: 50 });
const isFound = (query = 'quagga', more = {}) =>
  until(async () => expect(await files(query, more)).not.toEqual([]));
const textsOf = async (key: string) =>
  Object.fromEntries(
    (await daemon.call(memoryAttachments, { query: { namespace, key } })).attachments.map((one) => [
      one.path,
      one.text,
    ]),
  );
/** Rows of the tables that say what PDFs say. */
const rows = () =>
  daemon.withStore((store) =>
    store.read((db) => {
      const count = (table: string) =>
        db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
      const hasIndex =
        db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'file_text_1'").get() !== undefined;
      return [count('file_texts'), count('file_pieces'), hasIndex ? count('file_text_1') : 0];
    }),
  );
/** Whether the file of the database, or its log, has some bytes. */
const isInFile = (words: string) =>
  [daemon.home.database, `${daemon.home.database}-wal`].some(
    (file) => fs.existsSync(file) && fs.readFileSync(file).includes(words),
  );

describe('the text of a PDF', () => {
  test('is found by the notes that name the file, with its page and what stands there', async () => {
    put('papers/paper.pdf', PAPER);
    await imported({
      'reading/paper': 'Read this: ![[paper.pdf]]',
      other: 'A [paper](papers/paper.pdf).',
      none: 'x',
    });
    await isFound();
    expect(await files('quagga')).toEqual([
      {
        namespace,
        keys: ['other', 'reading/paper'],
        path: 'papers/paper.pdf',
        hash: hashOf(PAPER),
        page: 2,
        passage: expect.objectContaining({ start: 0 }) as object,
        score: expect.any(Number) as number,
      },
    ]);
    const [hit] = await files('where did the quagga live');
    expect(hit?.passage.text).toContain('The quagga is an extinct zebra');
    expect(hit?.passage.marks.map(([from, to]) => hit.passage.text.slice(from, to))).toContain('quagga');
    expect((await files('hives'))[0]?.page).toBe(1);
    expect((await files('"extinct zebra"'))[0]?.page).toBe(2);
    expect(await files('quagga -zebra')).toEqual([]);
    expect(await files('volcano')).toEqual([]);
    expect(await textsOf('reading/paper')).toEqual({
      'papers/paper.pdf': { pages: 2, characters: expect.any(Number) as number },
    });
  });

  test('is found within what the filters leave of the notes, and in no other namespace or account', async () => {
    put('paper.pdf', PAPER);
    const note = { key: 'a.md', value: '---\nstatus: open\n---\n![[paper.pdf]]', namespace };
    await daemon.call(storeBatch, { body: { items: [{ ...note, metadata: { tags: ['bees'] } }] } });
    await imported({ 'b.md': 'names nothing' });
    await isFound();
    expect(await files('quagga tag:bees')).toHaveLength(1);
    expect(await files('quagga tag:ants')).toEqual([]);
    expect(await files('quagga', { where: ['status=open'] })).toHaveLength(1);
    expect(await files('quagga', { where: ['status=done'] })).toEqual([]);
    expect(await files('quagga', { sources: ['sessions'] })).toEqual([]);
    expect(await files('quagga', { namespace: '*' })).toHaveLength(1);
    expect(await files('quagga', { namespace: 'other' })).toEqual([]);
    const { key: stranger } = daemon.addAccount('owner');
    for (const key of [
      stranger,
      (await daemon.call(createKey, { body: { name: 'narrow', scope: 'read', namespaces: ['other'] } })).key,
    ])
      for (const within of [namespace, '*'])
        expect(await files('quagga', { key, namespace: within })).toEqual([]);
  });

  test('stands in no answer while its note is in the trash or hidden, and leaves file and index with its namespace', async () => {
    put('paper.pdf', PAPER);
    await imported({ 'a.md': '![[paper.pdf]]', 'b.md': 'b' });
    await isFound();
    const items = [{ key: 'a.md', namespace }];
    await daemon.call(trashMemories, { body: { items } });
    expect(await files('quagga')).toEqual([]);
    await daemon.call(restoreTrash, { body: { items } });
    expect(await files('quagga')).toHaveLength(1);
    // As by a dream that puts it behind another one.
    const hide = (hidden: string | null) =>
      daemon.withStore((store) =>
        store.write((db) =>
          db.prepare<[string | null]>("UPDATE memories SET hidden = ? WHERE key = 'a.md'").run(hidden),
        ),
      );
    hide('archived');
    expect(await files('quagga')).toEqual([]);
    hide(null);
    expect(await files('quagga')).toHaveLength(1);
    await daemon.call(deleteMemory, { body: { key: 'a.md', namespace } });
    expect(await files('quagga')).toEqual([]);
    expect(isInFile('Karoo')).toBe(true);
    await daemon.call(clearNamespace, { body: { namespace } });
    expect(await files('quagga')).toEqual([]);
    daemon.clock.advance(1_000);
    await until(() => expect(rows()).toEqual([0, 0, 0]));
    await until(() => expect([isInFile('Karoo'), isInFile('karoo')]).toEqual([false, false]));
  });

  test('goes with its account, and stays with another one that has the file', async () => {
    put('paper.pdf', PAPER);
    await imported({ 'a.md': '![[paper.pdf]]' });
    await isFound();
    const { account, key } = daemon.addAccount('owner');
    daemon.withStore((store) =>
      store.write((db) =>
        db
          .prepare<[number]>(
            `INSERT INTO attachments (account, namespace, path, name, hash, size, type, source, stamp)
             SELECT ?, namespace, path, name, hash, size, type, source, stamp FROM attachments`,
          )
          .run(account),
      ),
    );
    await daemon.as(key)(storeBatch, {
      body: { items: [{ key: 'c.md', value: '[[paper.pdf]]', namespace }] },
    });
    await daemon.restart();
    await isFound('quagga', { key });
    daemon.withStore((store) => store.write((db) => wipeAccount(db, 1 as AccountId)));
    daemon.clock.advance(1_000);
    expect(rows()).toEqual([1, 2, 0]);
    expect(await files('quagga', { key })).toMatchObject([{ keys: ['c.md'], page: 2 }]);
    daemon.withStore((store) => store.write((db) => wipeAccount(db, account)));
    daemon.clock.advance(1_000);
    expect(rows()).toEqual([0, 0, 0]);
  });

  test('of a followed folder comes, changes and goes with the file', async () => {
    put('paper.pdf', PAPER);
    put('a.md', '![[paper.pdf]]');
    await daemon.call(addFolder, { body: { path: root, namespace, format: 'markdown' } });
    await isFound();
    put('paper.pdf', pdfOf([lines('Now it is about the okapi of the forest.')]));
    await isFound('okapi');
    expect(await files('quagga')).toEqual([]);
    fs.rmSync(path.join(root, 'paper.pdf'));
    await until(async () => expect(await files('okapi')).toEqual([]));
    daemon.clock.advance(1_000);
    await until(() => expect(rows()).toEqual([0, 0, 0]));
  });

  test('that an end in the midst left is read at the next start, and what was read is not read again', async () => {
    put('paper.pdf', PAPER);
    await imported({ 'a.md': '![[paper.pdf]]' });
    await isFound();
    // As after an end before it was read, and one before it was indexed.
    const again = async (sql: string) => {
      daemon.withStore((store) => store.write((db) => db.exec(sql)));
      await daemon.restart();
      await isFound();
      expect(rows()).toEqual([1, 2, 2]);
    };
    await again('DELETE FROM file_texts; DELETE FROM file_pieces; DROP TABLE file_text_1');
    await again('DELETE FROM file_text_1 WHERE rowid > 0; UPDATE file_pieces SET indexed = 0');
    fs.writeFileSync(path.join(daemon.home.attachments, hashOf(PAPER)), '%PDF-1.7 broken meanwhile');
    await again('SELECT 1');
    expect(await textsOf('a.md')).toMatchObject({ 'paper.pdf': { pages: 2 } });
    // As after an end while words were taken out.
    daemon.withStore((store) =>
      store.write((db) => db.exec("DELETE FROM file_texts; UPDATE file_pieces SET text = NULL, body = ''")),
    );
    fs.writeFileSync(path.join(daemon.home.attachments, hashOf(PAPER)), PAPER);
    await again('SELECT 1');
  });

  test('that cannot be read is told with the reason, and holds nobody up', async () => {
    put('locked.pdf', lockedPdf());
    put('broken.pdf', '%PDF-1.7 text');
    put('scan.pdf', pdfOf(['']));
    put('bomb.pdf', bombOf(420));
    put('paper.pdf', PAPER);
    const names = ['locked', 'broken', 'scan', 'bomb', 'paper'];
    await imported({ 'a.md': names.map((name) => `![[${name}.pdf]]`).join(' ') });
    let slowest = 0;
    await vi.waitFor(
      async () => {
        const from = performance.now();
        await daemon.ask({ path: '/v1/healthz', key: null });
        slowest = Math.max(slowest, performance.now() - from);
        expect(await textsOf('a.md')).toEqual({
          'locked.pdf': { pages: 0, characters: 0, left_out: 'encrypted' },
          'broken.pdf': { pages: 0, characters: 0, left_out: 'broken' },
          'scan.pdf': { pages: 0, characters: 0, left_out: 'empty' },
          'bomb.pdf': { pages: 0, characters: 0, left_out: 'limit' },
          'paper.pdf': { pages: 2, characters: expect.any(Number) as number },
        });
      },
      { timeout: seconds(60), interval: 20 },
    );
    await isFound();
    expect(slowest).toBeLessThan(seconds(1));
    const { attachments } = await daemon.call(listAttachments, { query: { namespace } });
    expect(attachments.map(({ text }) => text?.left_out ?? 'read')).toEqual([
      'limit',
      'broken',
      'encrypted',
      'read',
      'empty',
    ]);
    const again = await daemon.call(takeFolderAttachments, { body: { path: root, namespace } });
    expect(again).toMatchObject({ stored: 0, unchanged: 5 });
    expect(again.left.map(({ path: name, reason }) => [name, reason])).toEqual(
      ['bomb.pdf', 'broken.pdf', 'locked.pdf', 'scan.pdf'].map((name) => [name, 'no_text']),
    );
  });

  test('of a text of many pages is indexed and taken out behind, a little at a time', async () => {
    const page = lines(
      ...Array.from({ length: 40 }, (_, at) => `Line ${at} of many words about whatever there is to say`),
    );
    put('book.pdf', pdfOf([...Array.from({ length: 300 }, () => page), lines('the last word is quagga')]));
    await imported({ 'a.md': '![[book.pdf]]' });
    await isFound();
    expect((await files('quagga'))[0]?.page).toBe(301);
    await daemon.call(clearNamespace, { body: { namespace } });
    daemon.clock.advance(1_000);
    await until(() => expect(rows()).toEqual([0, 0, 0]));
  });
});
