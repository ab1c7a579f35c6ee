import type { Client } from '@reverie/shared/client';
import { listRooms, type RelayRoom } from '@reverie/shared/contract/relay/relay-rooms';
import type { Store } from '../../db/open-store.ts';
import type { Log } from '../../platform/log.ts';
import { findLink, saveLogId } from '../link.store.ts';
import { wasRefusedWith } from '../relay/relay-client.ts';
import type { RecordRooms } from '../records/record-rooms.ts';
import { matchRooms } from './rooms.ts';

/** Keeps the namespaces here and the rooms of the relay together. */
export interface Matching {
  /** Whether the relay has told on this connection which rooms there are. */
  knowsRooms(): boolean;
  /** Asks for rooms, devices and the account anew. */
  refresh(): Promise<void>;
  /** Bytes that the log of a room takes on the relay. */
  logBytes(room: string | null): Promise<number>;
  /** Opens rooms for namespaces that have none; one at a time. */
  openMissing(): Promise<void>;
}

export interface MatchingDeps {
  store: Store;
  /** ms since 1970. */
  now: () => number;
  log: Log;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client: () => Promise<Client>;
  refreshDevices: () => Promise<void>;
  /** Rooms that hold records. */
  records: Pick<RecordRooms, 'listed'>;
  on: MatchingEvents;
}

export interface MatchingEvents {
  /** The connection that is open now; what was asked on another one says nothing of it. */
  connection: () => object | undefined;
  /** The relay's log on that connection; empty where there is none. */
  logId: () => string;
  matched: (rooms: readonly RelayRoom[]) => void;
  revoked: () => void;
  failed: (cause: unknown) => void;
}

export function createMatching({
  store,
  now,
  log,
  client,
  records,
  refreshDevices,
  on,
}: MatchingDeps): Matching {
  let known: object | undefined;
  let opening = false;

  /** The rooms of the relay; undefined where this home is not linked. */
  async function match(): Promise<readonly RelayRoom[] | undefined> {
    const account = store.read(findLink)?.account;
    if (account === undefined) return undefined;
    const asking = on.connection();
    const logId = on.logId();
    const rooms = await matchRooms({ store, now, log, client: await client(), logId, records }, account);
    // Only now that the rooms were compared with those of the log before.
    if (logId !== '') store.write((db) => saveLogId(db, logId));
    if (asking === on.connection()) known = asking;
    return rooms;
  }

  return {
    knowsRooms: () => known !== undefined && known === on.connection(),
    async refresh() {
      try {
        const rooms = await match();
        if (!rooms) return;
        on.matched(rooms);
        await refreshDevices();
      } catch (cause) {
        log.warn({ err: cause }, 'the rooms of the relay could not be read');
        if (wasRefusedWith(cause, 'unauthorized')) on.revoked();
        else if (on.connection()) on.failed(cause);
      }
    },
    async logBytes(room) {
      const { rooms } = await (await client())(listRooms, {});
      return rooms.find(({ id }) => id === room)?.bytes ?? 0;
    },
    async openMissing() {
      if (opening) return;
      opening = true;
      try {
        const rooms = await match();
        if (rooms) on.matched(rooms);
      } catch (cause) {
        on.failed(cause);
      } finally {
        opening = false;
      }
    },
  };
}
