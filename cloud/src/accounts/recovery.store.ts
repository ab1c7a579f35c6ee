import { one, run, type Steps } from '../db/records.ts';

/** A recovery that somebody asked for. Times in ms since 1970. */
export interface Recovery {
  account: string;
  /** Of the device that asked; null where who runs the relay made the code, for any device. */
  secret_hash: Uint8Array | null;
  code_hash: Uint8Array;
  /** What the device that asked calls itself; of a code for any device, the four letters that it begins with. */
  name: string;
  created_at: number;
  expires_at: number;
  wrong_tries: number;
  /** How many were asked for on a day. */
  day: string;
  asked: number;
}

export function findRecovery(account: string): Steps<Recovery | undefined> {
  return one(
    `SELECT account, secret_hash, code_hash, name, created_at, expires_at, wrong_tries, day, asked FROM recoveries
     WHERE account = ?`,
    account,
  );
}

/** Saves a recovery in the place of the one of before: there is one at a time. */
export function* saveRecovery(recovery: Omit<Recovery, 'wrong_tries'>): Steps<void> {
  const { account, secret_hash, code_hash, name, created_at, expires_at, day, asked } = recovery;
  yield* run('DELETE FROM recoveries WHERE account = ?', account);
  yield* run(
    `INSERT INTO recoveries (account, secret_hash, code_hash, name, created_at, expires_at, day, asked)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[account, secret_hash, code_hash, name, created_at, expires_at, day, asked],
  );
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
  for (const table of ['pairing_codes', 'link_requests', 'recoveries'])
    yield* run(`DELETE FROM ${table} WHERE account = ?`, account);
  // A device that was lost may know the links of invites that its account made.
  yield* run('DELETE FROM invites WHERE room IN (SELECT id FROM rooms WHERE owner = ?)', account);
  yield* run('UPDATE accounts SET recovered_at = ? WHERE id = ?', now, account);
}
