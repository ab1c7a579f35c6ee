import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import type { Reply } from '@reverie/shared/contract/route';
import type { listConflicts } from '@reverie/shared/contract/conflicts';
import { authorsOf } from '../db/authors.ts';
import { authorOf } from '../db/change.ts';
import type { Store } from '../db/open-store.ts';
import type { Clock } from '../platform/clock.ts';
import { countConflicts, deleteConflict, findConflict, listConflictRows } from './conflicts.store.ts';
import type { SyncedMemories } from './ports.ts';

interface Deps {
  store: Store;
  clock: Clock;
  memories: SyncedMemories;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Versions that lost, newest first. */
export function conflictsOf(
  { store, memories }: Deps,
  account: AccountId,
  wanted: { namespace?: string | undefined; before?: string | undefined; limit: number },
): Reply<typeof listConflicts> {
  const namespace = wanted.namespace ?? null;
  const before = wanted.before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(wanted.before);
  return store.read((db) => {
    const rows = listConflictRows(db, account, { namespace, before, limit: wanted.limit });
    const last = rows.at(-1);
    const name = authorsOf(db, account);
    return {
      total: countConflicts(db, account, namespace),
      next: rows.length === wanted.limit && last ? iso(last.found_at) : null,
      conflicts: rows.map((row) => {
        const current = memories.content(account, row);
        const author = name(`device:${row.device}`);
        if (!author) throw new Error('a version that lost has a device');
        const currentAuthor = name(current?.writer ?? null);
        return {
          id: row.id,
          namespace: row.namespace,
          key: row.key,
          value: row.value,
          metadata: JSON.parse(row.metadata) as JsonObject,
          device: { id: row.device, name: row.device_name ?? author.device },
          author,
          reason: row.reason,
          written_at: iso(row.written_at),
          found_at: iso(row.found_at),
          current: current?.value ?? null,
          ...(currentAuthor && { current_author: currentAuthor }),
        };
      }),
    };
  });
}

const noConflict = (id: string) => new Problem('conflict_not_found', `There is no conflict ${id}`);

/** Stores a version that lost as the newest one, and drops the conflict. */
export function restore(
  { store, clock, memories }: Deps,
  { account, key }: Caller,
  id: string,
): { namespace: string; key: string } {
  return store.write((db) => {
    const row = findConflict(db, account, id);
    if (!row) throw noConflict(id);
    const isOver = row.expires_at !== null && row.expires_at <= clock.now();
    memories.restore(authorOf({ account, key }), {
      namespace: row.namespace,
      key: row.key,
      value: row.value,
      metadata: JSON.parse(row.metadata) as JsonObject,
      ...(row.expires_at !== null && !isOver && { expires_at: iso(row.expires_at) }),
    });
    deleteConflict(db, account, id);
    return { namespace: row.namespace, key: row.key };
  });
}

/** Drops a version that lost. */
export function dismiss({ store }: Deps, account: AccountId, id: string): void {
  store.write((db) => {
    if (!deleteConflict(db, account, id)) throw noConflict(id);
  });
}
