import type { Database } from '../db/open-database.ts';

/** The updates of a room's shared document, in order. */
export function loadNotes(db: Database, room: string): Uint8Array[] {
  return db
    .prepare<[string], { body: Uint8Array }>('SELECT body FROM note_updates WHERE room = ? ORDER BY id')
    .all(room)
    .map(({ body }) => body);
}

/** Adds updates, on disk when it returns. */
export function addNotes(db: Database, room: string, updates: readonly Uint8Array[]): void {
  db.write(() => {
    const insert = db.prepare<[string, Uint8Array]>('INSERT INTO note_updates (room, body) VALUES (?, ?)');
    for (const body of updates) insert.run(room, body);
  });
}

/** Puts the whole document in the place of its updates. */
export function replaceNotes(db: Database, room: string, whole: Uint8Array): void {
  db.write(() => {
    db.prepare<[string]>('DELETE FROM note_updates WHERE room = ?').run(room);
    addNotes(db, room, [whole]);
  });
}

/** Bytes of a room's shared document. */
export function sizeOfNotes(db: Database, room: string): number {
  return (
    db
      .prepare<[string], { bytes: number }>(
        'SELECT coalesce(sum(length(body)), 0) AS bytes FROM note_updates WHERE room = ?',
      )
      .get(room)?.bytes ?? 0
  );
}
