import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** Adds bytes to what an account is counted to hold; answers the new sum. */
export function addHeld(db: WriteDb, account: AccountId, bytes: number): number {
  db.prepare<[number, number]>('UPDATE accounts SET held = held + ? WHERE id = ?').run(bytes, account);
  return (
    db.prepare<[number], { held: number }>('SELECT held FROM accounts WHERE id = ?').get(account)?.held ?? 0
  );
}

export function saveHeld(db: WriteDb, account: AccountId, bytes: number): void {
  db.prepare<[number, number]>('UPDATE accounts SET held = ? WHERE id = ?').run(bytes, account);
}

/** Bytes that the accounts which nobody confirmed are counted to hold together. */
export function heldByProvisional(db: ReadDb): number {
  const row = db
    .prepare<[], { held: number }>(
      'SELECT coalesce(sum(held), 0) AS held FROM accounts WHERE expires_at IS NOT NULL AND confirmed_at IS NULL',
    )
    .get();
  return row?.held ?? 0;
}

/** Accounts that nobody confirmed. */
export function provisionalAccounts(db: ReadDb): AccountId[] {
  return db
    .prepare<[], { id: AccountId }>(
      'SELECT id FROM accounts WHERE expires_at IS NOT NULL AND confirmed_at IS NULL',
    )
    .all()
    .map(({ id }) => id);
}

/**
 * Bytes that an account holds: values and metadata of memories and of their earlier versions, messages, what
 * was published on channels, the tasks of dreams, and what agents proposed. Reads all of it, so it is for small accounts. `length` of text counts
 * characters; as a blob, bytes.
 */
export function measureHeld(db: ReadDb, account: AccountId): number {
  const row = db
    .prepare<[{ account: number }], { bytes: number }>(
      `SELECT
         (SELECT coalesce(sum(bytes + length(CAST(metadata AS BLOB))), 0) FROM memories WHERE account = @account)
       + (SELECT coalesce(sum(length(CAST(v.value AS BLOB)) + length(CAST(v.metadata AS BLOB))), 0)
            FROM memories m CROSS JOIN memory_versions v ON v.memory_id = m.id WHERE m.account = @account)
       + (SELECT coalesce(sum(length(CAST(payload AS BLOB))), 0) FROM inbox_messages WHERE account = @account)
       + (SELECT coalesce(sum(length(CAST(after AS BLOB))), 0) FROM events
            WHERE account = @account AND type = 'channel.publish')
       + (SELECT coalesce(sum(length(CAST(task AS BLOB))), 0) FROM dream_jobs WHERE account = @account)
       + (SELECT coalesce(sum(length(CAST(i.title || i.body AS BLOB)) + (SELECT coalesce(sum(length(CAST(e.sentence AS BLOB))), 0)
              FROM dream_evidence e WHERE e.insight_id = i.id)), 0)
            FROM dream_jobs j CROSS JOIN dream_insights i ON i.job_id = j.id WHERE j.account = @account AND j.by_agent = 1) AS bytes`,
    )
    .get({ account });
  return row?.bytes ?? 0;
}
