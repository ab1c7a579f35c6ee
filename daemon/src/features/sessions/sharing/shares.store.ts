import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SessionRole } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** How a session is shared from this machine. */
export interface ShareRow {
  session: number;
  account: AccountId;
  /** The `seq` behind which sharing began. */
  begun: number;
  /** Up to here entries were looked through, and put on their way. */
  queued: number;
  /** Kinds of secrets that a person was shown, as a list in JSON. */
  approved: string;
  /** What was told of the session last, as JSON. */
  told: string;
  /** 1: a kind of secret was found that nobody was shown, and what follows waits. */
  waits: 0 | 1;
}

const COLUMNS = 'session, account, begun, queued, approved, told, waits';

export function findShare(db: ReadDb, session: number): ShareRow | undefined {
  return db
    .prepare<[number], ShareRow>(`SELECT ${COLUMNS} FROM session_shares WHERE session = ?`)
    .get(session);
}

export function saveShare(db: WriteDb, row: ShareRow): void {
  db.prepare<[object]>(
    `INSERT INTO session_shares (session, account, begun, queued, approved, told, waits)
     VALUES (@session, @account, @begun, @queued, @approved, @told, @waits)
     ON CONFLICT (session) DO UPDATE SET begun = excluded.begun, queued = excluded.queued, approved = excluded.approved,
       told = excluded.told, waits = excluded.waits`,
  ).run(row);
}

export function deleteShare(db: WriteDb, session: number): void {
  db.prepare<[number]>('DELETE FROM session_shares WHERE session = ?').run(session);
  db.prepare<[number]>('DELETE FROM session_members WHERE session = ?').run(session);
}

/** Numbers of all shared sessions. */
export function sharedSessions(db: ReadDb): number[] {
  return db
    .prepare<[], { session: number }>('SELECT session FROM session_shares')
    .all()
    .map(({ session }) => session);
}

export interface MemberRow {
  member: string;
  name: string;
  role: SessionRole;
  self: 0 | 1;
}

export function listMembers(db: ReadDb, session: number): MemberRow[] {
  return db
    .prepare<[number], MemberRow>(
      'SELECT member, name, role, self FROM session_members WHERE session = ? ORDER BY self DESC, name, member',
    )
    .all(session);
}

export function saveMembers(
  db: WriteDb,
  of: { account: AccountId; session: number },
  members: readonly MemberRow[],
): void {
  db.prepare<[number]>('DELETE FROM session_members WHERE session = ?').run(of.session);
  for (const member of members)
    db.prepare<[object]>(
      'INSERT INTO session_members (account, session, member, name, role, self) VALUES (@account, @session, @member, @name, @role, @self)',
    ).run({ ...of, ...member });
}
