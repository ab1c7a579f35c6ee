import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { detectFormat } from './detect-format.ts';
import { formats, type Format } from './reader.ts';
import { readerOf } from './readers.ts';
import { readAll } from './testing/reading.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');

/** Keys that each fixture is read as, in their order; of one that is a file its name. */
const KEYS: Readonly<Record<Format, { file?: string; keys: string[] }>> = {
  'agent-files': { keys: ['.cursor/rules/style.mdc', 'AGENTS.md'] },
  'apple-notes': { keys: ['Bread.md', 'Mira.txt'] },
  'basic-memory': { keys: ['coffee/pour-over'] },
  chatgpt: { keys: ['chatgpt/c1/1'] },
  'claude-code': { keys: ['MEMORY.md', 'tests.md'] },
  csv: { file: 'notes.csv', keys: ['notes/a1', 'notes/a2'] },
  jsonl: { keys: ['notes/a1', 'notes/a2'] },
  logseq: { keys: ['journals/2026_03_02.md', 'pages/People___Mira.md'] },
  markdown: { keys: ['2026-03-02.md', 'kitchen/bread.md'] },
  mem0: { file: 'memories.json', keys: ['mem0/m1'] },
  notion: { keys: ['Kitchen/Bread.md', 'Kitchen.md', 'Teas/Oolong.md'] },
  okf: { keys: ['bread.md'] },
};

/** They are folders of notes as any other: people name the format. */
const LIKE_MARKDOWN: readonly Format[] = ['agent-files', 'apple-notes'];

test('each format has a fixture', () => {
  expect(readdirSync(FIXTURES).toSorted()).toEqual([...formats].sort());
});

test.each([...formats])('the fixture of %s is told by itself, and read', async (format) => {
  const { file = '', keys } = KEYS[format];
  const at = path.join(FIXTURES, format, file);
  const { memories } = await readAll(readerOf(format), at);
  expect(memories.map(({ key }) => key)).toEqual(keys);
  expect((await detectFormat(at)).format).toBe(LIKE_MARKDOWN.includes(format) ? 'markdown' : format);
});
