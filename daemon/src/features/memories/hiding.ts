import { isDeepStrictEqual } from 'node:util';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { isHiddenBehind, keysAround } from '@reverie/shared/document/hidden';
import { objectIn } from '../../db/json-column.ts';
import type { Author } from '../../db/change.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { IndexedMemory, MemoryContent, MemoryDeps } from './deps.ts';
import { findBehind, hidingRows, saveBehind } from './hiding.store.ts';
import { findMemory, type MemoryRow, saveHiding, toMemory } from './memories.store.ts';
import { keepDay } from './noted.store.ts';
import { keepProperties } from './properties.store.ts';
import { dropEmptyNamespace, openNamespace } from './namespaces/namespaces.store.ts';
import { sessionPlace } from './reading/session.ts';

/** A character with which no name in a request can begin, so that names that begin with it are ours alone. */
export const OURS = '\u0001';

/**
 * The prefix of the namespaces in which the indexes keep hidden memories: a search of the namespace itself does not meet them, and one that
 * asks for them finds them.
 */
export const SHELF = OURS;

/** A row as the indexes take it, outside of any session. */
export function indexedOf(account: AccountId, row: MemoryRow): IndexedMemory {
  const { id, namespace_id: namespaceId, key, value, metadata } = row;
  return { id, account, namespaceId, key, value, metadata, place: undefined };
}

/** Where a memory stands in its coding session, if it is of one. */
export function placeOf({ key, metadata, created_at }: MemoryRow) {
  return sessionPlace(key, objectIn(metadata), created_at);
}

/** How a memory is hidden: behind the key that it was merged into or that took its place, or archived. */
export type HowHidden = { hidden: 'merged' | 'superseded'; behind: string } | { hidden: 'archived' };

/** What a memory says of its own hiding, as other devices are told. */
export type SaidHidden = Pick<MemoryContent, 'archived' | 'behind'>;

const NOT_HIDDEN: SaidHidden = { archived: undefined, behind: undefined };

type HidingDeps = Pick<MemoryDeps, 'clock' | 'index' | 'events' | 'facts'>;

/** What a stored memory says of its own hiding. */
export function saidHidden(
  db: ReadDb,
  { id, archived_at }: Pick<MemoryRow, 'id' | 'archived_at'>,
): SaidHidden {
  return { archived: archived_at ?? undefined, behind: findBehind(db, id) };
}

/** Hides a memory: its row stays as it is, lists and searches leave it out. */
export function hideMemory(
  db: WriteDb,
  deps: HidingDeps & Pick<MemoryDeps, 'sync'>,
  { author, namespace, key, how }: { author: Author; namespace: string; key: string; how: HowHidden },
): void {
  const { account } = author;
  const row = findMemory(db, { account, namespace, key });
  if (!row || row.hidden !== null) return;
  if (how.hidden === 'archived') {
    sayHidden(db, deps, { author, row, said: { ...NOT_HIDDEN, archived: deps.clock.now() } });
    return;
  }
  const other = findMemory(db, { account, namespace, key: how.behind });
  if (!other) throw new Error('a memory is to be hidden behind one that is not there');
  const behind = { as: how.hidden, key: how.behind, created_at: other.created_at };
  sayHidden(db, deps, { author, row, said: { ...NOT_HIDDEN, behind } });
}

/**
 * Shows a memory again as it was, where it is hidden, or waits to be hidden, behind the key `behind`; where that is null, if it is
 * archived.
 */
export function showMemory(
  db: WriteDb,
  deps: HidingDeps & Pick<MemoryDeps, 'sync'>,
  { author, row, behind }: { author: Author; row: MemoryRow; behind: string | null },
): void {
  const said = saidHidden(db, row);
  const isSo = behind === null ? said.archived !== undefined : said.behind?.key === behind;
  if (isSo) sayHidden(db, deps, { author, row, said: NOT_HIDDEN });
}

/** Sets what a memory says of its own hiding, and hides or shows it accordingly; answers whether that changed anything. */
export function sayHidden(
  db: WriteDb,
  deps: HidingDeps & Pick<MemoryDeps, 'sync'>,
  { author, row, said }: { author: Author; row: MemoryRow; said: SaidHidden },
): boolean {
  const { account } = author;
  const { namespace, key } = row;
  const { archived, behind } = said;
  if (isDeepStrictEqual(saidHidden(db, row), { archived, behind }))
    return become(db, deps, { author, row, to: stateOf(db, { ...row, account }, said) });
  const settle = hidingAround(db, deps, { author, namespace, key });
  saveBehind(db, { account, id: row.id }, behind);
  become(db, deps, { author, row, to: stateOf(db, { ...row, account }, said) });
  settle();
  deps.sync.wrote(db, { author, namespace, key }, { ...row, archived, behind });
  return true;
}

/**
 * Call it before a row is written, moved or deleted, and call the function that it answers afterwards: that hides what is hidden behind the
 * row now, and shows what no longer is.
 */
export function hidingAround(
  db: WriteDb,
  deps: HidingDeps,
  { author, namespace, key }: { author: Author; namespace: string; key: string },
): () => void {
  const { account } = author;
  const rows = hidingRows(db, { account, namespace });
  const before = keysAround(rows, key);
  return () => {
    for (const one of new Set([...before, ...keysAround(rows, key)])) {
      const behind = rows.at(one)?.behind;
      const row = behind && findMemory(db, { account, namespace, key: one });
      if (row) become(db, deps, { author, row, to: stateOf(db, { ...row, account }, { behind }) });
    }
  };
}

type Hidden = Pick<MemoryRow, 'hidden' | 'hidden_behind' | 'archived_at'>;

/** How a memory is hidden now, given what it says of its own hiding. */
export function stateOf(
  db: ReadDb,
  { account, namespace, key }: { account: AccountId; namespace: string; key: string },
  { archived, behind }: SaidHidden,
): Hidden {
  if (archived !== undefined) return { hidden: 'archived', hidden_behind: null, archived_at: archived };
  if (behind && isHiddenBehind(hidingRows(db, { account, namespace }), key))
    return { hidden: behind.as, hidden_behind: behind.key, archived_at: null };
  return { hidden: null, hidden_behind: null, archived_at: null };
}

/** Hides a memory, or shows it; answers false where it is so already. */
function become(
  db: WriteDb,
  deps: HidingDeps,
  { author, row, to }: { author: Author; row: MemoryRow; to: Hidden },
): boolean {
  const { account } = author;
  const { hidden, hidden_behind, archived_at } = row;
  if (isDeepStrictEqual({ hidden, hidden_behind, archived_at }, to)) return false;
  const place = placeOf(row);
  if (row.hidden === null) deps.index.remove(db, { ...indexedOf(account, row), place });
  else if (to.hidden === null) takeOut(db, deps, { account, row });
  // Without its place it is context of nothing that is said after it in its session.
  saveHiding(db, row.id, { ...to, place: to.hidden === null ? place : undefined });
  if (to.hidden === null) {
    keepDay(db, row.id);
    keepProperties(db, row.id);
    deps.index.put(db, { ...indexedOf(account, row), place }, undefined);
    deps.facts.changed(db, { id: row.id });
  } else if (row.hidden === null) {
    const shelf = openNamespace(db, account, { name: SHELF + row.namespace, now: deps.clock.now() });
    deps.facts.withdrawn(db, row);
    deps.index.shelve(db, { ...indexedOf(account, row), namespaceId: shelf });
  }
  deps.events.record(db, {
    ...author,
    type: to.hidden === 'merged' ? 'memory.merge' : 'memory.update',
    namespace: row.namespace,
    key: row.key,
    before: toMemory(row),
    after: toMemory({ ...row, ...to }),
  });
  return true;
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
