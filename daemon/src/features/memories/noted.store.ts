import { objectIn } from '../../db/json-column.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { notedDay } from '../../language/notes/noted-day.ts';

/** Keeps the day of a memory whose row an older program wrote; those that are written now have it. */
export function keepDay(db: WriteDb, memoryId: number): void {
  const row = db
    .prepare<[number], { key: string; value: string; metadata: string }>(
      'SELECT key, value, metadata FROM memories WHERE id = ?',
    )
    .get(memoryId);
  const day = row && notedDay({ ...row, metadata: objectIn(row.metadata) });
  if (day)
    db.prepare<[number, number]>('UPDATE memories SET noted_at = ? WHERE id = ?').run(day.on, memoryId);
}
