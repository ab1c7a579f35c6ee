import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { type Home, Refusal } from '../../platform/home/home.ts';
import { copyPrivately, flush, flushFolder } from '../../platform/home/new-file.ts';

/** What a replacement is about to do; a test interrupts at each. */
export const replaceSteps = [
  'fold the write-ahead log in',
  'set the present one aside',
  'remove the write-ahead log',
  'replace',
  'flush',
] as const;
export type ReplaceStep = (typeof replaceSteps)[number];

export interface Replacement {
  /** A whole, flushed database without a write-ahead log, in the folder of the home. */
  file: string;
  /** Called before each step. */
  before?: (step: ReplaceStep) => void;
}

/**
 * Puts a database in the place of the present one, under the lock of the home. Answers where the present
 * one is kept, or undefined where there was none. The name `reverie.db` means the old database until one
 * rename makes it mean the new one, so a crash leaves either of them whole. No write-ahead log of the old
 * one may outlive it, since SQLite would apply it to the new one.
 */
export function replaceDatabase(home: Home, { file, before }: Replacement): string | undefined {
  if (!fs.existsSync(file))
    throw new Refusal(
      'The copy that was to take the place of the database is gone. Nothing was changed; try again.',
    );
  let aside: string | undefined;
  const [wal, shm] = [`${home.database}-wal`, `${home.database}-shm`];
  if (fs.existsSync(home.database)) {
    before?.('fold the write-ahead log in');
    foldIn(home.database);
    before?.('set the present one aside');
    aside = setAside(home);
    before?.('remove the write-ahead log');
  }
  fs.rmSync(wal, { force: true });
  fs.rmSync(shm, { force: true });
  flushFolder(home.folder);
  before?.('replace');
  fs.renameSync(file, home.database);
  before?.('flush');
  flushFolder(home.folder);
  return aside;
}

/**
 * Moves the write-ahead log into the database; closing the last connection then removes it. A database
 * that is too damaged to be read keeps its log, which is set aside with it: opening it for writing might
 * throw the log away.
 */
function foldIn(database: string): void {
  try {
    using(new Database(database, { readonly: true }), (db) =>
      db.prepare('SELECT count(*) FROM sqlite_schema').get(),
    );
    using(new Database(database, { timeout: 5000 }), (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
  }
}

function using(db: Database.Database, run: (db: Database.Database) => void): void {
  try {
    run(db);
  } finally {
    db.close();
  }
}

/** A second name for the present database in `backups/` (a copy where the disk knows no links). */
function setAside(home: Home): string {
  fs.mkdirSync(home.backups, { recursive: true, mode: 0o700 });
  const stem = asideStem(home);
  let aside = `${stem}.db`;
  for (let number = 2; fs.existsSync(aside); number += 1) aside = `${stem}-${number}.db`;
  for (const end of ['-wal', '']) {
    const from = `${home.database}${end}`;
    if ((fs.statSync(from, { throwIfNoEntry: false })?.size ?? 0) === 0 && end !== '') continue;
    try {
      fs.linkSync(from, `${aside}${end}`);
    } catch {
      copyPrivately(from, `${aside}${end}`);
      flush(`${aside}${end}`);
    }
  }
  flushFolder(home.backups);
  return aside;
}

/** The beginning of a name in `backups/` for what is set aside now. */
export function asideStem(home: Pick<Home, 'backups'>): string {
  return path.join(home.backups, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
}
