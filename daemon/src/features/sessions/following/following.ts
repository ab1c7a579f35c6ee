import fs from 'node:fs/promises';
import { watch as chokidar } from 'chokidar';
import type { LogRecord, ReadRecord, SessionFormat } from '@reverie/session-logs/format';
import { type FoundLog, isAbsence, listLogs, logAt } from '@reverie/session-logs/listing';
import { searchedBody } from '../entry.ts';
import { type LogFile, logFile } from './log-file.ts';
import type { Batch, FileState, FromThread, SeenRecords, FollowingWork } from './messages.ts';
import { weightOf, withinLimits } from './within-limits.ts';

/** Reads of a batch at most, and characters of what they say: a batch is stored in one turn of the daemon. */
const READS = 256;
const LETTERS = 128 * 1024;
/** Characters of the type of a record that are kept. */
const LONGEST_TYPE = 128;
/** Logs whose place is remembered; one that was not written to for longer is read again from its beginning. */
const OPEN_LOGS = 64;
/** Changes are missed now and then: each log is looked at so often, by its size and time. */
const LOOK_EVERY = 60_000;
/** How often a folder that is not there is looked for. */
const LOOK_FOR_ROOT = 60_000;

export interface FollowingDeps {
  format: SessionFormat;
  work: FollowingWork;
  /** Hands something to whoever stores it; a batch is waited for. */
  tell(message: FromThread): Promise<void>;
  now(): number;
  /** The project of a working folder; undefined outside of any. Looked for here, for a disk may be slow. */
  projectOf(folder: string): { namespace: string } | undefined;
}

/** Reads the logs of an agent: first what is there, then what is written to them. It never returns: its thread is ended. */
export async function follow({ format, work, tell, now, projectOf }: FollowingDeps): Promise<void> {
  const { root } = work;
  const known = new Map(work.known.map((state) => [state.path, state]));
  /** Where the log of a session was read. */
  const pathsOf = new Map<string, Set<string>>();
  for (const { session, path } of work.known) if (session !== null) pathsIn(session).add(path);
  const open = new Map<string, LogFile>();
  const waiting = new Map<string, FoundLog>();
  let wake: (() => void) | undefined;
  let isCaughtUp = false;
  let progress = { done: 0, of: 0, toldAt: 0 };

  const isRead = ({ path, size, changed, inode }: FoundLog) => {
    const state = known.get(path);
    return state?.size === size && state.changed === changed && state.inode === inode;
  };
  const want = (log: FoundLog | undefined) => {
    if (!log || (isRead(log) && log.file.kind !== 'database')) return;
    waiting.set(log.path, log);
    wake?.();
  };
  const look = async () => {
    for (const log of await listLogs(format, root)) if (!isRead(log)) want(log);
  };

  while (!(await isFolder(root))) {
    await tell({ kind: 'absent' });
    await new Promise((resolve) => setTimeout(resolve, LOOK_FOR_ROOT));
  }
  const watcher = chokidar(root, {
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ignorePermissionErrors: true,
  });
  watcher.on('error', (cause) => void tell({ kind: 'trouble', reason: String(cause) }));
  watcher.on('all', (event, at) => {
    if (event === 'add' || event === 'change')
      // A database is written beside: what its log says is its change.
      void logAt(format, root, at.replace(/-(wal|shm)$/, '')).then(want, trouble);
  });
  const trouble = (cause: unknown) => void tell({ kind: 'trouble', reason: String(cause) });
  setInterval(() => void look().catch(trouble), LOOK_EVERY);
  await look();
  progress = { ...progress, of: sum([...waiting.values()].map(({ size }) => size)) };

  for (;;) {
    const [next] = waiting.values();
    if (!next) {
      if (!isCaughtUp) await tell({ kind: 'following' });
      isCaughtUp = true;
      await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      continue;
    }
    waiting.delete(next.path);
    try {
      await take(next);
    } catch (cause) {
      // It went away while it was read; what was read of it stays.
      open.delete(next.path);
      if (!isAbsence(cause)) await tell({ kind: 'trouble', reason: `${next.path}: ${String(cause)}` });
    }
    progress.done += next.size;
  }

  async function take(log: FoundLog): Promise<void> {
    const file = open.get(log.path) ?? logFile(format, log, now);
    open.delete(log.path);
    open.set(log.path, file);
    const [oldest] = open.keys();
    if (open.size > OPEN_LOGS && oldest !== undefined) open.delete(oldest);
    const batch = createBatch();
    const send = async (isLast: boolean) => {
      const state = isLast ? file.state() : undefined;
      if (state) known.set(log.path, state);
      const movedFrom = state ? await formerPaths(state) : [];
      await tell(batch.take({ file: state, movedFrom, isNews: isCaughtUp }));
      if (isCaughtUp || now() - progress.toldAt < 250) return;
      progress.toldAt = now();
      await tell({
        kind: 'progress',
        done: progress.done + Math.min(file.done(), log.size),
        of: progress.of,
      });
    };
    const found = new Map<string, { namespace: string } | undefined>();
    const projectIn = (folder: string) => {
      if (!found.has(folder)) found.set(folder, projectOf(folder));
      return found.get(folder);
    };
    for await (const record of file.more()) {
      if (!record) continue;
      // One record may say thousands of things.
      for (const read of record.reads.flatMap(withinLimits)) {
        batch.add(inProject(read, projectIn));
        if (batch.isFull()) await send(false);
      }
      batch.see(record);
      if (batch.isFull()) await send(false);
    }
    await send(true);
  }

  /** Where else the session of a log was read, if nothing is there any more. */
  async function formerPaths({ session, path }: FileState): Promise<string[]> {
    const former: string[] = [];
    if (session === null) return former;
    const paths = pathsIn(session).add(path);
    for (const other of paths) if (other !== path && !(await isThere(other))) former.push(other);
    for (const other of former) {
      paths.delete(other);
      known.delete(other);
    }
    return former;
  }

  function pathsIn(session: string): Set<string> {
    const paths = pathsOf.get(session) ?? new Set<string>();
    pathsOf.set(session, paths);
    return paths;
  }
}

/** Gathers records until there are enough of them. */
function createBatch(): {
  add(read: ReadRecord): void;
  /** Counts a record by its type, once its reads were added. */
  see(record: LogRecord): void;
  isFull(): boolean;
  take(of: Pick<Batch, 'file' | 'movedFrom' | 'isNews'>): Batch;
} {
  let reads: ReadRecord[] = [];
  let bodies: string[] = [];
  let seen = new Map<string, SeenRecords>();
  let letters = 0;
  // The version is said once in a while, and holds for what follows.
  let version = '';
  return {
    add(read) {
      reads.push(read);
      // Made here, beside the daemon: it takes a third of all that storing an entry takes.
      const body = read.kind === 'entry' ? searchedBody(read.entry) : '';
      bodies.push(body);
      letters += Math.max(weightOf(read), body.length);
      if (read.kind === 'facts' && read.facts.version !== undefined) version = read.facts.version;
    },
    see(record) {
      const name = `${version}\n${record.type.slice(0, LONGEST_TYPE)}`;
      const before = seen.get(name);
      seen.set(name, {
        version,
        record: record.type.slice(0, LONGEST_TYPE).toWellFormed(),
        known: record.known,
        count: (before?.count ?? 0) + 1,
      });
    },
    isFull: () => reads.length >= READS || seen.size >= READS || letters >= LETTERS,
    take(of) {
      const batch: Batch = { kind: 'batch', reads, bodies, seen: [...seen.values()], ...of };
      reads = [];
      bodies = [];
      seen = new Map();
      letters = 0;
      return batch;
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await fs.access(path);
    return true;
  } catch (cause) {
    if (isAbsence(cause)) return false;
    throw cause;
  }
}

/** Facts of a folder with its project. */
function inProject(read: ReadRecord, projectOf: FollowingDeps['projectOf']): ReadRecord {
  if (read.kind !== 'facts' || read.facts.folder === undefined) return read;
  return { ...read, facts: { ...read.facts, project: projectOf(read.facts.folder) } };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await fs.stat(path)).isDirectory();
  } catch (cause) {
    if (isAbsence(cause)) return false;
    throw cause;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
