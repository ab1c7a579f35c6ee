import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { projectOf } from './project.ts';

let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-project-')));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

/** A repository as `git init` leaves it, with these lines in its config. */
function repository(name: string, config = ''): string {
  const root = path.join(folder, name);
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  fs.writeFileSync(path.join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(path.join(root, '.git', 'config'), `[core]\n\tbare = false\n${config}`);
  return root;
}

const withOrigin = (url: string) =>
  `[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;

describe('the project of a folder', () => {
  test.each([
    ['git@github.com:acme/api.git', 'project/acme/api'],
    ['https://github.com/Acme/API', 'project/acme/api'],
    ['https://user:secret-token@github.com/acme/api.git/', 'project/acme/api'],
    ['ssh://git@github.com:22/acme/api.git', 'project/acme/api'],
    ['git@gitlab.com:acme/tools/api.git', 'project/gitlab.com/acme/tools/api'],
    ['https://git.example.org:8443/acme/api', 'project/git.example.org/acme/api'],
    ['https://github.com/../../etc/passwd', 'project/etc/passwd'],
  ])('of remote %s is %s', (url, namespace) => {
    const root = repository('any-name', withOrigin(url));
    expect(projectOf(root)).toEqual({ namespace, root, from: 'remote' });
  });

  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const random = '9f86d081884c7d659a2feaa0c55ad015';
  test.each([
    [`https://github.com/acme/app.git?token=${token}`, 'acme/app'],
    [`https://github.com/acme/app.git#${token}`, 'acme/app'],
    [`https://github.com/acme/app.git;jsessionid=${token}`, 'acme/app'],
    [`https://oauth2:${token}@github.com/acme/app.git`, 'acme/app'],
    [`https://oauth2:p@ss-${token}@github.com/acme/app.git`, 'acme/app'],
    [`https://oauth2:p/${token}@github.com/acme/app.git`, 'acme/app'],
    [`https://github.com/${token}/acme/app.git`, 'acme/app'],
    [`https://github.com/${token.replace('ghp', '%67hp')}/acme/app.git`, 'acme/app'],
    [`https://git.example.org/${random}/app.git`, 'git.example.org/app'],
    [`https://git.example.org/token=${random}/app.git`, 'git.example.org/app'],
    [
      `https://dev.azure.com/acme/My%20Project/_git/app?access_token=${random}`,
      'dev.azure.com/acme/my-20project/_git/app',
    ],
    [`ssh://git:${token}@gitlab.com:22/acme/app.git?x=1`, 'gitlab.com/acme/app'],
    [`git@gitlab.com:${random}/acme/app.git?token=${token}`, 'gitlab.com/acme/app'],
    [`git:${token}@gitlab.com:acme/app.git`, 'gitlab.com/acme/app'],
    [`git@gitlab.com:oauth2:${token}@acme/app.git`, 'gitlab.com/acme/app'],
    [`codecommit::us-east-1://${token}@app`, 'codecommit/app'],
  ])('of remote %s holds no token', (url, name) => {
    expect(projectOf(repository('any-name', withOrigin(url)))?.namespace).toBe(`project/${name}`);
  });

  test('of a remote whose last part is random is another one for each, and does not say it', () => {
    const gist = (id: string) => projectOf(repository(id, withOrigin(`https://gist.github.com/${id}.git`)));
    expect(gist(random)?.namespace).toMatch(/^project\/gist\.github\.com\/[0-9a-f]{8}$/);
    expect(gist(random)?.namespace).not.toBe(gist(random.replace('9', '8'))?.namespace);
  });

  test.each([
    'Spring-Boot-React-Full-Stack-App-2024',
    'npm-package-template',
    'advent-of-code-2015-2023',
    'UTF8ToUTF16',
  ])('of a repository that is called %s is called so, too', (name) => {
    const { namespace } = projectOf(repository(name, withOrigin(`git@github.com:acme/${name}.git`))) ?? {};
    expect(namespace).toBe(`project/acme/${name.toLowerCase()}`);
  });

  test('is that of the folders above, up to the repository', () => {
    const root = repository('api', withOrigin('git@github.com:acme/api.git'));
    const deep = path.join(root, 'src', 'features');
    fs.mkdirSync(deep, { recursive: true });
    expect(projectOf(deep)?.root).toBe(root);
  });

  test('is one for a repository and its worktrees, and another for a submodule', () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always', ...args],
        {
          cwd,
          stdio: 'pipe',
        },
      );
    const main = path.join(folder, 'main');
    const part = path.join(folder, 'part');
    for (const root of [main, part]) {
      fs.mkdirSync(root);
      git(root, 'init', '-q');
      git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
    }
    git(main, 'worktree', 'add', '-q', '../beside');
    git(main, 'submodule', '--quiet', 'add', part, 'inner');
    const beside = projectOf(path.join(folder, 'beside'));
    expect(beside?.namespace).toBe(projectOf(main)?.namespace);
    expect(beside?.root).toBe(path.join(folder, 'beside'));
    const inner = projectOf(path.join(main, 'inner'));
    expect(inner?.root).toBe(path.join(main, 'inner'));
    expect(inner?.namespace).not.toBe(beside?.namespace);
  });

  test('without a remote is its folder, and never another of the same name', () => {
    const one = projectOf(repository('one/notes'));
    const two = projectOf(repository('two/notes', withOrigin(path.join(folder, 'bare.git'))));
    expect(one?.namespace).toMatch(/^project\/notes-[0-9a-f]{8}$/);
    expect(two?.namespace).toMatch(/^project\/notes-[0-9a-f]{8}$/);
    expect(two?.namespace).not.toBe(one?.namespace);
  });

  test('is what the person set for this clone, if that is a namespace', () => {
    const set = repository(
      'set',
      `${withOrigin('git@github.com:acme/api.git')}[reverie]\n\tnamespace = "our work"\n`,
    );
    expect(projectOf(set)).toMatchObject({ namespace: 'our work', from: 'setting' });
    const wrong = repository(
      'wrong',
      `${withOrigin('git@github.com:acme/api.git')}[reverie]\n\tnamespace = *\n`,
    );
    expect(projectOf(wrong)).toMatchObject({ namespace: 'project/acme/api', from: 'remote' });
  });

  test('is the only remote where none is called origin, and the folder where there are several', () => {
    const fork = (name: string) => `[remote "${name}"]\n\turl = git@github.com:${name}/api.git\n`;
    expect(projectOf(repository('a', fork('ines')))?.namespace).toBe('project/ines/api');
    expect(projectOf(repository('b', fork('ines') + fork('tom')))?.from).toBe('folder');
  });

  test('does not exist outside of a repository, in a folder that is gone, or for the dotfiles of a home', () => {
    fs.mkdirSync(path.join(folder, 'plain', '.git'), { recursive: true });
    expect(projectOf(path.join(folder, 'plain'), folder)).toBeUndefined();
    expect(projectOf(path.join(folder, 'gone'))).toBeUndefined();
    const home = repository('home', withOrigin('git@github.com:ines/dotfiles.git'));
    fs.mkdirSync(path.join(home, 'work'));
    expect(projectOf(path.join(home, 'work'), home)).toBeUndefined();
  });

  test('has a name that a namespace may have, however long', () => {
    const long = repository('long', withOrigin(`git@github.com:acme/${'é'.repeat(200)}.git`));
    const other = repository('other', withOrigin(`git@github.com:acme/${'é'.repeat(199)}.git`));
    const namespace = projectOf(long)?.namespace ?? '';
    expect(Buffer.byteLength(namespace)).toBeLessThanOrEqual(128);
    expect(namespace).not.toBe(projectOf(other)?.namespace);
  });

  const pipeAt = (file: string) => {
    fs.rmSync(file, { recursive: true, force: true });
    execFileSync('mkfifo', [file]);
  };

  // In a process of its own with a limit: what reads a pipe that nobody writes to never comes back.
  test.runIf(process.platform !== 'win32')('never waits for a pipe or a device', () => {
    const [git, head] = [repository('git'), repository('head')];
    const [config, endless] = [repository('config'), repository('endless')];
    pipeAt(path.join(git, '.git'));
    pipeAt(path.join(head, '.git/HEAD'));
    pipeAt(path.join(config, '.git/config'));
    fs.rmSync(path.join(endless, '.git/config'));
    fs.symlinkSync('/dev/zero', path.join(endless, '.git/config'));
    const worktree = path.join(folder, 'worktree');
    fs.mkdirSync(path.join(worktree, 'its'), { recursive: true });
    fs.writeFileSync(path.join(worktree, '.git'), 'gitdir: its\n');
    pipeAt(path.join(worktree, 'its/commondir'));
    const code = `import { projectOf } from ${JSON.stringify(path.join(import.meta.dirname, 'project.ts'))};
      process.stdout.write(JSON.stringify(process.argv.slice(1).map((root) => projectOf(root)?.from ?? 'none')));`;
    const said = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', code, git, head, config, endless, worktree],
      { timeout: seconds(8), killSignal: 'SIGKILL' },
    );
    expect(JSON.parse(said.toString())).toEqual(['none', 'none', 'folder', 'folder', 'folder']);
  });

  test.runIf(process.platform !== 'win32')('is none where a look at it fails, whatever the failure', () => {
    const loop = path.join(folder, 'loop');
    fs.mkdirSync(loop);
    fs.symlinkSync('.git', path.join(loop, '.git'));
    const nul = path.join(folder, 'nul');
    fs.mkdirSync(nul);
    fs.writeFileSync(path.join(nul, '.git'), 'gitdir: a\0b\n');
    for (const given of [loop, nul, '/tmp/a\0b', '/proc/self/root'.repeat(70_000), '/a'.repeat(500_000)])
      expect(projectOf(given)).toBeUndefined();
  });

  test('costs no more for a config that is written to cost', () => {
    const cost = (config: string) => {
      const root = repository(`costly-${hash('sha1', config)}`);
      fs.writeFileSync(path.join(root, '.git/config'), config);
      const before = process.threadCpuUsage();
      projectOf(root);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    const text = (piece: string) => piece.repeat(Math.floor(500_000 / piece.length));
    // What one look at every letter takes.
    const plain = Math.max(...[1, 2, 3].map((n) => cost(`${text('[a]\nname = value\n')}${n}`)));
    const hostile = [
      `[a${' '.repeat(500_000)}`,
      text(`a =${' '.repeat(4000)}x\n`),
      text('\n'),
      `[remote "origin"]\nurl = git@h:${'-'.repeat(400_000)}a`,
      `[remote "origin"]\nurl = git@h:${'/a'.repeat(2000)}`,
    ];
    for (const config of hostile) expect(cost(config)).toBeLessThan(20 * plain);
  });
});
