import fs from 'node:fs';
import Database from 'better-sqlite3';
import { namespacesOf } from '@reverie/shared/accounts/namespace-patterns';
import { createLogEmptying, type LogEmptying } from '@reverie/shared/sqlite/log-emptying';
import { explainOpenFailure, explainReadFailure, explainWriteFailure, isNoRoom } from './failures.ts';
import { migrate, type Migration, refuseNewer } from './migrate.ts';
import { IDLE_MS, remake } from './remaking.ts';

type Statement<P extends unknown[], R> = Database.Statement<P, R>;

/** A handle that reads. Statements are prepared once per text and kept. */
export interface ReadDb {
  prepare<P extends unknown[], R = unknown>(sql: string): Statement<P, R>;
  readonly reads: true;
}

/** A handle inside a write transaction; only `store.write` hands one out. */
export interface WriteDb extends ReadDb {
  exec(sql: string): void;
  /** Runs once the transaction is on disk; never when it is rolled back. */
  afterCommit(run: () => void): void;
  /** Stands for the transaction that is open: another object for each. */
  readonly transaction: object;
  readonly writes: true;
}

/** Refuses a promise at compile time: a transaction is synchronous. */
type Synchronous<T> = T extends PromiseLike<unknown> ? never : T;

/** The one SQLite file of a home, or one in memory. */
export interface Store {
  read<T>(run: (db: ReadDb) => Synchronous<T>): T;
  /** One immediate transaction, durable when it returns; inside another it joins that one. */
  write<T>(run: (db: WriteDb) => Synchronous<T>): T;
  /**
   * Like `write`, without waiting for the disk: the end of this process takes nothing of it, a power cut may
   * take the last moments. For what is done again then, and was told to nobody.
   */
  writeRepeatable<T>(run: (db: WriteDb) => Synchronous<T>): T;
  /** Copies the database to a file on this same connection, page by page, while it serves. */
  backup(file: string, progress?: (left: number) => void): Promise<void>;
  /**
   * Makes deletion final: moves the write-ahead log into the database, makes a small file anew and empties the log, now or, where
   * somebody reads it, as soon as `emptying` can.
   */
  checkpoint(): void;
  readonly emptying: LogEmptying;
  /** Whether the disk has room for what is written. */
  room(): DiskRoom;
  /** Goes on as usual where there is room again: told so by who looked. Throws where that is not so. */
  foundRoom(): void;
  close(): void;
}

/** Whether a write was refused for want of room since there was some last, and since when (ms since 1970). */
export type DiskRoom = { readonly kind: 'enough' } | { readonly kind: 'full'; readonly since: number };

export interface StoreOptions {
  file: string;
  migrations: readonly Migration[];
  now?: () => number;
}

/**
 * How the file is held: with others, who see each other by a map beside it, or alone. The map takes room on the disk, so that on a full
 * one only the second can be.
 */
type Holding = 'shared' | 'alone';

/** How long a request waits for another process that writes, ms: all others wait with it. */
const PATIENCE = 100;
/** The same while the store is opened: nobody waits yet. */
const PATIENCE_AT_START = 5000;

/**
 * Opens and migrates a store. `synchronous=FULL` makes each commit durable before it is answered;
 * `secure_delete` overwrites what is deleted. On a full disk it is there to be read. Throws `Refusal` for a file that is newer than
 * this program, damaged, or not a database.
 */
export function openStore({ file, migrations, now = Date.now }: StoreOptions): Store {
  const open = (holding: Holding) => connect(file, { migrations, holding });
  try {
    try {
      return storeOver({ open, now, db: open('shared'), holding: 'shared' });
    } catch (cause) {
      if (!isNoRoom(cause)) throw cause;
      return storeOver({ open, now, db: open('alone'), holding: 'alone' });
    }
  } catch (cause) {
    throw explainOpenFailure(cause, file);
  }
}

function connect(
  file: string,
  { migrations, holding }: { migrations: readonly Migration[]; holding: Holding },
): Database.Database {
  // Made here where it is missing, so that it and its write-ahead log are this user's alone.
  if (file !== ':memory:') fs.closeSync(fs.openSync(file, 'a', 0o600));
  const db = new Database(file, { timeout: PATIENCE_AT_START });
  try {
    if (holding === 'alone') db.pragma('locking_mode = EXCLUSIVE');
    // Before anything else, for setting the journal mode may write.
    refuseNewer(db, migrations);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('secure_delete = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -32000');
    db.pragma('temp_store = MEMORY');
    // 16 MiB, not 4: folding the log in waits for the disk, and should be one write in a hundred, not in twenty.
    db.pragma('wal_autocheckpoint = 4000');
    db.pragma('journal_size_limit = 67108864');
    migrate(db, migrations);
    addFunctions(db);
    db.pragma(`busy_timeout = ${PATIENCE}`);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Namespaces of which is remembered whether the last patterns have them. */
const MOST_KNOWN = 10_000;

/** Adds `has_namespace(patterns as JSON, namespace)`: the patterns of keys mean the same in a query as in a request. */
function addFunctions(db: Database.Database): void {
  // One query asks for the same patterns, and the same few namespaces, again and again.
  let last = { patterns: '[]', has: namespacesOf([]), known: new Map<unknown, number>() };
  db.function('has_namespace', { deterministic: true, directOnly: true }, (patterns, namespace) => {
    if (last.patterns !== patterns || last.known.size > MOST_KNOWN) {
      const has = namespacesOf(JSON.parse(String(patterns)) as string[]);
      last = { patterns: String(patterns), has, known: new Map() };
    }
    const known = last.known.get(namespace);
    if (known !== undefined) return known;
    const has = Number(last.has(String(namespace)));
    last.known.set(namespace, has);
    return has;
  });
}

interface Opened {
  db: Database.Database;
  holding: Holding;
  open: (holding: Holding) => Database.Database;
  now: () => number;
}

function storeOver({ open, now, ...first }: Opened): Store {
  let { db, holding } = first;
  let room: DiskRoom = holding === 'alone' ? { kind: 'full', since: now() } : { kind: 'enough' };
  let isRemakingOwed = false;
  let writtenAt = now();
  const isIdle = () => now() - writtenAt >= IDLE_MS;
  const log = createLogEmptying({
    connection: () => db,
    now,
    patience: PATIENCE,
    after() {
      if (!isRemakingOwed) return false;
      const remaking = remake(db, isIdle());
      isRemakingOwed = remaking === 'later';
      return remaking === 'made';
    },
  });
  const emptying: LogEmptying = {
    ...log,
    retry() {
      if (isRemakingOwed && isIdle()) log.empty();
      else log.retry();
    },
  };
  const statements = new Map<string, Statement<unknown[], unknown>>();
  let committed: (() => void)[] = [];
  let transaction = {};
  let depth = 0;

  const handle: WriteDb = {
    prepare<P extends unknown[], R>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = db.prepare<unknown[]>(sql);
        statements.set(sql, statement);
      }
      return statement as unknown as Statement<P, R>;
    },
    exec: (sql) => void db.exec(sql),
    afterCommit(run) {
      committed.push(run);
    },
    get transaction() {
      return transaction;
    },
    reads: true,
    writes: true,
  };

  function transact<T>(run: (db: WriteDb) => T): T {
    committed = [];
    transaction = {};
    handle.prepare('BEGIN IMMEDIATE').run();
    depth = 1;
    let result: T;
    try {
      result = run(handle);
      handle.prepare('COMMIT').run();
      writtenAt = now();
    } catch (cause) {
      // A full disk or an I/O error may have ended the transaction already.
      if (db.inTransaction) handle.prepare('ROLLBACK').run();
      throw cause;
    } finally {
      depth = 0;
    }
    for (const tell of committed) tell();
    return result;
  }

  function noteRoom(cause: unknown): void {
    if (isNoRoom(cause) && room.kind === 'enough') room = { kind: 'full', since: now() };
  }

  /** A failed write, as the caller is told. */
  function failed(cause: unknown): unknown {
    noteRoom(cause);
    return explainWriteFailure(cause);
  }

  function checkpoint(): void {
    isRemakingOwed = true;
    emptying.empty();
    const state = emptying.state();
    if (state.kind === 'waiting') noteRoom(state.cause);
  }

  /** Closes the file and opens it for others, too; where that fails, it is held alone as before. */
  function share(): void {
    statements.clear();
    db.close();
    try {
      db = open('shared');
      holding = 'shared';
    } catch (cause) {
      db = open('alone');
      throw cause;
    }
  }

  return {
    read(run) {
      try {
        return run(handle);
      } catch (cause) {
        throw depth > 0 ? cause : explainReadFailure(cause);
      }
    },
    write(run) {
      if (depth > 0) return run(handle);
      try {
        return transact(run);
      } catch (cause) {
        throw failed(cause);
      }
    },
    writeRepeatable(run) {
      if (depth > 0) return run(handle);
      db.pragma('synchronous = NORMAL');
      try {
        return transact(run);
      } catch (cause) {
        throw failed(cause);
      } finally {
        db.pragma('synchronous = FULL');
      }
    },
    async backup(file, progress) {
      await db.backup(file, {
        progress: ({ remainingPages }) => {
          progress?.(remainingPages);
          return 400;
        },
      });
    },
    checkpoint,
    emptying,
    room: () => room,
    foundRoom() {
      if (room.kind === 'enough') return;
      if (holding === 'alone') share();
      checkpoint();
      const log = emptying.state();
      if (log.kind === 'waiting' && isNoRoom(log.cause)) throw log.cause;
      room = { kind: 'enough' };
    },
    close() {
      statements.clear();
      db.close();
    },
  };
}
