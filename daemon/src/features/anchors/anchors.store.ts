import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

interface In {
  account: AccountId;
  namespace: string;
}

/** Where the repository of a project was last seen. */
export function findFolder(db: ReadDb, { account, namespace }: In): string | undefined {
  return db
    .prepare<[number, string], { root: string }>(
      'SELECT root FROM project_folders WHERE account = ? AND namespace = ?',
    )
    .get(account, namespace)?.root;
}

export function saveFolder(db: WriteDb, { account, namespace }: In, root: string): void {
  db.prepare<[number, string, string]>(
    `INSERT INTO project_folders (account, namespace, root) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET root = excluded.root`,
  ).run(account, namespace, root);
}
