import type { AccountId } from '@reverie/shared/accounts/caller';
import type { NamespaceColour } from '@reverie/shared/contract/memories/memories';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** What a person chose of how a namespace looks; null where it is not chosen. */
export interface ChosenFace {
  colour: NamespaceColour | null;
  sign: string | null;
}

/** The faces that a person chose, by the names of their namespaces. */
export function listFaces(db: ReadDb, account: AccountId): ReadonlyMap<string, ChosenFace> {
  const rows = db
    .prepare<[number], ChosenFace & { namespace: string }>(
      'SELECT namespace, colour, sign FROM namespace_faces WHERE account = ?',
    )
    .all(account);
  return new Map(rows.map(({ namespace, colour, sign }) => [namespace, { colour, sign }]));
}

export function findFace(db: ReadDb, account: AccountId, namespace: string): ChosenFace {
  return (
    db
      .prepare<[number, string], ChosenFace>(
        'SELECT colour, sign FROM namespace_faces WHERE account = ? AND namespace = ?',
      )
      .get(account, namespace) ?? { colour: null, sign: null }
  );
}

export function saveFace(
  db: WriteDb,
  account: AccountId,
  { namespace, colour, sign }: ChosenFace & { namespace: string },
): void {
  dropFace(db, account, namespace);
  if (colour !== null || sign !== null)
    db.prepare<[number, string, string | null, string | null]>(
      'INSERT INTO namespace_faces (account, namespace, colour, sign) VALUES (?, ?, ?, ?)',
    ).run(account, namespace, colour, sign);
}

export function dropFace(db: WriteDb, account: AccountId, namespace: string): void {
  db.prepare<[number, string]>('DELETE FROM namespace_faces WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
}
