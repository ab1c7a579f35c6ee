import type { RelayFile } from '@reverie/shared/contract/relay/relay-files';
import { all, one, run, type Steps } from '../db/records.ts';

/** The files that notes of a room name, by their paths; `stored` is 1 where their bytes are here. */
export function listFileRows(room: string): Steps<(RelayFile & { stored: number })[]> {
  return all(
    `SELECT f.path, f.hash, f.size, CASE WHEN b.hash IS NULL THEN 0 ELSE 1 END AS stored FROM room_files f
     LEFT JOIN room_blobs b ON b.room = f.room AND b.hash = f.hash WHERE f.room = ? ORDER BY f.path`,
    room,
  );
}

/** Bytes that a path takes beside its own: its row, with hash and indexes. */
export const ROW_BYTES = 150;

/** How many paths of a room name files, and what they take of its owner's space. */
export function* pathsOf(room: string): Steps<{ count: number; bytes: number }> {
  const sql =
    'SELECT count(*) AS count, coalesce(sum(octet_length(path)), 0) AS bytes FROM room_files WHERE room = ?';
  const row = yield* one<{ count: number; bytes: number | string }>(sql, room);
  const count = row?.count ?? 0;
  return { count, bytes: Number(row?.bytes ?? 0) + count * ROW_BYTES };
}

/** Has a path name a file; answers whether it named another one before, or none. */
export function* saveFile(room: string, { path, hash, size }: RelayFile): Steps<boolean> {
  const changes = yield* run(
    `INSERT INTO room_files (room, path, hash, size) VALUES (?, ?, ?, ?)
     ON CONFLICT (room, path) DO UPDATE SET hash = excluded.hash, size = excluded.size WHERE room_files.hash <> excluded.hash`,
    ...[room, path, hash, size],
  );
  return changes > 0;
}

/** Has a path name nothing more, where it still names that file. */
export function* deleteFile(room: string, { path, hash }: Pick<RelayFile, 'path' | 'hash'>): Steps<boolean> {
  return (
    (yield* run('DELETE FROM room_files WHERE room = ? AND path = ? AND hash = ?', room, path, hash)) > 0
  );
}

/** Has all paths of a room that name a file say another size of it; answers whether any said otherwise. */
export function* correctSize(room: string, { hash, size }: Pick<RelayFile, 'hash' | 'size'>): Steps<boolean> {
  const sql = 'UPDATE room_files SET size = ? WHERE room = ? AND hash = ? AND size <> ?';
  return (yield* run(sql, size, room, hash, size)) > 0;
}

/** Bytes of a file that a path of a room names; undefined where none does. */
export function* sizeNamed(room: string, hash: string): Steps<number | undefined> {
  const sql = 'SELECT size FROM room_files WHERE room = ? AND hash = ? ORDER BY path LIMIT 1';
  return (yield* one<{ size: number }>(sql, room, hash))?.size;
}

/** How often the files of a room changed. */
export function* versionOf(room: string): Steps<number> {
  return (yield* one<{ files: number }>('SELECT files FROM rooms WHERE id = ?', room))?.files ?? 0;
}

export function noteChange(room: string): Steps<number> {
  return run('UPDATE rooms SET files = files + 1 WHERE id = ?', room);
}

export interface BlobRow {
  room: string;
  hash: string;
  size: number;
}

export function findBlob(room: string, hash: string): Steps<BlobRow | undefined> {
  return one('SELECT room, hash, size FROM room_blobs WHERE room = ? AND hash = ?', room, hash);
}

export function* insertBlob({ room, hash, size }: BlobRow, pieces: readonly Uint8Array[]): Steps<void> {
  yield* run('INSERT INTO room_blobs (room, hash, size) VALUES (?, ?, ?)', room, hash, size);
  for (const [n, body] of pieces.entries())
    yield* run('INSERT INTO room_blob_pieces (room, hash, n, body) VALUES (?, ?, ?, ?)', room, hash, n, body);
}

/** A piece of a file; undefined behind the last one. */
export function* findPiece(room: string, hash: string, n: number): Steps<Uint8Array | undefined> {
  const sql = 'SELECT body FROM room_blob_pieces WHERE room = ? AND hash = ? AND n = ?';
  return (yield* one<{ body: Uint8Array }>(sql, room, hash, n))?.body;
}

const UNNAMED = `NOT EXISTS (SELECT 1 FROM room_files f WHERE f.room = b.room AND f.hash = b.hash)`;

/** Files of a room whose bytes are here, and that no path names; of all rooms where none is said. */
export function unnamedBlobs(room: string | undefined, limit: number): Steps<BlobRow[]> {
  return room === undefined
    ? all(`SELECT b.room, b.hash, b.size FROM room_blobs b WHERE ${UNNAMED} LIMIT ?`, limit)
    : all(
        `SELECT b.room, b.hash, b.size FROM room_blobs b WHERE b.room = ? AND ${UNNAMED} LIMIT ?`,
        room,
        limit,
      );
}

/** Deletes the bytes of a file that no path names, with its pieces. */
export function deleteUnnamed({ room, hash }: BlobRow): Steps<number> {
  return run(`DELETE FROM room_blobs AS b WHERE b.room = ? AND b.hash = ? AND ${UNNAMED}`, room, hash);
}

/** Has no path of a room name anything. */
export function deleteFiles(room: string): Steps<number> {
  return run('DELETE FROM room_files WHERE room = ?', room);
}

/** Bytes that the files of a room take: those that are here, and the paths that name some. */
export function* sizeOfFiles(room: string): Steps<number> {
  const sql = 'SELECT coalesce(sum(size), 0) AS bytes FROM room_blobs WHERE room = ?';
  const blobs = Number((yield* one<{ bytes: number | string }>(sql, room))?.bytes ?? 0);
  return blobs + (yield* pathsOf(room)).bytes;
}
