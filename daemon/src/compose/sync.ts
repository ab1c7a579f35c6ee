import type { AccountId } from '@reverie/shared/accounts/caller';
import { readMeta, saveMeta } from '../db/meta.store.ts';
import type { ReadDb, Store } from '../db/open-store.ts';
import type { MemoryDeps, MemorySync } from '../features/memories/deps.ts';
import type { NamespaceRoutesDeps } from '../features/memories/namespaces/namespaces.routes.ts';
import { clearNamespace, setMemory } from '../features/memories/memories.service.ts';
import { versionsAsOf } from '../features/memories/history.store.ts';
import { findMemory } from '../features/memories/memories.store.ts';
import {
  applyRemote,
  forgetTrashedRemotely,
  keepName,
  recordMerge,
} from '../features/memories/remote.service.ts';
import { endingsOf } from '../features/sessions/sharing/endings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { dropStray, hasStray } from '../sync/conflicts/conflicts.store.ts';
import { createFileSync } from '../sync/files/file-sync.ts';
import { createLink, type RelayLink } from '../sync/link.ts';
import { linkedAccount, findLink } from '../sync/link.store.ts';
import { linkedBlobs } from '../sync/relay/linked-client.ts';
import { createKnownDevices } from '../sync/relay/known-devices.ts';
import { createOutbox, tellHidden } from '../sync/replica/outbox.ts';
import type { SyncedFiles, SyncedMemories } from '../sync/ports.ts';
import { createPresentState } from '../sync/people/present-state.ts';
import type { RecordsWorld } from '../sync/records/record-rooms.ts';
import { createReplicas } from '../sync/replica/replicas.ts';
import { chooseNamespace, syncRoutes } from '../sync/sync.routes.ts';
import type { Part } from './parts.ts';
import type { SyncedRooms } from './synced-rooms.ts';

export interface SyncParts {
  store: Store;
  clock: Clock;
  log: Log;
  secrets: Pick<Secrets, 'get' | 'set' | 'delete'>;
  world: {
    memories: MemoryDeps;
    /** The rooms of shared sessions, and who keeps what they hold. */
    rooms: SyncedRooms;
    keeper: RecordsWorld;
    /** The pictures and PDFs that notes name. */
    files: SyncedFiles;
    isMachine: (account: AccountId) => boolean;
  };
}

export interface Sync extends Part {
  /** What a write calls in its transaction; nothing is done while this home is not linked. */
  outbox: MemorySync;
  /** Says whether this device syncs a namespace. */
  choose: NamespaceRoutesDeps['chooseSync'];
}

/** Joins the parts of sync; the composition root holds it. */
export function createSync({ store, clock, log, secrets, world }: SyncParts): Sync {
  let linked = linkedAccount(store);
  const memories = syncedMemories(world.memories);
  const { records, time, client, gate } = world.rooms;
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
  const files = createFileSync({
    store,
    clock,
    log,
    files: world.files,
    client,
    blobs: () => linkedBlobs({ gate, secrets }),
    isOpen: () => link.state().kind === 'open',
  });
  const link: RelayLink = createLink({
    store,
    clock,
    time,
    log,
    secrets,
    replicas,
    records,
    client,
    gate,
    known,
    keeper: world.keeper,
    listed: files.listed,
  });
  const deps = {
    store,
    clock,
    time,
    log,
    secrets,
    link,
    gate,
    replicas,
    present: createPresentState({ store, link, replicas, files }),
    memories,
    endings: (db: ReadDb, account: AccountId) => endingsOf(db, account, clock.now()),
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
    choose: (account, wanted) => chooseNamespace(deps, account, wanted),
    serve: ({ mount }) => syncRoutes(mount, deps),
    start() {
      dropLeftovers({ store, log });
      tellUntold({ store, log, now: time.now });
      link.start();
      const endFiles = files.start();
      return () => {
        endFiles();
        link.stop();
      };
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
    namesakes: (account, at) =>
      memories.store.read((db) => [...memories.events.namesakes(db, { account, ...at })]),
    keptName: (db, author, at) => keepName(db, memories, { author, ...at }),
    asOf: (account, { updated_at, ...at }) =>
      memories.store.read((db) => versionsAsOf(db, { account, ...at }, updated_at)),
  };
}
