import { execFile } from 'node:child_process';
import type { Clock } from '../../platform/clock.ts';

/** What git is asked about a repository; undefined where there is no git, or it did not know in time. */
export interface RepositoryHistory {
  /** The commit at HEAD. */
  head(root: string): Promise<string | undefined>;
  /** Those of some paths that Git ignores. */
  ignored(root: string, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Where a file is now that was renamed since a commit, as Git sees it commit by commit; staged renames count. */
  renamed(root: string, file: { path: string; since: string }): Promise<string | undefined>;
  /** Files that were not there at a commit, staged and untracked ones, too. */
  added(root: string, since: string): Promise<readonly string[]>;
  /** The last commit after another one that touched a file. */
  lastChange(root: string, change: { path: string; since: string }): Promise<string | undefined>;
}

/** How long git may take, and how long its answers count, in ms. */
const GIVE_UP = 2_000;
const FRESH = 5_000;
/** Answers that are kept. */
const KEPT = 500;
const RENAMES = ['-M', '--diff-filter=R', '--name-status', '-z'];
/** What the config of a repository could have Git do beyond what it is asked. */
const WITHOUT = [
  'core.fsmonitor=false',
  'log.showSignature=false',
  'log.follow=false',
  'core.quotePath=false',
];

/**
 * Asks git, one question after the other. Only commands that read commits and the index: none that runs what a repository's config
 * names, takes a lock, or fetches what a partial clone lacks.
 */
export function repositoryHistory(
  { now }: Pick<Clock, 'now'>,
  environment: NodeJS.ProcessEnv,
): RepositoryHistory {
  const answers = new Map<string, { at: number; answer: Promise<string> }>();
  let last: Promise<unknown> = Promise.resolve();
  const ask = (root: string, args: readonly string[], isKept = true): Promise<string> => {
    const question = JSON.stringify([root, ...args]);
    const kept = answers.get(question);
    if (isKept && kept && now() - kept.at < FRESH) return kept.answer;
    const answer = last.then(() => git(['-C', root, ...args], environment));
    last = answer;
    answers.delete(question);
    if (isKept) answers.set(question, { at: now(), answer });
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT) break;
      answers.delete(oldest);
    }
    return answer;
  };
  return {
    async head(root) {
      const commit = await ask(root, ['rev-parse', '--verify', '--quiet', 'HEAD'], false);
      return /^[0-9a-f]{40,64}$/.exec(commit.trim())?.[0];
    },
    async ignored(root, paths) {
      if (paths.length === 0) return new Set();
      const said = await ask(root, ['check-ignore', '--', ...paths], false);
      return new Set(said.split('\n').filter((path) => path !== ''));
    },
    async renamed(root, { path, since }) {
      const [committed, staged] = await Promise.all([
        ask(root, ['log', '--reverse', '--format=', ...RENAMES, `${since}..HEAD`, '--']),
        ask(root, ['diff-index', '--cached', ...RENAMES, 'HEAD', '--']),
      ]);
      let now = path;
      const words = [committed, staged].flatMap((said) => said.split('\0')).values();
      for (const status of words) {
        // How alike they are, path before, path.
        if (!/^R\d+$/.test(status)) continue;
        const [before, after] = [words.next().value, words.next().value];
        if (before === now && after !== undefined) now = after;
      }
      return now === path ? undefined : now;
    },
    async added(root, since) {
      const [staged, untracked] = await Promise.all([
        ask(root, [
          'diff-index',
          '--cached',
          '--no-renames',
          '--diff-filter=A',
          '--name-only',
          '-z',
          since,
          '--',
        ]),
        ask(root, ['ls-files', '--others', '--exclude-standard', '-z']),
      ]);
      return [staged, untracked].flatMap((said) => said.split('\0')).filter((path) => path !== '');
    },
    async lastChange(root, { path, since }) {
      // Of all files at once: memories that were written at one time are asked about together.
      const said = await ask(root, [
        'log',
        '-n',
        '2000',
        '--format=%x01%h',
        '--name-only',
        '-z',
        `${since}..HEAD`,
        '--',
      ]);
      let commit: string | undefined;
      for (const word of said.split('\0')) {
        if (word.startsWith('\u0001')) commit = word.slice(1);
        else if (word.trimStart() === path) return commit;
      }
      return undefined;
    },
  };
}

/** What git prints; '' where it fails, is not there, or takes too long. */
function git(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { PATH, HOME, USERPROFILE, SYSTEMROOT } = environment;
  const options = WITHOUT.flatMap((setting) => ['-c', setting]);
  return new Promise((resolve) => {
    execFile(
      'git',
      ['--no-optional-locks', ...options, ...args],
      {
        timeout: GIVE_UP,
        killSignal: 'SIGKILL',
        maxBuffer: 4 * 1024 * 1024,
        windowsHide: true,
        // Nothing that would name another repository.
        env: {
          PATH,
          HOME,
          USERPROFILE,
          SYSTEMROOT,
          LC_ALL: 'C',
          GIT_NO_LAZY_FETCH: '1',
          GIT_TERMINAL_PROMPT: '0',
        },
      },
      (cause, stdout) => resolve(cause ? '' : stdout),
    );
  });
}
