import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { appleNotesReader } from '../apple-notes/apple-notes.ts';
import { detectFormat } from '../detect-format.ts';
import { notionReader } from './notion.ts';
import { folderWith, readAll } from '../testing/reading.ts';

const id = (digit: string) => digit.repeat(32);

const EXPORT = {
  [`Home ${id('a')}.md`]:
    `# Home\n\n[Tea (green)](Home%20${id('a')}/Tea%20(green)%20${id('b')}.md#how) and ` +
    `[by address](https://www.notion.so/Tea-green-${id('b')}?pvs=4), [elsewhere](https://example.org/a.md), ` +
    `![cup](Home%20${id('a')}/cup.png), [broken](%E0%A4%A.md)\n`,
  [`Home ${id('a')}/Tea (green) ${id('b')}.md`]: `# Tea (green)\n\nStatus: open\n\n[up](../Home%20${id('a')}.md)\n`,
  [`Home ${id('a')}/Tea (green) ${id('c')}.md`]: '# Tea (green)\n\nAnother of the same name.\n',
  [`Home ${id('a')}/cup.png`]: 'PNG\0',
  [`Home ${id('a')}/Tasks ${id('d')}.csv`]: 'Name,Status\nBuy: milk,Open\n',
  [`Home ${id('a')}/Tasks ${id('d')}_all.csv`]:
    '\uFEFFName,Status,Due\nBuy: milk,Open,"June 3, 2026"\nBuy: milk,Done,\n,Open,\nPay rent,Open,\n../../up,Open,\n',
  [`Home ${id('a')}/Tasks ${id('d')}/Pay rent ${id('e')}.md`]: '# Pay rent\n\nStatus: Open\n\nTo the bank.\n',
  [`Part-2.zip`]: 'PK',
};

async function inBothForms() {
  const root = await folderWith(EXPORT);
  const wrapped = Object.fromEntries(
    Object.entries(EXPORT).map(([path, text]) => [`Export-${id('f')}/${path}`, strToU8(text)]),
  );
  const zipped = await folderWith({ 'export.zip': zipSync(wrapped) });
  return [root, join(zipped, 'export.zip')];
}

test('pages have their titles for names, links lead where these are, and rows without a page are notes', async () => {
  for (const path of await inBothForms()) {
    expect(await detectFormat(path)).toMatchObject({ format: 'notion' });
    const { memories, skipped } = await readAll(notionReader, path);
    const texts = Object.fromEntries(memories.map(({ key, value }) => [key, value]));
    expect(Object.keys(texts).sort()).toEqual([
      'Home.md',
      'Home/Tasks/.._.._up.md',
      'Home/Tasks/Buy_ milk (2).md',
      'Home/Tasks/Buy_ milk.md',
      'Home/Tasks/Pay rent.md',
      'Home/Tasks/Row 3.md',
      'Home/Tea (green) cccccccc.md',
      'Home/Tea (green).md',
    ]);
    expect(texts['Home.md']).toBe(
      '# Home\n\n[Tea (green)](Home/Tea%20%28green%29.md#how) and [by address](Home/Tea%20%28green%29.md), ' +
        `[elsewhere](https://example.org/a.md), ![cup](Home%20${id('a')}/cup.png), [broken](%E0%A4%A.md)\n`,
    );
    expect(texts['Home/Tea (green).md']).toContain('[up](../Home.md)');
    expect(texts['Home/Tasks/Buy_ milk.md']).toBe('---\nStatus: Open\nDue: June 3, 2026\n---\n# Buy: milk\n');
    expect(memories.find(({ key }) => key === 'Home/Tasks/Buy_ milk.md')?.metadata).toMatchObject({
      Status: 'Open',
      title: 'Buy: milk',
    });
    expect(skipped.map(({ path: left, detail }) => [left.split('/').at(-1), detail])).toEqual(
      expect.arrayContaining([
        [`Tasks ${id('d')}.csv`, expect.stringContaining('_all.csv')],
        ['cup.png', expect.stringContaining('attachment')],
        ['Part-2.zip', expect.stringContaining('unpack it')],
      ]),
    );
    expect(skipped).toHaveLength(3);
    const again = await readAll(notionReader, path);
    expect(again.memories).toEqual(memories);
  }
});

describe('an archive of somebody hostile', () => {
  test.each(['../up.md', '/etc/passwd.md', 'a/../../b.md', 'C:\\x.md', '..\\up.md'])(
    'that names %s is refused',
    async (name) => {
      const root = await folderWith({ 'x.zip': zipSync({ 'a.md': strToU8('a'), [name]: strToU8('b') }) });
      for (const reader of [notionReader, appleNotesReader])
        await expect(readAll(reader, join(root, 'x.zip'))).rejects.toThrow(/leads out of the archive/);
    },
  );

  test('that unpacks to more than a note may have gives no memory of it, and says so', async () => {
    const bomb = zipSync({ 'bomb.md': new Uint8Array(65 * 1024 * 1024).fill(32), 'b.md': strToU8('b') });
    const root = await folderWith({ 'x.zip': bomb });
    const { memories, skipped } = await readAll(notionReader, join(root, 'x.zip'));
    expect(memories).toMatchObject([{ key: 'b.md' }]);
    expect(skipped).toMatchObject([{ path: 'bomb.md', reason: 'too_large' }]);
  });

  test('that is none, or ends too early, is an error that says so', async () => {
    const whole = zipSync({ 'a.md': strToU8('some text '.repeat(1000)) });
    const root = await folderWith({ 'cut.zip': whole.subarray(0, 60), 'note.txt': 'text' });
    await expect(readAll(notionReader, join(root, 'cut.zip'))).rejects.toThrow(/archive/);
    await expect(readAll(notionReader, join(root, 'note.txt'))).rejects.toThrow(/neither a folder nor a zip/);
  });
});

test('notes of Apple lose the folder that each has for itself; pictures and HTML are named as left out', async () => {
  const files = {
    'Notes/Groceries/Groceries.md': '# Groceries\n\n- [ ] Milk\n',
    'Notes/Groceries/Attachments/list.jpg': 'JPG\0',
    'Notes/Ideas/Sub/Sub.txt': 'An idea',
    'Notes/Ideas/Sub.txt': 'Another idea',
    'Notes/alone.md': 'Alone',
    'Notes/page.html': '<p>Page</p>',
  };
  const zip = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])));
  for (const path of [await folderWith(files), join(await folderWith({ 'notes.zip': zip }), 'notes.zip')]) {
    const { memories, skipped } = await readAll(appleNotesReader, path);
    expect(memories.map(({ key }) => key).sort()).toEqual([
      'Notes/Groceries.md',
      'Notes/Ideas/Sub.txt',
      'Notes/Ideas/Sub/Sub.txt',
      'Notes/alone.md',
    ]);
    expect(skipped.map(({ path: left, detail }) => `${left} ${detail}`).sort()).toEqual([
      expect.stringContaining('Attachments/list.jpg is a picture'),
      expect.stringContaining('page.html is HTML'),
    ]);
  }
});
