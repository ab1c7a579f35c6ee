import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ModelReach, ModelSheet } from '@reverie/shared/contract/system/models';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

export interface SheetRow {
  id: string;
  at: number;
  part: ModelSheet['part'];
  server: string;
  model: string;
  reach: ModelReach;
  shown: number;
  tokens: number | null;
  answered: 0 | 1 | null;
}

/** Writes down what is about to be sent; nothing of an account that was deleted meanwhile, or of notes that were. */
export function insertSheet(
  db: WriteDb,
  {
    account,
    notes,
    ...sheet
  }: Omit<SheetRow, 'tokens' | 'answered'> & {
    account: AccountId;
    notes: readonly number[];
  },
): void {
  db.prepare<[object]>(
    `INSERT INTO model_sheets (id, account, at, part, server, model, reach, shown)
     SELECT @id, id, @at, @part, @server, @model, @reach, @shown FROM accounts WHERE id = @account`,
  ).run({ ...sheet, account });
  db.prepare<[object]>(
    `INSERT INTO model_sheet_notes (account, sheet, memory_id, place)
     SELECT m.account, s.id, m.id, min(wanted.key) FROM json_each(@notes) wanted CROSS JOIN memories m ON m.id = wanted.value
     CROSS JOIN model_sheets s ON s.id = @id GROUP BY m.id`,
  ).run({ id: sheet.id, notes: JSON.stringify(notes) });
}

export function closeSheet(
  db: WriteDb,
  id: string,
  { tokens, answered }: { tokens: number; answered: boolean },
): void {
  db.prepare<[number, number, string]>('UPDATE model_sheets SET tokens = ?, answered = ? WHERE id = ?').run(
    tokens,
    answered ? 1 : 0,
    id,
  );
}

/** Sheets of an account, the last first; `before` is the id that the page before ended with. */
export function listSheetRows(
  db: ReadDb,
  account: AccountId,
  { before, limit }: { before: string | null; limit: number },
): SheetRow[] {
  return db
    .prepare<[{ account: AccountId; before: string | null; limit: number }], SheetRow>(
      `SELECT id, at, part, server, model, reach, shown, tokens, answered FROM model_sheets
       WHERE account = @account AND (@before IS NULL OR id < @before) ORDER BY id DESC LIMIT @limit`,
    )
    .all({ account, before, limit });
}

/** The notes of a sheet that are there still, in the order in which they stood on it. */
export function notesOf(db: ReadDb, sheet: string): ModelSheet['notes'] {
  return db
    .prepare<[string], ModelSheet['notes'][number]>(
      `SELECT n.name AS namespace, m.key FROM model_sheet_notes s CROSS JOIN memories m ON m.id = s.memory_id
       CROSS JOIN namespaces n ON n.id = m.namespace_id
       WHERE s.sheet = ? AND substr(n.name, 1, 1) <> char(1) ORDER BY s.place`,
    )
    .all(sheet);
}

/** Drops what is older than a time, and of each account all but its last ones; at most 500 a call. */
export function dropSheets(db: WriteDb, { before, most }: { before: number; most: number }): number {
  return db
    .prepare<[number, number]>(
      `DELETE FROM model_sheets WHERE id IN (
         SELECT id FROM model_sheets WHERE at < ?
         UNION ALL
         SELECT s.id FROM accounts a CROSS JOIN model_sheets s ON s.account = a.id
         WHERE s.id <= (SELECT l.id FROM model_sheets l WHERE l.account = a.id ORDER BY l.id DESC LIMIT 1 OFFSET ?)
         LIMIT 500)`,
    )
    .run(before, most).changes;
}
