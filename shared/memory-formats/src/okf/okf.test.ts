import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detectFormat } from '../detect-format.ts';
import { frontmatterOf, parseYaml } from '../notes/frontmatter.ts';
import { conceptOf, okfReader, writeOkf } from './okf.ts';
import { folderWith, readAll } from '../testing/reading.ts';

const memory = (key: string, value: string, metadata = {}) => ({
  key,
  value,
  namespace: 'notes',
  metadata,
  updated_at: '2024-03-04T05:06:07.000Z',
});

test('a bundle is read: concepts with their fields, also one without a type; listings and logs are named as left out', async () => {
  const root = await folderWith({
    'index.md': '---\nokf_version: "0.2"\n---\n* [Orders](tables/orders.md)\n',
    'log.md': '## 2026-06-01\nMade.\n',
    'tables/orders.md': '---\ntype: BigQuery Table\ntitle: Orders\ntags: [sales]\n---\nOne row an order.\n',
    'tables/plain.md': 'No frontmatter.\n',
    'tables/data.txt': 'no concept',
  });
  expect(await detectFormat(root)).toMatchObject({ format: 'okf' });
  const { memories, skipped } = await readAll(okfReader, root);
  expect(memories).toMatchObject([
    { key: 'tables/orders.md', metadata: { type: 'BigQuery Table', title: 'Orders', tags: ['sales'] } },
    { key: 'tables/plain.md', value: 'No frontmatter.\n' },
  ]);
  expect(skipped).toMatchObject([
    { path: 'index.md', reason: 'no_note' },
    { path: 'log.md', reason: 'no_note' },
  ]);
});

test.each([
  ['with its type', '---\r\ntype: Metric\r\n---\r\nText', '---\r\ntype: Metric\r\n---\r\nText'],
  ['without one', '---\ntags: [a]\n---\nText', '---\ntype: Note\ntags: [a]\n---\nText'],
  ['with an empty one', '---\ntype: ""\na: 1\n---\nText', undefined],
  ['with damaged frontmatter', '---\na: [1\nb: 2\n---\nText', undefined],
  ['without frontmatter', 'Text\r\n', undefined],
])('a note %s becomes a concept', (_, value, expected) => {
  const concept = conceptOf(memory('a.md', value));
  if (expected !== undefined) expect(concept).toBe(expected);
  const found = frontmatterOf(concept);
  expect(parseYaml(found?.yaml ?? '').fields).toMatchObject({
    type: expect.stringMatching(/./) as string,
  });
  expect(concept.slice(found?.bodyAt)).toBe(value.slice(frontmatterOf(value)?.bodyAt ?? 0));
});

test('an export is a bundle: each file a concept that ends in .md, none with a name that is kept', async () => {
  const folder = join(await folderWith({}), 'out');
  const memories = [
    memory('editor', 'Helix', { type: 'Preference', importance: 3 }),
    memory('a/index.md', 'An index'),
    memory('log', 'A log'),
    memory('anchor.txt', 'An anchor'),
    memory('../up', 'Up'),
  ];
  expect(await writeOkf(memories, folder, { only: true })).toMatchObject({ memories: 5 });
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.'));
  expect(files).toEqual(expect.arrayContaining(['a/index_.md', 'anchor.txt.md', 'editor.md', 'log_.md']));
  expect(files).toHaveLength(5);
  const read = await readAll(okfReader, folder);
  expect(read.skipped).toEqual([]);
  expect(read.memories.find(({ key }) => key === 'editor.md')).toMatchObject({
    metadata: { type: 'Preference', importance: 3, title: 'editor' },
  });
  expect(await readFile(join(folder, 'editor.md'), 'utf8')).toMatch(
    /^---\ntype: Preference\nimportance: 3\n/,
  );
  await mkdir(join(folder, 'more'));
  await writeFile(join(folder, 'more', 'x.md'), 'x');
  await expect(writeOkf(memories, folder)).rejects.toThrow(/is not empty/);
});
