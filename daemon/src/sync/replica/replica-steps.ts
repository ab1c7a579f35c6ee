import {
  type Base,
  enterEpoch,
  fold,
  isApart,
  leaveDocuments,
  placeBegun,
  returnToDocuments,
  sayConfirmed,
  sendWhole,
} from '@reverie/shared/document/epochs';
import { hlcOf } from '@reverie/shared/document/clock';
import { isPresentBetween } from '@reverie/shared/protocol/epoch-number';
import { bucketOf, BUCKETS, type Content, slotName, slotText } from '@reverie/shared/document/register';
import { placeAll, type Replica, rowsOf, writePending } from '@reverie/shared/document/replica';
import type { WriteDb } from '../../db/open-store.ts';
import { deleteRedaction, dropBases, listBases, longBuckets, nextRedaction } from './documents.store.ts';
import { findSynced, saveSyncedRow, type SyncedRow, wasSaid } from '../namespaces/namespaces.store.ts';
import { memoriesToUpload, uploadPage } from './outbox.ts';
import { insertOperation } from './outbox.store.ts';
import { insertSend, isClearWaiting } from './sends.store.ts';

/** What a step on one namespace works with, within the transaction under way. */
export interface ReplicaWork {
  db: WriteDb;
  row: SyncedRow;
  replica: Replica;
  /** By the relay's clock, as far as it is known. */
  now: number;
  nextNumber: () => number;
  /** Whether the log said of a key once what is here. */
  saidOnce: (key: string) => boolean;
  /** Puts a memory into the trash of this device, and tells nobody. */
  putAway: (key: string, content: Content) => void;
  /** Rows that changed in this step. */
  changed: () => number;
  /** Its documents are opened anew, under an id that was never used. */
  reopen: () => void;
}

/** Buckets that begin an epoch in one transaction: each takes up to 100 ms at 100,000 memories. */
const ENTERED_AT_ONCE = 2;

/** How far one slice of beginning an epoch came. `anew`: the log has to be read from its start first. */
export interface Entering {
  is: 'more' | 'done' | 'anew';
  /** The documents that buckets begin with. */
  begun: readonly { bucket: number; body: Uint8Array }[];
}

/** Begins an epoch, a few buckets at a time. */
export function enterSlice(step: ReplicaWork, epoch: number): Entering {
  const { db, row, replica } = step;
  if (row.entering === null && !isApart(replica)) {
    leave(step, { whole: false });
    return { is: 'anew', begun: [] };
  }
  const to = row.entering ?? epoch;
  const bases = new Map<number, Base & { bucket: number }>();
  for (const base of listBases(db, row.id, { above: row.epoch, upTo: to })) bases.set(base.bucket, base);
  const filled = new Set([...replica.tables.buckets(), ...bases.keys()]);
  const begun: { bucket: number; body: Uint8Array }[] = [];
  let bucket = row.entered;
  for (; bucket < BUCKETS && begun.length < ENTERED_AT_ONCE; bucket += 1)
    if (filled.has(bucket)) {
      const body = enterEpoch(replica, bucket, { epoch: to, from: row.epoch, base: bases.get(bucket) });
      begun.push({ bucket, body });
    }
  if (row.entered < BUCKETS) {
    saveSyncedRow(db, row.id, { entering: to, entered: bucket });
    return { is: 'more', begun };
  }
  const placed = bases.values().next().value;
  if (placed) {
    placeBegun(replica, placed.bucket);
    dropBases(db, row.id, { bucket: placed.bucket, upTo: to });
    return { is: 'more', begun };
  }
  if (isPresentBetween(row.epoch, to) && row.entered < 2 * BUCKETS) {
    const waits = (of: number) => replica.tables.waiting(of).length > 0;
    let next = row.entered - BUCKETS;
    while (next < BUCKETS && !waits(next)) next += 1;
    if (next < BUCKETS) placeBegun(replica, next);
    saveSyncedRow(db, row.id, { entered: BUCKETS + Math.min(next + 1, BUCKETS) });
    return { is: 'more', begun };
  }
  saveSyncedRow(db, row.id, { epoch: to, entering: null, entered: 0 });
  return { is: 'done', begun };
}

/** Empties the documents; the log is read from its start, and rows are made at its end. */
export function leave(
  { db, row, replica, reopen }: ReplicaWork,
  how: { whole: boolean; present?: boolean },
): void {
  leaveDocuments(replica, how);
  dropBases(db, row.id);
  saveSyncedRow(db, row.id, {
    cursor: 0,
    hash: new Uint8Array(),
    epoch: 0,
    entering: null,
    entered: 0,
    cleared_in_log: 0,
    rebuild: 1,
  });
  reopen();
}

/** Sends again what a relay with another history, at that epoch, may have lost. */
export function resend(step: ReplicaWork, epoch: number): void {
  const { row, replica } = step;
  if (row.role === 'viewer') {
    // It has nothing to say, and what it holds may never have been said again.
    if (row.epoch !== epoch || row.entering !== null) leave(step, { whole: false });
    return;
  }
  if (row.rebuild === 1 || row.entering !== null || row.epoch !== epoch)
    leave(step, { whole: true, present: isPresentBetween(row.epoch, epoch) });
  else sendWhole(replica);
  sayClear(step);
}

/** Says again what was cleared, unless that waits to be said. */
function sayClear({ db, row, replica, now, nextNumber }: ReplicaWork): void {
  const hlc = row.cleared_before;
  if (hlc > 0 && !isClearWaiting(db, row.id, hlc))
    insertSend(
      db,
      { account: row.account, namespaceId: row.id },
      {
        incarnation: replica.writer.incarnation,
        n: nextNumber(),
        now,
        bucket: null,
        body: null,
        cleared_before: hlc,
        seqs: [],
      },
    );
}

/** Says again all that the log said in this epoch; not while the documents are on their way, or not written to yet. */
export function sayAll(step: ReplicaWork): boolean {
  const { row, replica } = step;
  if (row.entering !== null || row.rebuild === 1 || row.upload_after !== null) return false;
  sayClear(step);
  sayConfirmed(replica);
  return true;
}

/**
 * Adds to what a room says what is here and says something else. Where the room said that once and says something newer now, this device is
 * only behind, and so where it said all that was here (`known_until`) and what was here was not changed since; where what the room says stands in the history here, this device had it and wrote over it. Everything else nobody has seen
 * beside the other: both stay, and the older one is a conflict. What the room said all of and says no more was deleted there, and goes into the
 * trash here, unless it has another key there by now. The log must have been read.
 */
function bringAlong(step: ReplicaWork): void {
  const { db, row, replica, now } = step;
  if (row.upload_after === null) return;
  const { tables, documents, writer } = replica;
  const brought = new Map<number, [slot: string, text: string][]>();
  // Of what was never in the room there is nothing that can have another key there.
  const there = row.known_until > 0 ? rowsOf(replica) : [];
  const renamed = new Map([...there].map(([{ content }]) => [content.was, content.created_at]));
  for (const { id, key, hlc, content } of memoriesToUpload(db, row, now)) {
    const bucket = bucketOf(key);
    const [winner] = documents.at(bucket).versions(key, row.cleared_before);
    if (winner && saysTheSame(winner.content, content)) continue;
    // What was only put away here asks nobody about what others go on with.
    if (winner && content.trashed !== undefined && winner.content.trashed === undefined) continue;
    if (winner && winner.hlc > hlc && step.saidOnce(key)) continue;
    // What is brought along is stamped after a clear, and so may what the room says be.
    const at = changedAt(content);
    if (!winner && at < row.known_until) {
      const isElsewhere = renamed.get(key) === content.created_at;
      if (!isElsewhere && content.trashed === undefined) step.putAway(key, content);
      continue;
    }
    if (winner && at < row.known_until && winner.hlc > hlcOf(at)) continue;
    if (winner && winner.hlc <= hlc && wasSaid(db, id, winner.content)) {
      insertOperation(db, {
        account: row.account,
        namespaceId: row.id,
        kind: 'set',
        key,
        content,
        hlc,
        now,
      });
      continue;
    }
    const slots = brought.get(bucket) ?? [];
    slots.push([slotName(key, writer), slotText(hlc, content)]);
    brought.set(bucket, slots);
  }
  for (const [bucket, add] of brought)
    tables.replaceWaiting(bucket, [
      ...tables.waiting(bucket),
      { body: undefined, patch: { add, remove: [] } },
    ]);
  saveSyncedRow(db, row.id, { upload_after: null, upload_done: row.upload_total });
}

/** When a memory was written, put into the trash or archived last, ms since 1970. */
const changedAt = ({ updated_at, trashed = 0, archived = 0 }: Content) =>
  Math.max(updated_at, trashed, archived);

function saysTheSame(one: Content, other: Content): boolean {
  const told = ({ value, metadata, expires_at, trashed, archived, behind }: Content) =>
    JSON.stringify([value, metadata, expires_at, trashed !== undefined, archived !== undefined, behind]);
  return told(one) === told(other);
}

/** Makes the rows of a namespace anew; not while its documents are on their way. */
export function rebuild(step: ReplicaWork): number | undefined {
  const { db, row, replica, now } = step;
  if (row.entering !== null) return undefined;
  if (row.rebuild === 1) {
    if (row.head === null || row.cursor < row.head) return undefined;
    bringAlong(step);
    return returnToDocuments(replica, () => saveSyncedRow(db, row.id, { rebuild: 0 }));
  }
  // What waits to be uploaded is in no document yet, and must not be taken for deleted.
  for (let at = row; uploadPage(db, at, now);) at = findSynced(db, row.id) ?? row;
  writePending(replica);
  return placeAll(replica);
}

/** Writes the bytes of a bucket anew, the first one that needs it; answers whether it was for something deleted, or none did. */
export function tidyOne(
  { db, row, replica }: ReplicaWork,
  most: number,
): 'redacted' | 'shortened' | undefined {
  if (row.rebuild === 1 || row.entering !== null) return undefined;
  const deleted = nextRedaction(db, row.id);
  if (deleted !== undefined) {
    writePending(replica);
    fold(replica, deleted);
    deleteRedaction(db, row.id, deleted);
    return 'redacted';
  }
  const [long] = longBuckets(db, row.id, most);
  if (long === undefined) return undefined;
  const { tables, documents } = replica;
  const document =
    tables.waiting(long).length === 0 ? documents.at(long) : documents.aside(tables.confirmed(long));
  document.forget(row.cleared_in_log);
  tables.replaceConfirmed(long, document.state());
  return 'shortened';
}
