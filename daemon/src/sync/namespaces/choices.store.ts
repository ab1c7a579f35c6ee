import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Role } from '@reverie/shared/protocol/messages';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** A room on the relay, as it was seen last there. */
export interface SeenRoom {
  room: string | null;
  role: Role;
  members: number;
  /** The relay's log in which it was seen. */
  seen_in: string;
  /** What was changed last before then, ms since 1970, the room has said or was told; 0 where that is not known. */
  known_until: number;
}

/** Of a namespace that the relay does not have. */
export const noRoom: SeenRoom = { room: null, role: 'owner', members: 1, seen_in: '', known_until: 0 };

/** What a person chose of a namespace: `synced` 0 of one that stays on this device, whose room is known where there is one. */
export interface ChoiceRow extends SeenRoom {
  namespace: string;
  synced: number;
  /** When it was chosen, ms since 1970. */
  since: number;
}

const COLUMNS = 'namespace, synced, since, room, role, members, seen_in, known_until';

export function findChoice(db: ReadDb, account: AccountId, namespace: string): ChoiceRow | undefined {
  return db
    .prepare<[number, string], ChoiceRow>(
      `SELECT ${COLUMNS} FROM sync_choices WHERE account = ? AND namespace = ?`,
    )
    .get(account, namespace);
}

/** The namespace that stays here and had this room. */
export function findKeptByRoom(db: ReadDb, account: AccountId, room: string): ChoiceRow | undefined {
  return db
    .prepare<[number, string], ChoiceRow>(
      `SELECT ${COLUMNS} FROM sync_choices WHERE account = ? AND room = ? AND synced = 0`,
    )
    .get(account, room);
}

/** The namespaces that stay on this device, by name. */
export function listKept(db: ReadDb, account: AccountId): ChoiceRow[] {
  return db
    .prepare<[number], ChoiceRow>(
      `SELECT ${COLUMNS} FROM sync_choices WHERE account = ? AND synced = 0 ORDER BY namespace`,
    )
    .all(account);
}

/** Saves a choice; what is known of a room stays where none is given. */
export function saveChoice(
  db: WriteDb,
  account: AccountId,
  { namespace, synced, since }: Pick<ChoiceRow, 'namespace' | 'synced' | 'since'>,
): void {
  db.prepare<[number, string, number, number]>(
    `INSERT INTO sync_choices (account, namespace, synced, since) VALUES (?, ?, ?, ?)
     ON CONFLICT (account, namespace) DO UPDATE SET synced = excluded.synced, since = excluded.since
       WHERE synced <> excluded.synced`,
  ).run(account, namespace, synced, since);
}

/** Notes which room a namespace that stays here has on the relay. */
export function saveSeenRoom(
  db: WriteDb,
  account: AccountId,
  { namespace, room, role, members, seen_in, known_until }: SeenRoom & { namespace: string },
): void {
  db.prepare<unknown[]>(
    'UPDATE sync_choices SET room = ?, role = ?, members = ?, seen_in = ?, known_until = ? WHERE account = ? AND namespace = ?',
  ).run(room, role, members, seen_in, known_until, account, namespace);
}

/** Forgets what was chosen of all namespaces. */
export function deleteChoices(db: WriteDb, account: AccountId): void {
  db.prepare<[number]>('DELETE FROM sync_choices WHERE account = ?').run(account);
}

/** Whether what nobody chose is synced; `listed` the same of rooms that the relay lists for the first time, null where it has. */
export function findDefault(db: ReadDb, account: AccountId): { synced: boolean; listed: boolean | null } {
  const row = db
    .prepare<[number], { synced: number; listed: number | null }>(
      'SELECT synced, listed FROM sync_defaults WHERE account = ?',
    )
    .get(account);
  if (!row) return { synced: true, listed: null };
  return { synced: row.synced === 1, listed: row.listed === null ? null : row.listed === 1 };
}

export function saveDefault(
  db: WriteDb,
  account: AccountId,
  { synced, listed }: { synced: boolean; listed: boolean | null },
): void {
  db.prepare<[number, number, number | null]>(
    `INSERT INTO sync_defaults (account, synced, listed) VALUES (?, ?, ?)
     ON CONFLICT (account) DO UPDATE SET synced = excluded.synced, listed = excluded.listed`,
  ).run(account, Number(synced), listed === null ? null : Number(listed));
}
