import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { isDiskFull } from './room.ts';

/** A start that cannot go on; the message tells a person what is wrong and what to do. */
export class Refusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Refusal';
  }
}

/** Everything that Reverie keeps on this machine, below one folder of mode 0700. */
export interface Home {
  folder: string;
  database: string;
  lock: string;
  ownerKey: string;
  apiKey: string;
  /** The folder of keys that agents of this machine have, a file each. */
  agentKeys: string;
  config: string;
  daemon: string;
  logs: string;
  outbox: string;
  backups: string;
  /** Pictures and documents of notes, each named by its SHA-256. */
  attachments: string;
}

/** `REVERIE_HOME`, else the platform's folder for application data. */
export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env['REVERIE_HOME'];
  return chosen ? path.resolve(chosen) : envPaths('reverie', { suffix: '' }).data;
}

/** The paths below a home; nothing is made. */
export function homeAt(folder: string): Home {
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    database: at('reverie.db'),
    lock: at('lock.db'),
    ownerKey: at('owner-key'),
    apiKey: at('api-key'),
    agentKeys: at('keys'),
    config: at('config.json'),
    daemon: at('daemon.json'),
    logs: at('logs'),
    outbox: at('outbox'),
    backups: at('backups'),
    attachments: at('attachments'),
  };
}

/** The file of an agent's own key, where it has one, else that of the key which all agents of this machine may use. */
export function keyFileOf(home: Home, agent: string | undefined): string {
  if (agent === undefined || !/^[a-z0-9][a-z0-9-]*$/.test(agent)) return home.apiKey;
  const own = path.join(home.agentKeys, agent);
  return fs.existsSync(own) ? own : home.apiKey;
}

/** Makes the folder (0700) and proves that it can be written to; throws `Refusal` where it cannot. A full disk is no reason where a database is there to be read. */
export function prepareHome(home: Home): void {
  try {
    const isNew = fs.mkdirSync(home.folder, { recursive: true, mode: 0o700 }) !== undefined;
    if (!isNew) refuseForeignFolder(home);
    fs.chmodSync(home.folder, 0o700);
    const probe = path.join(home.folder, `.probe-${randomBytes(6).toString('hex')}`);
    try {
      fs.writeFileSync(probe, 'x', { flag: 'wx', mode: 0o600 });
    } catch (cause) {
      if (!isDiskFull(cause) || !fs.existsSync(home.database)) throw cause;
    } finally {
      // On a full disk the file is made, and only its content is refused.
      fs.rmSync(probe, { force: true });
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(`${describeFileError(cause, home.folder)}. Run \`reverie doctor\` to see more.`, cause);
  }
}

/** Refuses a folder that holds other things, `/tmp` by mistake, say: closing it to others would do harm. */
function refuseForeignFolder(home: Home): void {
  const names = fs.readdirSync(home.folder);
  const isOurs =
    names.length === 0 || [home.database, home.lock, home.config].some((file) => fs.existsSync(file));
  const isOpen = process.platform !== 'win32' && (fs.statSync(home.folder).mode & 0o077) !== 0;
  if (!isOurs && isOpen)
    throw new Refusal(
      `${home.folder} holds other things, and other users can read it. Reverie needs a folder of its own: set REVERIE_HOME to one that is empty or not there yet.`,
    );
}

/** A sentence for a failed file operation: what failed, where, and what to do. */
export function describeFileError(cause: unknown, where: string): string {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return `Reverie cannot write to ${where}: make the folder writable for this user, or set REVERIE_HOME to another one`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${where} is full: free some space and start again; nothing that was stored is lost`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${where} is not a folder: set REVERIE_HOME to a folder`;
    default:
      return `Reverie cannot use ${where}: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

/** Writes a file whole or not at all: a new file of mode 0600, flushed, moved over the old one. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  const next = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = fs.openSync(next, 'wx', 0o600);
  try {
    try {
      fs.writeFileSync(handle, content);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(next, file);
  } catch (cause) {
    // Half a key or a mail with its token would lie there for good, under a name that nothing looks for.
    fs.rmSync(next, { force: true });
    throw cause;
  }
}

/** The content of a private file, or undefined where there is none. Refuses one that others can read. */
export function readPrivateFile(file: string): string | undefined {
  let mode: number;
  try {
    mode = fs.statSync(file).mode;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal(describeFileError(cause, file), cause);
  }
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Refusal(`Other users can read ${file}. Run \`chmod 600 ${file}\` and start again.`);
  return fs.readFileSync(file, 'utf8').trim();
}
