import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { detectFormat } from './detect-format.ts';
import { folderWith } from './testing/reading.ts';
import { formats } from './reader.ts';
import { readerOf } from './readers.ts';

const conversations = Buffer.from('[{"id":"a","mapping":{}}]');

test.each([
  ['markdown', 'note.md', 'text'],
  ['markdown', 'notes.txt', 'text'],
  ['jsonl', 'export.jsonl', '{}'],
  ['jsonl', 'export.ndjson.gz', ''],
  ['csv', 'table.tsv', 'a\tb'],
  ['chatgpt', 'conversations-003.json', '[]'],
  ['chatgpt', 'renamed.json', conversations],
  ['mem0', 'dump.json', '{"count": 1, "results": [{"id": "x", "memory": "y"}]}'],
  [
    'chatgpt',
    'export.zip',
    zipSync({ 'memories.json': Buffer.from('[]'), 'conversations.json': conversations }),
  ],
  ['mem0', 'backup.zip', zipSync({ 'memories.json': Buffer.from('{}') })],
])('%s: the file %s', async (format, name, content) => {
  const root = await folderWith({ [name]: content });
  expect(await detectFormat(join(root, name))).toEqual({
    format,
    because: expect.stringMatching(/^it|^ChatGPT/) as string,
  });
});

test.each([
  ['markdown', { 'a.md': '# A', 'sub/b.md': 'b', 'data.csv': 'a' }],
  ['markdown', { '.obsidian/app.json': '{}', 'Daily/2024-01-01.md': '---\ntags: [a]\n---\nx' }],
  ['markdown', { 'memory/notes.md': 'a folder that is only called memory' }],
  [
    'basic-memory',
    {
      'a.md': '---\ntitle: A\npermalink: a\n---\nx',
      'b/c.md': '---\npermalink: b/c\n---\nx',
      'README.md': 'x',
    },
  ],
  ['claude-code', { 'MEMORY.md': '- [A](a.md)', 'a.md': 'x' }],
  ['claude-code', { 'memory/MEMORY.md': 'x', '1.jsonl': '{}' }],
  ['claude-code', { '-home-a/memory/MEMORY.md': 'x', '-home-b/1.jsonl': '{}' }],
  ['claude-code', { 'projects/-home-a/memory/MEMORY.md': 'x', 'settings.json': '{}', 'CLAUDE.md': 'x' }],
  ['chatgpt', { 'conversations.json': '[]', 'chat.html': 'x', 'notes.md': 'x' }],
  ['jsonl', { 'export.jsonl': '{}' }],
  ['logseq', { 'logseq/config.edn': '{}', 'pages/a.md': '---\npermalink: a\n---\nx' }],
])('%s: a folder', async (format, files) => {
  expect(await detectFormat(await folderWith(files))).toEqual({
    format,
    because: expect.stringMatching(/^it holds|^of \d notes/) as string,
  });
});

test('what is not clear is an error that says what to pass', async () => {
  const root = await folderWith({ 'data.json': '{"a": 1}', 'photos/a.jpg': 'x', 'other.zip': zipSync({}) });
  for (const name of ['data.json', 'photos', 'other.zip', 'photos/a.jpg'])
    await expect(detectFormat(join(root, name)), name).rejects.toThrow(
      /--format, one of markdown, logseq, jsonl, csv, claude-code, agent-files, basic-memory, mem0, chatgpt/,
    );
  await expect(detectFormat(join(root, 'missing'))).rejects.toThrow('cannot be read');
});

test('every format has its reader', () => {
  for (const format of formats) expect(readerOf(format).format).toBe(format);
});
