import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import type { IndexedMemory, MemoryDeps } from './deps.ts';
import { findHiddenBehind, findMemory, type MemoryRow, saveHiding, toMemory } from './memories.store.ts';
import { dropEmptyNamespace, openNamespace } from './namespaces.store.ts';
import { sessionPlace } from './session.ts';

/**
 * Before the name of a namespace: where the indexes have its hidden memories, so that a search of the namespace does not meet them and one that
 * asks for them finds them. No namespace of a request can begin so.
 */
export const SHELF = '\u0001';

/** A row as the indexes take it, outside of any session. */
export function indexedOf(account: AccountId, row: MemoryRow): IndexedMemory {
  const { id, namespace_id: namespaceId, key, value, metadata } = row;
  return { id, account, namespaceId, key, value, metadata, place: undefined };
}

function placeOf({ key, metadata, created_at }: MemoryRow) {
  return sessionPlace(key, JSON.parse(metadata) as JsonObject, created_at);
}

/** How a memory is hidden: behind the key that it was merged into or that took its place, or archived. */
export type HowHidden = { hidden: 'merged' | 'superseded'; behind: string } | { hidden: 'archived' };

/** Hides a memory: its row stays as it is, lists and searches leave it out. */
export function hideMemory(
  db: WriteDb,
  deps: Pick<MemoryDeps, 'clock' | 'index' | 'events' | 'facts'>,
  { author, namespace, key, how }: { author: Author; namespace: string; key: string; how: HowHidden },
): void {
  const { account } = author;
  const row = findMemory(db, { account, namespace, key });
  if (!row || row.hidden !== null) return;
  const now = deps.clock.now();
  deps.index.remove(db, { ...indexedOf(account, row), place: placeOf(row) });
  const hiding =
    how.hidden === 'archived'
      ? { hidden: how.hidden, hidden_behind: null, archived_at: now }
      : { hidden: how.hidden, hidden_behind: how.behind, archived_at: null };
  // Without its place it is context of nothing that is said after it in its session.
  saveHiding(db, row.id, { ...hiding, place: undefined });
  const shelf = openNamespace(db, account, { name: SHELF + namespace, now });
  deps.facts.withdrawn(db, row);
  deps.index.shelve(db, { ...indexedOf(account, row), namespaceId: shelf });
  deps.events.record(db, {
    ...author,
    type: how.hidden === 'merged' ? 'memory.merge' : 'memory.update',
    namespace,
    key,
    before: toMemory(row),
    after: toMemory({ ...row, ...hiding }),
  });
}

/** Shows a hidden memory again, as it was before. */
export function showMemory(
  db: WriteDb,
  deps: Pick<MemoryDeps, 'clock' | 'index' | 'events' | 'facts'>,
  { author, row }: { author: Author; row: MemoryRow },
): void {
  const { account } = author;
  if (row.hidden === null) return;
  takeOut(db, deps, { account, row });
  const place = placeOf(row);
  saveHiding(db, row.id, { hidden: null, hidden_behind: null, archived_at: null, place });
  deps.index.put(db, { ...indexedOf(account, row), place }, undefined);
  deps.facts.changed(db, { account, id: row.id });
  deps.events.record(db, {
    ...author,
    type: 'memory.update',
    namespace: row.namespace,
    key: row.key,
    before: toMemory(row),
    after: toMemory({ ...row, hidden: null, hidden_behind: null, archived_at: null }),
  });
}

/** Shows what is hidden behind a memory that is about to be deleted. */
export function showHiddenBehind(
  db: WriteDb,
  deps: Pick<MemoryDeps, 'clock' | 'index' | 'events' | 'facts'>,
  { author, row }: { author: Author; row: MemoryRow },
): void {
  const at = { account: author.account, namespaceId: row.namespace_id, key: row.key };
  for (const hidden of findHiddenBehind(db, at)) showMemory(db, deps, { author, row: hidden });
}

/** Takes a hidden memory out of the indexes. */
export function takeOut(
  db: WriteDb,
  { clock, index }: Pick<MemoryDeps, 'clock' | 'index'>,
  { account, row }: { account: AccountId; row: MemoryRow },
): void {
  const shelf = openNamespace(db, account, { name: SHELF + row.namespace, now: clock.now() });
  index.remove(db, { ...indexedOf(account, row), namespaceId: shelf });
  dropEmptyNamespace(db, shelf);
}
