import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ModelPart } from '@reverie/shared/contract/system/models';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** What was used of a model: tokens, calls, and how many of these failed. */
export interface Taken {
  tokens: number;
  calls: number;
  failed: number;
}

/** Adds to what a part took on a UTC day. */
export function addTaken(
  db: WriteDb,
  { part, day, lastAt }: { part: ModelPart; day: string; lastAt: number },
  { tokens, calls, failed }: Taken,
): void {
  db.prepare<[string, string, number, number, number, number]>(
    `INSERT INTO model_spending (part, day, tokens, calls, failed, last_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (part, day) DO UPDATE SET tokens = tokens + excluded.tokens, calls = calls + excluded.calls,
       failed = failed + excluded.failed, last_at = max(last_at, excluded.last_at)`,
  ).run(part, day, tokens, calls, failed, lastAt);
}

/** What a part took on the days that begin so: a day (`2026-11-23`) or a month (`2026-11`). */
export function findTaken(db: ReadDb, part: ModelPart, days: string): Taken & { last_at: number } {
  const found = db
    .prepare<[string, string], Taken & { last_at: number }>(
      `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(calls), 0) AS calls, coalesce(sum(failed), 0) AS failed,
         coalesce(max(last_at), 0) AS last_at
       FROM model_spending WHERE part = ? AND day GLOB ?`,
    )
    .get(part, `${days}*`);
  return found ?? { tokens: 0, calls: 0, failed: 0, last_at: 0 };
}

/** Adds to what a part took in a UTC month for an account. */
export function addPaid(
  db: WriteDb,
  { account, part, month }: { account: AccountId; part: ModelPart; month: string },
  tokens: number,
): void {
  db.prepare<[string, string, number, number]>(
    // An account that was deleted meanwhile leaves nothing.
    `INSERT INTO model_payers (account, month, part, tokens) SELECT id, ?, ?, ? FROM accounts WHERE id = ?
     ON CONFLICT (account, month, part) DO UPDATE SET tokens = tokens + excluded.tokens`,
  ).run(month, part, tokens, account);
}

/** An account with what a part took for it. */
export interface Payer {
  public_id: string;
  kind: string;
  email: string | null;
  tokens: number;
}

/** For whom a part took tokens in a UTC month, the most first. */
export function findPayers(db: ReadDb, part: ModelPart, month: string): Payer[] {
  return db
    .prepare<[string, string], Payer>(
      `SELECT a.public_id, a.kind, a.email, p.tokens FROM accounts a
       CROSS JOIN model_payers p ON p.account = a.id AND p.month = ? AND p.part = ?
       ORDER BY p.tokens DESC, a.id`,
    )
    .all(month, part);
}
