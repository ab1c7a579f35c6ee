import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { limits } from '@reverie/shared/contract/fields';
import { PortableMemory } from '@reverie/shared/contract/memories/portable';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { folderWith, readAll } from '../testing/reading.ts';
import { fileNamer } from './file-names.ts';
import { jsonLinesReader } from '../jsonl/jsonl.ts';
import { markdownReader } from './markdown.ts';
import { ownFileOf, readOwnFile } from './own-file.ts';
import { writeJsonLines } from '../jsonl/write-json-lines.ts';
import { writeMarkdown } from './write-markdown.ts';

const time = fc
  .date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '---\n',
        '---',
        '\n',
        '\r\n',
        '\uFEFF',
        '\0',
        'reverie: 1\n',
        ' ',
        '\t',
        'key: "x"',
        '\u2028',
        '#',
      ),
      {
        minLength: 1,
      },
    )
    .map((pieces) => pieces.join('')),
);

const name = fc.oneof(
  hostileText,
  fc.constantFrom(
    'CON',
    'nul.txt',
    'a',
    'A',
    'a.md',
    'A.MD',
    '../x',
    '..',
    './x',
    '/abs',
    'C:\\x',
    'x/',
    'x.md/y',
  ),
  fc.constantFrom(
    'node_modules/x',
    '.git/config',
    '.obsidian/a',
    'x'.repeat(400),
    'é',
    'e\u0301',
    'ß',
    'SS',
    ' a ',
    'a.',
  ),
  fc.constantFrom('error:disk', 'a/b/c/d', 'a//b', '*?<>|"', 'aux.md', 'x/NUL/y', 'ﬁ', 'fi', 'İ', 'i̇'),
);

const metadata = fc
  .dictionary(
    fc.string({ unit: 'binary', maxLength: 12 }).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
    { maxKeys: 5 },
  )
  // As it comes out of the database: through JSON, without what zod leaves out.
  .map(
    (given) =>
      JSON.parse(JSON.stringify(given).replaceAll('"__proto__"', '"proto"')) as Record<string, unknown>,
  );

const memory = fc
  .record(
    {
      key: name,
      namespace: name,
      value: hostileText,
      metadata,
      created_at: time,
      updated_at: time,
      expires_at: time,
    },
    { requiredKeys: ['key', 'namespace', 'value', 'metadata', 'created_at', 'updated_at'] },
  )
  .map((given) => PortableMemory.safeParse(given))
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data);

const memories = fc.uniqueArray(memory, {
  minLength: 1,
  maxLength: 12,
  selector: (one) => JSON.stringify([one.namespace, one.key]),
});

function bySource(list: readonly PortableMemory[]) {
  return new Map(list.map(({ source: _, ...rest }) => [JSON.stringify([rest.namespace, rest.key]), rest]));
}

describe('an export as Markdown', () => {
  test('read back gives the same memories byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(memories, async (given) => {
        const folder = await folderWith({});
        const written = await writeMarkdown(given, folder);
        const read = await readAll(markdownReader, folder);
        expect(written.memories).toBe(given.length);
        expect(read.skipped).toEqual([]);
        expect(bySource(read.memories)).toEqual(bySource(given));
        for (const one of read.memories) expect(one.source?.id).toBe(`reverie:${one.namespace}/${one.key}`);
      }),
      { numRuns: runs(12, 60) },
    );
  });

  test('keeps any value and any key in one file', () => {
    fc.assert(
      fc.property(memory, (given) => {
        expect(readOwnFile(ownFileOf(given)).memory).toEqual(given);
      }),
      { numRuns: runs(200, 2000) },
    );
  });

  test('has safe and different file names', () => {
    fc.assert(
      fc.property(memories, (given) => {
        const nameOf = fileNamer();
        const paths = given.map((one) => nameOf(one));
        const folded = paths.map((path) => path.normalize('NFD').toUpperCase());
        expect(new Set(folded).size).toBe(paths.length);
        for (const path of paths) {
          expect(path).toMatch(/\.(?:md|txt)$/i);
          expect(Buffer.byteLength(path)).toBeLessThanOrEqual(260);
          for (const segment of path.split('/')) {
            expect(segment).not.toMatch(/^$|^\.|[. ]$|[\u0000-\u001f<>:"\\|?*]/);
            expect(segment).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
          }
        }
      }),
      { numRuns: runs(200, 1000) },
    );
  });

  test('uses the key as path where it can', () => {
    const nameOf = fileNamer();
    expect(nameOf({ namespace: 'default', key: 'notes/bread.md' })).toBe('default/notes/bread.md');
    expect(nameOf({ namespace: 'default', key: 'plain key' })).toBe('default/plain key.md');
    expect(nameOf({ namespace: 'default', key: 'Plain key' })).toMatch(
      /^default\/Plain key-[0-9a-f]{16}\.md$/,
    );
    expect(nameOf({ namespace: 'default', key: '../../etc/passwd' })).toMatch(
      /^default\/_\/_\/etc\/passwd-[0-9a-f]{16}\.md$/,
    );
  });

  test('holds the largest value, whose file is larger than 1 MiB, in one piece', async () => {
    const given: PortableMemory = {
      key: 'k',
      namespace: 'default',
      value: 'ä'.repeat(limits.valueBytes / 2),
      metadata: {},
    };
    const folder = await folderWith({});
    await writeMarkdown([given], folder);
    expect((await readAll(markdownReader, folder)).memories).toMatchObject([given]);
  });

  test('is private, carries the time of the change, and is never written over something', async () => {
    const folder = await folderWith({});
    const changed = '2024-03-04T05:06:07.000Z';
    const given = { key: 'k', namespace: 'n', value: 'v', created_at: changed, updated_at: changed };
    await writeMarkdown([given], join(folder, 'out'));
    const stats = await stat(join(folder, 'out', 'n', 'k.md'));
    expect(stats.mtime.toISOString()).toBe(changed);
    if (process.platform !== 'win32') expect(stats.mode & 0o077).toBe(0);
    await expect(writeMarkdown([given], join(folder, 'out'))).rejects.toThrow(/is not empty/);
    expect(await readdir(join(folder, 'out', 'n'))).toEqual(['k.md']);
  });

  test('can be edited by hand: as YAML in any style, with the line endings of Windows', async () => {
    const root = await folderWith({
      'edited.md':
        '---\nreverie: 1\nkey: a b\nnamespace: default\nmetadata:\n  tags:\n    - x\n---\nnew text',
      'windows.md': '---\r\nreverie: 1\r\nkey: "w"\r\nnamespace: "default"\r\n---\r\nline\r\n',
      'marked.md': '\uFEFF---\nreverie: 1\nkey: "m"\nnamespace: "default"\n---\n\uFEFFvalue',
      'broken.md': '---\nreverie: 1\nnamespace: default\n---\ntext',
      'other.md': '---\nreverie: 2\nkey: a note about reverie\n---\ntext',
    });
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(memories).toMatchObject([
      { key: 'a b', value: 'new text', metadata: { tags: ['x'] } },
      { key: 'm', value: '\uFEFFvalue' },
      { key: 'other.md', metadata: { reverie: 2 } },
      { key: 'w', value: 'line\r\n' },
    ]);
    expect(skipped).toMatchObject([
      { path: 'broken.md', reason: 'malformed', detail: expect.stringContaining('key') as unknown },
    ]);
  });
});

async function linesOf(given: readonly PortableMemory[]): Promise<Buffer> {
  const stream = new PassThrough({ highWaterMark: 64 });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = await writeJsonLines(given, stream);
  const lines = Buffer.concat(chunks);
  expect(written).toEqual({ memories: given.length, bytes: lines.length });
  return lines;
}

describe('an export as JSON Lines', () => {
  test('read back gives the same memories in the same order, and the same lines again', async () => {
    await fc.assert(
      fc.asyncProperty(memories, async (given) => {
        const lines = await linesOf(given);
        const root = await folderWith({ 'export.jsonl': lines });
        const { memories: read, skipped } = await readAll(jsonLinesReader, join(root, 'export.jsonl'));
        expect(skipped).toEqual([]);
        expect(read.map(({ source: _, ...rest }) => rest)).toEqual(given);
        expect(await linesOf(read)).toEqual(lines);
      }),
      { numRuns: runs(12, 60) },
    );
  });

  test('has one line for each memory, with the fields of the contract in one order', async () => {
    const given = PortableMemory.parse({
      source: { id: 's', hash: 'h' },
      updated_at: '2024-01-02T00:00:00Z',
      created_at: '2024-01-01T00:00:00Z',
      value: 'two\nlines\u2028',
      key: 'k',
      metadata: { b: 1, a: 2 },
    });
    expect((await linesOf([given])).toString()).toBe(
      '{"key":"k","value":"two\\nlines\u2028","namespace":"default","metadata":{"b":1,"a":2},' +
        '"created_at":"2024-01-01T00:00:00.000Z","updated_at":"2024-01-02T00:00:00.000Z"}\n',
    );
  });

  test('ends with the error of a stream that fails', async () => {
    const full = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(new Error('no space left')),
    });
    const given: PortableMemory = { key: 'k', namespace: 'n', value: 'v' };
    await expect(writeJsonLines([given, given, given], full)).rejects.toThrow('no space left');
  });
});

test('both forms of an export have the same sources, so that one after the other changes nothing', async () => {
  const given = PortableMemory.parse({
    key: 'k',
    value: 'v',
    metadata: { b: 1, a: [2] },
    created_at: '2024-01-01T00:00:00Z',
  });
  const folder = await folderWith({ 'lines/export.jsonl': await linesOf([given]) });
  await writeMarkdown([given], join(folder, 'markdown'));
  const lines = await readAll(jsonLinesReader, join(folder, 'lines', 'export.jsonl'));
  const files = await readAll(markdownReader, join(folder, 'markdown'));
  expect(files.memories).toEqual(lines.memories);
});
