import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

interface Namespace {
  account: AccountId;
  namespace: string;
}

/** Stores a fingerprint, or a mark, which is kept among them; false where it was stored before. */
export function takeFingerprint(
  db: WriteDb,
  { account, namespace }: Namespace,
  fingerprint: Buffer,
): boolean {
  return (
    db
      .prepare<[number, string, Buffer]>(
        'INSERT INTO dream_fingerprints (account, namespace, fingerprint) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(account, namespace, fingerprint).changes > 0
  );
}

/** Forgets a fingerprint: what was retracted may be proposed again when it is so again. */
export function dropFingerprint(db: WriteDb, { account, namespace }: Namespace, fingerprint: Buffer): void {
  db.prepare<[number, string, Buffer]>(
    'DELETE FROM dream_fingerprints WHERE account = ? AND namespace = ? AND fingerprint = ?',
  ).run(account, namespace, fingerprint);
}

/** Whether a fingerprint, or a mark, was noted. */
export function hasFingerprint(db: ReadDb, { account, namespace }: Namespace, fingerprint: Buffer): boolean {
  return (
    db
      .prepare<[number, string, Buffer], { one: number }>(
        'SELECT 1 AS one FROM dream_fingerprints WHERE account = ? AND namespace = ? AND fingerprint = ?',
      )
      .get(account, namespace, fingerprint) !== undefined
  );
}
