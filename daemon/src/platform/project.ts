import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { limits, Namespace } from '@reverie/shared/contract/fields';
import { holdsToken } from '../language/secrets/seems-secret.ts';

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
  while (root) {
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
  const stat = fs.statSync(git, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (stat.isDirectory()) return readText(path.join(git, 'HEAD')) === undefined ? undefined : git;
  const named = /^gitdir: (.+)$/m.exec(readText(git) ?? '')?.[1];
  if (!named) return undefined;
  const gitFolder = path.resolve(root, named.trim());
  const common = readText(path.join(gitFolder, 'commondir'))?.trim();
  return realFolder(common ? path.resolve(gitFolder, common) : gitFolder);
}

/** The last value of each setting, its section and name in lower case: `remote.origin.url`. See git-config(1). */
function settingsOf(gitFolder: string): Map<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of (readText(path.join(gitFolder, 'config')) ?? '').split('\n')) {
    const head = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (head) {
      const [, name = '', part] = head;
      section = name.toLowerCase() + (part === undefined ? '' : `.${part.replace(/\\(.)/g, '$1')}`);
      continue;
    }
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name && value) settings.set(`${section}.${name.toLowerCase()}`, value.replace(/^"(.*)"$/, '$1'));
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
  const letters = [...namespace];
  while (Buffer.byteLength(letters.join('')) + tail.length > limits.namespaceBytes) letters.pop();
  return letters.join('') + tail;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LETTERS);
}

function realFolder(folder: string): string | undefined {
  try {
    return fs.realpathSync(folder);
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
}

/** A file that is not there, or that we may not read, tells nothing of a project. */
function isAbsence(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'].includes(String(code));
}
