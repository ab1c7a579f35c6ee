import type { AccountId } from '@reverie/shared/accounts/caller';
import { objectIn } from '../../db/json-column.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { propertyValues } from '../../language/notes/note-properties.ts';

interface SourceRow {
  account: AccountId;
  namespace_id: number;
  value: string;
  metadata: string;
}

/** Keeps what the properties of a memory say now in the place of what they said. */
export function keepProperties(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM memory_properties WHERE memory_id = ?').run(memoryId);
  const row = db
    .prepare<[number], SourceRow>('SELECT account, namespace_id, value, metadata FROM memories WHERE id = ?')
    .get(memoryId);
  if (!row) return;
  const insert = db.prepare<unknown[]>(
    'INSERT INTO memory_properties (account, namespace_id, name, value, memory_id, number, day) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { name, value, number, day } of propertyValues({
    value: row.value,
    metadata: objectIn(row.metadata),
  }))
    insert.run(row.account, row.namespace_id, name, value, memoryId, number, day);
}
