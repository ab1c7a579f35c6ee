import { one, run, type Steps } from '../db/records.ts';

/** The code that lets a device into an account; there is one at a time. Times in ms since 1970. */
export interface Recovery {
  account: string;
  /** Null where who runs the relay made the code, for any device; else of the device that asked first. */
  secret_hash: Uint8Array | null;
  code_hash: Uint8Array;
  /** What the device that asked first calls itself; of a code for any device, the four letters that it begins with. */
  name: string;
  created_at: number;
  expires_at: number;
  /** Of a code for any device. */
  wrong_tries: number;
}

export function findRecovery(account: string): Steps<Recovery | undefined> {
  return one(
    `SELECT account, secret_hash, code_hash, name, created_at, expires_at, wrong_tries FROM recoveries
     WHERE account = ?`,
    account,
  );
}

/** Saves a code in the place of the one of before. */
export function* saveRecovery(recovery: Omit<Recovery, 'wrong_tries'>): Steps<void> {
  const { account, secret_hash, code_hash, name, created_at, expires_at } = recovery;
  yield* run('DELETE FROM recoveries WHERE account = ?', account);
  // Relays of before counted mails by `day` and `asked`.
  yield* run(
    `INSERT INTO recoveries (account, secret_hash, code_hash, name, created_at, expires_at, day, asked)
     VALUES (?, ?, ?, ?, ?, ?, '', 0)`,
    ...[account, secret_hash, code_hash, name, created_at, expires_at],
  );
}

export function deleteRecovery(codeHash: Uint8Array): Steps<number> {
  return run('DELETE FROM recoveries WHERE code_hash = ?', codeHash);
}

/** A device that asked to be let in by the code of an account. */
export interface RecoveryAsk {
  account: string;
  secret_hash: Uint8Array;
  /** What it calls itself. */
  name: string;
  expires_at: number;
  wrong_tries: number;
}

export function insertAsk(ask: Omit<RecoveryAsk, 'wrong_tries'>): Steps<number> {
  return run(
    'INSERT INTO recovery_asks (secret_hash, account, name, expires_at) VALUES (?, ?, ?, ?)',
    ...[ask.secret_hash, ask.account, ask.name, ask.expires_at],
  );
}

export function findAsk(account: string, secretHash: Uint8Array): Steps<RecoveryAsk | undefined> {
  return one(
    'SELECT account, secret_hash, name, expires_at, wrong_tries FROM recovery_asks WHERE secret_hash = ? AND account = ?',
    ...[secretHash, account],
  );
}

export function countWrongAsk(secretHash: Uint8Array): Steps<number> {
  return run('UPDATE recovery_asks SET wrong_tries = wrong_tries + 1 WHERE secret_hash = ?', secretHash);
}

export function countWrongCode(account: string): Steps<number> {
  return run('UPDATE recoveries SET wrong_tries = wrong_tries + 1 WHERE account = ?', account);
}

/** Removes all devices of an account at a time, with what would let further ones in, and others into its rooms. */
export function* replaceDevices(account: string, now: number): Steps<void> {
  yield* run(
    "UPDATE devices SET revoked_at = ?, revoked_by = 'recovery' WHERE account = ? AND revoked_at IS NULL",
    ...[now, account],
  );
  for (const table of ['pairing_codes', 'link_requests', 'recoveries', 'recovery_asks'])
    yield* run(`DELETE FROM ${table} WHERE account = ?`, account);
  // A device that was lost may know the links of invites that its account made.
  yield* run('DELETE FROM invites WHERE room IN (SELECT id FROM rooms WHERE owner = ?)', account);
  yield* run('UPDATE accounts SET recovered_at = ? WHERE id = ?', now, account);
}
