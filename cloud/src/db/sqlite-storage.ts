import { startEmptying } from '@reverie/shared/sqlite/log-emptying';
import { createSqlitePeers } from '../peers/sqlite-peers.store.ts';
import type { Beside, Storage } from '../storage.ts';
import { createSqliteLog } from '../update-log/sqlite-log.store.ts';
import type { Database } from './open-database.ts';
import { createSqliteRecords } from './sqlite-records.ts';

/** A relay's SQLite file as all that it stands on. */
export function createSqliteStorage(db: Database): Storage {
  return {
    records: createSqliteRecords(db),
    updates: createSqliteLog(db),
    peers: createSqlitePeers(db),
    startBackground({ clock, log }) {
      // An end without a stop leaves what was removed before it in the write-ahead log.
      db.emptying.empty();
      return startEmptying({ emptying: db.emptying, clock, log });
    },
    databaseBytes: async () => db.bytes(),
    close: async () => db.close(),
  };
}

/** A relay's SQLite file as another process has it: the relay notices by itself what is done in it. */
export function besideSqlite(db: Database): Beside {
  return {
    records: createSqliteRecords(db),
    updates: createSqliteLog(db),
    databaseBytes: async () => db.bytes(),
    tell: async () => undefined,
    close: async () => db.close(),
  };
}
