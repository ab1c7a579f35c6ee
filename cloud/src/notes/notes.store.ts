import { all, one, run, type Steps } from '../db/records.ts';

/** The updates of a room's shared document, in order. */
export function* loadNotes(room: string): Steps<Uint8Array[]> {
  const rows = yield* all<{ body: Uint8Array }>(
    'SELECT body FROM note_updates WHERE room = ? ORDER BY id',
    room,
  );
  return rows.map(({ body }) => body);
}

export function* addNotes(room: string, updates: readonly Uint8Array[]): Steps<void> {
  for (const body of updates) yield* run('INSERT INTO note_updates (room, body) VALUES (?, ?)', room, body);
}

/** Puts the whole document in the place of its updates. */
export function* replaceNotes(room: string, whole: Uint8Array): Steps<void> {
  yield* run('DELETE FROM note_updates WHERE room = ?', room);
  yield* addNotes(room, [whole]);
}

/** Bytes of a room's shared document. */
export function* sizeOfNotes(room: string): Steps<number> {
  const sql = 'SELECT coalesce(sum(length(body)), 0) AS bytes FROM note_updates WHERE room = ?';
  return (yield* one<{ bytes: number }>(sql, room))?.bytes ?? 0;
}
