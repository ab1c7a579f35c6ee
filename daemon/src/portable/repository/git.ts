import { execFile } from 'node:child_process';
import { ImportError, messageOf } from '@reverie/memory-formats/reader';

/** A file of the last commit; `size` in bytes. */
export interface TreeFile {
  path: string;
  hash: string;
  size: number;
}

export interface Commit {
  /** Twelve digits of its hash. */
  hash: string;
  subject: string;
  body: string;
}

/** What is read of a repository, newest first, and no more than a bounded part of it. */
export interface Repository {
  /** The files of the last commit, without links and submodules; none where there is no commit yet. */
  files: readonly TreeFile[];
  /** Texts of files, by their path; what is no UTF-8 is left out. */
  read(files: readonly TreeFile[]): Promise<Map<string, string>>;
  /** The last commits, without merges. */
  commits: readonly Commit[];
}

/** Most that one answer of Git may have, in bytes, and take, in ms. */
const BYTES = 32 * 1024 * 1024;
const TIME = 20_000;
/** Commits that are read. */
const COMMITS = 250;
/** Characters of a message that are kept. */
const SUBJECT = 200;
const BODY = 8_000;

/**
 * A repository is a stranger's: its own config must start no program (hooks, monitors of files, pagers, differs, checks of signatures), and
 * nothing is fetched, not even what a partial clone lacks.
 */
const SAFE = [
  '--no-pager',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'log.showSignature=false'],
  ...['-c', 'i18n.logOutputEncoding=UTF-8'],
];
/** Variables of Git that a person's own set-up needs; the others could point it at another repository, or name programs. */
const KEPT = new Set(['GIT_EXEC_PATH', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM']);

function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || KEPT.has(name));
  return {
    ...Object.fromEntries(own),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

type RunGit = (args: readonly string[], input?: string) => Promise<Buffer>;

/** Runs Git without a shell. Of an answer that is too long, its beginning is answered. */
function gitIn(folder: string, env: NodeJS.ProcessEnv): RunGit {
  const options = { env: environment(env), maxBuffer: BYTES, timeout: TIME, encoding: 'buffer' } as const;
  return (args, input = '') =>
    new Promise((resolve, reject) => {
      const child = execFile('git', ['-C', folder, ...SAFE, ...args], options, (error, stdout, stderr) => {
        if (!error || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') resolve(stdout);
        else reject(failure(folder, { error, said: stderr.toString('utf8').trim() }));
      });
      // One that ends before it has read its input says why in its own words.
      child.stdin?.on('error', () => undefined).end(input);
    });
}

function failure(
  folder: string,
  { error, said }: { error: Error & { code?: unknown; killed?: boolean }; said: string },
): ImportError {
  if (error.code === 'ENOENT') return new ImportError('Git is not installed, or not on the PATH', error);
  if (error.killed) return new ImportError(`Git took longer than ${TIME / 1_000} s in ${folder}`, error);
  if (/not a git repository/u.test(said))
    return new ImportError(
      `${folder} is in no Git repository: name one, as in \`reverie start-from-git ~/src/shop\``,
      error,
    );
  return new ImportError(`Git cannot read ${folder}: ${said || messageOf(error)}`, error);
}

const FIELD = '\u001f';
const utf8 = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The records of an answer that ends each with NUL; without the last one where that was cut off. */
function records(answer: Buffer): string[] {
  return utf8(answer).split('\0').slice(0, -1);
}

/** Reads a repository, bare or not, from any folder in it. Throws `ImportError` where there is none, or Git refuses it. */
export async function openRepository(folder: string, env: NodeJS.ProcessEnv): Promise<Repository> {
  const git = gitIn(folder, env);
  await git(['rev-parse', '--git-dir']);
  const [files, commits] = (await hasCommit(git))
    ? await Promise.all([filesOf(git), commitsOf(git)])
    : [[], []];
  return { files, commits, read: (wanted) => textsOf(git, wanted) };
}

/** Whether anything was committed: Git exits with 1, and says nothing, where not. */
async function hasCommit(git: RunGit): Promise<boolean> {
  try {
    await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    return true;
  } catch (error) {
    const { cause } = error as ImportError;
    if (cause instanceof Error && 'code' in cause && cause.code === 1) return false;
    throw error;
  }
}

async function filesOf(git: RunGit): Promise<TreeFile[]> {
  const answer = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', 'HEAD']);
  return records(answer).flatMap((record) => {
    const [, hash, size, path] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/u.exec(record) ?? [];
    return hash !== undefined && path !== undefined ? [{ path, hash, size: Number(size) }] : [];
  });
}

async function textsOf(git: RunGit, files: readonly TreeFile[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (files.length === 0) return texts;
  const answer = await git(['cat-file', '--batch'], files.map(({ hash }) => `${hash}\n`).join(''));
  const strict = new TextDecoder('utf-8', { fatal: true });
  let at = 0;
  for (const { path } of files) {
    const end = answer.indexOf(0x0a, at);
    if (end < 0) break;
    const size = Number(/ blob (\d+)$/u.exec(answer.toString('latin1', at, end))?.[1] ?? NaN);
    at = end + 1;
    // What a partial clone lacks is answered by one line.
    if (Number.isNaN(size)) continue;
    const bytes = answer.subarray(at, at + size);
    at += size + 1;
    if (bytes.length < size) break;
    try {
      texts.set(path, strict.decode(bytes));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return texts;
}

const LOG = [
  'log',
  '-z',
  '--no-show-signature',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-merges',
];

async function commitsOf(git: RunGit): Promise<Commit[]> {
  const format = ['%h', '%s', '%b'].join('%x1f');
  const answer = await git([
    ...LOG,
    `--max-count=${COMMITS}`,
    '--abbrev=12',
    `--format=tformat:${format}`,
    'HEAD',
  ]);
  return records(answer).map((record) => {
    const [hash = '', subject = '', ...body] = record.split(FIELD);
    return {
      hash,
      subject: subject.slice(0, SUBJECT),
      body: body.join(FIELD).trim().slice(0, BODY),
    };
  });
}
