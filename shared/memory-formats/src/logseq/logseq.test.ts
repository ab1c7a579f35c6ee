import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formattedDay, logseqReader } from './logseq.ts';
import { folderWith, only, readAll } from '../testing/reading.ts';

const SETTINGS = `{:meta/version 1
 ;; :journal/page-title-format "dd.MM.yyyy"
 :journal/page-title-format "yyyy-MM-dd EEE"
 :file/name-format :triple-lowbar}`;

/** What each page of a graph is called, by its key. */
async function titlesIn(files: Record<string, string>): Promise<Record<string, unknown>> {
  const { memories } = await readAll(logseqReader, await folderWith(files));
  return Object.fromEntries(memories.map(({ key, metadata }) => [key, metadata?.['title']]));
}

describe('a graph of Logseq', () => {
  test('is taken byte for byte by its own keys, and its pages are called as there', async () => {
    const value =
      'title:: The Page\nalias:: TP, [[the page]]\ntags:: [[a b]], #c, d\nid:: 1\n\n- # Other\r\n\t- x\n';
    const { memories } = await readAll(logseqReader, await folderWith({ 'pages/Ns___Page.md': value }));
    expect(only(memories)).toMatchObject({
      key: 'pages/Ns___Page.md',
      value,
      metadata: {
        title: 'The Page',
        alias: 'TP, [[the page]]',
        tags: ['a b', 'c', 'd'],
        imported: { format: 'logseq', path: 'pages/Ns___Page.md' },
      },
    });
    expect(only(memories).metadata).not.toHaveProperty('id');
    expect(only(memories).source?.id).toMatch(/^markdown:.*\/pages\/Ns___Page\.md$/);
  });

  test.each([
    ['pages/Ns___Page.md', '- # Heading\n', 'Ns/Page'],
    ['pages/tmux___Q___What is it%3F.md', '- x', 'tmux/Q/What is it?'],
    ['pages/Ns%2FPage.md', '- x', 'Ns/Page'],
    ['pages/50%_off %ZZ.md', '- x', '50%_off %ZZ'],
    ['pages/v1.2 of it.md', '- x', 'v1.2 of it'],
    ['pages/In block.md', '- title:: As said\n  tags:: a\n- x', 'As said'],
    ['pages/Later.md', '- x\n- title:: Of a block', 'Later'],
    ['pages/Front.md', '---\ntitle: Old\n---\n- x', 'Front'],
    ['journals/2026_09_14.md', '- ## [[AI Coding]]\n', '2026-09-14 Mon'],
    ['journals/CLAUDE.md', '# For agents', 'CLAUDE'],
  ])('%s, which begins with %j, is %j', async (path, value, title) => {
    expect(await titlesIn({ 'logseq/config.edn': SETTINGS, [path]: value })).toEqual({ [path]: title });
  });

  test('of older settings parts namespaces by dots, and has its days where they say', async () => {
    const files = { 'pages/Ns.Page.md': '- x', 'pages/Wait... what.md': '- x', 'days/2026-09-14.md': '- x' };
    const settings = '{:journals-directory "days"}';
    expect(await titlesIn({ 'logseq/config.edn': settings, ...files })).toEqual({
      'pages/Ns.Page.md': 'Ns/Page',
      'pages/Wait... what.md': 'Wait... what',
      'days/2026-09-14.md': 'Sep 14th, 2026',
    });
    // Without settings nothing says that it is an old one.
    expect(await titlesIn(files)).toMatchObject({ 'pages/Ns.Page.md': 'Ns.Page' });
  });

  test('leaves out what Logseq keeps for itself, and says so', async () => {
    const root = await folderWith({
      'pages/a.md': '- a',
      'logseq/bak/pages/a/2026.md': '- before',
      'logseq/.recycle/pages_b.md': '- deleted',
      'whiteboards/w.edn': '{}',
      'assets/note.md': 'of a page',
    });
    await mkdir(join(root, 'logseq/config.edn'));
    const { memories, skipped } = await readAll(logseqReader, root);
    expect(memories.map(({ key }) => key)).toEqual(['assets/note.md', 'pages/a.md']);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`)).toEqual([
      'logseq/config.edn unreadable',
      'logseq/ bookkeeping',
      'whiteboards/ bookkeeping',
    ]);
    expect(skipped[0]?.detail).toBe(
      'is not a file, or too large: pages are called as Logseq does it without settings',
    );
  });
});

test.each([
  ['MMM do, yyyy', 'Sep 1st, 2026'],
  ['EEEE, dd.MM.yy', 'Tuesday, 01.09.26'],
  ["MMMM d 'of' yyyy E", 'September 1 of 2026 Tue'],
  ['yyyy_M_d', '2026_9_1'],
])('a day as %j is %j', (format, expected) => {
  expect(formattedDay(format, new Date('2026-09-01'))).toBe(expected);
  expect(formattedDay('do', new Date('2026-09-12'))).toBe('12th');
  expect(formattedDay('do', new Date('2026-09-23'))).toBe('23rd');
});
