import { all, one, run, type Steps } from '../db/records.ts';

/** A key of who runs the relay; the key itself is not kept. */
export interface OperatorKey {
  id: string;
  name: string;
  created_at: number;
}

export function insertOperatorKey(key: OperatorKey & { hash: Uint8Array }): Steps<number> {
  return run(
    'INSERT INTO operator_keys (id, name, key_hash, created_at) VALUES (?, ?, ?, ?)',
    ...[key.id, key.name, key.hash, key.created_at],
  );
}

/** The id of the key with a hash. */
export function* findOperatorKey(hash: Uint8Array): Steps<string | undefined> {
  return (yield* one<{ id: string }>('SELECT id FROM operator_keys WHERE key_hash = ?', hash))?.id;
}

export function listOperatorKeys(): Steps<OperatorKey[]> {
  return all('SELECT id, name, created_at FROM operator_keys ORDER BY created_at, id');
}

/** Ends a key; false where there is none of the id. */
export function* deleteOperatorKey(id: string): Steps<boolean> {
  return (yield* run('DELETE FROM operator_keys WHERE id = ?', id)) > 0;
}
