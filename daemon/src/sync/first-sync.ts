import type { SyncStatus } from '@reverie/shared/contract/sync/sync';
import { BUCKETS } from '@reverie/shared/document/register';
import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import { type BasesWaiting, basesWaiting } from './replica/documents.store.ts';
import { endFirstSync, listSynced, type SyncedRow } from './namespaces/namespaces.store.ts';
import { firstUnconfirmed } from './replica/outbox.store.ts';
import { type Done, percentOf, type Sample, secondsLeft, withSample } from './progress.ts';

/** How far the first sync is, in both directions; null where nothing of it is left. */
type FirstSyncProgress = Pick<SyncStatus, 'upload' | 'download'>;

export interface FirstSync {
  /** Measures how fast it goes, and ends it once all is through; called while something moves. */
  look(): void;
  /** `isMoving` false: how long it takes is not known, for the relay is not there. */
  progress(isMoving: boolean): FirstSyncProgress;
}

/** Measures the first sync of all namespaces that began it while another one had not ended. */
export function createFirstSync({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): FirstSync {
  let samples: Record<keyof FirstSyncProgress, readonly Sample[]> = { upload: [], download: [] };

  const measured = () =>
    store.read((db) => {
      const rows = listSynced(db);
      const unconfirmed = firstUnconfirmed(db);
      const bases = basesWaiting(db);
      return {
        upload: sumOf(rows, (row) => uploaded(row, unconfirmed.get(row.id) ?? 0)),
        download: sumOf(rows, (row) => downloaded(row, bases.get(row.id))),
        isMarked: rows.some((row) => row.in_first_sync === 1),
      };
    });

  function look(): void {
    const { upload, download, isMarked } = measured();
    const at = clock.now();
    const next = (before: readonly Sample[], now: Done | null) =>
      now ? withSample(before, { at, done: now.done }) : [];
    samples = { upload: next(samples.upload, upload), download: next(samples.download, download) };
    if (isMarked && !upload && !download) store.writeRepeatable((db) => endFirstSync(db));
  }

  return {
    look,
    progress(isMoving) {
      const { upload, download } = measured();
      const now = clock.now();
      const told = (way: keyof FirstSyncProgress, of: Done | null) =>
        of && {
          ...of,
          percent: percentOf(of),
          seconds_left: isMoving ? secondsLeft(samples[way], { ...of, now }) : null,
        };
      return { upload: told('upload', upload), download: told('download', download) };
    },
  };
}

/** The sum over the namespaces of a first sync, ended or not; null when all have ended. */
function sumOf(rows: readonly SyncedRow[], of: (row: SyncedRow) => Done): Done | null {
  const all = rows.map((row) => ({ isMarked: row.in_first_sync === 1, ...of(row) }));
  const isLeft = ({ done, total }: Done) => done < total;
  if (!all.some(isLeft)) return null;
  const counted = all.filter((one) => one.isMarked || isLeft(one));
  return {
    done: counted.reduce((sum, { done }) => sum + done, 0),
    total: counted.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Memories that were here before, and how many of them the relay has. */
function uploaded({ upload_total, upload_done, rebuild }: SyncedRow, unconfirmed: number): Done {
  // Its room is read first: only what that does not say goes up then.
  if (rebuild === 1) return { done: 0, total: 0 };
  const total = Math.max(upload_total, unconfirmed);
  return { done: Math.max(0, Math.min(total, upload_done) - unconfirmed), total };
}

/** Where rows are made at the end, reading is one part of so many: measured at 12,000 memories. */
const READ_BEFORE_ROWS = 8;

/** Entries that its room had when it was read first, and how many were read; documents that stand in place of entries count as those. */
function downloaded(row: SyncedRow, bases: BasesWaiting | undefined): Done {
  const head = row.first_head ?? 0;
  // A relay that was restored may have fewer by now.
  const last = Math.min(head, row.head ?? head);
  const from = Math.min(row.first_from, last);
  const total = last - from;
  const read = Math.min(Math.max(row.cursor - from, 0), total);
  // Its rows are made at the end of it, all at once.
  if (row.rebuild === 1) return { done: read, total: total * READ_BEFORE_ROWS };
  if (!bases || bases.covers <= row.cursor || read >= total) return { done: read, total };
  const replaced = Math.min(bases.covers, last) - Math.max(row.cursor, from);
  return { done: read + Math.floor(Math.max(0, replaced) * shareOf(row, bases.count)), total };
}

/** How far the documents of an epoch are, 0 to 1: received, begun and made into rows, bucket by bucket. */
function shareOf({ entering, entered }: SyncedRow, waiting: number): number {
  if (entering === null) return waiting / (3 * BUCKETS);
  const begun = Math.min(entered, BUCKETS);
  const placed = begun < BUCKETS ? 0 : BUCKETS - waiting;
  return (BUCKETS + begun + placed) / (3 * BUCKETS);
}
