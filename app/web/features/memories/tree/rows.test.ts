import { expect, test } from 'vitest';
import { canGoInto, type FolderContent, foldersAbove, inOrder, nameOf, parentOf, rowsOf } from './rows.ts';

const folders: FolderContent[] = [
  { path: '', folders: ['a/', 'b/'], keys: ['top.md'], isCut: false },
  { path: 'a/', folders: ['a/x/'], keys: ['a/1.md', 'a/2.md'], isCut: false },
  { path: 'a/x/', folders: [], keys: ['a/x/deep'], isCut: false },
];
const content = new Map(folders.map((folder) => [folder.path, folder]));
const seen = (...open: string[]) =>
  rowsOf(content, new Set(open)).map(({ path, depth }) => `${'  '.repeat(depth)}${path}`);

test('what stands in open folders is seen, folders first, each below its own', () => {
  expect(seen()).toEqual(['a/', 'b/', 'top.md']);
  expect(seen('a/')).toEqual(['a/', '  a/x/', '  a/1.md', '  a/2.md', 'b/', 'top.md']);
  expect(seen('a/', 'a/x/')).toEqual([
    'a/',
    '  a/x/',
    '    a/x/deep',
    '  a/1.md',
    '  a/2.md',
    'b/',
    'top.md',
  ]);
  // An open folder in a closed one, and one whose content is on its way.
  expect(seen('a/x/', 'b/')).toEqual(['a/', 'b/', 'top.md']);
});

test('a line knows its place among those of its folder', () => {
  const rows = rowsOf(content, new Set(['a/']));
  expect(rows.find(({ path }) => path === 'a/2.md')).toEqual({
    kind: 'key',
    path: 'a/2.md',
    name: '2',
    parent: 'a/',
    depth: 1,
    position: 3,
    siblings: 3,
    isOpen: false,
  });
});

test('names are read as people read them', () => {
  expect(['a/b/Note.md', 'a/b/', 'plain', 'x.markdown', '.md', 'a/', '/', 'a//'].map(nameOf)).toEqual([
    'Note',
    'b',
    'plain',
    'x.markdown',
    '.md',
    'a',
    '/',
    '/',
  ]);
  expect(['a/b/c', 'a/b/', 'a/', 'top', '/rooted', '/'].map(parentOf)).toEqual([
    'a/b/',
    'a/',
    '',
    '',
    '/',
    '',
  ]);
  expect(foldersAbove('a/b/c')).toEqual(['a/', 'a/b/']);
  expect(foldersAbove('a/b/')).toEqual(['a/']);
  const order = new Intl.Collator('en', { numeric: true });
  expect(inOrder(['Note 10.md', 'note 9.md', 'Über', 'Zoo'], order)).toEqual([
    'note 9.md',
    'Note 10.md',
    'Über',
    'Zoo',
  ]);
});

test('nothing goes where it is, and no folder into itself', () => {
  const rows = rowsOf(content, new Set(['a/', 'a/x/']));
  const goes = (path: string, folder: string) =>
    rows.some((row) => row.path === path && canGoInto(row, folder));
  expect([goes('a/1.md', 'b/'), goes('a/1.md', ''), goes('a/1.md', 'a/x/'), goes('a/1.md', 'a/')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect([goes('a/', 'b/'), goes('a/', ''), goes('a/', 'a/'), goes('a/', 'a/x/')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
