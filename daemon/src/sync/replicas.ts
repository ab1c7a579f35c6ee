import { randomInt, randomUUID } from 'node:crypto';
import { fromStamp, LONGEST_AHEAD } from '@reverie/shared/document/clock';
import { createDocuments, type Documents } from '@reverie/shared/document/documents';
import { BUCKETS, type Writer } from '@reverie/shared/document/register';
import { mergeClear, mergeUpdate, rowsOf, writePending } from '@reverie/shared/document/replica';
import { Problem } from '@reverie/shared/contract/problems';
import type { Entry } from '@reverie/shared/protocol/messages';
import type { Store, WriteDb } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import {
  filledBuckets,
  insertQuarantined,
  loadUpdates,
  longBuckets,
  replaceUpdates,
} from './documents.store.ts';
import { findSynced, listSynced, saveSyncedRow, type SyncedRow } from './namespaces.store.ts';
import { uploadPage } from './outbox.ts';
import { insertSend, unwritten, unwrittenClears } from './outbox.store.ts';
import type { SyncedMemories } from './ports.ts';
import { shelfOf, type ShelfDeps } from './shelf.ts';

/** Operations that are written into documents in one transaction, so that no request waits long. */
const SLICE = 500;
/** Documents of a namespace that nothing touched for so long leave the memory, ms. */
const IDLE = 20_000;
/** Updates of a bucket that are kept before the whole of it takes their place. */
const MOST_UPDATES = 100;
const MOST_BODY = 7 * 1024 * 1024;

/** The documents of all namespaces, and the steps that change them: each is one transaction. */
export interface Replicas {
  /** Random, new at each start: numbers of entries are unique within it. */
  readonly incarnation: string;
  /** Puts waiting memories and operations into documents and entries; answers whether there is more to do. */
  write(ready: (row: SyncedRow) => boolean): boolean;
  /** Merges entries of a room's log, in order, and saves the place of the last one. */
  merge(namespaceId: number, entries: readonly Entry[], at: { hash: Uint8Array; head: number }): void;
  /** Sends whole documents again: the relay has lost some of what it confirmed. */
  resend(namespaceId: number): void;
  /** Makes the rows of a namespace anew; answers how many there are, and how many differed. */
  rebuild(namespaceId: number): { memories: number; differed: number };
  /** Puts whole buckets in the place of many updates, and takes what was deleted off the disk. */
  compact(): void;
  /** Drops the documents of a namespace from memory. */
  forget(namespaceId: number): void;
  /** Buckets whose updates wait for one that is missing. */
  gaps(): { namespaceId: number; since: number }[];
  isApplying(): boolean;
}

export interface ReplicasDeps {
  store: Store;
  clock: Clock;
  log: Log;
  memories: SyncedMemories;
  device: () => string;
  nameOf: (device: string) => string | null;
}

export function createReplicas({ store, clock, log, memories, device, nameOf }: ReplicasDeps): Replicas {
  const incarnation = randomUUID();
  // One for this run, and never stored: a restored backup would use its numbers twice.
  const clientId = randomInt(1, 2 ** 32 - 1);
  const open = new Map<number, { documents: Documents; usedAt: number }>();
  const gaps = new Map<string, { namespaceId: number; since: number }>();
  let number = 0;
  let applying = false;

  function documentsOf(namespaceId: number): Documents {
    const found = open.get(namespaceId);
    if (found) {
      found.usedAt = clock.now();
      return found.documents;
    }
    const load = (bucket: number) => store.read((db) => loadUpdates(db, namespaceId, bucket));
    // All of them: a first upload writes into each again and again, and opening one takes up to 16 ms.
    const made = createDocuments({ clientId, load, keep: BUCKETS });
    open.set(namespaceId, { documents: made, usedAt: clock.now() });
    return made;
  }

  function depsOf(namespaceId: number): ShelfDeps & { writer: Writer } {
    return {
      memories,
      documents: documentsOf(namespaceId),
      writer: { device: device(), incarnation },
      nextNumber: () => (number += 1),
      now: () => clock.now(),
      nameOf,
    };
  }

  /** One transaction; when it fails, memory must not be ahead of the disk. */
  function step<T>(namespaceId: number, run: (db: WriteDb, row: SyncedRow) => T): T | undefined {
    applying = true;
    try {
      // Not waiting for the disk: after a power cut the outbox and the relay still have all of it.
      return store.writeRepeatable((db) => {
        const row = findSynced(db, namespaceId);
        return (row ? run(db, row) : undefined) as never;
      });
    } catch (cause) {
      documentsOf(namespaceId).discard();
      throw cause;
    } finally {
      applying = false;
    }
  }

  function writeOne(namespaceId: number, isReady: boolean): boolean {
    return (
      step(namespaceId, (db, row) => {
        const more = isReady && uploadPage(db, row, clock.now());
        const deps = depsOf(namespaceId);
        for (const { seq, hlc } of unwrittenClears(db, namespaceId))
          insertSend(
            db,
            { account: row.account, namespaceId },
            {
              ...{ incarnation, n: deps.nextNumber(), at: clock.now() },
              ...{ bucket: null, body: null, cleared_before: hlc, seqs: [seq] },
            },
          );
        const { writer, documents } = deps;
        writePending({ shelf: shelfOf(db, deps, { row, limit: SLICE }), documents, writer });
        return more || unwritten(db, namespaceId, 1).length > 0;
      }) ?? false
    );
  }

  function mergeOne(db: WriteDb, row: SyncedRow, entry: Entry): void {
    const deps = depsOf(row.id);
    const { documents, writer } = deps;
    // Only a clock that is wrong stamps so; its own relay refuses it, too.
    if (entry.at > clock.now() + 24 * 3_600_000 + LONGEST_AHEAD)
      log.warn({ device: entry.device, at: entry.at }, 'an entry is stamped far in the future');
    const isFirst = row.first_head !== null && entry.seq <= row.first_head;
    const shelf = shelfOf(db, deps, { row, device: entry.device, isFirst });
    if (entry.kind === 'clear')
      return mergeClear({ shelf, documents, writer }, fromStamp(entry.clearedBefore));
    if (entry.enc) throw new Error('the entry is encrypted, and this version has no keys');
    // What this run wrote is in its documents already.
    if (entry.incarnation === incarnation && row.rebuild === 0) return;
    mergeUpdate({ shelf, documents, writer }, entry.bucket, entry.body);
    const name = `${row.id} ${entry.bucket}`;
    if (!documents.at(entry.bucket).hasGap()) gaps.delete(name);
    else if (!gaps.has(name)) gaps.set(name, { namespaceId: row.id, since: clock.now() });
  }

  /** An entry alone: what cannot be read is put aside, so that it holds nothing back. */
  function mergeAlone(namespaceId: number, entry: Entry): void {
    try {
      step(namespaceId, (db, row) => {
        mergeOne(db, row, entry);
        if (entry.seq > row.cursor) saveSyncedRow(db, namespaceId, { cursor: entry.seq });
      });
    } catch (cause) {
      // The disk's failure is not the entry's.
      if (cause instanceof Problem) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      log.warn({ err: cause, seq: entry.seq, device: entry.device }, 'an entry of the relay is put aside');
      const body = entry.kind === 'update' ? entry.body : new Uint8Array();
      const { seq } = entry;
      step(namespaceId, (db, { account, cursor }) => {
        insertQuarantined(
          db,
          { account, namespaceId },
          { seq, device: entry.device, reason, body, now: clock.now() },
        );
        if (seq > cursor) saveSyncedRow(db, namespaceId, { cursor: seq });
      });
    }
  }

  return {
    incarnation,
    isApplying: () => applying,
    write(ready) {
      let more = false;
      for (const row of store.read(listSynced)) more = writeOne(row.id, ready(row)) || more;
      return more;
    },
    merge(namespaceId, entries, { hash, head }) {
      const last = entries.at(-1);
      try {
        step(namespaceId, (db, row) => {
          // What was read before is read again after a lost connection.
          for (const entry of entries)
            if (entry.seq === 0 || entry.seq > row.cursor)
              mergeOne(db, findSynced(db, namespaceId) ?? row, entry);
          // A snapshot has no place in the log.
          const place = last && last.seq > row.cursor ? { cursor: last.seq, hash } : {};
          saveSyncedRow(db, namespaceId, { head, ...place });
        });
      } catch (cause) {
        if (cause instanceof Problem) throw cause;
        for (const entry of entries) mergeAlone(namespaceId, entry);
        step(namespaceId, (db) => saveSyncedRow(db, namespaceId, { hash, head }));
      }
    },
    resend(namespaceId) {
      step(namespaceId, (db, row) => {
        if (row.role === 'viewer') return;
        const deps = depsOf(namespaceId);
        const { documents, writer } = deps;
        writePending({ shelf: shelfOf(db, deps, { row }), documents, writer });
        const send = (content: {
          bucket: number | null;
          body: Uint8Array | null;
          cleared_before: number | null;
        }) =>
          insertSend(
            db,
            { account: row.account, namespaceId },
            { incarnation, n: deps.nextNumber(), at: clock.now(), ...content, seqs: [] },
          );
        for (const bucket of filledBuckets(db, namespaceId)) {
          const body = documents.at(bucket).state();
          if (body.length <= MOST_BODY) send({ bucket, body, cleared_before: null });
          else log.error({ bucket, bytes: body.length }, 'a bucket is too large to be sent again');
        }
        if (row.cleared_before > 0) send({ bucket: null, body: null, cleared_before: row.cleared_before });
      });
    },
    rebuild(namespaceId) {
      const done = step(namespaceId, (db, row) => {
        const deps = depsOf(namespaceId);
        const { documents, writer } = deps;
        // What waits to be uploaded is in no document yet, and must not be taken for deleted.
        for (let now = row; uploadPage(db, now, clock.now());) now = findSynced(db, namespaceId) ?? row;
        const shelf = shelfOf(db, deps, { row });
        writePending({ shelf, documents, writer });
        const kept = new Set<string>();
        for (const [winner, ...losers] of rowsOf({ shelf, documents })) {
          kept.add(winner.key);
          shelf.place(winner.key, winner, losers);
        }
        for (const key of shelf.keys()) if (!kept.has(key)) shelf.place(key, undefined, []);
        saveSyncedRow(db, namespaceId, { rebuild: 0 });
        return { memories: kept.size, differed: shelf.changed() };
      });
      return done ?? { memories: 0, differed: 0 };
    },
    compact() {
      for (const [id, { usedAt }] of open) if (clock.now() - usedAt > IDLE) open.delete(id);
      for (const { id } of store.read(listSynced))
        for (const bucket of store.read((db) => longBuckets(db, id, MOST_UPDATES)))
          step(id, (db, row) => {
            const document = documentsOf(id).at(bucket);
            document.forget(row.cleared_before);
            replaceUpdates(db, { account: row.account, namespaceId: id, bucket }, document.state());
          });
    },
    forget(namespaceId) {
      open.delete(namespaceId);
      for (const [name, gap] of gaps) if (gap.namespaceId === namespaceId) gaps.delete(name);
    },
    gaps: () => [...gaps.values()],
  };
}
