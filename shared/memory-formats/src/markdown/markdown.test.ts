import { mkdir, rename, symlink, utimes, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { limits } from '@reverie/shared/contract/fields';
import { describe, expect, test } from 'vitest';
import { folderWith, only, readAll } from '../testing/reading.ts';
import { markdownReader } from './markdown.ts';

const NOTE = `---
title: Sourdough
tags: [bread, "#baking", bread]
created: 2024-01-15T10:00:00+01:00
modified: 2024-02-01T08:30:00Z
rating: 4.5
draft: false
links:
  - https://example.org
---
# Another heading

Feed the starter   every day.\r
`;

describe('a note with frontmatter', () => {
  test('keeps its text byte for byte and its frontmatter as metadata', async () => {
    const root = await folderWith({ 'food/bread.md': NOTE });
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(skipped).toEqual([]);
    expect(only(memories)).toMatchObject({
      key: 'food/bread.md',
      value: NOTE,
      namespace: 'default',
      created_at: '2024-01-15T09:00:00.000Z',
      updated_at: '2024-02-01T08:30:00.000Z',
      metadata: {
        title: 'Sourdough',
        tags: ['bread', 'baking'],
        created: '2024-01-15T10:00:00+01:00',
        rating: 4.5,
        draft: false,
        links: ['https://example.org'],
        imported: { format: 'markdown', path: 'food/bread.md' },
      },
    });
  });

  test('takes the title from the heading, then from the file, and the times from the file', async () => {
    const root = await folderWith({
      'a.md': '\n\n# From the heading\n\ntext',
      'b.rst': 'From the underline\n==================\n\ntext',
      'c.txt': 'no heading',
    });
    const modified = new Date('2023-05-06T07:08:09.000Z');
    for (const name of ['a.md', 'b.rst', 'c.txt']) await utimes(join(root, name), modified, modified);
    const { memories } = await readAll(markdownReader, root);
    expect(memories.map((memory) => memory.metadata?.['title'])).toEqual([
      'From the heading',
      'From the underline',
      'c',
    ]);
    for (const memory of memories) {
      expect(memory.created_at).toBe('2023-05-06T07:08:09.000Z');
      expect(memory.updated_at).toBe('2023-05-06T07:08:09.000Z');
    }
  });

  test.each([
    ['2024-05-06.md', '', [2024, 4, 6]],
    ['Daily/2024_05_06 Meeting.md', '', [2024, 4, 6]],
    ['Meeting 2024.05.06.txt', '', [2024, 4, 6]],
    ['2024-05-06.md', '---\ncreated: 2020-01-02\n---\n', [2020, 0, 2]],
    ['2024-05-06.md', '---\nmodified: 2024-06-01\n---\n', [2024, 4, 6]],
    ['2024-13-06.md', '', undefined],
    ['2024-02-30.md', '', undefined],
    ['2024-05_06.md', '', undefined],
    ['12024-05-06.md', '', undefined],
    ['2024-05-06 to 2024-05-09.md', '', undefined],
    ['2024-05-06/notes.md', '', undefined],
  ])('is of the day in the name %s, unless it says another itself', async (name, front, day) => {
    const root = await folderWith({ [name]: `${front}text` });
    const modified = new Date('2025-05-06T07:08:09.000Z');
    await utimes(join(root, name), modified, modified);
    const { memories } = await readAll(markdownReader, root);
    const [year = 0, month = 0, date] = day ?? [];
    expect(memories[0]?.created_at).toBe(
      (day ? new Date(Date.UTC(year, month, date)) : modified).toISOString(),
    );
  });

  test('that is not valid YAML is kept whole, with a note', async () => {
    const bad = '---\ntitle: [unclosed\n---\ntext';
    const root = await folderWith({ 'bad.md': bad, 'list.md': '---\n- a\n- b\n---\ntext' });
    const { memories } = await readAll(markdownReader, root);
    expect(memories[0]).toMatchObject({ value: bad, metadata: { title: 'bad' } });
    expect(memories[0]?.metadata?.['imported']).toHaveProperty(
      'note',
      expect.stringContaining('not valid YAML'),
    );
    expect(memories[1]?.metadata?.['imported']).toHaveProperty(
      'note',
      expect.stringContaining('names with values'),
    );
  });

  test.each([
    ['---\nsource: "Paper" (x, item #1)\ntags: [ok]\n---\nBody', { tags: ['ok'] }],
    ['---\ntitle: *Italic*\nrating: 4\n---\nBody', { rating: 4 }],
    ['---\nAcme Ltd.\n12 Harbour Road\nPhone: 555 0100\n---\nDear Ada', {}],
    ['---\ntags:\n- a\n- b\n\tc: 1\ntitle: Fine\n---\nBody', { title: 'Fine' }],
    ['---\nglobs: *.ts\ndescription: Rules\n---\nBody', { description: 'Rules' }],
    ['---\ntitle: First\ntitle: Second\n---\nBody', { title: 'First' }],
    ['---\ntitle: @home\naliases: [A, B]\n---\nBody', { aliases: ['A', 'B'] }],
    ['---\ntime: 10:30: late\nmood: "good\nplace: Porto\n---\nBody', { place: 'Porto' }],
    ['---\ntitle: %done\nurl: `x`\nkind: log\n---\nBody', { kind: 'log' }],
    ['---\ncreated: }}date{{\ntags: [daily]\n---\nBody', { tags: ['daily'] }],
    ['---\ntitle: it never ends\n\nBody', {}],
    ['+++\ntitle = "Hugo"\n+++\nBody', {}],
    ['\uFEFF---\r\ntitle: [a\r\ntags: b\r\n---\r\nBody', { tags: ['b'] }],
  ])('that cannot be read is named, and what of it can be read is taken: %j', async (text, metadata) => {
    const found = [];
    const root = await folderWith({ 'note.md': text });
    for await (const one of markdownReader.read(root, {})) found.push(one);
    const detail = expect.stringContaining('frontmatter') as string;
    const memory = { value: text, metadata };
    expect(found).toMatchObject([{ kind: 'memory', memory, unread: { path: 'note.md', detail } }]);
  });

  test.each([
    '---\n\nA line, and no frontmatter',
    '--- \nJust a rule.\n',
    '+++ more',
    'Text\n---\na: [\n---',
  ])('is not missed in %j', async (text) => {
    const root = await folderWith({ 'note.md': text });
    for await (const one of markdownReader.read(root, {})) expect(one).not.toHaveProperty('unread');
  });

  test('that grows by aliases, is deep, is large or names a prototype does no harm', async () => {
    const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
    const root = await folderWith({
      'bomb.md': `---\na0: &a0 [lol,lol]\n${levels.join('\n')}\n---\ntext`,
      'deep.md': `---\na: ${'['.repeat(9000)}${']'.repeat(9000)}\n---\ntext`,
      'deeper.md': `---\na: ${'['.repeat(20)}${']'.repeat(20)}\n---\ntext`,
      'large.md': `---\na: ${'x'.repeat(70_000)}\n---\ntext`,
      'proto.md': '---\n__proto__:\n  polluted: true\ntitle: Safe\n---\ntext',
      'tag.md': '---\na: !!js/function "function () {}"\n---\ntext',
    });
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(skipped).toEqual([]);
    const imported = new Map(memories.map((memory) => [memory.key, memory.metadata?.['imported']]));
    expect(imported.get('bomb.md')).toHaveProperty('note', expect.stringMatching(/alias/i));
    for (const key of ['deep.md', 'deeper.md', 'large.md'])
      expect(imported.get(key), key).toHaveProperty('note', expect.any(String));
    expect(memories.find(({ key }) => key === 'proto.md')?.metadata).toMatchObject({ title: 'Safe' });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(memories.find(({ key }) => key === 'tag.md')?.metadata?.['a']).toBe('function () {}');
  });
});

describe('what is found', () => {
  test('comes in the order of its names, without folders that hold no notes', async () => {
    const root = await folderWith({
      'b/z.md': 'z',
      'b.md': 'b',
      'a.markdown': 'a',
      'A.mdx': 'A',
      'picture.png': 'no text ending',
      'node_modules/x/README.md': 'x',
      '.git/notes.md': 'x',
      '.obsidian/plugins.md': 'x',
      'b/.trash/old.md': 'x',
      'packed.md.gz': gzipSync('packed text'),
    });
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(skipped).toEqual([]);
    expect(memories.map(({ key }) => key)).toEqual(['A.mdx', 'a.markdown', 'b/z.md', 'b.md', 'packed.md.gz']);
    expect(memories.at(-1)?.value).toBe('packed text');
    const inside = await readAll(markdownReader, join(root, 'node_modules', 'x'));
    expect(only(inside.memories).key).toBe('README.md');
  });

  test('is everything that is text with allText', async () => {
    const root = await folderWith({
      README: 'read me',
      'changelog.Debian.gz': gzipSync('changes'),
      copyright: 'all rights',
      'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]),
      'broken.gz': 'no gzip',
      'bomb.gz': gzipSync(Buffer.alloc(65 * 1024 * 1024, 'a')),
    });
    const { memories, skipped } = await readAll(markdownReader, root, { allText: true });
    expect(memories.map(({ key, value }) => [key, value])).toEqual([
      ['README', 'read me'],
      ['changelog.Debian.gz', 'changes'],
      ['copyright', 'all rights'],
    ]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['bomb.gz', 'too_large'],
      ['broken.gz', 'unreadable'],
      ['image.png', 'binary'],
    ]);
  });

  test('may be a single file, with the key that its folder gives it', async () => {
    const root = await folderWith({ 'note.md': 'text', 'other.md': 'other' });
    const alone = await readAll(markdownReader, join(root, 'note.md'));
    const all = await readAll(markdownReader, root);
    expect(only(alone.memories)).toEqual(all.memories[0]);
  });

  test('is listed with a reason where it is no text in UTF-8', async () => {
    const root = await folderWith({
      'binary.md': 'a\0b',
      'blank.md': ' \n\t\n',
      'empty.md': '',
      'latin1.md': Buffer.from('caf\xe9', 'latin1'),
      'utf16be.md': Buffer.from([0xfe, 0xff, 0, 0x61]),
      'utf16le.md': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hello', 'utf16le')]),
      'utf8bom.md': '\uFEFF---\ntitle: Marked\n---\ntext',
    });
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['binary.md', 'binary'],
      ['blank.md', 'empty'],
      ['empty.md', 'empty'],
      ['latin1.md', 'not_utf8'],
      ['utf16be.md', 'not_utf8'],
      ['utf16le.md', 'not_utf8'],
    ]);
    expect(skipped[5]?.detail).toContain('UTF-16');
    expect(only(memories)).toMatchObject({
      value: '\uFEFF---\ntitle: Marked\n---\ntext',
      metadata: { title: 'Marked' },
    });
  });

  test('is a clear error where there is nothing', async () => {
    const root = await folderWith({});
    await expect(readAll(markdownReader, join(root, 'missing'))).rejects.toThrow(/missing cannot be read/);
  });

  test.skipIf(process.getuid?.() === 0)('is listed where it may not be read', async () => {
    const root = await folderWith({ 'secret.md': 'text' });
    await chmod(join(root, 'secret.md'), 0);
    const { skipped } = await readAll(markdownReader, root);
    expect(skipped).toMatchObject([{ path: 'secret.md', reason: 'unreadable' }]);
  });
});

describe('links', () => {
  test('never lead out of the folder nor around in circles', async () => {
    const outside = await folderWith({ 'secret.md': 'secret', 'folder/deep.md': 'deep' });
    const root = await folderWith({ 'AGENTS.md': 'agents', 'data/raw.bin': 'raw text' });
    await symlink(join(outside, 'secret.md'), join(root, 'out.md'));
    await symlink(join(outside, 'folder'), join(root, 'outfolder'));
    await symlink(root, join(root, 'data', 'circle'));
    await symlink('AGENTS.md', join(root, 'CLAUDE.md'));
    await symlink(join('data', 'raw.bin'), join(root, 'raw.md'));
    await symlink('nowhere.md', join(root, 'dangling.md'));
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(memories.map(({ key, value }) => [key, value])).toEqual([
      ['AGENTS.md', 'agents'],
      ['raw.md', 'raw text'],
    ]);
    expect(skipped.map(({ path, reason }) => [path, reason])).toEqual([
      ['CLAUDE.md', 'link'],
      ['dangling.md', 'unreadable'],
      ['data/circle', 'link'],
      ['out.md', 'link'],
      ['outfolder', 'link'],
    ]);
  });
});

describe('keys and sources', () => {
  test('are in NFC, and different for different files', async () => {
    const composed = 'caf\u00e9.md';
    const decomposed = 'cafe\u0301.md';
    const both = await folderWith({ [composed]: 'one', [decomposed]: 'two' });
    const one = await folderWith({ [decomposed]: 'two' });
    expect(only((await readAll(markdownReader, one)).memories).key).toBe(composed);
    const keys = (await readAll(markdownReader, both)).memories.map(({ key }) => key);
    // File systems of macOS hold one of the two only.
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain(composed);
  });

  // File systems of macOS and Windows hold one of them only.
  test.runIf(process.platform === 'linux')(
    'each of several names of one form is taken, under its own key',
    async () => {
      const root = await folderWith({
        'caf\u00e9.md': 'composed',
        'cafe\u0301.md': 'decomposed',
        'pur\u00e9e cafe\u0301.txt.gz': gzipSync('half one way'),
        'pure\u0301e caf\u00e9.txt.gz': gzipSync('half the other way'),
        'r\u00e9sum\u00e9/note.md': 'in the one folder',
        're\u0301sume\u0301/note.md': 'in the other folder',
        'v1.\u212b/a.md': 'angstrom sign',
        'v1.\u00c5/a.md': 'letter',
        'Tea.md': 'upper case',
        'tea.md': 'lower case',
      });
      const { memories, skipped } = await readAll(markdownReader, root);
      expect(skipped).toEqual([]);
      const byKey = Object.fromEntries(memories.map(({ key, value }) => [key, value]));
      expect(Object.values(byKey).sort()).toEqual([
        ...['angstrom sign', 'composed', 'decomposed', 'half one way', 'half the other way'],
        ...['in the one folder', 'in the other folder', 'letter', 'lower case', 'upper case'],
      ]);
      expect(byKey).toMatchObject({
        'caf\u00e9.md': 'composed',
        'r\u00e9sum\u00e9/note.md': 'in the one folder',
      });
      expect(Object.keys(byKey).find((key) => byKey[key] === 'decomposed')).toMatch(
        /^caf\u00e9~[0-9a-f]{12}\.md$/,
      );
    },
  );

  test.runIf(process.platform === 'linux')('a name that is no UTF-8 is named, each one', async () => {
    const root = await folderWith({ 'a.md': 'text', 'caf\ufffd.md': 'named so' });
    const place = (name: string) => Buffer.from(join(root, name), 'latin1');
    for (const name of ['caf\u00e9.md', 'caf\u00e8.md', 'caf\u00e9.png'])
      await writeFile(place(name), 'text');
    await mkdir(place('d\u00e9jeuner'));
    const { memories, skipped } = await readAll(markdownReader, root);
    expect(memories.map(({ value }) => value).sort()).toEqual(['named so', 'text']);
    expect(skipped).toMatchObject([
      { path: expect.stringMatching(/^caf\ufffd~[0-9a-f]{12}\.md$/) as string, reason: 'unreadable' },
      { path: expect.stringMatching(/^caf\ufffd~[0-9a-f]{12}\.md$/) as string, reason: 'unreadable' },
      { path: 'd\ufffdjeuner', reason: 'unreadable', detail: 'its name is not valid UTF-8; rename it' },
    ]);
  });

  test('that are too long or hold control characters are shortened in the same way each time', async () => {
    const name = `${'long '.repeat(30)}.md`;
    const folder = Array.from({ length: 5 }, (_, at) => `${'folder'.repeat(20)}${at}`).join('/');
    const root = await folderWith({ [`${folder}/${name}`]: 'text', 'line\nbreak.md': 'text' });
    const first = await readAll(markdownReader, root);
    const second = await readAll(markdownReader, root);
    expect(first).toEqual(second);
    expect(first.skipped).toEqual([]);
    const [long, broken] = first.memories.map(({ key }) => key);
    expect(Buffer.byteLength(long ?? '')).toBe(limits.keyBytes);
    expect(broken).toMatch(/^line_break\.md~[0-9a-f]{12}$/);
  });

  test('do not change with the time of a file, and change with its text', async () => {
    const root = await folderWith({ 'a.md': 'one' });
    const before = only((await readAll(markdownReader, root)).memories).source;
    await utimes(join(root, 'a.md'), new Date(0), new Date(0));
    expect(only((await readAll(markdownReader, root)).memories).source).toEqual(before);
    await writeFile(join(root, 'a.md'), 'two');
    const after = only((await readAll(markdownReader, root)).memories).source;
    expect(after?.id).toBe(before?.id);
    expect(after?.hash).not.toBe(before?.hash);
  });

  test('tell vaults apart, and a moved one is known by its name', async () => {
    const root = await folderWith({ 'one/a.md': 'text', 'two/a.md': 'text' });
    const idOf = async (folder: string, sourceName?: string) =>
      only((await readAll(markdownReader, join(root, folder), sourceName ? { sourceName } : {})).memories)
        .source?.id;
    const one = await idOf('one');
    expect(one).toBe(`markdown:${root}/one/a.md`);
    expect(await idOf('two')).not.toBe(one);
    await rename(join(root, 'one'), join(root, 'moved'));
    expect(await idOf('moved', `${root}/one`)).toBe(one);
  });

  test('put everything into the namespace that is asked for', async () => {
    const root = await folderWith({
      'a.md': 'text',
      'own.md': '---\nreverie: 1\nkey: "k"\nnamespace: "n"\n---\nv',
    });
    const { memories } = await readAll(markdownReader, root, { namespace: 'work' });
    expect(memories.map(({ key, namespace }) => [key, namespace])).toEqual([
      ['a.md', 'work'],
      ['k', 'work'],
    ]);
  });
});

describe('large files', () => {
  test('of 1 MiB stay whole, of one byte more are split', async () => {
    const whole = 'x'.repeat(limits.valueBytes);
    const root = await folderWith({ 'a.md': whole, 'b.md': `${whole}y` });
    const { memories } = await readAll(markdownReader, root);
    expect(memories.map(({ key }) => key)).toEqual(['a.md', 'b.md#1', 'b.md#2']);
    expect(memories[0]?.value).toBe(whole);
    expect(`${memories[1]?.value}${memories[2]?.value}`).toBe(`${whole}y`);
  });

  test('are cut between paragraphs, put together give the file, and are neighbours', async () => {
    const paragraph = `${'Ünïcödé wörds '.repeat(400)}\r\n\r\n`;
    const text = `---\ntitle: Long\n---\n${paragraph.repeat(400)}`;
    const root = await folderWith({ 'long.md': text });
    const { memories } = await readAll(markdownReader, root);
    expect(memories.length).toBeGreaterThan(2);
    expect(memories.map(({ value }) => value).join('')).toBe(text);
    for (const memory of memories.slice(0, -1)) expect(memory.value.endsWith('\r\n\r\n')).toBe(true);
    expect(memories[1]).toMatchObject({
      key: 'long.md#2',
      metadata: { title: 'Long', session: 'long.md', imported: { part: 2, parts: memories.length } },
    });
    expect(new Set(memories.map(({ source }) => source?.id)).size).toBe(memories.length);
  });
});

test('measure and onBytes agree, for a progress bar', async () => {
  const root = await folderWith({ 'a.md': 'one', 'b.md': 'twenty', 'c.png': 'no note' });
  await mkdir(join(root, 'empty'));
  let bytes = 0;
  await readAll(markdownReader, root, { onBytes: (more) => (bytes += more) });
  expect(bytes).toBe(9);
  expect(await markdownReader.measure(root, {})).toBe(9);
});
