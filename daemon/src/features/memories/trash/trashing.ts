import type { Author } from '../../../db/change.ts';
import type { WriteDb } from '../../../db/open-store.ts';
import { saveAddress } from '../address.store.ts';
import type { MemoryDeps } from '../deps.ts';
import { hidingAround, indexedOf, OURS, placeOf, saidHidden, SHELF, stateOf, takeOut } from '../hiding.ts';
import { rememberSources } from '../imports/imports.store.ts';
import { deleteMemoryRow, findMemory, type MemoryRow, saveHiding, toMemory } from '../memories.store.ts';
import { keepDay } from '../noted.store.ts';
import { keepProperties } from '../properties.store.ts';
import { countChange, openNamespace } from '../namespaces/namespaces.store.ts';
import { deleteTrash, findTrashed, insertTrash, listTrashed, type TrashedRow } from './trash.store.ts';

/** Before the name of a namespace: where its memories stand that are in the trash. */
const TRASH = OURS + OURS;

/**
 * Moves a memory to the trash; answers when (ms since 1970), which is never the time of another one of its key there, for key and time are
 * its address in the trash.
 */
export function moveToTrashNow(
  db: WriteDb,
  deps: MemoryDeps,
  { author, row }: { author: Author; row: MemoryRow },
): number {
  const { namespace, key } = row;
  const last = findTrashed(db, { account: author.account, namespace, key })?.trashed_at ?? 0;
  const at = Math.max(deps.clock.now(), last + 1);
  moveToTrash(db, deps, { author, row, at });
  return at;
}

/** Moves a memory to the trash: out of everything that finds memories, with all that hangs on it. */
export function moveToTrash(
  db: WriteDb,
  deps: MemoryDeps,
  { author, row, at }: { author: Author; row: MemoryRow; at: number },
): void {
  const { account } = author;
  const { id, key, namespace } = row;
  const settleHiding = hidingAround(db, deps, { author, namespace, key });
  if (row.hidden === null) deps.index.remove(db, { ...indexedOf(account, row), place: placeOf(row) });
  else takeOut(db, deps, { account, row });
  deps.facts.withdrawn(db, row);
  deps.followers.trashed(db, row);

  const now = deps.clock.now();
  const trashId = openNamespace(db, account, { name: TRASH + namespace, now });
  insertTrash(db, {
    account,
    memoryId: id,
    namespace,
    key,
    trashedAt: at,
    wasHidden: row.hidden === 'trashed' ? null : row.hidden,
  });
  saveAddress(db, id, { ...row, namespaceId: trashId, key: `${key}${OURS}${id}`, place: undefined });
  saveHiding(db, id, { ...row, hidden: 'trashed', place: undefined });
  countChange(db, trashId, { memories: 1, bytes: row.bytes, now });
  countChange(db, row.namespace_id, { memories: -1, bytes: -row.bytes, now });
  deps.events.record(db, {
    ...author,
    type: 'memory.update',
    namespace,
    key,
    before: toMemory(row),
    after: { ...toMemory(row), trashed_at: new Date(at).toISOString() },
  });
  deps.events.renamed(db, { account, id, namespace, key });
  deps.sync.wrote(db, { author, namespace, key }, { ...row, ...saidHidden(db, row), trashed: at });
  // What was hidden behind it would be neither there nor found any more: it is shown until this comes back.
  settleHiding();
}

/** Brings a memory back from the trash, as it was, where its key is free. */
export function bringBack(
  db: WriteDb,
  deps: MemoryDeps,
  { author, trashed }: { author: Author; trashed: TrashedRow },
): void {
  const { account } = author;
  const { id, key, namespace, trashed_at, trash_id, ...rest } = trashed;
  const now = deps.clock.now();
  const namespaceId = openNamespace(db, account, { name: namespace, now });
  const at = { account, namespace, key };
  const settleHiding = hidingAround(db, deps, { author, ...at });
  deleteTrash(db, id);
  saveAddress(db, id, { ...trashed, namespaceId, place: undefined });
  keepDay(db, id);
  keepProperties(db, id);
  const said = saidHidden(db, trashed);
  const row: MemoryRow = { ...rest, ...at, id, namespace_id: namespaceId, ...stateOf(db, at, said) };
  const place = row.hidden === null ? placeOf(row) : undefined;
  saveHiding(db, id, { ...row, place });
  countChange(db, namespaceId, { memories: 1, bytes: row.bytes, now });
  countChange(db, trash_id, { memories: -1, bytes: -row.bytes, now });
  if (row.hidden === null) {
    deps.index.put(db, { ...indexedOf(account, row), place }, undefined);
    deps.facts.changed(db, { id });
  } else {
    const shelf = openNamespace(db, account, { name: SHELF + namespace, now });
    deps.index.shelve(db, { ...indexedOf(account, row), namespaceId: shelf });
  }
  deps.events.record(db, {
    ...author,
    type: 'memory.update',
    namespace,
    key,
    before: { ...toMemory(row), trashed_at: new Date(trashed_at).toISOString() },
    after: toMemory(row),
  });
  deps.sync.wrote(db, { author, namespace, key }, { ...row, ...said });
  settleHiding();
}

/** Deletes a memory that is in the trash, for good, like any other deletion. */
export function forgetTrashed(
  db: WriteDb,
  deps: MemoryDeps,
  { author, trashed }: { author: Author; trashed: TrashedRow },
): void {
  const { account } = author;
  const { id, namespace, key } = trashed;
  const isSaid = findTrashed(db, { account, namespace, key })?.id === id;
  deps.followers.deleted(db, { id });
  deps.events.redactEarlier(db, { account, id });
  rememberSources(db, account, { memoryId: id });
  deleteMemoryRow(db, id);
  countChange(db, trashed.trash_id, { memories: -1, bytes: -trashed.bytes, now: deps.clock.now() });
  deps.events.record(db, {
    ...author,
    type: 'memory.delete',
    namespace,
    key,
    after: null,
    before: { ...toMemory(trashed), trashed_at: new Date(trashed.trashed_at).toISOString() },
  });
  // Where another memory has the key, or a later one is in the trash, other devices know of that one only.
  if (isSaid && !findMemory(db, { account, namespace, key }))
    deps.sync.deleted(db, { author, namespace, key });
}

/** Memories that are read at once. */
const PAGE = 100;

/** Deletes what is in the trash, for good: of one namespace or of all, and only what was put there until a time. Answers how many. */
export function clearTrash(
  db: WriteDb,
  deps: MemoryDeps,
  { author, namespace, until = Infinity }: { author: Author; namespace: string | null; until?: number },
): number {
  const { account } = author;
  let [deleted, kept] = [0, 0];
  for (;;) {
    const page = listTrashed(db, { account, namespace, within: null, limit: PAGE, offset: kept });
    for (const trashed of page) {
      if (trashed.trashed_at > until) kept += 1;
      else {
        forgetTrashed(db, deps, { author, trashed });
        deleted += 1;
      }
    }
    if (page.length < PAGE) return deleted;
  }
}
