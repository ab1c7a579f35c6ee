import type { Client } from '@reverie/shared/client';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { NamespaceOfOld } from '@reverie/shared/contract/fields';
import { listRooms, openRoom, type RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import { forgetGone, freeName, roomsListed, staysOnRelay } from './choices.ts';
import { deleteLost, findLost, knownUntil, listLost, saveWaiting } from './lost.store.ts';
import {
  findJoined,
  findSynced,
  findSyncedByName,
  findSyncedByRoom,
  insertSynced,
  listSynced,
  namespacesToUpload,
  saveJoined,
  saveSyncedRow,
  type SyncedRow,
} from './namespaces.store.ts';
import { saveWriters, saveHandedOver, saveRecovered } from '../people/people.store.ts';
import { type RecordRooms, recordsAbout } from '../records/record-rooms.ts';
import { namespaceOf, roomNameOf } from '../relay/relay-client.ts';
import { wasLostByRelay } from './stranded.ts';

interface RoomsDeps {
  store: Store;
  /** ms since 1970. */
  now: () => number;
  log: Log;
  client: Client;
  /** Rooms that hold records, which are no namespaces. */
  records: Pick<RecordRooms, 'listed'>;
  /** The relay's log that the client asks; empty while that is not known. */
  logId: string;
}

/** Matches the rooms of the relay with the namespaces here: each gets the other one where it is missing. Answers those of namespaces. */
export async function matchRooms(deps: RoomsDeps, account: AccountId): Promise<RelayRoom[]> {
  const { store, client, logId: seen_in } = deps;
  const listed = await client(listRooms, {});
  store.write((db) => {
    for (const { email, at } of listed.recovered ?? [])
      saveRecovered(db, account, { email, at: Date.parse(at) });
    const handed = listed.handed_over ?? [];
    saveHandedOver(
      db,
      account,
      handed.map(({ at, ...one }) => ({ ...one, at: Date.parse(at) })),
    );
    saveWriters(db, account, listed.people ?? []);
  });
  const isOfRecords = ({ name }: RelayRoom) => recordsAbout(name) !== undefined;
  const rooms = listed.rooms.filter((room) => !isOfRecords(room));
  deps.records.listed(account, listed.rooms.filter(isOfRecords));
  adoptRooms(deps, account, rooms);
  const names = new Set(rooms.map(({ name }) => name));
  const opened: RelayRoom[] = [];
  for (const row of store.read(listSynced)) {
    // Somebody may have said meanwhile that it stays here.
    if (row.room !== null || !store.read((db) => findSynced(db, row.id))) continue;
    const name = roomNameOf(freeName(row.name, (one) => names.has(roomNameOf(one))));
    const room = await client(openRoom, { body: { name } });
    if (!room.own) throw new Error('The relay opened a room of somebody else');
    const { id, role, members } = room;
    store.write((db) => saveSyncedRow(db, row.id, { room: id, role, members, seen_in }));
    opened.push(room);
  }
  return [...rooms, ...opened];
}

/** Puts each room of the relay into its namespace, or lets it wait. */
function adoptRooms(
  { store, now, log, logId: seen_in }: RoomsDeps,
  account: AccountId,
  rooms: readonly RelayRoom[],
): void {
  const listed = new Set(rooms.map(({ id }) => id));
  store.write((db) => {
    forgetGone(db, account, listed);
    const waiting = new Map<string, string>();
    for (const room of rooms) {
      const called = namespaceOf(room.name);
      if (!NamespaceOfOld.safeParse(called).success) {
        log.warn({ room: room.id }, 'a room of the relay has no name of a namespace');
        continue;
      }
      const known = findSyncedByRoom(db, room.id);
      if (!known && staysOnRelay(db, account, { room, seen_in, now: now() })) continue;
      const row = known ?? rowFor(db, account, { room, called, listed, seen_in });
      if ('waitsFor' in row) {
        waiting.set(row.waitsFor, room.id);
        continue;
      }
      if (row.name !== called && row.room === null)
        log.warn({ room: room.id, namespace: row.name }, 'a joined namespace has another name here');
      // Where the log is not known, what is known of the same room stays.
      const seen = seen_in === '' && row.room === room.id ? {} : { seen_in };
      saveSyncedRow(db, row.id, { ...inRoom(room, row), ...seen });
      if (!room.own) saveJoined(db, account, { room: room.id, name: row.name });
    }
    roomsListed(db, account);
    for (const lost of listLost(db, account)) {
      const room = waiting.get(lost.name) ?? null;
      if (room !== lost.waiting) saveWaiting(db, account, { name: lost.name, room });
    }
  });
}

/**
 * What a namespace keeps of its room. That one may only read from now on is told with the room's log: what was not sent yet is put aside then.
 */
export function inRoom({ id, role, members, own, owner = null }: RelayRoom, row: SyncedRow) {
  const isLowered = row.room === id && role === 'viewer';
  return { room: id, role: isLowered ? row.role : role, members, owner: own ? null : owner };
}

/** A room as the relay lists it, beside the others of the relay's log `seen_in`. */
interface Listed {
  room: RelayRoom;
  called: string;
  listed: ReadonlySet<string>;
  seen_in: string;
}

/**
 * The namespace that a room is synced with. One's own goes together with what is here under its name. A room of others never does,
 * unless it was joined here before: what happens to be called so would be sent to all its members. None goes together with what somebody
 * said stays here, nor with a namespace whose own room is still there; and one that would with what left sync, or is about to, waits until
 * somebody decides.
 */
function rowFor(
  db: WriteDb,
  account: AccountId,
  { room, called, listed, seen_in }: Listed,
): SyncedRow | { waitsFor: string } {
  const held = new Map(namespacesToUpload(db, account).map((one) => [one.name, one]));
  const isTaken = (name: string) =>
    held.get(name)?.isHeld === true ||
    findLost(db, account, name) !== undefined ||
    findSyncedByName(db, account, name) !== undefined;
  const hasRoom = (name: string) => listed.has(findSyncedByName(db, account, name)?.room ?? '');
  const before = findJoined(db, account, room.id);
  const wished = room.own ? called : (before ?? freeName(called, isTaken));
  const lost = findLost(db, account, wished);
  // The relay that this machine had left has it still: it goes on as if nothing had been.
  if (lost?.reason === 'unlinked' && lost.kept === 0 && lost.room === room.id) {
    deleteLost(db, account, wished);
    const row = insertSynced(db, account, { name: wished, memories: held.get(wished)?.memories ?? 0 });
    saveSyncedRow(db, row.id, { known_until: knownUntil(lost, room.id) });
    return row;
  }
  if (lost?.kept === 0) return { waitsFor: wished };
  const name = lost || hasRoom(wished) ? freeName(wished, isTaken) : wished;
  const known = findSyncedByName(db, account, name);
  if (known && known.room !== null && !wasLostByRelay(known, seen_in)) return { waitsFor: name };
  return known ?? insertSynced(db, account, { name, memories: held.get(name)?.memories ?? 0 });
}
