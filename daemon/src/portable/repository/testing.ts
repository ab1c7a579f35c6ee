import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A Git repository for one test; it is gone when the test is over. */
export interface MadeRepository {
  folder: string;
  git: (...args: string[]) => string;
  /** Commits these files, also ones that were not changed, under a message. */
  commit: (message: string, files?: Readonly<Record<string, string>>) => string;
}

const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];

/** Makes an empty repository with a remote, so that its project has the name `project/acme/shop`. */
export function makeRepository(...how: string[]): MadeRepository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'reverie-repository-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...WHO, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '-q', '-b', 'main', ...how);
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  return {
    folder,
    git,
    commit(message, files = {}) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
  };
}
