import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createSqliteLog } from '../update-log/sqlite-log.store.ts';
import { temporaryHome } from '../testing/process.ts';
import { migrations } from './migrations.ts';
import { openDatabase } from './open-database.ts';

test('what stays of entries that were let go before they counted, counts', async () => {
  const { home, remove } = temporaryHome();
  const file = path.join(home, 'relay.db');
  const old = new Sqlite(file);
  for (const sql of migrations.slice(0, 2)) old.exec(sql);
  old.pragma('user_version = 2');
  old.exec(`
    INSERT INTO log_writers (id, device, incarnation) VALUES (1, 'd', 'i');
    INSERT INTO log_rooms (id, room, head, hash, bytes) VALUES (1, 'a', 4, x'00', 480), (2, 'b', 0, x'00', 0);
    INSERT INTO log_entries (room, seq, epoch, writer, n, at, hash, bucket, enc, body)
      VALUES (1, 1, 0, 1, 1, 1, x'00', 5, 0, NULL), (1, 2, 0, 1, 2, 1, x'00', 6, 0, NULL),
             (1, 3, 0, 1, 3, 1, x'00', NULL, 0, NULL), (1, 4, 0, 1, 4, 1, x'00', 5, 0, zeroblob(160));
  `);
  old.close();
  const db = openDatabase(file);
  try {
    const log = createSqliteLog(db);
    // Two trimmed ones; the clear and the whole one had been counted.
    expect((await log.state('a'))?.bytes).toBe(480 + 2 * 160);
    expect((await log.state('b'))?.bytes).toBe(0);
  } finally {
    db.close();
    remove();
  }
});
