import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** A dream that was asked for by A2A, and the conversation that it belongs to. */
export interface TaskRow {
  job_id: string;
  context_id: string;
}

/** Keeps the conversation in which a dream was asked for; the first one stays, so a message that is sent again starts nothing new. */
export function insertTask(db: WriteDb, account: AccountId, { job_id, context_id }: TaskRow): void {
  db.prepare<[string, number, string]>(
    'INSERT INTO a2a_tasks (job_id, account, context_id) VALUES (?, ?, ?) ON CONFLICT (job_id) DO NOTHING',
  ).run(job_id, account, context_id);
}

export function findTask(db: ReadDb, account: AccountId, id: string): TaskRow | undefined {
  return db
    .prepare<[number, string], TaskRow>(
      'SELECT job_id, context_id FROM a2a_tasks WHERE account = ? AND job_id = ?',
    )
    .get(account, id);
}

/** The tasks of an account, newest first. */
export function listTasks(db: ReadDb, account: AccountId): TaskRow[] {
  return db
    .prepare<[number], TaskRow>(
      'SELECT job_id, context_id FROM a2a_tasks WHERE account = ? ORDER BY job_id DESC',
    )
    .all(account);
}
