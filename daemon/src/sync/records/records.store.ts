import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Role } from '@reverie/shared/protocol/messages';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A room whose log holds records; `about` says of what. */
export interface RecordRoomRow {
  room: string;
  account: AccountId;
  about: string;
  role: Role;
  /** The relay's log that `cursor` and `hash` are of; empty before it was read. */
  log_id: string;
  cursor: number;
  hash: Uint8Array;
  head: number;
  /** The device of its first record. */
  host: string | null;
}

const COLUMNS = 'room, account, about, role, log_id, cursor, hash, head, host';

export function findRecordRoom(db: ReadDb, room: string): RecordRoomRow | undefined {
  return db.prepare<[string], RecordRoomRow>(`SELECT ${COLUMNS} FROM record_rooms WHERE room = ?`).get(room);
}

export function findRecordRoomAbout(
  db: ReadDb,
  account: AccountId,
  about: string,
): RecordRoomRow | undefined {
  return db
    .prepare<[number, string], RecordRoomRow>(
      `SELECT ${COLUMNS} FROM record_rooms WHERE account = ? AND about = ?`,
    )
    .get(account, about);
}

export function listRecordRooms(db: ReadDb): RecordRoomRow[] {
  return db.prepare<[], RecordRoomRow>(`SELECT ${COLUMNS} FROM record_rooms ORDER BY room`).all();
}

/** Adds a room, or saves all of one but what it is about. */
export function saveRecordRoom(db: WriteDb, row: RecordRoomRow): void {
  db.prepare<[object]>(
    `INSERT INTO record_rooms (room, account, about, role, log_id, cursor, hash, head, host)
     VALUES (@room, @account, @about, @role, @log_id, @cursor, @hash, @head, @host)
     ON CONFLICT (room) DO UPDATE SET role = excluded.role, log_id = excluded.log_id, cursor = excluded.cursor,
       hash = excluded.hash, head = excluded.head, host = excluded.host`,
  ).run(row);
}

/** In the place of the log of a room: the relay that had it was left. */
export const LEFT_LOG = 'left';

/** Notes that the relay of all rooms was left; where it is linked again, they are read and sent from the start. */
export function leaveRecordRooms(db: WriteDb): void {
  db.prepare<[string]>('UPDATE record_rooms SET log_id = ?').run(LEFT_LOG);
}

/** Takes a room out, with what was on its way to it. */
export function deleteRecordRoom(db: WriteDb, room: string): void {
  db.prepare<[string]>('DELETE FROM record_rooms WHERE room = ?').run(room);
}

/** A record on its way; `id` is its number within an incarnation. */
export interface RecordSend {
  id: number;
  incarnation: string;
  /** Ms since 1970. */
  at: number;
  body: Uint8Array;
}

export function insertSend(
  db: WriteDb,
  send: Omit<RecordSend, 'id'> & { account: AccountId; room: string },
): void {
  db.prepare<[object]>(
    `INSERT INTO record_sends (account, room, incarnation, at, body)
     VALUES (@account, @room, @incarnation, @at, @body)`,
  ).run(send);
}

export function sendsAfter(
  db: ReadDb,
  room: string,
  { id, limit }: { id: number; limit: number },
): RecordSend[] {
  return db
    .prepare<[string, number, number], RecordSend>(
      'SELECT id, incarnation, at, body FROM record_sends WHERE room = ? AND id > ? ORDER BY id LIMIT ?',
    )
    .all(room, id, limit);
}

export function countSends(db: ReadDb, room: string): number {
  return (
    db
      .prepare<[string], { count: number }>('SELECT count(*) AS count FROM record_sends WHERE room = ?')
      .get(room)?.count ?? 0
  );
}

export function deleteSend(db: WriteDb, { id, incarnation }: Pick<RecordSend, 'id' | 'incarnation'>): void {
  db.prepare<[number, string]>('DELETE FROM record_sends WHERE id = ? AND incarnation = ?').run(
    id,
    incarnation,
  );
}

export function deleteSends(db: WriteDb, room: string): void {
  db.prepare<[string]>('DELETE FROM record_sends WHERE room = ?').run(room);
}
