import { type BucketDocument, openBucket } from './bucket-document.ts';
import { bucketOf, type Operation, type Writer } from './register.ts';

/** The open buckets of one namespace: a few are kept, the others are opened when they are asked for. */
export interface Documents {
  at(bucket: number): BucketDocument;
  /** A document beside the open ones, of what is handed in. */
  aside(stored: readonly Uint8Array[]): BucketDocument;
  /** Drops one bucket from memory: what is stored of it is another document now. */
  close(bucket: number): void;
  /**
   * Drops what is in memory. To be called when what was written or merged did not come onto the disk, for
   * memory would be ahead of it.
   */
  discard(): void;
}

export interface DocumentsSource {
  clientId: number;
  /** Stored updates of a bucket, in order. */
  load: (bucket: number) => readonly Uint8Array[];
  /** Buckets that stay open. */
  keep?: number;
}

export function createDocuments({ clientId, load, keep = 16 }: DocumentsSource): Documents {
  const open = new Map<number, BucketDocument>();
  return {
    at(bucket) {
      const found = open.get(bucket) ?? openBucket({ clientId, stored: load(bucket) });
      // The least recently used one stands first.
      open.delete(bucket);
      open.set(bucket, found);
      for (const old of open.keys()) {
        if (open.size <= keep) break;
        open.delete(old);
      }
      return found;
    },
    aside: (stored) => openBucket({ clientId, stored }),
    close: (bucket) => void open.delete(bucket),
    discard: () => open.clear(),
  };
}

/** Operations by their bucket, in order. */
export function byBucket<T extends Pick<Operation, 'key'>>(operations: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const operation of operations) {
    const bucket = bucketOf(operation.key);
    const group = groups.get(bucket);
    if (group) group.push(operation);
    else groups.set(bucket, [operation]);
  }
  return groups;
}

/** Writes operations that a clear does not cover; answers the update of their bucket. */
export function writeOperations(
  document: BucketDocument,
  operations: readonly Operation[],
  { writer, clearedBefore, isBlind = false }: { writer: Writer; clearedBefore: number; isBlind?: boolean },
): Uint8Array | undefined {
  const alive = operations.filter(({ hlc }) => hlc > clearedBefore);
  return alive.length === 0 ? undefined : document.write(alive, writer, isBlind);
}
