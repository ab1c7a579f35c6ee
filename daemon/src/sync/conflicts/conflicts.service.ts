import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import type { Reply } from '@reverie/shared/contract/route';
import type { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { authorsOf } from '../../db/authors.ts';
import { authorOf } from '../../db/change.ts';
import type { ReadDb, Store, WriteDb } from '../../db/open-store.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type ConflictRow,
  countConflicts,
  deleteConflict,
  findConflict,
  listConflictRows,
} from './conflicts.store.ts';
import type { RelayLink } from '../link.ts';
import { findSyncedByName } from '../namespaces/namespaces.store.ts';
import { readOnly, tellSettled } from '../replica/outbox.ts';
import type { SyncedMemories } from '../ports.ts';
import type { RelayTime } from '../relay/relay-time.ts';

interface Deps {
  store: Store;
  clock: Clock;
  memories: SyncedMemories;
  time: Pick<RelayTime, 'now'>;
  link: Pick<RelayLink, 'wake'>;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Versions that lost, newest first. */
export function conflictsOf(
  { store, memories }: Pick<Deps, 'store' | 'memories'>,
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
          can_settle: maySettle(db, account, row),
          ...(currentAuthor && { current_author: currentAuthor }),
        };
      }),
    };
  });
}

/** Whether one has a say in this: who may only read a namespace has none, for others wrote both versions; `countOfOthers` counts these. */
const maySettle = (db: ReadDb, account: AccountId, { namespace, reason }: ConflictRow) =>
  reason !== 'lost' || findSyncedByName(db, account, namespace)?.role !== 'viewer';

/** Drops a conflict here, and on all devices that know of it. */
function settle(
  { time, link }: Deps,
  db: WriteDb,
  { account, row }: { account: AccountId; row: ConflictRow },
) {
  deleteConflict(db, account, row.id);
  // What was never sent is known here only.
  const synced = row.reason === 'lost' ? findSyncedByName(db, account, row.namespace) : undefined;
  if (!synced) return;
  const { key, device, incarnation, hlc } = row;
  tellSettled(db, synced, { key, now: time.now(), settles: { device, incarnation, hlc } });
  db.afterCommit(link.wake);
}

const noConflict = (id: string) => new Problem('conflict_not_found', `There is no conflict ${id}`);

/** Stores a version that lost as the newest one, and settles the conflict for all devices. */
export function restore(
  deps: Deps,
  { account, key }: Caller,
  id: string,
): { namespace: string; key: string } {
  const { store, clock, memories } = deps;
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
    settle(deps, db, { account, row });
    return { namespace: row.namespace, key: row.key };
  });
}

/** Drops a version that lost, on all devices. */
export function dismiss(deps: Deps, account: AccountId, id: string): void {
  deps.store.write((db) => {
    const row = findConflict(db, account, id);
    if (!row) throw noConflict(id);
    if (!maySettle(db, account, row)) throw readOnly(row.namespace);
    settle(deps, db, { account, row });
  });
}
