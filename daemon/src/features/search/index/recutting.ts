import type { AccountId } from '@reverie/shared/accounts/caller';
import { z } from 'zod';
import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { ReadDb, Store, WriteDb } from '../../../db/open-store.ts';
import { mayHaveOtherWords } from '../../../language/indexed-text.ts';
import { hasAbroad } from '../../../language/abroad/in-english.ts';
import { CUTTING, isCutByStructure } from './chunks.ts';
import { indexAgain, type IndexDeps, indexedOf } from './index.service.ts';
import {
  countMemoriesOf,
  type IndexedRow,
  memoriesOf,
  type MemoryRange,
  newestMemory,
} from './recutting.store.ts';

/** Where the database says by which cutting all of its chunks were made, and how far another one is. */
const CUT = 'cutting';
const ON_ITS_WAY = 'recutting';

const Progress = z.object({ to: z.int(), done: z.int(), until: z.int() });

/** Text that is read in one step, in UTF-16 units, as long as nothing of it is cut otherwise: requests wait for each step. */
const STEP = 32 * 1024;

/**
 * Indexes again, one memory at each step, what an older program has cut otherwise; until then search finds it as it was cut. Its progress
 * is stored in the transaction of the work, so a crash loses nothing of it.
 */
export interface Recutting {
  /** Does a little; false where nothing is left. */
  step(): boolean;
  /** Memories that are still to be looked at. */
  pending(account?: AccountId): number;
}

/** Whether a memory, or those before it in its session, may have been indexed by other words before. */
const hasOtherWords = ({ key, value, metadata, session }: IndexedRow): boolean =>
  session !== null || [key, value, metadata].some(mayHaveOtherWords);

export function createRecutting(store: Store, deps: IndexDeps): Recutting {
  let isDone = false;

  /** Undefined where all is done. */
  function remaining(db: ReadDb): MemoryRange | undefined {
    if (isDone || readMeta(db, CUT) === String(CUTTING)) return undefined;
    const saved = readMeta(db, ON_ITS_WAY);
    const progress = saved === undefined ? undefined : Progress.parse(JSON.parse(saved));
    // What is stored after this is cut as it should be.
    return progress?.to === CUTTING ? progress : { done: 0, until: newestMemory(db) };
  }

  function recut(db: WriteDb, range: MemoryRange): void {
    const rows = memoriesOf(db, range, STEP);
    // What is not English was indexed without its English words before.
    const row = rows.find((one) => isCutByStructure(one.value) || hasAbroad(one.value) || hasOtherWords(one));
    if (row) indexAgain(db, deps, indexedOf(row, row.account));
    const last = row ?? rows.at(-1);
    if (last && last.id < range.until)
      saveMeta(db, ON_ITS_WAY, JSON.stringify({ to: CUTTING, done: last.id, until: range.until }));
    else saveMeta(db, CUT, String(CUTTING));
  }

  return {
    step() {
      const range = store.read(remaining);
      isDone = range === undefined;
      if (range) store.write((db) => recut(db, range));
      return range !== undefined;
    },
    pending: (account) =>
      store.read((db) => {
        const range = remaining(db);
        return range ? countMemoriesOf(db, range, account) : 0;
      }),
  };
}
