import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import { createIgnoring } from './ignoring.ts';

let temporary: { folder: string; remove: () => void };
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

function rules(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(temporary.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const unreadable: string[] = [];
  const ignoring = createIgnoring(temporary.folder, (name) => unreadable.push(name));
  return { ...ignoring, unreadable };
}

describe('what is passed over', () => {
  test.each([
    ['a file by its name', { '.gitignore': 'a.md' }, 'deep/a.md', true],
    ['a file by its place', { '.gitignore': '/a.md' }, 'deep/a.md', false],
    ['all below a folder', { '.gitignore': 'build/' }, 'x/build/y/a.md', true],
    ['no file of the name of a folder', { '.gitignore': 'build/' }, 'build', false],
    ['what is taken back', { '.gitignore': '*.md\n!a.md' }, 'a.md', false],
    ['what a deeper one takes back', { '.gitignore': '*.md', 'x/.gitignore': '!a.md' }, 'x/a.md', false],
    ['nothing back below an ignored folder', { '.gitignore': 'x/', 'x/.gitignore': '!a.md' }, 'x/a.md', true],
    ['by its own rules, too', { '.reverieignore': 'private' }, 'private/a.md', true],
    ['own rules after those of git', { '.gitignore': 'a.md', '.reverieignore': '!a.md' }, 'a.md', false],
    ['rules of one folder in that one only', { 'x/.gitignore': '*.md' }, 'y/a.md', false],
    ['folders that never hold notes', {}, 'x/node_modules/a.md', true],
    ['where files go that were deleted here', {}, '.reverie-trash/a.md', true],
  ] as [string, Record<string, string>, string, boolean][])('%s', (...[, files, ...rest]) => {
    const [relative, expected] = rest;
    expect(rules(files).ignores(relative, false)).toBe(expected);
  });

  test('rules are read anew on request, and what cannot be read is told', () => {
    const { ignores, reload, unreadable } = rules({ '.gitignore': 'a.md' });
    expect(ignores('a.md', false)).toBe(true);
    fs.rmSync(path.join(temporary.folder, '.gitignore'));
    expect(ignores('a.md', false)).toBe(true);
    reload();
    expect(ignores('a.md', false)).toBe(false);
    fs.mkdirSync(path.join(temporary.folder, '.gitignore'));
    reload();
    expect(ignores('a.md', false)).toBe(false);
    expect(unreadable).toEqual(['.gitignore']);
  });
});

test.runIf(process.platform !== 'win32')('rules that are a pipe are named, and not waited for', () => {
  execFileSync('mkfifo', [path.join(temporary.folder, '.gitignore')]);
  const { ignores, unreadable } = rules({ '.reverieignore': 'b.md' });
  expect([ignores('a.md', false), ignores('b.md', false)]).toEqual([false, true]);
  expect(unreadable).toEqual(['.gitignore']);
});
