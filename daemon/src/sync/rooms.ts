import type { Client } from '@reverie/shared/client';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { Namespace } from '@reverie/shared/contract/fields';
import { listRooms, openRoom, type RelayRoom } from '@reverie/shared/contract/relay-rooms';
import type { Store, WriteDb } from '../db/open-store.ts';
import type { Log } from '../platform/log.ts';
import { findLost } from './lost.store.ts';
import {
  findJoined,
  findSyncedByName,
  findSyncedByRoom,
  insertSynced,
  listSynced,
  namespacesToUpload,
  saveJoined,
  saveSyncedRow,
  type SyncedRow,
} from './namespaces.store.ts';
import { namespaceOf, roomNameOf } from './relay-client.ts';

interface RoomsDeps {
  store: Store;
  log: Log;
  client: Client;
}

/** Matches the rooms of the relay with the namespaces here: each gets the other one where it is missing. */
export async function matchRooms({ store, log, client }: RoomsDeps, account: AccountId): Promise<void> {
  const { rooms } = await client(listRooms, {});
  const listed = new Set(rooms.map(({ id }) => id));
  store.write((db) => {
    for (const room of rooms) adopt(room);
    function adopt(room: RelayRoom): void {
      const called = namespaceOf(room.name);
      if (!Namespace.safeParse(called).success) {
        log.warn({ room: room.id }, 'a room of the relay has no name of a namespace');
        return;
      }
      const row = findSyncedByRoom(db, room.id) ?? rowFor(db, account, { room, called, listed });
      if (row.name !== called && row.room === null)
        log.warn({ room: room.id, namespace: row.name }, 'a joined namespace has another name here');
      saveSyncedRow(db, row.id, { room: room.id, role: room.role, members: room.members });
      if (!room.own) saveJoined(db, account, { room: room.id, name: row.name });
    }
  });
  const names = new Set(rooms.map(({ name }) => name));
  for (const row of store.read(listSynced)) {
    if (row.room !== null) continue;
    const name = roomNameOf(freeName(row.name, (one) => names.has(roomNameOf(one))));
    const room = await client(openRoom, { body: { name } });
    if (!room.own) throw new Error('The relay opened a room of somebody else');
    store.write((db) => saveSyncedRow(db, row.id, { room: room.id, role: room.role, members: room.members }));
  }
}

/**
 * The namespace that a room is synced with. One's own goes together with what is here under its name. A room of others never does,
 * unless it was joined here before: what happens to be called so would be sent to all its members. None goes together with what somebody
 * said stays here, nor with a namespace whose own room is still there.
 */
function rowFor(
  db: WriteDb,
  account: AccountId,
  { room, called, listed }: { room: RelayRoom; called: string; listed: ReadonlySet<string> },
): SyncedRow {
  const held = new Map(namespacesToUpload(db, account).map(({ name, memories }) => [name, memories]));
  const isKept = (name: string) => findLost(db, account, name)?.kept === 1;
  const isTaken = (name: string) =>
    held.has(name) || isKept(name) || findSyncedByName(db, account, name) !== undefined;
  const hasRoom = (name: string) => listed.has(findSyncedByName(db, account, name)?.room ?? '');
  const before = findJoined(db, account, room.id);
  const wished = room.own ? called : (before ?? freeName(called, isTaken));
  const name = isKept(wished) || hasRoom(wished) ? freeName(wished, isTaken) : wished;
  return (
    findSyncedByName(db, account, name) ?? insertSynced(db, account, { name, memories: held.get(name) ?? 0 })
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
