import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createLogEmptying, type LogEmptying } from '@reverie/shared/sqlite/log-emptying';
import Sqlite from 'better-sqlite3';
import { migrations } from './migrations.ts';
import { Refusal } from './refusal.ts';

export interface Database {
  /** A statement, prepared once and kept. */
  prepare<P extends unknown[], R = unknown>(sql: string): Sqlite.Statement<P, R>;
  /** One immediate transaction, on disk when it returns; inside another it joins that one. */
  write<T>(run: () => T extends PromiseLike<unknown> ? never : T): T;
  /** Reads something; throws where the file cannot be read. */
  check(): void;
  /** The size of the file, without what waits in its write-ahead log. */
  bytes(): number;
  close(): void;
  /** Takes what was removed out of the write-ahead log, too. */
  readonly emptying: LogEmptying;
  /** New when the file is not the one that was here last. */
  readonly logId: string;
}

/** How long a write waits for one of another process, ms. */
const PATIENCE = 5000;

/**
 * Opens and migrates the relay's SQLite file, or one in memory. Each commit waits for the disk. Throws
 * `Refusal` for a file of a newer relay. `mark` is a file beside it, by which a database that was put in its place is
 * noticed.
 */
export function openDatabase(file: string, mark?: string): Database {
  if (file !== ':memory:') fs.closeSync(fs.openSync(file, 'a', 0o600));
  const db = new Sqlite(file, { timeout: PATIENCE });
  try {
    migrate(db, file);
  } catch (cause) {
    db.close();
    throw cause;
  }
  return wrap(db, nameLog(db, mark));
}

/**
 * Opens the file of a relay that may be running on it, without bringing it forward or naming its log anew. Throws `Refusal` where
 * it is of another version.
 */
export function openBeside(file: string): Database {
  if (!fs.existsSync(file)) throw new Refusal(`There is no database ${file}; set RELAY_HOME.`);
  const db = new Sqlite(file, { timeout: PATIENCE });
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version !== migrations.length) {
    db.close();
    throw new Refusal(
      version < migrations.length
        ? `The database ${file} is of an older relay; start this version once, which brings it forward.`
        : `The database ${file} was made by a newer relay; use that version.`,
    );
  }
  settle(db);
  return wrap(db, '');
}

function wrap(db: Sqlite.Database, logId: string): Database {
  const statements = new Map<string, Sqlite.Statement>();
  const emptying = createLogEmptying({ connection: () => db, now: Date.now, patience: PATIENCE });
  return {
    prepare<P extends unknown[], R>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) statements.set(sql, (statement = db.prepare(sql)));
      return statement as unknown as Sqlite.Statement<P, R>;
    },
    write: (run) => (db.inTransaction ? run() : db.transaction(run).immediate()),
    bytes: () =>
      (db.pragma('page_count', { simple: true }) as number) *
      (db.pragma('page_size', { simple: true }) as number),
    check: () => void db.prepare('SELECT count(*) AS count FROM meta').get(),
    close() {
      statements.clear();
      db.close();
    },
    emptying,
    logId,
  };
}

function migrate(db: Sqlite.Database, file: string): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > migrations.length)
    throw new Refusal(`The database ${file} was made by a newer relay; start that one. Nothing was changed.`);
  settle(db);
  db.transaction(() => {
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

/** What holds for each connection. */
function settle(db: Sqlite.Database): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // What is deleted is overwritten: permanent means permanent.
  db.pragma('secure_delete = ON');
  db.pragma('cache_size = -64000');
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma('journal_size_limit = 67108864');
}

/**
 * The name of the log. Each start writes the same random word into the database and into the mark beside it: where the two
 * differ, or the mark is not there, this database may not be the one that ran here last, and its log gets a new name.
 */
function nameLog(db: Sqlite.Database, mark: string | undefined): string {
  const read = (name: string) =>
    (db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value;
  const last = mark !== undefined && fs.existsSync(mark) ? fs.readFileSync(mark, 'utf8').trim() : undefined;
  const known = read('log');
  const isSame =
    known !== undefined && read('run') !== 'copy' && (mark === undefined || last === read('run'));
  const name = isSame ? known : `log_${randomUUID()}`;
  const run = randomUUID();
  const save = db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  db.transaction(() => {
    save.run('log', name);
    save.run('run', run);
  }).immediate();
  // After the database: a start that is cut between the two makes one new name too many, never one too few.
  if (mark !== undefined) fs.writeFileSync(mark, `${run}\n`, { mode: 0o600 });
  return name;
}
