import type { Database } from '../db/open-database.ts';
import { ENTRY_OVERHEAD, HASH_BYTES, type UpdateLog } from './update-log.ts';

/** Rows that are taken in one transaction. */
const SLICE = 500;

interface SettledRow {
  id: number;
  room: number;
  name: string;
  seq: number;
  hash: Uint8Array;
}

/** Rows of entries that were let go and are of an earlier epoch: what of them is needed is put into a place of its own, and they go. */
export function compactionOf(db: Database): Pick<UpdateLog, 'compact'> {
  const find = db.prepare<[number], SettledRow>(
    `SELECT e.id, e.room, r.room AS name, e.seq, e.hash FROM log_entries e JOIN log_rooms r ON r.id = e.room
     WHERE e.body IS NULL AND e.bucket IS NOT NULL AND e.epoch < r.epoch ORDER BY e.room, e.seq LIMIT ?`,
  );
  const keep = db.prepare<[number, number, Uint8Array]>(
    'INSERT INTO log_hashes (room, seq, hash) VALUES (?, ?, ?)',
  );
  const remove = db.prepare<[number]>('DELETE FROM log_entries WHERE id = ?');
  const addBytes = db.prepare<[number, number]>('UPDATE log_rooms SET bytes = bytes + ? WHERE id = ?');

  return {
    async compact() {
      return db.write(() => {
        const names = new Set<string>();
        for (const { id, room, name, seq, hash } of find.all(SLICE)) {
          keep.run(room, seq, hash);
          remove.run(id);
          addBytes.run(HASH_BYTES - ENTRY_OVERHEAD, room);
          names.add(name);
        }
        return [...names];
      });
    },
  };
}

/** The hash of an entry whose row has gone. */
export function keptHash(db: Database, room: number, seq: number): Uint8Array | undefined {
  return db
    .prepare<[number, number], { hash: Uint8Array }>('SELECT hash FROM log_hashes WHERE room = ? AND seq = ?')
    .get(room, seq)?.hash;
}
