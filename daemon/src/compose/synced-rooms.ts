import type { Agent } from 'node:http';
import type { Client } from '@reverie/shared/client';
import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { findLink } from '../sync/link.store.ts';
import { linkedClient, linkedTo } from '../sync/relay/linked-client.ts';
import { relayAgent } from '../sync/relay/relay-agent.ts';
import { createRecordRooms, type RecordRooms } from '../sync/records/record-rooms.ts';
import { createRelayRooms, type RelayRooms } from '../sync/records/relay-rooms.ts';
import { createRelayGate, type RelayGate } from '../sync/relay/relay-proof.ts';
import { createRelayTime, type RelayTime } from '../sync/relay/relay-time.ts';

/** The rooms of shared sessions, and what the relay says of them. */
export interface SyncedRooms {
  records: RecordRooms;
  relay: RelayRooms;
  /** This device, and its relay; undefined where it is linked to none. */
  link(): { device: string; relay: string } | undefined;
  /** Where the relay keeps the notes of a room, and the key for it. Throws `not_linked`. */
  notesAt(room: string): Promise<{ url: string; protocol: string; authorization: string; agent: Agent }>;
  /** What records are stamped with, and documents likewise. */
  time: RelayTime;
  /** A client of the relay with this device's key. Throws `not_linked`. */
  client: () => Promise<Client>;
  /** What keeps the key from a relay that is another one. */
  gate: RelayGate;
}

/** Makes the rooms of records; the link, which is made later, opens and reads them on its connection. */
export function createSyncedRooms({
  store,
  clock,
  log,
  secrets,
}: {
  store: Store;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get'>;
}): SyncedRooms {
  const time = createRelayTime(clock);
  const gate = createRelayGate(store);
  const client = linkedClient({ gate, secrets });
  const records = createRecordRooms({ store, log, now: time.now });
  return {
    records,
    time,
    client,
    gate,
    relay: createRelayRooms({ store, client, records }),
    link() {
      const row = store.read(findLink);
      return row?.device == null ? undefined : { device: row.device, relay: row.relay };
    },
    async notesAt(room) {
      const { at, key } = await linkedTo({ gate, secrets });
      const url = `${at.relay.replace(/^http/, 'ws')}/y/${encodeURIComponent(room)}`;
      return { url, protocol: 'reverie.notes', authorization: `Bearer ${key}`, agent: relayAgent(at) };
    },
  };
}
