import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SharingEnded } from '@reverie/shared/contract/sessions/sharing-ended';
import type { SessionRole } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** That the sharing of a session ended without anybody here ending it; `at` in ms since 1970. */
export interface EndingRow {
  id: string;
  title: string | null;
  role: SessionRole;
  reason: SharingEnded['reason'];
  at: number;
}

const COLUMNS = 's.id, s.title, s.role, e.reason, e.at';

export function findEnding(db: ReadDb, session: number): EndingRow | undefined {
  return db
    .prepare<[number], EndingRow>(
      `SELECT ${COLUMNS} FROM session_endings e JOIN sessions s ON s.n = e.session WHERE e.session = ?`,
    )
    .get(session);
}

/** Those of an account since a time, ms since 1970. */
export function listEndings(db: ReadDb, account: AccountId, since: number): EndingRow[] {
  return db
    .prepare<[number, number], EndingRow>(
      `SELECT ${COLUMNS} FROM session_endings e JOIN sessions s ON s.n = e.session
       WHERE e.account = ? AND e.at > ? ORDER BY e.at, s.id`,
    )
    .all(account, since);
}

export function saveEnding(
  db: WriteDb,
  of: { account: AccountId; session: number; reason: SharingEnded['reason']; at: number },
): void {
  db.prepare<[object]>(
    'INSERT OR REPLACE INTO session_endings (session, account, reason, at) VALUES (@session, @account, @reason, @at)',
  ).run(of);
}

/** Forgets it: the session is shared again, or somebody here ended it. */
export function deleteEnding(db: WriteDb, session: number): void {
  db.prepare<[number]>('DELETE FROM session_endings WHERE session = ?').run(session);
}
