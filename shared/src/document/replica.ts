import { type BucketDocument, refuseMany } from './bucket-document.ts';
import { byBucket, type Documents, writeOperations } from './documents.ts';
import type { Patch } from './patch.ts';
import { goesBackTo, type Mark } from './lineage.ts';
import {
  bucketOf,
  type Content,
  descentOf,
  isSameContent,
  type Operation,
  type Version,
  type VersionName,
  type Writer,
  BUCKETS,
} from './register.ts';
import { SETTLED } from './settled.ts';
import type { Said } from './three-way.ts';
import { MOST_BODY, splitUpdate } from './split-update.ts';

/** An entry of a bucket that the relay has not confirmed. */
export interface WaitingEntry {
  /** The update; undefined while the log is read anew, for there is no document yet that it could belong to. */
  body: Uint8Array | undefined;
  /** What the entry says, slot by slot; there only if the confirmed updates hold that already, or if nothing else is left of the entry. */
  patch?: Patch | undefined;
}

/**
 * What one namespace keeps of itself, in the transaction under way. The daemon's stands in SQLite; the
 * property test's in memory.
 */
export interface ReplicaTables {
  /** What is at or below it is gone. */
  clearedBefore(): number;
  saveClearedBefore(hlc: number): void;
  /** Operations that are in no document yet, in order. */
  unwritten(): readonly (Operation & { seq: number })[];
  /** Keeps an update to be sent, which says what these operations did; it is part of the document from now on. */
  saveOwn(bucket: number, update: Uint8Array | undefined, seqs: readonly number[]): void;
  /** Keeps an update of the log for the document. */
  saveTheirs(bucket: number, update: Uint8Array): void;
  /** Buckets that hold anything. */
  buckets(): readonly number[];
  /** What the log said of a bucket, in order: without what waits to be confirmed. */
  confirmed(bucket: number): readonly Uint8Array[];
  /** Puts one update, or none, in the place of what the log said. */
  replaceConfirmed(bucket: number, update: Uint8Array | undefined): void;
  /** What waits to be confirmed of a bucket, in order. */
  waiting(bucket: number): readonly WaitingEntry[];
  /** Puts other entries in the place of those that wait; the operations go with the last one, and are done where there is none. */
  replaceWaiting(bucket: number, entries: readonly WaitingEntry[]): void;
  /** The newest clear that was read in the log. */
  clearedInLog(): number;
  saveClearedInLog(hlc: number): void;
  /** A stamp of the log was seen: what is written next is stamped later. */
  hear(hlc: number): void;
  /** Whether a clear of this device waits to be confirmed. */
  isClearWaiting(): boolean;
  /** What was deleted still stands in the bytes of a bucket: they are written anew soon. */
  forgetSoon(bucket: number): void;
  /**
   * Whether the log is being read from its start into empty documents: until it was read to its end no row
   * changes and nothing is written.
   */
  isAnew(): boolean;
  /** Whether an epoch of the log began with what there was alone: what went into the trash before stays where it is. */
  isShared(): boolean;
  /** While the log is read anew: it said this once. */
  saidOnce?(version: Version): void;
  /** Another device deleted these versions of a memory: nothing of them is kept. The row is placed after it. */
  forget(versions: readonly Version[]): void;
  /** Somebody decided about these versions: they are no conflicts here any more. */
  settle(versions: readonly VersionName[]): void;
  /**
   * Makes the row what the documents say: the newest version, or none. `losers` lost against it, and nobody decided about them; what lost
   * before and says the same as it is dropped.
   */
  place(key: string, winner: Version | undefined, losers: readonly Version[]): void;
  /** Drops the versions that lost at a key and that what stands there by now goes back to. */
  dropOutgrown(key: string, isOutgrown: (mark: Mark) => boolean): void;
  /** The memory of a key goes on at another one: what lost against it is kept there. */
  goesOnAt(from: string, to: string): void;
  /** Keys of other memories that were made then, ms since 1970, and had this key once, or one that the memory of this key had. */
  namesakes(key: string, created_at: number): readonly string[];
  /** What the row of a key says; undefined where there is none, or none of it may be in the documents yet. */
  said(key: string): Content | undefined;
  /** Keys of all rows. */
  keys(): Iterable<string>;
  /** Every row goes; `hlc` is the clear that says so. */
  clear(): void;
  /** Whether what this device wrote may be merged with what others did: it may write, and its documents are whole. */
  mayMerge(): boolean;
  /** What a version of the memory at one of these keys said, as the history here has it; undefined where it has none, or several of that name. */
  textOf(keys: readonly string[], mark: Mark): Said | undefined;
  /** Notes an operation of this device itself, stamped now unless it has a stamp. */
  say(operation: Unstamped<Operation>): void;
  /** The time, ms since 1970. */
  now(): number;
}

type Unstamped<T> = T extends Operation ? Omit<T, 'hlc'> & { hlc?: number } : never;

export interface Replica {
  tables: ReplicaTables;
  documents: Documents;
  writer: Writer;
  /** Where it is noted what may be merged once all was read that there is; without it nothing is. */
  unmerged?: Unmerged | undefined;
}

/** What came in beside what this device wrote, and is not looked at yet. */
export interface Unmerged {
  /** Keys at which a version of this device lost. */
  lost: Set<string>;
  /** Keys that memories got, by the keys that they had. */
  renamed: Map<string, string>;
}

/** Writes what waits in the outbox into its documents; `isBlind`: it was noted while they were on their way. */
export function writePending({ tables, documents, writer }: Replica, { isBlind = false } = {}): void {
  if (tables.isAnew()) return;
  const clearedBefore = tables.clearedBefore();
  for (const run of runsOf(tables.unwritten()))
    for (const [bucket, operations] of byBucket(run)) {
      for (const group of apart(operations)) {
        const from = group.map((operation) => withFormer(operation, documents));
        const said = tables.isShared() ? withoutOwnTrash(from, documents.at(bucket)) : from;
        const update = writeOperations(documents.at(bucket), said, { writer, clearedBefore, isBlind });
        const seqs = group.map(({ seq }) => seq);
        const parts = update ? splitUpdate(update, MOST_BODY) : [];
        // They are done with the last part.
        for (const part of parts.slice(0, -1)) tables.saveOwn(bucket, part, []);
        tables.saveOwn(bucket, parts.at(-1), seqs);
      }
      if (operations.some(({ kind }) => kind !== 'set')) tables.forgetSoon(bucket);
    }
}

const isRenamed = (operation: Operation) => operation.kind === 'set' && operation.content.was !== undefined;

/** A renamed memory with what stands under the key that it had. */
function withFormer(operation: Operation, documents: Documents): Operation {
  if (operation.kind !== 'set' || operation.content.was === undefined) return operation;
  const { content } = operation;
  const former = documents.at(bucketOf(operation.content.was)).versions(operation.content.was, 0);
  const renamed = former.find((version) => isSameContent(version.content, content));
  return renamed ? { ...operation, renamed } : operation;
}

/** Operations in runs, each of which begins with a renamed memory: so that it is told before the deletion of its old key, and takes over its history. */
function runsOf<T extends Operation>(operations: readonly T[]): T[][] {
  const runs: T[][] = [];
  for (const operation of operations) {
    const run = runs.at(-1);
    if (!run || isRenamed(operation)) runs.push([operation]);
    else run.push(operation);
  }
  return runs;
}

/**
 * Operations without those on memories that end in the trash, where nobody else has them, or somebody wrote them again later. Another memory of
 * the same key, made at another time, is none of theirs.
 */
function withoutOwnTrash<T extends Operation>(operations: readonly T[], document: BucketDocument): T[] {
  const last = new Map(
    operations.flatMap((operation) => (operation.kind === 'set' ? [[nameOf(operation), operation]] : [])),
  );
  return operations.filter((operation) => {
    const end = operation.kind === 'set' ? last.get(nameOf(operation)) : undefined;
    if (end?.kind !== 'set' || end.content.trashed === undefined) return true;
    const there = document.versions(end.key, 0);
    return (
      there.some(({ content }) => content.created_at === end.content.created_at) &&
      there.every(({ hlc }) => hlc < end.hlc)
    );
  });
}

const nameOf = ({ key, content }: Extract<Operation, { kind: 'set' }>) => `${key}\0${content.created_at}`;

/**
 * Operations in groups that are told one after the other: where a key was deleted, or put into the trash, and written again, one update of
 * both would not say so; and where a renamed memory was written again, not what it was called.
 */
function apart<T extends Operation>(operations: readonly T[]): T[][] {
  const deletedAt = new Map<string, number>();
  for (const [index, operation] of operations.entries())
    if (operation.kind === 'delete' || (operation.kind === 'set' && operation.content.trashed !== undefined))
      deletedAt.set(operation.key, index);
  const isFirst = (operation: T, index: number) =>
    isRenamed(operation) || index <= (deletedAt.get(operation.key) ?? -1);
  const first = operations.filter((operation, index) => isFirst(operation, index));
  const then = operations.filter((operation, index) => !isFirst(operation, index));
  return [first, then].filter(({ length }) => length > 0);
}

/**
 * Makes the row of a memory what the documents say. Where it is newer than its row and the row's version is gone from them, somebody
 * deleted that one before: so it is deleted here. A version that nobody has seen and overwritten is no such one. Answers whether
 * the row may have been deleted.
 */
export function placeVersions(
  { tables, documents, writer, unmerged }: Replica,
  winner: Version,
  losers: readonly Version[],
): boolean {
  const row = tables.said(winner.key);
  const isAgain = row !== undefined && row.created_at < winner.content.created_at;
  if (isAgain && !losers.some(({ content }) => isSaid(content, row))) tables.place(winner.key, undefined, []);
  const document = documents.at(bucketOf(winner.key));
  const open = losers.filter((loser) => !document.isSettled(loser));
  // What this device wrote itself is looked at once all was read.
  const own = unmerged && tables.mayMerge() ? open.filter(({ device }) => device === writer.device) : [];
  if (own.length > 0) unmerged?.lost.add(winner.key);
  tables.place(
    winner.key,
    winner,
    open.filter((loser) => !own.includes(loser)),
  );
  dropOutgrown(tables, [winner, ...losers]);
  return isAgain;
}

/** Drops what lost at a key and its versions go back to. */
function dropOutgrown(tables: ReplicaTables, versions: readonly Version[]): void {
  const descents = versions.filter(({ origin }) => origin?.over?.length).map(descentOf);
  const [{ key } = { key: '' }] = versions;
  if (descents.length > 0)
    tables.dropOutgrown(key, (mark) => descents.some((descent) => goesBackTo(descent, mark)));
}

/** Takes out the row of a key that no version has any more; what lost there goes along where the memory has another key now. */
export function leaveKey({ tables, documents }: Replica, key: string): void {
  const row = tables.said(key);
  const [to] = row ? tables.namesakes(key, row.created_at) : [];
  if (to !== undefined) {
    tables.goesOnAt(key, to);
    dropOutgrown(tables, documents.at(bucketOf(to)).versions(to, tables.clearedBefore()));
  }
  tables.place(key, undefined, []);
}

const isSaid = (content: Content, row: Content) =>
  content.value === row.value &&
  content.created_at === row.created_at &&
  content.updated_at === row.updated_at;

/**
 * Merges an update of the log into its document and the rows. What was written here meanwhile goes into the
 * document first: it was written without having seen this update, and must not take it out.
 */
export function mergeUpdate(replica: Replica, bucket: number, update: Uint8Array): void {
  const { tables, documents } = replica;
  refuseMany(update);
  writePending(replica);
  const document = documents.at(bucket);
  const changed = document.merge(update);
  tables.saveTheirs(bucket, update);
  // It was merged before, and what it says may have been deleted since; of the whole log, read again, some was.
  if (changed.size === 0 || tables.isAnew()) tables.forgetSoon(bucket);
  const clearedBefore = tables.clearedBefore();
  if (tables.isAnew()) {
    for (const key of tables.saidOnce ? changed.keys() : [])
      for (const version of document.versions(key, clearedBefore)) tables.saidOnce?.(version);
    return;
  }
  // What is written before what is deleted: it may be the same memory under another key.
  const isDeletion = (key: string) => Number(document.versions(key, clearedBefore).length === 0);
  for (const [key, deleted] of [...changed].sort(([a], [b]) => isDeletion(a) - isDeletion(b))) {
    // A key in a wrong bucket is no memory: another device would find it in none.
    if (key === SETTLED || bucketOf(key) !== bucket) continue;
    const [winner, ...losers] = document.versions(key, clearedBefore);
    if (!winner) leaveKey(replica, key);
    if (deleted.length > 0) tables.forget(deleted);
    for (const { content } of winner ? [winner, ...losers] : [])
      if (content.was !== undefined) replica.unmerged?.renamed.set(content.was, key);
    const isDeleted = winner ? placeVersions(replica, winner, losers) : true;
    if (isDeleted || deleted.length > 0) tables.forgetSoon(bucket);
  }
  if (changed.has(SETTLED)) tables.settle(document.settled());
}

/** Takes over a clear of another device; what was written after it stays. */
export function mergeClear(replica: Replica, hlc: number): void {
  const { tables, documents } = replica;
  if (hlc > tables.clearedInLog()) tables.saveClearedInLog(hlc);
  if (hlc <= tables.clearedBefore()) return;
  writePending(replica);
  tables.saveClearedBefore(hlc);
  if (tables.isAnew()) return;
  for (const bucket of tables.buckets()) tables.forgetSoon(bucket);
  const survivors: Version[][] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const document = documents.at(bucket);
    for (const key of keysIn(document, bucket)) {
      const versions = document.versions(key, hlc);
      if (versions.length > 0) survivors.push(versions);
    }
  }
  if (survivors.length === 0) return tables.clear();
  const kept = new Set(survivors.map(([winner]) => winner?.key));
  for (const key of [...tables.keys()]) if (!kept.has(key)) tables.place(key, undefined, []);
  for (const [winner, ...losers] of survivors) if (winner) placeVersions(replica, winner, losers);
}

/** The keys of a bucket's document that belong there; what a faulty or hostile writer put elsewhere is no memory. */
function* keysIn(document: Pick<BucketDocument, 'keys'>, bucket: number): Generator<string> {
  for (const key of document.keys()) if (bucketOf(key) === bucket) yield key;
}

/** Every memory as the documents say, with the versions that lost. */
export function* rowsOf({
  tables,
  documents,
}: Pick<Replica, 'tables' | 'documents'>): Generator<[winner: Version, ...losers: Version[]]> {
  const clearedBefore = tables.clearedBefore();
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const document = documents.at(bucket);
    for (const key of keysIn(document, bucket)) {
      const [winner, ...losers] = document.versions(key, clearedBefore);
      if (winner) yield [winner, ...losers];
    }
  }
}

/** Makes every row what the documents say; answers how many memories there are, without those in the trash. */
export function placeAll(replica: Replica): number {
  const { tables, documents } = replica;
  const kept = new Set<string>();
  let shown = 0;
  for (const [winner, ...losers] of rowsOf({ tables, documents })) {
    kept.add(winner.key);
    placeVersions(replica, winner, losers);
    if (winner.content.trashed === undefined) shown += 1;
  }
  for (const key of [...tables.keys()]) if (!kept.has(key)) tables.place(key, undefined, []);
  for (const bucket of tables.buckets()) tables.settle(documents.at(bucket).settled());
  return shown;
}

/** Makes the rows of one bucket what its document says. */
export function placeBucket(replica: Replica, bucket: number): void {
  const { tables, documents } = replica;
  const document = documents.at(bucket);
  const clearedBefore = tables.clearedBefore();
  const kept = new Set<string>();
  for (const key of keysIn(document, bucket)) {
    const [winner, ...losers] = document.versions(key, clearedBefore);
    if (!winner) continue;
    kept.add(key);
    placeVersions(replica, winner, losers);
  }
  for (const key of [...tables.keys()])
    if (!kept.has(key) && bucketOf(key) === bucket) tables.place(key, undefined, []);
  tables.settle(document.settled());
}
