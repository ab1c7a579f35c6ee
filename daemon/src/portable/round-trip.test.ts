import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Client } from '@reverie/shared/client';
import { memoryGraph } from '@reverie/shared/contract/search/graph';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories, type PortableMemory } from '@reverie/shared/contract/memories/portable';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { startDaemon } from '../main.ts';
import { detectFormat } from '@reverie/memory-formats/detect-format';
import { importAll } from './import-all.ts';
import type { ReadOptions } from '@reverie/memory-formats/reader';
import { readerOf } from '@reverie/memory-formats/readers';
import { countMemories, everyMemory } from '../cli/every-memory.ts';
import { folderWith } from '@reverie/memory-formats/testing/reading';
import { writeJsonLines } from '@reverie/memory-formats/jsonl/write-json-lines';
import { writeMarkdown } from '@reverie/memory-formats/markdown/write-markdown';

/** A daemon on a new home, and a client with the key of its owner. */
async function daemon(): Promise<Client> {
  const home = await folderWith({});
  const running = await startDaemon({
    env: { REVERIE_HOME: home },
    flags: { port: '0', 'log.level': 'silent' },
  });
  onTestFinished(() => running.stop());
  const key = (await readFile(join(home, 'owner-key'), 'utf8')).trim();
  return createClient({ origin: running.origin, key: () => key });
}

async function importFrom(client: Client, path: string, options: ReadOptions = {}) {
  const reader = readerOf((await detectFormat(path)).format);
  const report = await importAll({ client, found: reader.read(path, options) });
  expect(report.ended).toEqual({ kind: 'complete' });
  return report;
}

async function listed(memories: AsyncIterable<PortableMemory>): Promise<PortableMemory[]> {
  const list: PortableMemory[] = [];
  for await (const memory of memories) list.push(memory);
  return list;
}

const NOTES = {
  'bread.md':
    '---\ntitle: Bread\ntags: [food]\ncreated: count + 24-01-15T10:00:00Z\n---\nFeed the starter.\r\n',
  'deep/er/tea.txt': 'Oolong at 90 degrees  ',
  'bad.md': Buffer.from('caf\xe9', 'latin1'),
};

test('importing twice changes nothing; an edit of the source is taken, an edit on both sides is kept', async () => {
  const client = await daemon();
  const root = await folderWith({ ...NOTES, 'long.md': 'A paragraph of some words.\n\n'.repeat(38_000) });
  const first = await importFrom(client, root);
  expect(first).toMatchObject({ created: 4, updated: 0, unchanged: 0, kept: [] });
  expect(first.skipped).toMatchObject([{ path: 'bad.md', reason: 'not_utf8' }]);
  expect(await importFrom(client, root)).toMatchObject({ created: 0, updated: 0, unchanged: 4, kept: [] });
  await client(setMemory, { body: { key: 'deep/er/tea.txt', value: 'Edited here' } });
  expect(await importFrom(client, root)).toMatchObject({ unchanged: 4, kept: [] });
  await writeFile(join(root, 'bread.md'), 'Edited there');
  await writeFile(join(root, 'deep/er/tea.txt'), 'Edited there, too');
  const third = await importFrom(client, root);
  expect(third).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
  expect(third.kept).toMatchObject([{ namespace: 'default', key: 'deep/er/tea.txt' }]);
});

test('exports of both forms give the same memories in an empty home, byte for byte and with their times', async () => {
  const client = await daemon();
  const folder = await folderWith(
    Object.fromEntries(Object.entries(NOTES).map(([name, text]) => [`notes/${name}`, text])),
  );
  await importFrom(client, join(folder, 'notes'));
  const count = runs(50, 200);
  const strange = fc.sample(
    fc.record({
      key: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      value: fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      namespace: fc.constantFrom('default', 'Work', 'work', '../up', 'a/b', 'nul'),
    }),
    { numRuns: count, seed: 7 },
  );
  const items = strange.map((item, at) => ({
    ...item,
    key: `${at} ${item.key.replaceAll(/\p{Cc}/gu, '_')}`,
    metadata: { at, nested: { 'a: b': [null, true, -0.5, 'ü\u2028'] } },
    created_at: new Date(1_000_000_000_000 + at).toISOString(),
    updated_at: new Date(1_100_000_000_000 + at).toISOString(),
    ...(at % 3 === 0 && { expires_at: new Date(4_000_000_000_000 + at).toISOString() }),
  }));
  await client(importMemories, { body: { items } });

  const stored = await listed(everyMemory(client, {}));
  expect(stored).toHaveLength(await countMemories(client, {}));
  expect(stored).toHaveLength(count + 2);

  await mkdir(join(folder, 'out'));
  const lines = createWriteStream(join(folder, 'out', 'export.jsonl'));
  await writeJsonLines(everyMemory(client, {}), lines);
  await new Promise((done) => lines.end(done));
  await writeMarkdown(everyMemory(client, {}), join(folder, 'markdown'));

  for (const form of [join(folder, 'out', 'export.jsonl'), join(folder, 'markdown')]) {
    const empty = await daemon();
    expect(await importFrom(empty, form), form).toMatchObject({ created: count + 2, skipped: [] });
    expect(await listed(everyMemory(empty, {})), form).toEqual(stored);
    expect(await importFrom(empty, form), form).toMatchObject({ created: 0, unchanged: count + 2 });
    // The home that exported has the same memories, so its own export says nothing new.
    expect(await importFrom(client, form), form).toMatchObject({
      created: 0,
      unchanged: count + 2,
      kept: [],
    });
  }
});

test('an export brings back what was deleted since, where that is asked for, as it was and with its links', async () => {
  const client = await daemon();
  const items = ['Ada', 'Bruno'].map((name, at) => ({
    key: `people/${name}.md`,
    value: `# ${name}\n\nKnows [[people/${at === 0 ? 'Bruno' : 'Ada'}.md]] from school.`,
    metadata: { session: 'people', tags: ['people'] },
    created_at: new Date(1_500_000_000_000 + at).toISOString(),
    updated_at: new Date(1_600_000_000_000 + at).toISOString(),
  }));
  await client(importMemories, { body: { items } });
  const folder = join(await folderWith({}), 'export');
  await writeMarkdown(everyMemory(client, {}), folder);
  const before = await listed(everyMemory(client, {}));
  const links = async () =>
    (await client(memoryGraph, { query: {} })).links
      .filter(({ kind }) => kind === 'session')
      .map(({ from, to }) => [from, to].sort());
  const linked = await links();
  expect(linked).toEqual([['people/Ada.md', 'people/Bruno.md']]);
  // Known as this export's from here on.
  expect(await importFrom(client, folder)).toMatchObject({ unchanged: 2 });
  await client(deleteMemory, { body: { key: 'people/Ada.md' } });
  await client(trashMemories, { body: { items: [{ key: 'people/Bruno.md' }] } });
  const left = await importFrom(client, folder);
  expect(left.deletedHere.map(({ key }) => key).sort()).toEqual(['people/Ada.md', 'people/Bruno.md']);
  expect(await listed(everyMemory(client, {}))).toEqual([]);
  const reader = readerOf('markdown');
  const report = await importAll({ client, found: reader.read(folder, {}), restore: true });
  expect(report).toMatchObject({ restored: 2, deletedHere: [], ended: { kind: 'complete' } });
  expect(await listed(everyMemory(client, {}))).toEqual(before);
  expect(await links()).toEqual(linked);
});
