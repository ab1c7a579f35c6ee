import type { AccountId } from '@reverie/shared/accounts/caller';
import { readMeta, saveMeta } from '../db/meta.store.ts';
import type { Store } from '../db/open-store.ts';
import type { MemoryDeps, MemorySync } from '../features/memories/deps.ts';
import { clearNamespace, setMemory } from '../features/memories/memories.service.ts';
import { findMemory } from '../features/memories/memories.store.ts';
import { applyRemote, forgetTrashedRemotely, recordMerge } from '../features/memories/remote.service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets.ts';
import { dropStray, hasStray } from '../sync/conflicts.store.ts';
import { createLink, linkedAccount, notLinked } from '../sync/link.ts';
import { findLink } from '../sync/link.store.ts';
import { createKnownDevices } from '../sync/known-devices.ts';
import { linkedClient } from '../sync/linked-client.ts';
import { createOutbox, tellHidden } from '../sync/outbox.ts';
import type { SyncedMemories } from '../sync/ports.ts';
import { createRecordRooms, type RecordRooms, type RecordsWorld } from '../sync/records/record-rooms.ts';
import { createRelayRooms, type RelayRooms } from '../sync/records/relay-rooms.ts';
import { createRelayTime } from '../sync/relay-time.ts';
import { createReplicas } from '../sync/replicas.ts';
import { syncRoutes } from '../sync/sync.routes.ts';
import type { Part } from './parts.ts';

export interface SyncParts {
  store: Store;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  world: {
    memories: MemoryDeps;
    isMachine: (account: AccountId) => boolean;
  };
}

export interface Sync extends Part {
  /** What a write calls in its transaction; nothing is done while this home is not linked. */
  outbox: MemorySync;
  /** The rooms of shared sessions, and what the relay says of them. */
  rooms: SyncedRooms;
  /** Says, before the link is opened, who keeps what the rooms of shared sessions hold. */
  keepRecords(keeper: RecordsWorld): void;
}

export interface SyncedRooms {
  records: RecordRooms;
  relay: RelayRooms;
  /** This device, and its relay; undefined where it is linked to none. */
  link(): { device: string; relay: string } | undefined;
  /** Where the relay keeps the notes of a room, and the key for it. Throws `not_linked`. */
  notesAt(room: string): Promise<{ url: string; protocol: string; authorization: string }>;
}

/** Joins the parts of sync; the composition root holds it. */
export function createSync({ store, clock, log, secrets, world }: SyncParts): Sync {
  let linked = linkedAccount(store);
  const memories = syncedMemories(world.memories);
  const time = createRelayTime(clock);
  const client = linkedClient({ store, secrets });
  const known = createKnownDevices({ store, clock, client });
  const replicas = createReplicas({
    store,
    clock,
    time,
    log,
    memories,
    device: () => store.read(findLink)?.device ?? 'unlinked',
    nameOf: (device) => known.devices().all.find(({ id }) => id === device)?.name ?? null,
  });
  let keeper: RecordsWorld | undefined;
  const records = createRecordRooms({
    ...{ store, log, now: time.now },
    world() {
      if (!keeper) throw new Error('Nobody keeps what the rooms of shared sessions hold');
      return keeper;
    },
  });
  const link = createLink({
    ...{ store, clock, time, log, secrets },
    ...{ replicas, records, client, known },
  });
  const deps = {
    ...{ store, clock, time, log, secrets, link, replicas, memories },
    isMachine: world.isMachine,
    changed() {
      linked = linkedAccount(store);
    },
  };
  return {
    outbox: createOutbox({
      clock: time,
      linked: () => linked,
      wake: link.wake,
    }),
    rooms: {
      records,
      relay: createRelayRooms({ store, client: link.client, records }),
      link() {
        const row = store.read(findLink);
        return row?.device == null ? undefined : { device: row.device, relay: row.relay };
      },
      async notesAt(room) {
        const row = store.read(findLink);
        const key = row?.device == null ? undefined : await secrets.get('relay');
        if (!row || key === undefined) throw notLinked();
        const url = `${row.relay.replace(/^http/, 'ws')}/y/${encodeURIComponent(room)}`;
        return { url, protocol: 'reverie.notes', authorization: `Bearer ${key}` };
      },
    },
    keepRecords(said) {
      keeper = said;
    },
    serve: ({ mount }) => syncRoutes(mount, deps),
    start() {
      dropLeftovers({ store, log });
      tellUntold({ store, log, now: time.now });
      link.start();
      return () => link.stop();
    },
  };
}

/** Takes out what earlier programs left of memories that other devices deleted. */
function dropLeftovers({ store, log }: Pick<SyncParts, 'store' | 'log'>): void {
  try {
    if (store.read(hasStray)) store.write(dropStray);
  } catch (err) {
    // On a full disk, say: the daemon serves what it has.
    log.warn({ err }, 'versions of deleted memories could not be dropped; the next start tries again');
  }
}

/** Tells other devices once of what programs before this one hid here alone. */
function tellUntold({ store, log, now }: Pick<SyncParts, 'store' | 'log'> & { now: () => number }): void {
  try {
    if (store.read((db) => readMeta(db, 'hiding')) !== 'untold') return;
    store.write((db) => {
      tellHidden(db, now());
      saveMeta(db, 'hiding', 'told');
    });
  } catch (err) {
    log.warn({ err }, 'other devices could not be told of what is hidden here; the next start tries again');
  }
}

/** Memories as sync writes them: the way of every other change, with a device as their author. */
function syncedMemories(memories: MemoryDeps): SyncedMemories {
  return {
    apply: (db, author, change) => applyRemote(db, memories, { author, change }),
    clear: (_, author, namespace) => void clearNamespace(memories, author, namespace),
    forgetTrashed: (db, author, which) => forgetTrashedRemotely(db, memories, { author, which }),
    merged: (db, author, { lost, ...at }) => recordMerge(db, memories, { author, at, lost }),
    restore: (author, item) => void setMemory(memories, author, item),
    content: (account, { namespace, key }) =>
      memories.store.read((db) => findMemory(db, { account, namespace, key })),
  };
}
