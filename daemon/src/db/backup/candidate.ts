import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { loadMigrations } from '../migrations.ts';
import type { Verified } from './verify.ts';
import { verifyInWorker } from './verify-in-worker.ts';
import { type Home, Refusal } from '../../platform/home/home.ts';
import { copyPrivately, flush } from '../../platform/home/new-file.ts';

/** A checked copy of a foreign database, in the home, ready to take the place of the present one. */
export interface DatabaseCandidate {
  file: string;
  verified: Verified;
  discard(): void;
}

const ENDS = ['', '-journal', '-wal', '-shm'];

/**
 * Copies a database file into the home and checks the copy, never the file itself: that may lie on a disk
 * that cannot be written to, and nobody can change the copy between the check and its use. Refuses what is
 * damaged, newer than this program, or not Reverie's.
 */
export async function prepareCandidate(home: Home, from: string): Promise<DatabaseCandidate> {
  const source = path.resolve(from);
  refuseNoDatabase(from);
  discardCandidates(home);
  const file = path.join(home.folder, `incoming-${randomBytes(6).toString('hex')}.db`);
  const discard = () => {
    for (const end of ENDS) fs.rmSync(`${file}${end}`, { force: true });
  };
  copyPrivately(source, file);
  try {
    const version = versionOf(file, source);
    const latest = loadMigrations().at(-1)?.version ?? 0;
    if (version > latest)
      throw new Refusal(
        `${source} is of version ${version}, and this Reverie knows versions up to ${latest}. Nothing was changed. Install a newer Reverie first.`,
      );
    const verified = await verifyInWorker(file).catch((cause: unknown) => {
      throw damaged(source, cause instanceof Error ? cause.message : String(cause));
    });
    if (verified.problems.length > 0) throw damaged(source, verified.problems.join('; '));
    return { file, verified, discard };
  } catch (cause) {
    discard();
    throw cause;
  }
}

/** Takes away what copies of foreign databases were left in the home. */
export function discardCandidates(home: Home): void {
  for (const left of fs.readdirSync(home.folder))
    if (left.startsWith('incoming-')) fs.rmSync(path.join(home.folder, left), { force: true });
}

function damaged(source: string, why: string): Refusal {
  return new Refusal(`${source} is damaged (${why}), so nothing was changed. Take another backup.`);
}

/** Refuses what is no file, no database, or one that is in use, with what it is. */
export function refuseNoDatabase(from: string): void {
  const source = path.resolve(from);
  const stats = fs.statSync(source, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new Refusal(`There is no file ${source}.`);
  if ((fs.statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Refusal(
      `${source} has a write-ahead log beside it: it is a database in use and no backup. Make one with \`reverie backup\`.`,
    );
  const start = Buffer.alloc(16);
  const handle = fs.openSync(source, 'r');
  fs.readSync(handle, start);
  fs.closeSync(handle);
  if (start.toString('latin1') !== 'SQLite format 3\0')
    throw new Refusal(`${source} is no database, so no backup of Reverie. Nothing was changed.`);
}

/** The version of the tables in a copy; a file without Reverie's tables is refused. */
function versionOf(file: string, source: string): number {
  try {
    const db = new Database(file);
    try {
      const tables = db
        .prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'memories', 'namespaces')")
        .pluck()
        .get();
      if (tables !== 3) throw new Refusal(`${source} is a database of another program. Nothing was changed.`);
      return db.pragma('user_version', { simple: true }) as number;
    } finally {
      db.close();
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw damaged(source, cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * Makes a copy a log of its own: with a new `log_id`, whoever follows the events is told to start anew,
 * since the same `seq` now means something else. Leaves one flushed file without a write-ahead log.
 */
export function finishCandidate({ file }: DatabaseCandidate, change: (db: Database.Database) => void): void {
  const db = new Database(file);
  try {
    db.pragma('secure_delete = ON');
    change(db);
    db.prepare(
      "INSERT INTO meta (name, value) VALUES ('log_id', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    ).run(`log_${randomUUID()}`);
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
  flush(file);
}
