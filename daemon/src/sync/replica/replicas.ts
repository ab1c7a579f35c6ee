import { randomInt, randomUUID } from 'node:crypto';
import { fromStamp, hlcOf, LONGEST_AHEAD } from '@reverie/shared/document/clock';
import { checkUpdate } from '@reverie/shared/document/bucket-document';
import { createDocuments, type Documents } from '@reverie/shared/document/documents';
import { BUCKETS, type Writer } from '@reverie/shared/document/register';
import { mergeOwn } from '@reverie/shared/document/merging';
import { mergeClear, mergeUpdate, type Unmerged, writePending } from '@reverie/shared/document/replica';
import { Problem } from '@reverie/shared/contract/problems';
import type { Entry, Snapshot } from '@reverie/shared/protocol/messages';
import type { Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { hasBase, insertBase, insertQuarantined, loadUpdates } from './documents.store.ts';
import { createGaps, type Gap } from './gaps.ts';
import { hear } from '../link.store.ts';
import { findSynced, listSynced, saveSyncedRow, type SyncedRow } from '../namespaces/namespaces.store.ts';
import { uploadPage } from './outbox.ts';
import { unwritten, unwrittenClears } from './outbox.store.ts';
import type { SyncedMemories } from '../ports.ts';
import type { RelayTime } from '../relay/relay-time.ts';
import {
  type Entering,
  enterSlice,
  leave,
  rebuild,
  resend,
  sayAll,
  type ReplicaWork,
  tidyOne,
} from './replica-steps.ts';
import { findSend, insertSend, settleSend } from './sends.store.ts';
import { tablesOf, type TablesDeps, type TablesOptions } from './replica-tables.ts';
import { aheadByNamespace, mendClock, stampNamespace } from './stamps.ts';

/** Operations that are written into documents in one transaction, so that no request waits long. */
const SLICE = 500;
/** Documents of a namespace that nothing touched for so long leave the memory, ms. */
const IDLE = 20_000;
/** Updates of a bucket that are kept before one takes their place. */
const MOST_UPDATES = 100;

const GONE: Entering = { is: 'done', begun: [] };

/** The documents of all namespaces, and the steps that change them: each is one transaction. */
export interface Replicas {
  /** Random, new at each start: numbers of entries are unique within it. */
  readonly incarnation: string;
  /** Puts waiting memories and operations into documents and entries; answers whether there is more to do. */
  write(ready: (row: SyncedRow) => boolean): boolean;
  /**
   * Merges entries of a room's log, in order, of one epoch; saves the place of the last one where a hash is told. Answers whether there is more
   * to send for it: what this device wrote, merged with what others did meanwhile.
   */
  merge(namespaceId: number, entries: readonly Entry[], at: { hash?: Uint8Array; head: number }): boolean;
  /** The relay has an entry on its disk. */
  settle(namespaceId: number, of: readonly { incarnation: string; n: number }[]): void;
  /** Sends again what the relay, whose room is at that epoch, may have lost of what it confirmed. */
  resend(namespaceId: number, epoch: number): void;
  /**
   * Says again all that the log said in this epoch, so that who reads from its beginning finds all of it; answers the numbers of the entries,
   * undefined where the documents are on their way.
   */
  sayAll(namespaceId: number): number[] | undefined;
  /** Whether entries of this run are with the relay; `replaced`: some are not, and never will be. */
  standingOf(namespaceId: number, numbers: readonly number[]): 'waiting' | 'said' | 'replaced';
  /** Begins an epoch, a slice of it; the log must have been read up to it. Answers the documents that were begun. */
  enter(namespaceId: number, epoch: number): Entering;
  /** Takes what the relay tells in place of entries, or keeps it for the begin of its epoch. */
  keepBase(namespaceId: number, snapshot: Snapshot): void;
  /** Gives other stamps to what is ahead of the relay's clock; answers how many operations were. */
  stampAnew(refused: { namespaceId: number; sendId: number } | undefined): number;
  /** Makes the rows of a namespace anew; answers how many there are, and how many differed. */
  rebuild(namespaceId: number): { memories: number; differed: number };
  /** Drops the documents of a namespace, which lack something, and reads the log from its start. */
  readAnew(namespaceId: number): void;
  /**
   * Writes the bytes of a bucket anew, the next one that needs it: what was deleted leaves the disk, and one update takes the
   * place of more than `most`. Answers what was done; nothing is left where it is undefined.
   */
  tidy(namespaceId: number, most?: number): 'redacted' | 'shortened' | undefined;
  /** Drops documents from memory that nothing touched for a while. */
  rest(): void;
  /** Drops the documents of a namespace from memory. */
  forget(namespaceId: number): void;
  /** Looks for a gap that an earlier run left, in the next bucket; false when this run has looked at all. */
  inspect(namespaceId: number): boolean;
  /** Buckets whose updates wait for one that is missing. */
  gaps(): Gap[];
}

export interface ReplicasDeps {
  store: Store;
  clock: Clock;
  time: RelayTime;
  log: Log;
  memories: SyncedMemories;
  device: () => string;
  nameOf: (device: string) => string | null;
}

export function createReplicas(deps: ReplicasDeps): Replicas {
  const { store, clock, time, log, memories, device, nameOf } = deps;
  const incarnation = randomUUID();
  const newClientId = () => randomInt(1, 2 ** 32 - 1);
  const open = new Map<number, { documents: Documents; usedAt: number }>();
  const gaps = createGaps({ store, clock, clientId: newClientId() });
  /**
   * The ids that documents are written under, of this run and never stored: a restored backup would use their numbers twice. Each
   * namespace has its own, and another one once it was emptied or is another row: what it said before stands in the log under the old one.
   */
  const clientIds = new Map<number, number>();
  /** Numbers of this run whose entries were replaced by others: they may be in the log all the same. */
  const replaced = new Set<number>();
  /** What `saidOnce` tells; a restart forgets it, and then an earlier version of the log is a conflict. */
  const saidBefore = new Map<number, Set<string>>();
  /** What came in beside what this device wrote, and is looked at once the log was read to its end; a restart forgets it, and it stays a conflict. */
  const unmerged = new Map<number, Unmerged>();
  let number = 0;

  function documentsOf(namespaceId: number): Documents {
    const found = open.get(namespaceId);
    if (found) {
      found.usedAt = clock.now();
      return found.documents;
    }
    const load = (bucket: number) => store.read((db) => loadUpdates(db, namespaceId, bucket));
    // All of them: a first upload writes into each again and again, and opening one takes up to 16 ms.
    const clientId = clientIds.get(namespaceId) ?? newClientId();
    clientIds.set(namespaceId, clientId);
    const made = createDocuments({ clientId, load, keep: BUCKETS });
    open.set(namespaceId, { documents: made, usedAt: clock.now() });
    return made;
  }

  const tablesDeps = (): TablesDeps & { writer: Writer } => ({
    memories,
    writer: { device: device(), incarnation },
    nextNumber: () => (number += 1),
    replaced: (n) => void replaced.add(n),
    now: time.now,
    latest: time.latest,
    nameOf,
    saidOnce,
  });

  function saidOnce(namespaceId: number): Set<string> {
    const found = saidBefore.get(namespaceId) ?? new Set();
    saidBefore.set(namespaceId, found);
    return found;
  }

  /** A namespace as it is within the transaction now. */
  function stepIn(db: WriteDb, row: SyncedRow, options: TablesOptions): ReplicaWork {
    const needed = tablesDeps();
    const tables = tablesOf(db, needed, { row, ...options });
    return {
      db,
      row,
      now: time.now(),
      nextNumber: needed.nextNumber,
      saidOnce: (key) => saidBefore.get(row.id)?.has(key) === true,
      putAway: tables.putAway,
      changed: tables.changed,
      replica: { tables, documents: documentsOf(row.id), writer: needed.writer },
      reopen() {
        clientIds.set(row.id, newClientId());
        forget(row.id);
      },
    };
  }

  /** One transaction; when it fails, memory must not be ahead of the disk. */
  function step<T>(
    namespaceId: number,
    run: (step: ReplicaWork) => T,
    options: TablesOptions = {},
  ): T | undefined {
    try {
      // Not waiting for the disk: after a power cut the outbox and the relay still have all of it.
      return store.writeRepeatable((db) => {
        const row = findSynced(db, namespaceId);
        return (row ? run(stepIn(db, row, options)) : undefined) as never;
      });
    } catch (cause) {
      documentsOf(namespaceId).discard();
      throw cause;
    }
  }

  function unmergedOf(namespaceId: number): Unmerged {
    const found = unmerged.get(namespaceId) ?? { lost: new Set(), renamed: new Map() };
    unmerged.set(namespaceId, found);
    return found;
  }

  function forget(namespaceId: number): void {
    open.delete(namespaceId);
    saidBefore.delete(namespaceId);
    unmerged.delete(namespaceId);
    gaps.forget(namespaceId);
  }

  function writeOne({ db, row, replica, now, nextNumber }: ReplicaWork, isReady: boolean): boolean {
    if (row.rebuild === 1 || row.entering !== null) return false;
    const more = isReady && uploadPage(db, row, now);
    for (const { seq, hlc } of unwrittenClears(db, row.id))
      insertSend(
        db,
        { account: row.account, namespaceId: row.id },
        {
          incarnation,
          n: nextNumber(),
          now,
          bucket: null,
          body: null,
          cleared_before: hlc,
          seqs: [seq],
        },
      );
    writePending(replica);
    return more || unwritten(db, row.id, 1).length > 0;
  }

  function mergeOne(db: WriteDb, namespaceId: number, entry: Entry): void {
    const row = findSynced(db, namespaceId);
    if (!row) return;
    const isFirst = row.first_head !== null && entry.seq <= row.first_head;
    const { replica } = stepIn(db, row, { device: entry.device, isFirst });
    replica.unmerged = unmergedOf(namespaceId);
    // Only a clock that is wrong stamps so; its own relay refuses it, too.
    if (entry.at > clock.now() + 24 * 3_600_000 + LONGEST_AHEAD)
      log.warn({ device: entry.device, at: entry.at }, 'an entry is stamped far in the future');
    const at = { account: row.account, namespaceId };
    // It came into the log, though the ack was lost.
    const isHere = entry.device === device();
    const wasWaiting = isHere && settleSend(db, at, entry) !== undefined;
    // Also what this device wrote itself: before a backup of it was restored.
    hear(db, hlcOf(entry.at + 1) - 1);
    if (entry.kind === 'clear') return mergeClear(replica, fromStamp(entry.clearedBefore));
    if (entry.enc) throw new Error('the entry is encrypted, and this version has no keys');
    if (entry.bucket >= BUCKETS) throw new Error(`there is no bucket ${entry.bucket}`);
    // Read again from the start: the document began with it.
    if (entry.epoch < row.epoch) return;
    // What this run wrote is in its documents already.
    const isOwn = isHere && entry.incarnation === incarnation && !replaced.has(entry.n);
    if ((isOwn || wasWaiting) && row.rebuild === 0) return;
    // Of those that stood before it some are gone: alone it would say that two had not seen each other.
    if (hasBase(db, namespaceId, entry)) return;
    mergeUpdate(replica, entry.bucket, entry.body);
    gaps.note(namespaceId, entry.bucket, replica.documents.at(entry.bucket).hasGap());
  }

  /** Merges what this device wrote in a namespace as the entries before left it: they may have cleared it. */
  function mergeOwnIn(db: WriteDb, namespaceId: number, isAtEnd: boolean): boolean {
    const row = findSynced(db, namespaceId);
    return row !== undefined && mergeOwn(stepIn(db, row, {}).replica, unmergedOf(namespaceId), { isAtEnd });
  }

  /** An entry alone: what cannot be read is put aside, so that it holds nothing back. */
  function mergeAlone(namespaceId: number, entry: Entry): void {
    try {
      step(namespaceId, ({ db }) => mergeOne(db, namespaceId, entry));
    } catch (cause) {
      const body = entry.kind === 'update' ? entry.body : new Uint8Array();
      putAside(namespaceId, { seq: entry.seq, device: entry.device, body }, cause);
    }
  }

  function putAside(
    namespaceId: number,
    what: { seq: number; device: string; body: Uint8Array },
    cause: unknown,
  ): void {
    // The disk's failure is not the entry's.
    if (cause instanceof Problem) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    log.warn({ err: cause, seq: what.seq, device: what.device }, 'an entry of the relay is put aside');
    step(namespaceId, ({ db, row: { account } }) =>
      insertQuarantined(db, { account, namespaceId }, { ...what, reason, now: clock.now() }),
    );
  }

  return {
    incarnation,
    write(ready) {
      let more = false;
      for (const row of store.read(listSynced))
        more = (step(row.id, (at) => writeOne(at, ready(row)), { limit: SLICE }) ?? false) || more;
      return more;
    },
    merge(namespaceId, entries, { hash, head }) {
      const last = entries.at(-1);
      const place = hash && last ? { cursor: last.seq, hash } : {};
      const isAtEnd = last !== undefined && last.seq >= head;
      try {
        return (
          step(namespaceId, ({ db, row }) => {
            // What was read before is read again after a lost connection.
            for (const entry of entries) if (entry.seq > row.cursor) mergeOne(db, namespaceId, entry);
            saveSyncedRow(db, namespaceId, { head, ...(last && last.seq > row.cursor && place) });
            return mergeOwnIn(db, namespaceId, isAtEnd);
          }) ?? false
        );
      } catch (cause) {
        if (cause instanceof Problem) throw cause;
        const { cursor = 0 } = store.read((db) => findSynced(db, namespaceId)) ?? {};
        for (const entry of entries) if (entry.seq > cursor) mergeAlone(namespaceId, entry);
        return (
          step(namespaceId, ({ db }) => {
            saveSyncedRow(db, namespaceId, { head, ...(last && last.seq > cursor && place) });
            return mergeOwnIn(db, namespaceId, isAtEnd);
          }) ?? false
        );
      }
    },
    settle(namespaceId, of) {
      step(namespaceId, ({ db, row: { account } }) => {
        for (const name of of) hear(db, settleSend(db, { account, namespaceId }, name) ?? 0);
      });
    },
    resend: (namespaceId, epoch) => step(namespaceId, (at) => resend(at, epoch)),
    sayAll(namespaceId) {
      const before = number;
      const isSaid = step(namespaceId, sayAll) ?? false;
      return isSaid ? Array.from({ length: number - before }, (_, index) => before + 1 + index) : undefined;
    },
    standingOf(namespaceId, numbers) {
      if (numbers.some((n) => replaced.has(n))) return 'replaced';
      const waits = (n: number) => store.read((db) => findSend(db, namespaceId, { incarnation, n }));
      return numbers.some((n) => waits(n) !== undefined) ? 'waiting' : 'said';
    },
    enter: (namespaceId, epoch) => step(namespaceId, (at) => enterSlice(at, epoch)) ?? GONE,
    keepBase(namespaceId, { bucket, epoch, covers, body }) {
      try {
        checkUpdate(body);
        step(namespaceId, ({ db, row, replica }) => {
          const base = { bucket, epoch, covers, body };
          if (epoch > row.epoch) insertBase(db, { account: row.account, namespaceId }, base);
          // In the middle of an epoch it is an update like any other.
          else if (epoch === row.epoch && row.entering === null) mergeUpdate(replica, bucket, body);
        });
      } catch (cause) {
        putAside(namespaceId, { seq: covers, device: 'snapshot', body }, cause);
      }
    },
    stampAnew(refused) {
      const ahead = { now: time.now(), sendId: refused?.sendId ?? null };
      const groups = store.read((db) => aheadByNamespace(db, ahead));
      // Where documents are on their way, all of it waits: what is written meanwhile must come after it.
      for (const id of groups.keys()) {
        const row = store.read((db) => findSynced(db, id));
        if (row && (row.rebuild === 1 || row.entering !== null)) return 0;
      }
      store.writeRepeatable((db) => mendClock(db, ahead));
      for (const [namespaceId, operations] of groups)
        step(namespaceId, (at) => stampNamespace(at, { operations, ahead }));
      return [...groups.values()].reduce((sum, { length }) => sum + length, 0);
    },
    rebuild(namespaceId) {
      const done = step(namespaceId, (at) => ({ memories: rebuild(at), differed: at.changed() }));
      saidBefore.delete(namespaceId);
      return { memories: done?.memories ?? 0, differed: done?.differed ?? 0 };
    },
    readAnew: (namespaceId) => step(namespaceId, (at) => leave(at, { whole: false })),
    tidy: (namespaceId, most = MOST_UPDATES) => step(namespaceId, (at) => tidyOne(at, most)),
    rest() {
      for (const [id, { usedAt }] of open) if (clock.now() - usedAt > IDLE) open.delete(id);
    },
    forget,
    inspect: gaps.inspect,
    gaps: gaps.list,
  };
}
