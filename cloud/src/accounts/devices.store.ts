import type { Database } from '../db/open-database.ts';

/** A device of an account. Times in ms since 1970. */
export interface Device {
  id: string;
  account: string;
  name: string;
  created_at: number;
  last_seen: number | null;
}

const COLUMNS = 'id, account, name, created_at, last_seen';

export function insertDevice(
  db: Database,
  device: Omit<Device, 'last_seen'> & { keyHash: Uint8Array },
): void {
  const { id, account, name, keyHash, created_at } = device;
  db.prepare<[string, string, string, Uint8Array, number]>(
    'INSERT INTO devices (id, account, name, key_hash, created_at) VALUES (?, ?, ?, ?, ?)',
  ).run(id, account, name, keyHash, created_at);
}

/** The device of a key; none where it is revoked. */
export function findDeviceByKey(db: Database, keyHash: Uint8Array): Device | undefined {
  return db
    .prepare<[Uint8Array], Device>(`SELECT ${COLUMNS} FROM devices WHERE key_hash = ? AND revoked_at IS NULL`)
    .get(keyHash);
}

export function listDeviceRows(db: Database, account: string): Device[] {
  return db
    .prepare<[string], Device>(
      `SELECT ${COLUMNS} FROM devices WHERE account = ? AND revoked_at IS NULL ORDER BY created_at, id`,
    )
    .all(account);
}

/** Names a device; false where the account has no such one. */
export function saveDeviceName(db: Database, { id, account, name }: Pick<Device, 'id' | 'account' | 'name'>) {
  return (
    db
      .prepare<[string, string, string]>(
        'UPDATE devices SET name = ? WHERE id = ? AND account = ? AND revoked_at IS NULL',
      )
      .run(name, id, account).changes > 0
  );
}

/** Ends a device at a time; false where the account has no such one. */
export function endDevice(db: Database, at: { id: string; account: string; now: number }): boolean {
  return (
    db
      .prepare<[number, string, string]>(
        'UPDATE devices SET revoked_at = ? WHERE id = ? AND account = ? AND revoked_at IS NULL',
      )
      .run(at.now, at.id, at.account).changes > 0
  );
}

/** Saves when devices were last seen, with one wait for the disk. */
export function saveLastSeen(db: Database, seen: ReadonlyMap<string, number>): void {
  const save = db.prepare<[number, string]>('UPDATE devices SET last_seen = ? WHERE id = ?');
  db.write(() => {
    for (const [id, at] of seen) save.run(at, id);
  });
}

/** A device that waits to be let in. */
export interface LinkRequest {
  id: string;
  account: string;
  name: string;
  number: string;
  created_at: number;
  expires_at: number;
  answer: 'approved' | 'refused' | null;
}

const REQUEST = 'id, account, name, number, created_at, expires_at, answer';

export function insertRequest(
  db: Database,
  request: Omit<LinkRequest, 'answer'> & { secretHash: Uint8Array },
): void {
  db.prepare<[string, string, string, string, Uint8Array, number, number]>(
    `INSERT INTO link_requests (id, account, name, number, secret_hash, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    request.id,
    request.account,
    request.name,
    request.number,
    request.secretHash,
    request.created_at,
    request.expires_at,
  );
}

/** Requests that nobody answered, the oldest first. */
export function openRequests(db: Database, account: string, now: number): LinkRequest[] {
  return db
    .prepare<[string, number], LinkRequest>(
      `SELECT ${REQUEST} FROM link_requests WHERE account = ? AND expires_at > ? AND answer IS NULL
       ORDER BY created_at, id`,
    )
    .all(account, now);
}

/** A request, for who has its secret. */
export function findRequest(
  db: Database,
  { id, secretHash, now }: { id: string; secretHash: Uint8Array; now: number },
): LinkRequest | undefined {
  return db
    .prepare<[string, Uint8Array, number], LinkRequest>(
      `SELECT ${REQUEST} FROM link_requests WHERE id = ? AND secret_hash = ? AND expires_at > ?`,
    )
    .get(id, secretHash, now);
}

/** Answers a request; false where there is none that waits. */
export function saveAnswer(
  db: Database,
  { id, account, answer, now }: { id: string; account: string; answer: 'approved' | 'refused'; now: number },
): boolean {
  return (
    db
      .prepare<[string, string, string, number]>(
        `UPDATE link_requests SET answer = ? WHERE id = ? AND account = ? AND answer IS NULL AND expires_at > ?`,
      )
      .run(answer, id, account, now).changes > 0
  );
}

export function deleteRequest(db: Database, id: string): void {
  db.prepare<[string]>('DELETE FROM link_requests WHERE id = ?').run(id);
}

/** A pairing code that was given out. */
export interface CodeRow {
  account: string;
  secret_hash: Uint8Array;
  expires_at: number;
  wrong_tries: number;
}

/** Saves a code; false where another one that still lives has its name. */
export function insertCode(
  db: Database,
  code: { id: string; account: string; secretHash: Uint8Array; expiresAt: number; now: number },
): boolean {
  db.prepare<[string, number]>('DELETE FROM pairing_codes WHERE id = ? AND expires_at <= ?').run(
    code.id,
    code.now,
  );
  return (
    db
      .prepare<[string, string, Uint8Array, number]>(
        'INSERT OR IGNORE INTO pairing_codes (id, account, secret_hash, expires_at) VALUES (?, ?, ?, ?)',
      )
      .run(code.id, code.account, code.secretHash, code.expiresAt).changes > 0
  );
}

export function findCode(db: Database, id: string): CodeRow | undefined {
  return db
    .prepare<[string], CodeRow>(
      'SELECT account, secret_hash, expires_at, wrong_tries FROM pairing_codes WHERE id = ?',
    )
    .get(id);
}

export function countWrongTry(db: Database, id: string): void {
  db.prepare<[string]>('UPDATE pairing_codes SET wrong_tries = wrong_tries + 1 WHERE id = ?').run(id);
}

export function deleteCode(db: Database, id: string): void {
  db.prepare<[string]>('DELETE FROM pairing_codes WHERE id = ?').run(id);
}

/** Makes void what would let further devices in: codes, and approvals that nobody has used yet. */
export function endWaysIn(db: Database, account: string): void {
  db.prepare<[string]>('DELETE FROM pairing_codes WHERE account = ?').run(account);
  db.prepare<[string]>("DELETE FROM link_requests WHERE account = ? AND answer = 'approved'").run(account);
}

/** Deletes codes, requests and invites whose time is over. */
export function deleteExpired(db: Database, now: number): void {
  for (const table of ['pairing_codes', 'link_requests'])
    db.prepare<[number]>(`DELETE FROM ${table} WHERE expires_at <= ?`).run(now);
  // Who opens the link of an old invite is told that it has ended, for a while.
  db.prepare<[number]>('DELETE FROM invites WHERE expires_at <= ?').run(now - OLD_INVITES_MS);
}

const OLD_INVITES_MS = 30 * 86_400_000;
