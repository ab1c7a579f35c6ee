import { execFile } from 'node:child_process';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';

/**
 * What git is asked about a repository; undefined where there is no git, or it did not know in time. A question with a signal is not put
 * any more once that is aborted.
 */
export interface RepositoryHistory {
  /** The commit at HEAD. */
  head(root: string): Promise<string | undefined>;
  /** Those of some paths, without links in them, that Git ignores, or does not know whether. */
  ignored(root: string, paths: readonly string[]): Promise<ReadonlySet<string> | undefined>;
  /** The same, as it was within the last minutes. */
  ignoredLately(root: string, paths: readonly string[], late: AbortSignal): ReturnType<Ignored>;
  /** Where a file is now that was renamed since a commit, as Git sees it commit by commit; staged renames count. */
  renamed(
    root: string,
    file: { path: string; since: string },
    late: AbortSignal,
  ): Promise<string | undefined>;
  /** Files that were not there at a commit, staged and untracked ones, too. */
  added(root: string, since: string, late: AbortSignal): Promise<readonly string[]>;
  /** The last commit after another one that touched a file. */
  lastChange(
    root: string,
    change: { path: string; since: string },
    late?: AbortSignal,
  ): Promise<string | undefined>;
}
type Ignored = RepositoryHistory['ignored'];

/** How long git may take, and how long its answers count, in ms; what is ignored hardly ever changes. */
const GIVE_UP = 2_000;
const FRESH = 5_000;
const IGNORED_FRESH = 300_000;
/** Bytes of answers that are kept, two a character, and files of which it is known whether they are ignored. */
const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_FILES = 10_000;
/** Questions that may wait for their turn in a lane. */
const MOST_WAITING = 64;
const RENAMES = ['-M', '--diff-filter=R', '--name-status', '-z'];
/** What the config of a repository could have Git do beyond what it is asked. */
const WITHOUT = [
  'core.fsmonitor=false',
  'log.showSignature=false',
  'log.follow=false',
  'core.quotePath=false',
];

/**
 * Asks git: one question after the other of those who look at anchors, and two at a time, in a lane of their own, of those who save. Only
 * commands that read commits and the index: none that runs what a repository's config names, takes a lock, or fetches what a partial clone
 * lacks.
 */
export function repositoryHistory(
  { now }: Pick<Clock, 'now'>,
  environment: NodeJS.ProcessEnv,
): RepositoryHistory {
  const fresh = { perf: { now }, ttlResolution: 0, ttlAutopurge: true };
  const answers = new LRUCache<string, string>({
    ...fresh,
    ttl: FRESH,
    maxSize: KEPT_BYTES,
    sizeCalculation: (answer, question) => 2 * (answer.length + question.length),
  });
  const known = new LRUCache<string, boolean>({ ...fresh, ttl: IGNORED_FRESH, max: KEPT_FILES });
  const [saving, looking] = [createLane(2), createLane(1)];
  /** Questions that were not answered yet, and who waits for each. */
  const open = new Map<string, { waiting: (AbortSignal | undefined)[]; answer: Promise<string> }>();
  const ask = (root: string, args: readonly string[], late?: AbortSignal): Promise<string> => {
    const question = JSON.stringify([root, ...args]);
    const kept = answers.get(question);
    if (kept !== undefined) return Promise.resolve(kept);
    const asked = open.get(question);
    if (asked) {
      asked.waiting.push(late);
      return asked.answer;
    }
    const waiting = [late];
    const answer = looking(
      () => git(['-C', root, ...args], { environment }),
      () => waiting.some((one) => !one?.aborted),
    ).then((reply) => {
      open.delete(question);
      // What was not asked may be asked again at once.
      if (reply) answers.set(question, reply.stdout);
      return reply?.stdout ?? '';
    });
    open.set(question, { waiting, answer });
    return answer;
  };
  const ignoredIn = async (
    lane: Lane,
    { root, paths }: { root: string; paths: readonly string[] },
    late?: AbortSignal,
  ): ReturnType<Ignored> => {
    if (paths.length === 0) return new Set();
    // By their dots no path is magic to Git.
    const options = { environment, input: paths.map((path) => `./${path}\0`).join('') };
    const reply = await lane(
      () => git(['-C', root, 'check-ignore', '-z', '--stdin'], options),
      () => !late?.aborted,
    );
    const code = reply?.code;
    if (!reply || code === undefined) return undefined;
    if (code > 1 && paths.length > 1) {
      // It answers nothing where it refuses one of them, such as one in a submodule.
      const half = paths.length >> 1;
      const first = await ignoredIn(lane, { root, paths: paths.slice(0, half) }, late);
      const second = first && (await ignoredIn(lane, { root, paths: paths.slice(half) }, late));
      return second && new Set([...first, ...second]);
    }
    const said = new Set(reply.stdout.split('\0'));
    const ignored = new Set(paths.filter((path) => code > 1 || said.has(`./${path}`)));
    for (const path of paths) known.set(JSON.stringify([root, path]), ignored.has(path));
    return ignored;
  };
  return {
    async head(root) {
      const reply = await saving(() =>
        git(['-C', root, 'rev-parse', '--verify', '--quiet', 'HEAD'], { environment }),
      );
      return /^[0-9a-f]{40,64}$/.exec(reply?.stdout.trim() ?? '')?.[0];
    },
    ignored: (root, paths) => ignoredIn(saving, { root, paths }),
    async ignoredLately(root, paths, late) {
      const before = paths.filter((path) => known.get(JSON.stringify([root, path])) === true);
      const unknown = paths.filter((path) => !known.has(JSON.stringify([root, path])));
      const now = await ignoredIn(looking, { root, paths: unknown }, late);
      return now && new Set([...before, ...now]);
    },
    async renamed(root, { path, since }, late) {
      const [committed, staged] = await Promise.all([
        ask(root, ['log', '--reverse', '--format=', ...RENAMES, `${since}..HEAD`, '--'], late),
        ask(root, ['diff-index', '--cached', ...RENAMES, 'HEAD', '--'], late),
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
    async added(root, since, late) {
      const staged = ['--cached', '--no-renames', '--diff-filter=A', '--name-only', '-z', since, '--'];
      const said = await Promise.all([
        ask(root, ['diff-index', ...staged], late),
        ask(root, ['ls-files', '--others', '--exclude-standard', '-z'], late),
      ]);
      return said.flatMap((paths) => paths.split('\0')).filter((path) => path !== '');
    },
    async lastChange(root, { path, since }, late) {
      // Of all files at once: memories that were written at one time are asked about together.
      const form = ['-n', '2000', '--format=%x01%h', '--name-only', '-z'];
      const said = await ask(root, ['log', ...form, `${since}..HEAD`, '--'], late);
      let commit: string | undefined;
      for (const word of said.split('\0')) {
        if (word.startsWith('\u0001')) commit = word.slice(1);
        else if (word.trimStart() === path) return commit;
      }
      return undefined;
    },
  };
}

/** Does some work in its turn; undefined where nobody wants it by then, or too much waits. */
type Lane = <T>(work: () => Promise<T>, isWanted?: () => boolean) => Promise<T | undefined>;

/** Makes a lane in which so much work goes on at a time. */
function createLane(atOnce: number): Lane {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work, isWanted = () => true) => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= MOST_WAITING) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return isWanted() ? await work() : undefined;
    } finally {
      // The next one takes its place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

interface Reply {
  /** How git ended; undefined where it is not there, or took too long. */
  code: number | undefined;
  /** '' where it failed. */
  stdout: string;
}

function git(
  args: readonly string[],
  { environment, input }: { environment: NodeJS.ProcessEnv; input?: string },
): Promise<Reply> {
  const { PATH, HOME, USERPROFILE, SYSTEMROOT } = environment;
  const options = WITHOUT.flatMap((setting) => ['-c', setting]);
  return new Promise((resolve) => {
    const { stdin } = execFile(
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
      (cause, stdout) => {
        const code = cause ? cause.code : 0;
        resolve({ code: typeof code === 'number' ? code : undefined, stdout: cause ? '' : stdout });
      },
    );
    // A git that ended before it read all of it says so by how it ended.
    stdin?.on('error', () => undefined);
    stdin?.end(input);
  });
}
