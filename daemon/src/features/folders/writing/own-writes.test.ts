import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import { bytesAt, isSafePath, moveAside, moveTo, writeNew, writeOver } from './own-writes.ts';

let temporary: { folder: string; remove: () => void };
let root = '';
beforeEach(() => {
  temporary = temporaryFolder();
  root = path.join(fs.realpathSync(temporary.folder), 'root');
  fs.mkdirSync(root);
});
afterEach(() => temporary.remove());

const at = (name: string) => path.join(root, name);
const text = (name: string) => fs.readFileSync(at(name), 'utf8');
const all = () =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();

describe('writing files of somebody else', () => {
  test('takes the place of what is as expected, with its mode, and of nothing else', () => {
    fs.writeFileSync(at('a.md'), 'one', { mode: 0o640 });
    expect(writeOver(at('a.md'), 'two', (bytes) => bytes.toString() === 'one')).toBe(true);
    expect([text('a.md'), fs.statSync(at('a.md')).mode & 0o777]).toEqual(['two', 0o640]);
    expect(writeOver(at('a.md'), 'three', (bytes) => bytes.toString() === 'one')).toBe(false);
    expect([text('a.md'), all()]).toEqual(['two', ['a.md']]);
  });

  test('a new file is for this user alone, and never over another one', () => {
    expect(writeNew(root, 'x/y/a.md', 'one')).toBe(true);
    expect(fs.statSync(at('x/y/a.md')).mode & 0o777).toBe(0o600);
    expect(writeNew(root, 'x/y/a.md', 'two')).toBe(false);
    fs.symlinkSync('/nowhere', at('link.md'));
    expect(writeNew(root, 'link.md', 'two')).toBe(false);
    expect([text('x/y/a.md'), all()]).toEqual(['one', ['link.md', 'x/y/a.md']]);
  });

  test('nothing goes through a link to elsewhere', () => {
    const outside = path.join(temporary.folder, 'outside');
    fs.mkdirSync(outside);
    fs.symlinkSync(outside, at('link'));
    fs.writeFileSync(at('a.md'), 'one');
    expect(writeNew(root, 'link/a.md', 'one')).toBe(false);
    expect(moveTo(root, at('a.md'), 'link/b.md')).toBe(false);
    expect([fs.readdirSync(outside), text('a.md')]).toEqual([[], 'one']);
    fs.symlinkSync(at('a.md'), at('to-a.md'));
    expect(() => bytesAt(at('to-a.md'))).toThrow(/is not a file/);
  });

  test('moved aside, each has a name of its own', () => {
    for (const value of ['one', 'two']) {
      fs.writeFileSync(at('a.md'), value);
      moveAside(root, at('a.md'), 'a.md');
    }
    expect(all()).toEqual(['.reverie-trash/a (1).md', '.reverie-trash/a.md']);
    expect(text('.reverie-trash/a (1).md')).toBe('two');
  });

  test.each([
    ['a.md', true],
    ['deep/er/a.txt', true],
    ['a.md.gz', false],
    ['../a.md', false],
    ['/a.md', false],
    ['x//a.md', false],
    ['.a.md', false],
    ['x/./a.md', false],
    ['nul.md', false],
    ['a?.md', false],
    ['a\\b.md', false],
    ['e\u0301.md', false],
    [`${'x'.repeat(90)}.md`, false],
  ])('%s may be a path: %s', (key, expected) => {
    expect(isSafePath(key)).toBe(expected);
  });
});
