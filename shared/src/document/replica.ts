import { byBucket, type Documents, writeOperations } from './documents.ts';
import { type Operation, type Version, type Writer, BUCKETS } from './register.ts';

/**
 * What one namespace keeps of itself, in the transaction under way. The daemon's stands in SQLite; the
 * property test's in memory.
 */
export interface ReplicaShelf {
  /** What is at or below it is gone. */
  clearedBefore(): number;
  saveClearedBefore(hlc: number): void;
  /** Operations that are in no document yet, in order. */
  unwritten(): readonly (Operation & { seq: number })[];
  /** Keeps an update to be sent, which says what these operations did, and keeps it for the document. */
  saveOwn(bucket: number, update: Uint8Array | undefined, seqs: readonly number[]): void;
  /** Keeps an update of another device for the document. */
  saveTheirs(bucket: number, update: Uint8Array): void;
  /** Makes the row what the documents say: the newest version, or none. `losers` lost against it. */
  place(key: string, winner: Version | undefined, losers: readonly Version[]): void;
  /** Keys of all rows. */
  keys(): Iterable<string>;
  /** Every row goes; `hlc` is the clear that says so. */
  clear(): void;
}

export interface Replica {
  shelf: ReplicaShelf;
  documents: Documents;
  writer: Writer;
}

/** Writes what waits in the outbox into its documents. */
export function writePending({ shelf, documents, writer }: Replica): void {
  const clearedBefore = shelf.clearedBefore();
  for (const [bucket, operations] of byBucket(shelf.unwritten())) {
    const update = writeOperations(documents.at(bucket), operations, { writer, clearedBefore });
    shelf.saveOwn(
      bucket,
      update,
      operations.map(({ seq }) => seq),
    );
  }
}

/**
 * Merges an update of the log into its document and the rows. What was written here meanwhile goes into the
 * document first: it was written without having seen this update, and must not take it out.
 */
export function mergeUpdate(replica: Replica, bucket: number, update: Uint8Array): void {
  const { shelf, documents } = replica;
  writePending(replica);
  const document = documents.at(bucket);
  const changed = document.merge(update);
  shelf.saveTheirs(bucket, update);
  const clearedBefore = shelf.clearedBefore();
  for (const key of changed) {
    const [winner, ...losers] = document.versions(key, clearedBefore);
    shelf.place(key, winner, losers);
  }
}

/** Takes over a clear of another device; what was written after it stays. */
export function mergeClear(replica: Replica, hlc: number): void {
  const { shelf, documents } = replica;
  if (hlc <= shelf.clearedBefore()) return;
  writePending(replica);
  shelf.saveClearedBefore(hlc);
  const survivors: Version[][] = [];
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const document = documents.at(bucket);
    for (const key of document.keys()) {
      const versions = document.versions(key, hlc);
      if (versions.length > 0) survivors.push(versions);
    }
  }
  if (survivors.length === 0) return shelf.clear();
  const kept = new Set(survivors.map(([winner]) => winner?.key));
  for (const key of [...shelf.keys()]) if (!kept.has(key)) shelf.place(key, undefined, []);
  for (const [winner, ...losers] of survivors) if (winner) shelf.place(winner.key, winner, losers);
}

/** Every memory as the documents say, with the versions that lost. */
export function* rowsOf({
  shelf,
  documents,
}: Pick<Replica, 'shelf' | 'documents'>): Generator<[winner: Version, ...losers: Version[]]> {
  const clearedBefore = shelf.clearedBefore();
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const document = documents.at(bucket);
    for (const key of document.keys()) {
      const [winner, ...losers] = document.versions(key, clearedBefore);
      if (winner) yield [winner, ...losers];
    }
  }
}
