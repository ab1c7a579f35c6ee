import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csvReader } from './csv.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';
import type { ReadOptions } from '../reader.ts';

async function read(content: string | Buffer, options: ReadOptions = {}) {
  const root = await folderWith({ 'people.csv': content });
  return readAll(csvReader, join(root, 'people.csv'), options);
}

describe('a table', () => {
  test('gives keys, values, namespaces, times and metadata by the names of its columns', async () => {
    const { memories, skipped } = await read(
      'Key,Text,Namespace,Created At,Tags,Mood,Metadata\r\n' +
        'a,"Several\nlines, and ""quotes""",work,2024-01-01,"x;y",good,"{""depth"":1}"\r\n' +
        'b,Second,,,,,\r\n',
    );
    expect(skipped).toEqual([]);
    expect(memories).toMatchObject([
      {
        key: 'a',
        value: 'Several\nlines, and "quotes"',
        namespace: 'work',
        created_at: '2024-01-01T00:00:00.000Z',
        metadata: { tags: ['x', 'y'], Mood: 'good', depth: 1 },
      },
      { key: 'b', value: 'Second', namespace: 'default', metadata: {} },
    ]);
  });

  test('may be that of Excel: a byte order mark, semicolons, ids', async () => {
    const { memories } = await read('\uFEFFid;content;"a,b"\n12;Zwölf;1\n');
    expect(only(memories)).toMatchObject({ key: 'people/12', value: 'Zwölf', metadata: { 'a,b': '1' } });
  });

  test.each([
    ['sep=;\nkey;value\nk1;excel, too\n'],
    ['\uFEFFsep=;\r\nkey;value\r\nk1;excel, too\r\n'],
    ['sep=\t\nkey\tvalue\nk1\texcel, too\n'],
    ['\uFEFFsep=\\t\nkey\tvalue\nk1\texcel, too\n'],
    ['SEP=|\nkey|value\nk1|excel, too'],
    ['"sep=;"\nkey;value\nk1;excel, too\n'],
    ['sep=;;\nkey;value\nk1;excel, too\n'],
    ['sep=,\nkey,value\nk1,"excel, too"\n'],
    ['sep=;\rkey;value\rk1;excel, too\r'],
    ['sep=§\nkey§value\nk1§excel, too\n'],
  ])('may name its separator on its first line: %j', async (content) => {
    const { memories, skipped } = await read(content);
    expect(only(memories)).toMatchObject({ key: 'k1', value: 'excel, too' });
    expect(skipped).toEqual([]);
  });

  test('whose first line only begins so has a header there, and lines are counted as they stand', async () => {
    const { memories } = await read('sep=value;value\nx;excel\n');
    expect(only(memories)).toMatchObject({ value: 'excel', metadata: { 'sep=value': 'x' } });
    const { skipped } = await read(
      Buffer.concat([Buffer.from('sep=;\nkey;value\nk1;'), Buffer.from([0xe4, 0x0a])]),
    );
    expect(skipped).toMatchObject([{ path: 'people.csv:3', reason: 'not_utf8' }]);
  });

  test('may have tabs, and rows without keys are known by their text', async () => {
    const first = await read('text\tnote\nalpha\tone\nbeta\ttwo\n');
    const second = await read('text\tnote\nbeta\ttwo\nalpha\tone\n');
    expect(first.memories.map(({ value }) => value)).toEqual(['alpha', 'beta']);
    expect(first.memories[0]?.metadata).toEqual({ note: 'one' });
    expect(second.memories[1]?.key).toBe(first.memories[0]?.key);
  });

  test('is read by the columns that are named', async () => {
    const { memories } = await read('Titel,Inhalt,text\nT,I,other\n', {
      columns: { value: 'Inhalt', key: 'Titel' },
    });
    expect(only(memories)).toMatchObject({ key: 'T', value: 'I', metadata: { text: 'other' } });
  });

  test('without a column for the text says what to pass', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toThrow('columns are a, b; say which with --column value=NAME');
    await expect(read('a,b\n1,2\n', { columns: { value: 'c' } })).rejects.toThrow('no column c');
    await expect(read('a,b\n1,2\n', { columns: { colour: 'a' } })).rejects.toThrow('no field colour');
  });
});

describe('rows that cannot be taken', () => {
  test('are listed with their line', async () => {
    const { memories, skipped } = await read(
      Buffer.concat([
        Buffer.from('key,value\na,first\nb,\nc,'),
        Buffer.from('caf\xe9', 'latin1'),
        Buffer.from('\n\nd,"bad "quote"\ne,last,extra\n'),
      ]),
    );
    expect(memories.map(({ key }) => key)).toContain('a');
    expect(skipped).toContainEqual({
      path: 'people.csv:3',
      reason: 'empty',
      detail: expect.any(String) as unknown,
    });
    expect(skipped).toContainEqual({
      path: 'people.csv:4',
      reason: 'not_utf8',
      detail: expect.stringContaining('value') as unknown,
    });
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['people.csv:3', 'empty'],
      ['people.csv:4', 'not_utf8'],
      ['people.csv:6', 'malformed'],
    ]);
    expect(skipped[2]?.detail).not.toContain('Buffer');
  });

  test('do not hide the ones behind them', async () => {
    const { memories } = await read('key,value\na,x"y\nb,second,extra\nc,third\n');
    expect(memories.map(({ key }) => key)).toEqual(expect.arrayContaining(['b', 'c']));
    expect(memories.find(({ key }) => key === 'b')?.metadata).toEqual({ column_3: 'extra' });
  });

  test('a quote that never ends, an empty file and UTF-16 are said', async () => {
    const open = await read('key,value\na,"never ends\nb,c\n');
    expect(open.memories).toEqual([]);
    expect(open.skipped).toMatchObject([
      { reason: 'malformed', detail: expect.stringMatching(/quote/i) as unknown },
    ]);
    await expect(read('key,"val"ue\na,b\n')).rejects.toThrow('header row');
    expect((await read('')).skipped).toMatchObject([{ path: 'people.csv', reason: 'empty' }]);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('key,value', 'utf16le')]);
    await expect(read(wide)).rejects.toThrow('UTF-16');
  });
});
