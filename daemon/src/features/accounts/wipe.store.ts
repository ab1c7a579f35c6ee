import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** The tables whose rows belong to an account, from the schema itself, so that a new one cannot be forgotten. */
export function tablesOfAccounts(db: ReadDb): string[] {
  return db
    .prepare<[], { name: string }>(
      `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.name = 'account' ORDER BY t.name`,
    )
    .all()
    .map(({ name }) => name);
}

/**
 * Whether the rows of a table go with those of another one that belongs to the account, too: deleting them by
 * themselves would read the whole table, for most of these have no index that begins with the account.
 */
function goesWithOthers(db: ReadDb, table: string, owned: readonly string[]): boolean {
  return db
    .prepare<[{ table: string }], { parent: string; required: number }>(
      `SELECT f."table" AS parent, c."notnull" OR c.pk AS required FROM pragma_foreign_key_list(@table) f
       JOIN pragma_table_info(@table) c ON c.name = f."from" WHERE f.on_delete = 'CASCADE'`,
    )
    .all({ table })
    .some(({ parent, required }) => required > 0 && parent !== table && owned.includes(parent));
}

/** The virtual tables that an account has for itself, such as its text index: their names end with the account's number. */
export function indexesOfAccount(db: ReadDb, account: AccountId): string[] {
  return db
    .prepare<[string], { name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND name GLOB ?`,
    )
    .all(`*_${Number(account)}`)
    .map(({ name }) => name);
}

/** Namespaces of an account, by number. */
export function namespaceIdsOf(db: ReadDb, account: AccountId): number[] {
  return db
    .prepare<[number], { id: number }>('SELECT id FROM namespaces WHERE account = ?')
    .all(account)
    .map(({ id }) => id);
}

export function keyIdsOf(db: ReadDb, account: AccountId): string[] {
  return db
    .prepare<[number], { id: string }>('SELECT id FROM api_keys WHERE account = ?')
    .all(account)
    .map(({ id }) => id);
}

export function webhookIdsOf(db: ReadDb, account: AccountId): string[] {
  return db
    .prepare<[number], { id: string }>('SELECT id FROM webhooks WHERE account = ?')
    .all(account)
    .map(({ id }) => id);
}

/** Deletes all that an account holds, in every table and index; `keep` names tables that are left as they are. */
export function wipeAccount(db: WriteDb, account: AccountId, keep: readonly string[] = []): void {
  // The order of tables is that of their names, not that of their references.
  db.exec('PRAGMA defer_foreign_keys = ON');
  for (const name of indexesOfAccount(db, account)) db.exec(`DROP TABLE "${name}"`);
  const owned = tablesOfAccounts(db);
  for (const name of owned)
    if (!keep.includes(name) && !goesWithOthers(db, name, owned))
      db.prepare<[number]>(`DELETE FROM "${name}" WHERE account = ?`).run(account);
  db.prepare<[number]>('UPDATE accounts SET held = 0 WHERE id = ?').run(account);
}

/** Deletes the account itself, which `wipeAccount` emptied. */
export function deleteAccountRow(db: WriteDb, account: AccountId): void {
  db.prepare<[number]>('DELETE FROM accounts WHERE id = ?').run(account);
}
