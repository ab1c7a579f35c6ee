import { openBucket } from '@reverie/shared/document/bucket-document';
import { BUCKETS } from '@reverie/shared/document/register';
import type { Store } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { filledBuckets, loadUpdates } from './documents.store.ts';

/** A bucket whose updates wait for one that is missing, since when, ms since 1970. */
export interface Gap {
  namespaceId: number;
  since: number;
}

/** The buckets whose updates wait for one that is missing, as far as this run knows. */
export interface Gaps {
  note(namespaceId: number, bucket: number, isThere: boolean): void;
  /** The documents of a namespace were dropped. */
  forget(namespaceId: number): void;
  /** Looks for a gap that an earlier run left, in the next bucket; false when this run has looked at all. */
  inspect(namespaceId: number): boolean;
  list(): Gap[];
}

export interface GapsDeps {
  store: Store;
  clock: Clock;
  clientId: number;
}

export function createGaps({ store, clock, clientId }: GapsDeps): Gaps {
  const gaps = new Map<string, Gap>();
  /** The last bucket of each namespace that was looked at. */
  const inspected = new Map<number, number>();

  function note(namespaceId: number, bucket: number, isThere: boolean): void {
    const name = `${namespaceId} ${bucket}`;
    if (!isThere) gaps.delete(name);
    else if (!gaps.has(name)) gaps.set(name, { namespaceId, since: clock.now() });
  }

  return {
    note,
    forget(namespaceId) {
      for (const [name, gap] of gaps) if (gap.namespaceId === namespaceId) gaps.delete(name);
    },
    inspect(namespaceId) {
      const last = inspected.get(namespaceId) ?? -1;
      const bucket = store.read((db) => filledBuckets(db, namespaceId)).find((one) => one > last);
      inspected.set(namespaceId, bucket ?? BUCKETS);
      if (bucket === undefined) return false;
      // Beside the open documents: most of them are not needed otherwise.
      const stored = store.read((db) => loadUpdates(db, namespaceId, bucket));
      note(namespaceId, bucket, openBucket({ clientId, stored }).hasGap());
      return true;
    },
    list: () => [...gaps.values()],
  };
}
