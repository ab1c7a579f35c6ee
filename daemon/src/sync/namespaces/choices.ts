import type { AccountId } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { ChosenNamespaces, NewNamespaces, StayingNamespace } from '@reverie/shared/contract/sync/sync';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import {
  deleteChoices,
  findChoice,
  findDefault,
  findKeptByRoom,
  listKept,
  noRoom,
  saveChoice,
  saveDefault,
  saveSeenRoom,
} from './choices.store.ts';
import { findLost } from './lost.store.ts';
import { findJoined, findSyncedByName, memoriesIn, namespacesToUpload } from './namespaces.store.ts';
import { namespaceOf } from '../relay/relay-client.ts';

/** The namespaces above one, the nearest first: `team/backend` stands below `team`. */
export function above(namespace: string): string[] {
  const parts = namespace.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'));
}

/**
 * Whether a namespace that is not synced yet is to be: as was chosen of it; else it stays here where one above it does; else as all that
 * nobody chose, or with `isListed` all that the relay lists for the first time.
 */
export function isToSync(db: ReadDb, account: AccountId, at: { name: string; isListed?: boolean }): boolean {
  const chosen = findChoice(db, account, at.name);
  if (chosen) return chosen.synced === 1;
  if (above(at.name).some((name) => findChoice(db, account, name)?.synced === 0)) return false;
  const { synced, listed } = findDefault(db, account);
  return at.isListed === true ? (listed ?? synced) : synced;
}

/** Notes that a namespace stays on this device. */
export function keepHere(db: WriteDb, account: AccountId, at: { namespace: string; now: number }): void {
  saveChoice(db, account, { namespace: at.namespace, synced: 0, since: at.now });
}

/** Notes what was chosen as this home is linked, before anything goes to the relay. Names that are not here count for the relay's rooms. */
export function chooseAtLink(
  db: WriteDb,
  account: AccountId,
  {
    namespaces,
    new_namespaces,
    now,
  }: { namespaces: ChosenNamespaces; new_namespaces?: NewNamespaces | undefined; now: number },
): void {
  const isRest = namespaces === 'all' || (typeof namespaces === 'object' && 'except' in namespaces);
  const named =
    typeof namespaces === 'string' ? [] : 'only' in namespaces ? namespaces.only : namespaces.except;
  deleteChoices(db, account);
  // What left sync is decided by itself: `reverie sync on` or `off`.
  const isLost = (name: string) => findLost(db, account, name) !== undefined;
  for (const namespace of named)
    if (!isLost(namespace)) saveChoice(db, account, { namespace, synced: isRest ? 0 : 1, since: now });
  if (!isRest)
    for (const { name } of namespacesToUpload(db, account))
      if (!named.includes(name) && !isLost(name)) keepHere(db, account, { namespace: name, now });
  const synced = new_namespaces === undefined ? isRest : new_namespaces === 'sync';
  saveDefault(db, account, { synced, listed: isRest });
}

/** Whether a room that the relay lists stays there, because its namespace was chosen not to be synced here; notes what is seen of it. */
export function staysOnRelay(
  db: WriteDb,
  account: AccountId,
  { room, seen_in, now }: { room: RelayRoom; seen_in: string; now: number },
): boolean {
  const isTaken = (name: string) =>
    (findChoice(db, account, name)?.room ?? room.id) !== room.id ||
    // What happens to be called as a room of others is never to go to all its members.
    (!room.own && (findSyncedByName(db, account, name) !== undefined || memoriesIn(db, account, name) > 0));
  const namespace =
    findKeptByRoom(db, account, room.id)?.namespace ??
    (room.own ? undefined : findJoined(db, account, room.id)) ??
    freeName(namespaceOf(room.name), isTaken);
  const isHere = room.own && findSyncedByName(db, account, namespace) !== undefined;
  if (isHere || findLost(db, account, namespace)) return false;
  if (isToSync(db, account, { name: namespace, isListed: true })) return false;
  keepHere(db, account, { namespace, now });
  const { id, role, members } = room;
  const before = findChoice(db, account, namespace);
  const known_until = before?.room === id ? before.known_until : 0;
  saveSeenRoom(db, account, { namespace, room: id, role, members, seen_in, known_until });
  return true;
}

/** Namespaces that stay here and whose room the relay does not list have none any more. */
export function forgetGone(db: WriteDb, account: AccountId, listed: ReadonlySet<string>): void {
  for (const { namespace, room } of listKept(db, account))
    if (room !== null && !listed.has(room)) saveSeenRoom(db, account, { namespace, ...noRoom });
}

/** The relay has listed its rooms: what it lists from now on is new. */
export function roomsListed(db: WriteDb, account: AccountId): void {
  const chosen = findDefault(db, account);
  if (chosen.listed !== null) saveDefault(db, account, { ...chosen, listed: null });
}

/** The namespaces that stay on this device, as the status tells of them. */
export function stayingOf(db: ReadDb, account: AccountId): StayingNamespace[] {
  return listKept(db, account).map(({ namespace, since, room, role, members }) => ({
    namespace,
    since: new Date(since).toISOString(),
    on_relay: room !== null,
    role: room === null ? null : role,
    shared: room !== null && members > 1,
  }));
}

/** Refuses what needs the room of a namespace that stays on this device. */
export function refuseKept(db: ReadDb, account: AccountId, namespace: string): void {
  if (findChoice(db, account, namespace)?.synced !== 0) return;
  throw new Problem(
    'conflict',
    `${JSON.stringify(namespace)} stays on this device. Sync it first: \`reverie sync on ${namespace}\``,
  );
}

/** A name that is free: itself, or with a number. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  // A namespace has 128 bytes; of letters of four bytes, 32.
  const head = Buffer.byteLength(name) > 120 ? name.slice(0, 30) : name;
  for (let number = 2, free = name; ; number += 1) {
    if (!isTaken(free)) return free;
    free = `${head}-${number}`;
  }
}
