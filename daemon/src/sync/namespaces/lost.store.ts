import type { AccountId } from '@reverie/shared/accounts/caller';
import type { LostReason } from '@reverie/shared/contract/sync/lost';
import type { Role } from '@reverie/shared/protocol/messages';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/**
 * A namespace that left sync, also while this home is not linked. `lost_at` in ms since 1970; `kept` is 1 once somebody said that it stays
 * here only; `waiting` is a room that would go together with it, and waits until somebody decides.
 */
export interface LostRow {
  name: string;
  room: string;
  role: Role;
  reason: LostReason;
  lost_at: number;
  unsent: number;
  kept: number;
  waiting: string | null;
  /** The e-mail address of who made its room; null where that is not known. */
  owner: string | null;
  /** Until when its room has said all that stood here, ms since 1970; 0 where that is not known. */
  known_until: number;
}

/** Until when a room has said all that stood in a namespace that left sync, ms since 1970; 0 where that is not known. */
export const knownUntil = ({ room, known_until }: LostRow, of: string): number =>
  room === of ? known_until : 0;

const COLUMNS = 'name, room, role, reason, lost_at, unsent, kept, waiting, owner, known_until';

export function listLost(db: ReadDb, account: AccountId): LostRow[] {
  return db
    .prepare<[number], LostRow>(`SELECT ${COLUMNS} FROM sync_lost WHERE account = ? ORDER BY lost_at, name`)
    .all(account);
}

export function findLost(db: ReadDb, account: AccountId, name: string): LostRow | undefined {
  return db
    .prepare<[number, string], LostRow>(`SELECT ${COLUMNS} FROM sync_lost WHERE account = ? AND name = ?`)
    .get(account, name);
}

/** Notes that a namespace left sync. */
export function saveLost(db: WriteDb, account: AccountId, lost: Omit<LostRow, 'waiting'>): void {
  db.prepare<unknown[]>(
    `INSERT OR REPLACE INTO sync_lost (account, name, room, role, reason, lost_at, unsent, kept, owner, known_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[account, lost.name, lost.room, lost.role, lost.reason, lost.lost_at, lost.unsent, lost.kept],
    ...[lost.owner, lost.known_until],
  );
}

/** Notes that a namespace stays on this machine only, so that nobody has to be told of it again. */
export function saveKept(db: WriteDb, account: AccountId, name: string): void {
  db.prepare<[number, string]>(
    'UPDATE sync_lost SET kept = 1, waiting = NULL WHERE account = ? AND name = ?',
  ).run(account, name);
}

/** Notes that the account left a namespace from here; the relay may have told that it is gone before it answered. */
export function saveLeft(db: WriteDb, account: AccountId, name: string): void {
  db.prepare<[number, string]>(
    "UPDATE sync_lost SET reason = 'left', kept = 1 WHERE account = ? AND name = ?",
  ).run(account, name);
}

/** Notes that a room waits until somebody has decided about a namespace; `room` is null where none does. */
export function saveWaiting(
  db: WriteDb,
  account: AccountId,
  { name, room }: { name: string; room: string | null },
): void {
  db.prepare<[string | null, number, string]>(
    'UPDATE sync_lost SET waiting = ? WHERE account = ? AND name = ?',
  ).run(room, account, name);
}

/** Forgets that a namespace left sync: it is synced again, or will be with everything else once this home is linked. */
export function deleteLost(db: WriteDb, account: AccountId, name: string): void {
  db.prepare<[number, string]>('DELETE FROM sync_lost WHERE account = ? AND name = ?').run(account, name);
}
