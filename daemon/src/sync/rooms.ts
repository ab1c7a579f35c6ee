import type { Client } from '@reverie/shared/client';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { Namespace } from '@reverie/shared/contract/fields';
import { listRooms, openRoom, type RelayRoom } from '@reverie/shared/contract/relay';
import type { Store } from '../db/open-store.ts';
import type { Log } from '../platform/log.ts';
import {
  findSyncedByName,
  findSyncedByRoom,
  insertSynced,
  listSynced,
  namespacesToUpload,
  saveSyncedRow,
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
  store.write((db) => {
    for (const room of rooms) adopt(room);
    function adopt(room: RelayRoom): void {
      const name = namespaceOf(room.name);
      if (!Namespace.safeParse(name).success) {
        log.warn({ room: room.id }, 'a room of the relay has no name of a namespace');
        return;
      }
      const memories = namespacesToUpload(db, account).find((one) => one.name === name)?.memories ?? 0;
      const row =
        findSyncedByRoom(db, room.id) ??
        findSyncedByName(db, account, name) ??
        insertSynced(db, account, { name, memories });
      saveSyncedRow(db, row.id, { room: room.id, role: room.role, members: room.members });
    }
  });
  for (const row of store.read(listSynced)) {
    if (row.room !== null) continue;
    const room = await client(openRoom, { body: { name: roomNameOf(row.name) } });
    store.write((db) => saveSyncedRow(db, row.id, { room: room.id, role: room.role, members: room.members }));
  }
}
