import type { AccountId } from '@reverie/shared/accounts/caller';
import type { NamespaceModels } from '@reverie/shared/contract/memories/memories';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** Which models may see a namespace. */
export function findNamespaceModels(db: ReadDb, account: AccountId, namespace: string): NamespaceModels {
  return (
    db
      .prepare<[number, string], { models: NamespaceModels }>(
        'SELECT models FROM namespace_models WHERE account = ? AND namespace = ?',
      )
      .get(account, namespace)?.models ?? 'any'
  );
}

/** Which models may see the namespaces of an account, by their names, without those that any may see. */
export function listNamespaceModels(db: ReadDb, account: AccountId): ReadonlyMap<string, NamespaceModels> {
  const rows = db
    .prepare<[number], [namespace: string, models: NamespaceModels]>(
      'SELECT namespace, models FROM namespace_models WHERE account = ?',
    )
    .raw()
    .all(account);
  return new Map(rows);
}

export function saveNamespaceModels(
  db: WriteDb,
  account: AccountId,
  { namespace, models }: { namespace: string; models: NamespaceModels },
): void {
  db.prepare<[number, string]>('DELETE FROM namespace_models WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
  if (models !== 'any')
    db.prepare<[number, string, string]>(
      'INSERT INTO namespace_models (account, namespace, models) VALUES (?, ?, ?)',
    ).run(account, namespace, models);
}

/** The names of the namespaces that some memories are of, each once. */
export function namespacesOfMemories(
  db: ReadDb,
  ids: readonly number[],
): { account: AccountId; name: string }[] {
  return db
    .prepare<[string], { account: AccountId; name: string }>(
      `SELECT DISTINCT n.account, n.name FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
       CROSS JOIN namespaces n ON n.id = m.namespace_id`,
    )
    .all(JSON.stringify(ids));
}

/** The account and the name of a namespace by its number; undefined where it is gone. */
export function namespaceOfId(db: ReadDb, id: number): { account: AccountId; name: string } | undefined {
  return db
    .prepare<[number], { account: AccountId; name: string }>(
      'SELECT account, name FROM namespaces WHERE id = ?',
    )
    .get(id);
}
