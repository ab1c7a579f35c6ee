import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { TrashedMemory } from '@reverie/shared/contract/memories/trash';
import { authorsOf } from '../../../db/authors.ts';
import type { Author } from '../../../db/change.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { MemoryDeps } from '../deps.ts';
import { notFound, refuseStale } from '../memories.service.ts';
import { findMemory } from '../memories.store.ts';
import { previewed, titled } from '../reading/reading.service.ts';
import { countTrashed, findTrashed, listTrashed, type TrashedRow, trashedUntil } from './trash.store.ts';
import { bringBack, clearTrash, forgetTrashed, moveToTrashNow } from './trashing.ts';

const DAY = 86_400_000;

interface Address {
  namespace: string;
  key: string;
}

/** Which memory in the trash is meant: the one that was put there at `trashed_at`, else the last one of its key. */
export interface TrashAddress extends Address {
  trashed_at?: string | undefined;
}

/** The trash, with how many days a memory stays there. */
export type TrashDeps = MemoryDeps & { trashDays: number };

const iso = (ms: number) => new Date(ms).toISOString();

/** Moves memories to the trash, all or nothing. Throws `memory_not_found`, and `conflict` where one was changed since. */
export function trashMemories(
  deps: TrashDeps,
  author: Author,
  items: readonly (Address & { if_updated_at?: string | undefined })[],
): (Address & { trashed_at: string; ends_at: string })[] {
  return deps.store.write((db) =>
    items.map(({ key, namespace, if_updated_at }) => {
      const row = findMemory(db, { account: author.account, namespace, key });
      if (if_updated_at !== undefined) refuseStale(row, { key }, if_updated_at);
      if (!row) throw notFound({ namespace, key });
      const at = moveToTrashNow(db, deps, { author, row });
      return { key, namespace, trashed_at: iso(at), ends_at: iso(at + deps.trashDays * DAY) };
    }),
  );
}

/** A page of what is in the trash, the last one first. */
export function trashOf(
  { store, trashDays }: Pick<TrashDeps, 'store' | 'trashDays'>,
  { account, within }: Pick<Caller, 'account' | 'within'>,
  wanted: {
    namespace?: string | undefined;
    limit: number;
    offset: number;
    preview?: number | undefined;
  },
): { memories: TrashedMemory[]; total: number } {
  const which = { account, within, namespace: wanted.namespace ?? null };
  return store.read((db) => ({
    memories: listTrashed(db, { ...which, limit: wanted.limit, offset: wanted.offset }).map((row) => ({
      ...previewed(titled(row, authorsOf(db, account)), wanted.preview),
      trashed_at: iso(row.trashed_at),
      ends_at: iso(row.trashed_at + trashDays * DAY),
    })),
    total: countTrashed(db, which),
  }));
}

/** Brings memories back, all or nothing. Throws `memory_not_found`, and `conflict` where another memory has the key. */
export function restoreTrash(deps: TrashDeps, author: Author, items: readonly TrashAddress[]): Address[] {
  return deps.store.write((db) =>
    items.map((item) => {
      const trashed = trashedAt(db, author.account, item);
      const { namespace, key } = item;
      if (findMemory(db, { account: author.account, namespace, key }))
        throw new Problem(
          'conflict',
          `Another memory is stored as ${JSON.stringify(key)} in the namespace ${JSON.stringify(namespace)} now; rename that one, then restore this one`,
        );
      bringBack(db, deps, { author, trashed });
      return { key, namespace };
    }),
  );
}

function trashedAt(db: ReadDb, account: AccountId, { namespace, key, trashed_at }: TrashAddress): TrashedRow {
  const found = findTrashed(db, {
    account,
    namespace,
    key,
    trashedAt: trashed_at === undefined ? undefined : Date.parse(trashed_at),
  });
  if (found) return found;
  throw new Problem(
    'memory_not_found',
    `There is no memory ${JSON.stringify(key)} of the namespace ${JSON.stringify(namespace)} in the trash${trashed_at === undefined ? '' : ` that was put there at ${trashed_at}`}; its list has what is`,
  );
}

/** Deletes what is in the trash, for good: the named memories, or those of a namespace, or all. Answers how many. */
export function emptyTrash(
  deps: MemoryDeps,
  author: Author,
  { namespace, items }: { namespace?: string | undefined; items?: readonly TrashAddress[] | undefined },
): number {
  return deps.store.write((db) => {
    if (!items) return clearTrash(db, deps, { author, namespace: namespace ?? null });
    for (const item of items)
      forgetTrashed(db, deps, { author, trashed: trashedAt(db, author.account, item) });
    return items.length;
  });
}

/** Deletes for good what has been in the trash for `trashDays` days: now, and once an hour. */
export function startTrashSweep({ deps, clock, log }: { deps: TrashDeps; clock: Clock; log: Log }): Stop {
  function sweep(): void {
    for (let isMore = true; isMore;)
      isMore = deps.store.write((db) => {
        const due = trashedUntil(db, clock.now() - deps.trashDays * DAY);
        for (const trashed of due) {
          const { account } = trashed;
          const author: Author = { account, actor: { kind: 'system', id: 'trash' }, origin: 'upkeep' };
          forgetTrashed(db, deps, { author, trashed });
        }
        return due.length > 0;
      });
  }
  function trySweep(): void {
    try {
      sweep();
    } catch (err) {
      log.warn({ err }, 'the trash could not be emptied of what is old; it is tried again in an hour');
    }
  }
  // At once, too: a machine may never be on for an hour.
  trySweep();
  const timer = clock.every(3_600_000, trySweep);
  return () => timer.stop();
}
