import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { expect, test } from 'vitest';
import { markdownReader } from './markdown.ts';
import { SIDE_FILE } from './side-file.ts';
import { folderWith, readAll } from '../testing/reading.ts';
import { writeMarkdown } from './write-markdown.ts';

const TEXTS = {
  'tea.md': '---\ntitle: Tea\ntags: [drink]\n---\nOolong at 90 degrees.\n',
  'deep/er/windows.md': '\uFEFF---\r\nstatus: open\r\n---\r\nNo newline ends this.',
  'anchor.txt': 'An anchor\n\n',
  'What is it? A "name".md': 'Names that Windows does not take.\n',
  'Überlänge/ä b.md': '- \ttabs\n',
};

async function vault(files: Readonly<Record<string, string>> = TEXTS) {
  const root = await folderWith(files);
  const { memories, skipped } = await readAll(markdownReader, root, { namespace: 'notes' });
  expect(skipped).toEqual([]);
  return memories;
}

async function exported(memories: readonly PortableMemory[], only = true): Promise<string> {
  const folder = join(await folderWith({}), 'out');
  await writeMarkdown(memories, folder, { only });
  return folder;
}

async function filesBelow(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const named = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

function withoutSources(memories: readonly PortableMemory[]) {
  return memories.map(({ source: _, ...rest }) => rest).sort((a, b) => (a.key < b.key ? -1 : 1));
}

test('the export of a vault is its files, each at its path and byte for byte, beside one of what else is known', async () => {
  const folder = await exported(await vault());
  const { [SIDE_FILE]: side, ...files } = await filesBelow(folder);
  expect(files).toEqual(TEXTS);
  expect(side?.trim().split('\n')).toHaveLength(Object.keys(TEXTS).length);
});

test('what was added and edited here comes back: text, tags, times, another name and another namespace', async () => {
  const memories = (await vault()).map((one, at) => ({
    ...one,
    created_at: `2020-01-0${at + 1}T00:00:00.123Z`,
    updated_at: `2021-01-0${at + 1}T00:00:00.001Z`,
    ...(one.key === 'tea.md' && {
      key: 'renamed.md',
      value: `${one.value}Edited here\n`,
      metadata: { ...one.metadata, tags: ['drink', 'mine'], importance: 3 },
      expires_at: '2999-01-01T00:00:00.000Z',
    }),
    ...(one.key === 'anchor.txt' && { metadata: {} }),
  }));
  for (const only of [true, false]) {
    const folder = await exported(memories, only);
    const read = await readAll(markdownReader, folder);
    expect(read.skipped).toEqual([]);
    expect(withoutSources(read.memories)).toEqual(withoutSources(memories));
    expect((await filesBelow(folder))[`${only ? '' : 'notes/'}renamed.md`]).toBe(
      `${TEXTS['tea.md']}Edited here\n`,
    );
  }
});

test('a long note that was split is one file again, and splits again; of one that lost a part, the others stay', async () => {
  const text = 'A paragraph of some words.\r\n\r\n'.repeat(80_000);
  const memories = await vault({ 'long.md': text, 'b.md': 'b' });
  expect(memories).toHaveLength(4);
  const mixed = [memories[3], memories[0], memories[2], memories[1]].filter((one) => one !== undefined);
  const folder = await exported(mixed);
  const { [SIDE_FILE]: _, ...files } = await filesBelow(folder);
  expect(files).toEqual({ 'long.md': text, 'b.md': 'b' });
  expect(withoutSources((await readAll(markdownReader, folder)).memories)).toEqual(withoutSources(memories));
  const rest = memories.filter(({ key }) => key !== 'long.md#2');
  const read = await readAll(markdownReader, await exported(rest));
  expect(withoutSources(read.memories)).toEqual(withoutSources(rest));
});

test('a file that is edited after the export says itself what it says; one that is new is of the same namespace', async () => {
  const [tea] = (await vault({ 'tea.md': TEXTS['tea.md'] })).map((one) => ({
    ...one,
    created_at: '2020-01-01T00:00:00.000Z',
    metadata: { ...one.metadata, tags: ['drink', 'mine'], importance: 3 },
  }));
  const folder = await exported(tea ? [tea] : []);
  await writeFile(join(folder, 'tea.md'), '---\ntitle: Green tea\ntags: [new]\n---\nSencha');
  await writeFile(join(folder, 'later.md'), 'Later');
  const { memories } = await readAll(markdownReader, folder, { defaultNamespace: 'default' });
  expect(memories).toMatchObject([
    { key: 'later.md', namespace: 'notes', source: { id: expect.stringMatching(/^markdown:/) as string } },
    {
      key: 'tea.md',
      namespace: 'notes',
      created_at: '2020-01-01T00:00:00.000Z',
      metadata: { title: 'Green tea', tags: ['new', 'drink', 'mine'], importance: 3 },
      source: { id: 'reverie:notes/tea.md' },
    },
  ]);
});

test('keys that lead out of the folder, into one that is passed over, or onto another file stay inside and apart', async () => {
  const keys = [
    '../up.md',
    '/abs.md',
    'a/../../b.md',
    '.git/hooks/x.md',
    '.reverie/x.md',
    'a.md',
    'a.md/b.md',
  ];
  const memories = keys.map((key) => ({
    key,
    namespace: 'notes',
    value: `of ${key}`,
    metadata: { imported: { format: 'markdown', path: key } },
  }));
  const folder = await exported(memories);
  expect(await readdir(join(folder, '..'))).toEqual(['out']);
  expect(await readdir(folder)).not.toContain('.git');
  expect(await readdir(join(folder, '.reverie'))).toEqual(['memories.jsonl']);
  const { memories: read, skipped } = await readAll(markdownReader, folder);
  expect(skipped).toEqual([]);
  expect(read.map(({ key, value }) => [key, value]).sort()).toEqual(
    keys.map((key) => [key, `of ${key}`]).sort(),
  );
});

test('lines of the side file that are none are named, and their notes read alone', async () => {
  const root = await folderWith({ 'a.md': 'text' });
  await mkdir(join(root, '.reverie'));
  await writeFile(join(root, SIDE_FILE), `{"path":"a.md"}\nno JSON\n${'x'.repeat(2_000_000)}\n`);
  const { memories, skipped } = await readAll(markdownReader, root);
  expect(skipped.map(({ path }) => path)).toEqual([1, 2, 3].map((line) => `${SIDE_FILE}:${line}`));
  expect(memories).toMatchObject([{ key: 'a.md', value: 'text', namespace: 'default' }]);
});
