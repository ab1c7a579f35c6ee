import { bucketOf } from '@reverie/shared/document/register';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { sizesOf } from './documents.store.ts';
import { findLink } from '../link.store.ts';
import { listSynced, saveSyncedRow, type SyncedRow } from '../namespaces/namespaces.store.ts';
import type { Replicas } from './replicas.ts';

/** What is done for the documents while nobody waits for it. */
interface Upkeep {
  /** One round, every 30 s; resolves at its end. A round that falls into another one is left out. */
  round(): Promise<void>;
}

interface UpkeepDeps {
  store: Store;
  clock: Clock;
  log: Log;
  replicas: Pick<Replicas, 'rest' | 'tidy' | 'inspect' | 'gaps' | 'forget' | 'readAnew'>;
  on: UpkeepEvents;
}

interface UpkeepEvents {
  /** Whether nothing is left to send or to read. */
  isSettled: () => boolean;
  /** Asks the relay for a new epoch. */
  askEpoch: (row: SyncedRow) => void;
  /** Namespaces that were sent once more since the relay had another history, each with its epoch then. */
  resent: Map<number, number>;
  /** Whether the relay refuses what is sent of a namespace, for the space of its owner is used up. */
  isFull: (row: SyncedRow) => boolean;
  /** Bytes that the log of a namespace's room takes on the relay. */
  logBytes: (row: SyncedRow) => Promise<number>;
  /** A namespace is to be read from the start. */
  readAgain: () => void;
}

/** A bucket may wait for an update so long, ms. */
const LONGEST_GAP = 30_000;
/** What is still missing after reading everything again is waited for twice as long each time, up to this, ms. */
const LONGEST_WAIT = 86_400_000;

/** How often an epoch is asked for to make room on the relay, at most, ms: what one does not free, the next one does not either. */
const ROOM_EVERY = 86_400_000;

export function createUpkeep({ store, clock, log, replicas, on }: UpkeepDeps): Upkeep {
  let running = false;
  /** Rounds in which a namespace was found to have grown. */
  const grown = new Map<number, number>();
  /** When an epoch was considered last to make room for a namespace. */
  const triedRoom = new Map<number, number>();
  /** How often a namespace was read again for a gap, and how long its next gap may last. */
  const healed = new Map<number, { waits: number; at: number }>();

  /** Writes bytes anew, a bucket at a time, so that requests come in between; answers whether anything deleted was among them. */
  async function tidy({ id }: SyncedRow, most?: number): Promise<boolean> {
    let redacted = false;
    for (let done = replicas.tidy(id, most); done; done = replicas.tidy(id, most)) {
      redacted ||= done === 'redacted';
      await new Promise((resolve) => setImmediate(resolve));
    }
    return redacted;
  }

  /** What an earlier run knew to be missing is not known any more: its documents are looked at once, a bucket at a time. */
  async function inspect({ id }: SyncedRow): Promise<void> {
    while (replicas.inspect(id)) await new Promise((resolve) => setImmediate(resolve));
  }

  /** A bucket that waits for an update that is missing is read again from the start. */
  function heal(): void {
    const now = clock.now();
    for (const [id, { at }] of healed) if (now - at > 2 * LONGEST_WAIT) healed.delete(id);
    const waits = (id: number) => healed.get(id)?.waits ?? LONGEST_GAP;
    const due = new Set(
      replicas
        .gaps()
        .flatMap(({ namespaceId, since }) => (now - since > waits(namespaceId) ? [namespaceId] : [])),
    );
    for (const { id, epoch } of store.read(listSynced)) {
      if (!due.has(id)) continue;
      log.warn({ namespaceId: id }, 'an update is missing: the namespace is read again from the start');
      // Entries from before an epoch do not go into its documents.
      if (epoch > 0) replicas.readAnew(id);
      else store.write((db) => saveSyncedRow(db, id, { cursor: 0, hash: new Uint8Array() }));
      replicas.forget(id);
      healed.set(id, { waits: Math.min(2 * waits(id), LONGEST_WAIT), at: now });
    }
    if (due.size > 0) on.readAgain();
  }

  /**
   * Whether an epoch would make room in a log that is full. What waits is said again in it, so nothing has to be settled before, as it is
   * elsewhere: nothing would be until there is room.
   */
  async function makesRoom(row: SyncedRow): Promise<boolean> {
    const now = clock.now();
    if (row.rebuild === 1 || !on.isFull(row) || now - (triedRoom.get(row.id) ?? -Infinity) < ROOM_EVERY)
      return false;
    try {
      const documents = await on.logBytes(row);
      triedRoom.set(row.id, now);
      return isGrown({ ...sizes(row), documents });
    } catch (err) {
      // The other namespaces have their turn all the same.
      log.warn(
        { err, namespace: row.name },
        'how full the relay is could not be read; it is tried again in 30 s',
      );
      return false;
    }
  }

  /** Whether the log of a namespace that was sent once more says most of it twice. */
  async function isDoubled(row: SyncedRow): Promise<boolean> {
    const epoch = on.resent.get(row.id);
    if (epoch === undefined || row.role === 'viewer' || !on.isSettled()) return false;
    try {
      const isSo = row.epoch <= epoch && isGrown({ ...sizes(row), documents: await on.logBytes(row) });
      if (!isSo) on.resent.delete(row.id);
      return isSo;
    } catch (err) {
      // The other namespaces have their turn all the same.
      log.warn(
        { err, namespace: row.name },
        'how long the log is could not be read; it is tried again in 30 s',
      );
      return false;
    }
  }

  const sizes = (row: SyncedRow) => store.read((db) => sizesOf(db, row));

  async function askForEpochs(): Promise<void> {
    const device = store.read(findLink)?.device;
    if (device == null) return;
    for (const row of store.read(listSynced)) {
      if (row.role !== 'viewer' && (await makesRoom(row))) {
        log.info(
          { namespace: row.name },
          'the log on the relay is full: a new epoch is asked for to make room',
        );
        on.askEpoch(row);
        continue;
      }
      const wasDoubled = await isDoubled(row);
      const isLarge = () => wasDoubled || isGrown(sizes(row));
      if (row.role === 'viewer' || !on.isSettled() || !isLarge()) {
        grown.delete(row.id);
        continue;
      }
      // Updates that were not put together yet say nothing of what the document will take.
      await tidy(row, 1);
      const rounds = grown.get(row.id) ?? 0;
      grown.set(row.id, rounds + 1);
      if (rounds < patienceOf(device) || !isLarge() || !on.isSettled()) continue;
      grown.delete(row.id);
      log.info({ namespace: row.name }, 'the documents have grown: a new epoch is asked for');
      on.askEpoch(row);
    }
  }

  return {
    async round() {
      if (running) return;
      running = true;
      try {
        replicas.rest();
        let redacted = false;
        for (const row of store.read(listSynced)) {
          redacted = (await tidy(row)) || redacted;
          await inspect(row);
        }
        // What was overwritten in the file stands in the log of the database until then.
        if (redacted) store.checkpoint();
        heal();
        await askForEpochs();
      } finally {
        running = false;
      }
    },
  };
}

/** What a slot takes beside its value: its key, device and incarnation, stamp, times, and Yjs's own words. */
const SLOT_BYTES = 250;
/** Documents below this are never worth a new epoch, bytes. */
const FLOOR = 128 * 1024;
/** How many times what the memories say the documents may take. */
const MOST_TIMES = 2;

/** Whether a namespace's documents are mostly what was deleted and overwritten, so that a new epoch is worth its while. */
export function isGrown({
  documents,
  memories,
  count,
}: {
  documents: number;
  memories: number;
  count: number;
}): boolean {
  return documents > FLOOR + MOST_TIMES * (memories + SLOT_BYTES * count);
}

/** How many times a device finds a namespace grown before it asks for an epoch, 0 to 9: by its id, so that not all devices ask at once. */
function patienceOf(device: string): number {
  return bucketOf(device) % 10;
}
