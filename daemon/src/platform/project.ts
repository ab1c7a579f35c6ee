import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { limits, Namespace } from '@reverie/shared/contract/fields';
import { holdsToken } from '@reverie/redact/seems-secret';
import { readRegular, SMALL_FILE, UnfitFile } from '@reverie/shared/files/regular-file';

/** The project that a folder belongs to, and the namespace of its memories. */
export interface Project {
  namespace: string;
  /** The folder of the working tree, without links. */
  root: string;
  /** What gave the namespace its name: `git config reverie.namespace`, the remote, or the folder itself. */
  from: 'setting' | 'remote' | 'folder';
}

const PREFIX = 'project/';
/** A shared file would let a downloaded repository choose what its reader's agent recalls; this file is never cloned. */
const SETTING = 'reverie.namespace';
/** Short enough to be read, long enough that two folders of one name never meet. */
const HASH_LETTERS = 8;
/** Characters of a path, and of a line of a config, at most: what is longer is none, and takes time. */
const LONGEST = 4096;
/** Folders from the root to a working folder at most: each costs a look. */
const DEEPEST = 256;
/** Bytes that are read of the files of Git that name one thing, and of a config: one of this size takes 50 ms. */
const ONE_NAME = 2 * LONGEST;
const LARGEST_CONFIG = SMALL_FILE / 2;

/**
 * The project of a working folder, or undefined outside of any Git repository. All worktrees and clones of one
 * remote are one project, on every device; a repository without a remote is known by its folder. Reads the
 * repository's own files and runs no program, for hooks have some milliseconds only. A repository that is the home folder
 * itself holds dotfiles, and is no project.
 */
export function projectOf(folder: string, home: string = os.homedir()): Project | undefined {
  const found = workingTree(folder);
  if (!found || found.root === realFolder(home)) return undefined;
  const settings = settingsOf(found.gitFolder);
  const chosen = Namespace.safeParse(settings.get(SETTING));
  if (chosen.success) return { namespace: chosen.data, root: found.root, from: 'setting' };
  const remote = remoteName(settings);
  if (remote) return { namespace: short(PREFIX + remote), root: found.root, from: 'remote' };
  // Worktrees of one repository share its folder of Git, and with it the name.
  const own = path.basename(found.gitFolder) === '.git' ? path.dirname(found.gitFolder) : found.gitFolder;
  const name = `${plain(path.basename(own)) || 'folder'}-${hash(own)}`;
  return { namespace: short(PREFIX + name), root: found.root, from: 'folder' };
}

interface WorkingTree {
  root: string;
  /** Where the repository's `config` lies: of the main repository for a worktree. */
  gitFolder: string;
}

function workingTree(folder: string): WorkingTree | undefined {
  let root = realFolder(folder);
  for (let level = 0; root && level < DEEPEST; level += 1) {
    const gitFolder = gitFolderAt(root);
    if (gitFolder) return { root, gitFolder };
    const above = path.dirname(root);
    if (above === root) return undefined;
    root = above;
  }
  return undefined;
}

/** `.git` is a folder, or in worktrees and submodules a file that names one; see gitrepository-layout(5). */
function gitFolderAt(root: string): string | undefined {
  const git = path.join(root, '.git');
  const stat = ifThere(() => fs.statSync(git, { throwIfNoEntry: false }));
  if (!stat) return undefined;
  if (stat.isDirectory()) return readText(path.join(git, 'HEAD'), ONE_NAME) === undefined ? undefined : git;
  const named = /^gitdir: (.+)$/m.exec(readText(git, ONE_NAME) ?? '')?.[1];
  if (!named) return undefined;
  const gitFolder = path.resolve(root, named.trim());
  const common = readText(path.join(gitFolder, 'commondir'), ONE_NAME)?.trim();
  return realFolder(common ? path.resolve(gitFolder, common) : gitFolder);
}

/** A head of a section with its part, or a setting that is looked at: a config is gone through once, by one expression. */
const CONFIG_LINES =
  /^[ \t]*(?:\[[ \t]*([\w.-]+)(?:[ \t]*"((?:[^"\\\n]|\\.)*)")?[ \t]*\]|(url|namespace)[ \t]*=(.*)$)/gim;

/** The last value of each setting that tells of a project, its section and name in lower case: `remote.origin.url`. See git-config(1). */
function settingsOf(gitFolder: string): Map<string, string> {
  const settings = new Map<string, string>();
  const config = readText(path.join(gitFolder, 'config'), LARGEST_CONFIG) ?? '';
  let prefix = '';
  for (const [, section, part, name, value] of config.matchAll(CONFIG_LINES)) {
    if (section !== undefined)
      prefix = section.toLowerCase() + (part === undefined ? '' : `.${part.replace(/\\(.)/g, '$1')}`);
    else if (name !== undefined && value !== undefined && value.length <= LONGEST) {
      const bare = value.trim().replace(/^"(.*)"$/, '$1');
      if (bare !== '') settings.set(`${prefix}.${name.toLowerCase()}`, bare);
    }
  }
  return settings;
}

/** `acme/api` for GitHub, `gitlab.com/acme/api` elsewhere, from `origin` or else the only remote; never a user, a query or a token. */
function remoteName(settings: ReadonlyMap<string, string>): string | undefined {
  const remotes = [...settings].filter(([name]) => /^remote\..+\.url$/.test(name));
  const url = settings.get('remote.origin.url') ?? (remotes.length === 1 ? remotes[0]?.[1] : undefined);
  if (!url) return undefined;
  const [, host, where] = addressOf(url.replace(/[?#;].*$/s, '')) ?? [];
  const parts = (where ?? '')
    .replace(/\.git\/*$/, '')
    .split('/')
    .flatMap(withoutToken)
    .map(plain)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  if (!host || parts.length === 0) return undefined;
  const at = plain(host);
  return [...(at === 'github.com' ? [] : [at]), ...parts].join('/');
}

/** Host and path, without whoever is named before the last `@`: a password may hold one. */
function addressOf(url: string): RegExpExecArray | null {
  return (
    /^(?:https?|ssh|git):\/\/(?:.*@)?([^@:/]+)(?::\d+)?\/(.+)$/i.exec(url) ??
    /^(?:[^/]*@)?([^@:/]{2,}):(?!\/\/)(?:.*@)?(.+)$/.exec(url)
  );
}

/** A part of a path; nothing for a token that somebody put before the repository, and a hash of one in the place of its name. */
function withoutToken(part: string, at: number, parts: readonly string[]): string[] {
  if (!holdsToken(part) && !holdsToken(decoded(part))) return [part];
  return at === parts.length - 1 ? [hash(part)] : [];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Case is dropped: the hosts that people use do not know it, and two clones of one repository are one project. */
function plain(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._~-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

function short(namespace: string): string {
  if (Buffer.byteLength(namespace) <= limits.namespaceBytes) return namespace;
  const tail = `-${hash(namespace)}`;
  const most = limits.namespaceBytes - tail.length;
  let [kept, bytes] = ['', 0];
  for (const letter of namespace) {
    bytes += Buffer.byteLength(letter);
    if (bytes > most) break;
    kept += letter;
  }
  return kept + tail;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LETTERS);
}

function realFolder(folder: string): string | undefined {
  // The native one, for that of Node looks at each part of any text that it is given.
  const isOne = folder.length <= LONGEST && folder.split(path.sep).length <= DEEPEST;
  return isOne ? ifThere(() => fs.realpathSync.native(folder)) : undefined;
}

function readText(file: string, most: number): string | undefined {
  return ifThere(() => readRegular(file, { most }).toString('utf8'));
}

/** What a look at the disk answers; undefined where nothing is there, or nothing that may be read: that tells nothing of a project. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    if (cause instanceof UnfitFile || !isOurs(cause)) return undefined;
    throw cause;
  }
}

/** Whether a failure is of this process, and says nothing of what it looked at. */
function isOurs(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code !== 'string' || ['EMFILE', 'ENFILE', 'ENOMEM'].includes(code);
}
