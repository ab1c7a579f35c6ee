import type { AccountId, KeyRow } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { findKey, listKeyRows } from './accounts.store.ts';

/** A browser that is signed in. Times in milliseconds since 1970, UTC. */
export interface PageSession {
  id: string;
  account: AccountId;
  /** The key of the page. */
  key_id: string;
  created_at: number;
  expires_at: number;
}

const COLUMNS = 'id, account, key_id, created_at, expires_at';

export function insertSession(db: WriteDb, session: PageSession & { hash: Buffer }): void {
  db.prepare<[PageSession & { hash: Buffer }]>(
    `INSERT INTO page_sessions (id, account, key_id, hash, created_at, expires_at)
     VALUES (@id, @account, @key_id, @hash, @created_at, @expires_at)`,
  ).run(session);
}

export function findSessionByHash(db: ReadDb, hash: Buffer): PageSession | undefined {
  return db.prepare<[Buffer], PageSession>(`SELECT ${COLUMNS} FROM page_sessions WHERE hash = ?`).get(hash);
}

export function findSession(db: ReadDb, id: string): PageSession | undefined {
  return db.prepare<[string], PageSession>(`SELECT ${COLUMNS} FROM page_sessions WHERE id = ?`).get(id);
}

/** The key that a session calls with: the page's key, but with the session's own end. */
export function keyOfSession(db: ReadDb, { account, key_id, expires_at }: PageSession): KeyRow | undefined {
  const key = findKey(db, account, key_id);
  return key && { ...key, expires_at };
}

/** The page's key that is not revoked; undefined where there is none. */
export function findPageKey(db: ReadDb, account: AccountId): KeyRow | undefined {
  return listKeyRows(db, account).find(({ purpose }) => purpose === 'page');
}

/** How many sessions of a key are open at `now` (ms since 1970). */
export function countSessions(db: ReadDb, keyId: string, now: number): number {
  const row = db
    .prepare<[string, number], { open: number }>(
      'SELECT count(*) AS open FROM page_sessions WHERE key_id = ? AND expires_at > ?',
    )
    .get(keyId, now);
  return row?.open ?? 0;
}

export function deleteSession(db: WriteDb, id: string): void {
  db.prepare<[string]>('DELETE FROM page_sessions WHERE id = ?').run(id);
}

export function deleteSessionsOf(db: WriteDb, keyId: string): void {
  db.prepare<[string]>('DELETE FROM page_sessions WHERE key_id = ?').run(keyId);
}

/** Deletes sessions that are over at `now` (ms since 1970), and keys of the page that were revoked. */
export function deleteEndedSessions(db: WriteDb, now: number): void {
  db.prepare<[number]>('DELETE FROM page_sessions WHERE expires_at <= ?').run(now);
  db.prepare("DELETE FROM api_keys WHERE purpose = 'page' AND revoked_at IS NOT NULL").run();
}
