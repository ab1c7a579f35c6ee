import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { limits } from '@reverie/shared/contract/fields';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from '../files/byte-stream.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';
import { jsonLinesReader } from './jsonl.ts';

const lines = (...objects: unknown[]) => objects.map((object) => JSON.stringify(object)).join('\n');

test('reads an export, with its times and namespaces, and keeps a source that is given', async () => {
  const root = await folderWith({
    'export.jsonl': lines(
      {
        key: 'error:disk',
        value: 'The disk was full',
        namespace: 'ops',
        metadata: { tags: ['disk'] },
        created_at: '2024-01-01T00:00:00.000Z',
        updated_at: '2024-01-02T00:00:00.000Z',
        expires_at: '2034-01-02T00:00:00.000Z',
      },
      { key: 'k', value: 'v', source: { id: 'elsewhere', hash: '1' } },
    ),
  });
  const { memories, skipped } = await readAll(jsonLinesReader, join(root, 'export.jsonl'));
  expect(skipped).toEqual([]);
  expect(memories).toEqual([
    {
      key: 'error:disk',
      value: 'The disk was full',
      namespace: 'ops',
      metadata: { tags: ['disk'] },
      created_at: '2024-01-01T00:00:00.000Z',
      updated_at: '2024-01-02T00:00:00.000Z',
      expires_at: '2034-01-02T00:00:00.000Z',
      source: { id: 'reverie:ops/error:disk', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
    },
    { key: 'k', value: 'v', namespace: 'default', source: { id: 'elsewhere', hash: '1' } },
  ]);
});

test('reads the lines of other programs', async () => {
  const root = await folderWith({
    'agent.ndjson': lines(
      { id: 7, content: 'By number', timestamp: 1_700_000_000, importance: 0.5, metadata: { tags: 'a, b' } },
      { id: 'u-1', text: 'By name', created: '2024-01-01', modified: 'long ago', empty: null },
      { memory: 'By its text' },
    ),
  });
  const { memories } = await readAll(jsonLinesReader, join(root, 'agent.ndjson'));
  expect(memories).toMatchObject([
    {
      key: 'agent/7',
      value: 'By number',
      created_at: '2023-11-14T22:13:20.000Z',
      metadata: { importance: 0.5, tags: ['a', 'b'] },
    },
    {
      key: 'agent/u-1',
      value: 'By name',
      created_at: '2024-01-01T00:00:00.000Z',
      metadata: { modified: 'long ago' },
    },
    { key: expect.stringMatching(/^agent\/[0-9a-f]{16}$/) as unknown, value: 'By its text' },
  ]);
  expect(memories[1]?.metadata).not.toHaveProperty('empty');
  expect(memories[0]?.source?.id).toBe(`jsonl:${root}/agent.ndjson#agent/7`);
});

test('lists what is malformed, with its line, and goes on', async () => {
  const deep = `{"value":"deep","metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`;
  const root = await folderWith({
    'bad.jsonl': Buffer.concat([
      Buffer.from(
        '\uFEFF{"value":"first"}\r\n\n{"value": \n[1]\n"text"\n{"title":"no text"}\n{"value":""}\n',
      ),
      Buffer.from('{"value":"caf\xe9"}\n', 'latin1'),
      Buffer.from(`${deep}\n{"value":"large","metadata":{"a":"${'x'.repeat(70_000)}"}}\n`),
      Buffer.from('{"value":"last, without a newline","__proto__":{"polluted":true}}'),
    ]),
  });
  const { memories, skipped } = await readAll(jsonLinesReader, join(root, 'bad.jsonl'));
  expect(memories.map(({ value }) => value)).toEqual(['first', 'last, without a newline']);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
    ['bad.jsonl:3', 'malformed'],
    ['bad.jsonl:4', 'malformed'],
    ['bad.jsonl:5', 'malformed'],
    ['bad.jsonl:6', 'malformed'],
    ['bad.jsonl:7', 'empty'],
    ['bad.jsonl:8', 'not_utf8'],
    ['bad.jsonl:9', 'too_large'],
    ['bad.jsonl:10', 'too_large'],
  ]);
  expect(skipped[3]?.detail).toContain('"content"');
});

test('splits a value of more than 1 MiB', async () => {
  const value = 'word '.repeat(limits.valueBytes / 4);
  const root = await folderWith({ 'large.jsonl': lines({ key: 'k', value }, { key: 'k2', value: 'v' }) });
  const { memories } = await readAll(jsonLinesReader, join(root, 'large.jsonl'));
  expect(memories.map(({ key }) => key)).toEqual(['k#1', 'k#2', 'k2']);
  expect(`${memories[0]?.value}${memories[1]?.value}`).toBe(value);
});

test('reads packed lines, and all files of a folder', async () => {
  const root = await folderWith({
    'a.jsonl.gz': gzipSync(lines({ key: 'a', value: '1' })),
    'b.jsonl': lines({ key: 'b', value: '2' }),
    'c.jsonl.gz': 'is no gzip',
    'd.txt': 'no lines',
  });
  const { memories, skipped } = await readAll(jsonLinesReader, root);
  expect(memories.map(({ key }) => key)).toEqual(['a', 'b']);
  expect(skipped).toMatchObject([{ path: 'c.jsonl.gz', reason: 'unreadable' }]);
  await expect(readAll(jsonLinesReader, await folderWith({}))).rejects.toThrow(/no file that ends in/);
});

test('a hash changes with the text, the metadata and the times, and with nothing else', async () => {
  const hashOf = async (object: unknown) => {
    const root = await folderWith({ 'a.jsonl': lines(object) });
    return only((await readAll(jsonLinesReader, join(root, 'a.jsonl'))).memories).source?.hash;
  };
  const base = { key: 'k', value: 'v', metadata: { a: 1, b: 2 }, created_at: '2024-01-01T00:00:00Z' };
  const hash = await hashOf(base);
  expect(await hashOf({ ...base, metadata: { b: 2, a: 1 } })).toBe(hash);
  expect(await hashOf({ ...base, created_at: '2024-01-01T01:00:00+01:00' })).toBe(hash);
  expect(await hashOf({ ...base, value: 'w' })).not.toBe(hash);
  expect(await hashOf({ ...base, metadata: { a: 1 } })).not.toBe(hash);
  expect(await hashOf({ ...base, created_at: '2024-01-02T00:00:00Z' })).not.toBe(hash);
});

test('lines come whole however the bytes are cut, and too long ones are left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'ä', '\r') }), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (texts, size) => {
        const bytes = Buffer.from(texts.join('\n'));
        async function* chunks() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
        }
        const expected = bytes
          .toString()
          .split('\n')
          .map((text) => (Buffer.byteLength(text) > 12 ? true : text));
        if (expected.at(-1) === '') expected.pop();
        const found: (string | true)[] = [];
        for await (const line of linesOf(chunks(), 12)) {
          expect(line.number).toBe(found.length + 1);
          found.push(line.tooLong ?? line.bytes.toString());
        }
        expect(found).toEqual(expected);
      },
    ),
  );
});
