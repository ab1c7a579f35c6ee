import { startEmptying } from '@reverie/shared/sqlite/log-emptying';
import { createNoPeers } from '../peers/peers.ts';
import type { Storage } from '../storage.ts';
import { createSqliteLog } from '../update-log/sqlite-log.store.ts';
import type { Database } from './open-database.ts';
import { createSqliteRecords } from './sqlite-records.ts';

/** A relay's SQLite file as all that it stands on. */
export function createSqliteStorage(db: Database): Storage {
  return {
    records: createSqliteRecords(db),
    updates: createSqliteLog(db),
    peers: createNoPeers(),
    startBackground({ clock, log }) {
      // An end without a stop leaves what was removed before it in the write-ahead log.
      db.emptying.empty();
      return startEmptying({ emptying: db.emptying, clock, log });
    },
    close: async () => db.close(),
  };
}
