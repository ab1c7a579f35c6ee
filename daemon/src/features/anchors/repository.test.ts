import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { seconds } from '@reverie/shared/testing/patience';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing.ts';
import { repositoryHistory } from './repository.ts';

let root: string;
let now = 1_000;
const clock = { now: () => now };
const never = new AbortController().signal;

beforeEach(() => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  root = fs.realpathSync(folder);
});

describe('what Git ignores', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync(
      'git',
      [
        '-C',
        folder,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@example.org',
        '-c',
        'init.defaultBranch=main',
      ].concat(args),
      { stdio: 'pipe' },
    );
  const NAMES = [
    '.env',
    'hidden/ü "quoted".ts',
    ':(top)secret.env',
    'src/a.ts',
    'src/new\nline.env',
    'part/x.ts',
  ];
  beforeEach(() => {
    git(root, 'init', '-q');
    fs.writeFileSync(path.join(root, '.gitignore'), '*.env\nhidden/\n');
    for (const name of NAMES) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), 'x');
    }
    git(path.join(root, 'part'), 'init', '-q');
    git(path.join(root, 'part'), 'add', '-A');
    git(path.join(root, 'part'), 'commit', '-q', '-m', 'x');
    git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', '-A');
    git(root, 'commit', '-q', '-m', 'x');
    fs.symlinkSync('src', path.join(root, 'linked'));
  });

  test('names of all kinds, and what Git refuses to speak of beside others', async () => {
    const history = repositoryHistory(clock, process.env);
    const ignored = NAMES.filter((name) => name !== 'src/a.ts');
    const paths = [...NAMES, 'linked/a.ts'];
    expect(await history.ignored(root, paths)).toEqual(new Set([...ignored, 'linked/a.ts']));
    expect(await history.ignoredLately(root, paths, never)).toEqual(new Set([...ignored, 'linked/a.ts']));
    expect(await history.ignored(root, ['src/a.ts'])).toEqual(new Set());
  });

  test('nobody knows it without git, or where that fails', async () => {
    const without = repositoryHistory(clock, { ...process.env, PATH: path.join(root, 'src') });
    expect(await without.ignored(root, ['src/a.ts'])).toBeUndefined();
    expect(await without.ignoredLately(root, ['src/a.ts'], never)).toBeUndefined();
    const elsewhere = fs.realpathSync(path.dirname(root));
    expect(await repositoryHistory(clock, process.env).ignored(elsewhere, ['a.ts'])).toEqual(
      new Set(['a.ts']),
    );
  });

  test('it is asked anew after some minutes only', async () => {
    const history = repositoryHistory(clock, process.env);
    const ask = () => history.ignoredLately(root, ['src/other.ts'], never);
    expect(await ask()).toEqual(new Set());
    fs.appendFileSync(path.join(root, '.gitignore'), 'other.ts\n');
    expect(await ask()).toEqual(new Set());
    now += 400_000;
    expect(await ask()).toEqual(new Set(['src/other.ts']));
  });
});

describe('questions', () => {
  /** A git that writes down what it is asked, and answers it by a script. */
  const fakeGit = (answer: string) => {
    const asked = path.join(root, 'asked');
    fs.writeFileSync(asked, '');
    const script = `#!/bin/sh\necho "$*" >> '${asked}'\n${answer}\n`;
    fs.writeFileSync(path.join(root, 'git'), script, { mode: 0o755 });
    const history = repositoryHistory(clock, { PATH: `${root}:/usr/bin:/bin` });
    const count = (what: string) =>
      fs
        .readFileSync(asked, 'utf8')
        .split('\n')
        .filter((line) => line.includes(what)).length;
    return { history, count };
  };
  /** Answers a commit at once, and all else once there is a file `go`. */
  const held = () =>
    fakeGit(`case "$*" in *rev-parse*) printf %040d 7; exit;; esac
while [ ! -e '${path.join(root, 'go')}' ]; do sleep 0.02; done`);
  const go = () => fs.writeFileSync(path.join(root, 'go'), '');

  test('of those who save wait for none of those who look', async () => {
    const { history, count } = held();
    const looking = history.lastChange(root, { path: 'x', since: 'aaaaaaa' }, never);
    await vi.waitFor(() => expect(count('aaaaaaa')).toBe(1), { timeout: seconds(2) });
    expect(await history.head(root)).toBe('7'.padStart(40, '0'));
    expect(await Promise.race([looking, Promise.resolve('waits')])).toBe('waits');
    go();
    expect(await looking).toBeUndefined();
  });

  test('are not put where nobody waits any more', async () => {
    const { history, count } = held();
    const ask = (since: string, signal: AbortSignal) =>
      history.lastChange(root, { path: 'x', since }, signal);
    const late = new AbortController();
    const all = [ask('aaaaaaa', never), ask('bbbbbbb', late.signal), ask('ccccccc', late.signal)];
    // Somebody else asks the same, and still waits.
    all.push(ask('ccccccc', never));
    const ignored = history.ignoredLately(root, ['dddddd'], late.signal);
    late.abort();
    go();
    await Promise.all(all);
    expect(await ignored).toBeUndefined();
    expect(['aaaaaaa', 'bbbbbbb', 'ccccccc', 'check-ignore'].map(count)).toEqual([1, 0, 1, 0]);
    await ask('bbbbbbb', never);
    expect(count('bbbbbbb')).toBe(1);
  });

  test('wait up to a number, and beyond are not answered', async () => {
    const { history, count } = held();
    const ask = (at: number) =>
      history.lastChange(root, { path: 'x', since: `${at}`.padStart(10, 'f') }, never);
    const all = Array.from({ length: 65 }, (_, at) => ask(at));
    await vi.waitFor(() => expect(count('ffff')).toBe(1), { timeout: seconds(2) });
    // It is not waited for, though the first one is not answered yet.
    expect(await ask(99)).toBeUndefined();
    expect(count('ffff')).toBe(1);
    go();
    await Promise.all(all);
    expect(count('ffff')).toBe(65);
  });

  test('are answered from what was kept, up to 16 MiB of it, and for seconds only', async () => {
    const { history, count } = fakeGit('head -c 3000000 /dev/zero');
    const ask = (since: string) => history.lastChange(root, { path: 'x', since }, never);
    for (const since of ['aaaaaaa', 'bbbbbbb', 'ccccccc', 'ccccccc']) await ask(since);
    expect([count('aaaaaaa'), count('ccccccc')]).toEqual([1, 1]);
    await ask('aaaaaaa');
    expect(count('aaaaaaa')).toBe(2);
    now += 6_000;
    await ask('aaaaaaa');
    expect(count('aaaaaaa')).toBe(3);
  });
});
