import type { AccountId, KeyPurpose, KeyRow } from '@reverie/shared/accounts/caller';
import { abilities } from '@reverie/shared/contract/route';
import type { Tier } from '@reverie/shared/contract/accounts/accounts';
import { z } from 'zod';
import { valueIn } from '../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** An account as it is stored. Times in milliseconds since 1970, UTC. */
export interface Account {
  id: AccountId;
  public_id: string;
  kind: 'machine' | 'bot' | 'sandbox';
  tier: Tier;
  email: string | null;
  created_at: number;
  /** When its keys stop, unless it is confirmed; null for an account that needs no confirmation. */
  expires_at: number | null;
  confirmed_at: number | null;
}

type NewAccount = Pick<Account, 'public_id' | 'kind' | 'tier' | 'created_at'>;

const COLUMNS = 'id, public_id, kind, tier, email, created_at, expires_at, confirmed_at';
const KEY_COLUMNS =
  'id, account, name, scope, namespaces, can, purpose, key_prefix, created_at, last_used_at, expires_at, revoked_at';

/** A key as its row has it: lists as JSON. */
type StoredKey = Omit<KeyRow, 'namespaces' | 'can'> & { namespaces: string | null; can: string | null };

const Namespaces = z.array(z.string());
const Abilities = z.array(z.enum(abilities));
const asJson = (list: readonly string[] | null) => list && JSON.stringify(list);

function toKey(row: StoredKey): KeyRow {
  return {
    ...row,
    namespaces: row.namespaces === null ? null : valueIn(Namespaces, row.namespaces),
    can: row.can === null ? null : valueIn(Abilities, row.can),
  };
}

export function insertAccount(db: WriteDb, account: NewAccount): AccountId {
  const { lastInsertRowid } = db
    .prepare<[string, string, string, number]>(
      'INSERT INTO accounts (public_id, kind, tier, created_at) VALUES (?, ?, ?, ?)',
    )
    .run(account.public_id, account.kind, account.tier, account.created_at);
  return Number(lastInsertRowid) as AccountId;
}

export function findMachineAccount(db: ReadDb): Account | undefined {
  return db.prepare<[], Account>(`SELECT ${COLUMNS} FROM accounts WHERE kind = 'machine'`).get();
}

export function findSandboxAccount(db: ReadDb): Account | undefined {
  return db.prepare<[], Account>(`SELECT ${COLUMNS} FROM accounts WHERE kind = 'sandbox'`).get();
}

export function findAccount(db: ReadDb, id: AccountId): Account | undefined {
  return db.prepare<[number], Account>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`).get(id);
}

export function findAccountByPublicId(db: ReadDb, publicId: string): Account | undefined {
  return db.prepare<[string], Account>(`SELECT ${COLUMNS} FROM accounts WHERE public_id = ?`).get(publicId);
}

export function insertKey(db: WriteDb, key: KeyRow & { hash: Buffer }): void {
  db.prepare<[Omit<StoredKey, 'last_used_at' | 'revoked_at'> & { hash: Buffer }]>(
    `INSERT INTO api_keys (id, account, name, scope, namespaces, can, purpose, hash, key_prefix, created_at, expires_at)
     VALUES (@id, @account, @name, @scope, @namespaces, @can, @purpose, @hash, @key_prefix, @created_at, @expires_at)`,
  ).run({ ...key, namespaces: asJson(key.namespaces), can: asJson(key.can) });
}

export function findKeyByHash(db: ReadDb, hash: Buffer): KeyRow | undefined {
  const row = db.prepare<[Buffer], StoredKey>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = ?`).get(hash);
  return row && toKey(row);
}

export function findKey(db: ReadDb, account: AccountId, id: string): KeyRow | undefined {
  const row = db
    .prepare<[number, string], StoredKey>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE account = ? AND id = ?`)
    .get(account, id);
  return row && toKey(row);
}

/** Keys of an account, newest first; the page's key is among them only while it is not revoked. */
export function listKeyRows(db: ReadDb, account: AccountId): KeyRow[] {
  return db
    .prepare<[number], StoredKey>(
      `SELECT ${KEY_COLUMNS} FROM api_keys WHERE account = ? AND (purpose <> 'page' OR revoked_at IS NULL)
       ORDER BY created_at DESC, id DESC`,
    )
    .all(account)
    .map(toKey);
}

/** Revokes a key as of `at` (ms since 1970); one that was revoked before keeps its earlier time. */
export function endKey(db: WriteDb, id: string, at: number): void {
  db.prepare<[number, string]>('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(
    at,
    id,
  );
}

export function expireKey(db: WriteDb, id: string, at: number): void {
  db.prepare<[{ id: string; at: number }]>(
    'UPDATE api_keys SET expires_at = min(coalesce(expires_at, @at), @at) WHERE id = @id',
  ).run({ id, at });
}

export function endKeysFor(db: WriteDb, purpose: KeyPurpose, at: number): void {
  db.prepare<[number, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE purpose = ? AND revoked_at IS NULL',
  ).run(at, purpose);
}

export function saveLastUse(db: WriteDb, id: string, at: number): void {
  db.prepare<[number, string]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?').run(at, id);
}

/** Requests of an account on a day (`2026-11-20`, UTC). */
export function readRequests(db: ReadDb, account: AccountId, day: string): number {
  const row = db
    .prepare<[number, string], { requests: number }>(
      'SELECT requests FROM usage WHERE account = ? AND day = ?',
    )
    .get(account, day);
  return row?.requests ?? 0;
}

export function saveRequests(
  db: WriteDb,
  account: AccountId,
  usage: { day: string; requests: number },
): void {
  db.prepare<[number, string, number]>(
    `INSERT INTO usage (account, day, requests) VALUES (?, ?, ?)
     ON CONFLICT (account, day) DO UPDATE SET requests = excluded.requests`,
  ).run(account, usage.day, usage.requests);
}

export function saveTier(db: WriteDb, id: AccountId, tier: Tier): void {
  db.prepare<[string, number]>('UPDATE accounts SET tier = ? WHERE id = ?').run(tier, id);
}

/** What an account took of the quotas of a month (`2026-11`, UTC). */
export interface Month {
  recalls: number;
  stores: number;
}

export function readMonth(db: ReadDb, account: AccountId, month: string): Month {
  return (
    db
      .prepare<[number, string], Month>(
        'SELECT recalls, stores FROM account_months WHERE account = ? AND month = ?',
      )
      .get(account, month) ?? { recalls: 0, stores: 0 }
  );
}

export function saveRecalls(db: WriteDb, account: AccountId, at: { month: string; recalls: number }): void {
  db.prepare<[number, string, number]>(
    `INSERT INTO account_months (account, month, recalls, stores) VALUES (?, ?, ?, 0)
     ON CONFLICT (account, month) DO UPDATE SET recalls = excluded.recalls`,
  ).run(account, at.month, at.recalls);
}

/** Counts a memory that is written. */
export function countStore(db: WriteDb, account: AccountId, month: string): void {
  db.prepare<[number, string]>(
    `INSERT INTO account_months (account, month, recalls, stores) VALUES (?, ?, 0, 1)
     ON CONFLICT (account, month) DO UPDATE SET stores = stores + 1`,
  ).run(account, month);
}
