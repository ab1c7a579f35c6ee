import type { JsonObject } from '@reverie/shared/contract/fields';
import type { HiddenKind } from '@reverie/shared/contract/memories';
import type { Author } from '../../../db/change.ts';
import type { WriteDb } from '../../../db/open-store.ts';
import { saveAddress } from '../address.store.ts';
import type { MemoryDeps } from '../deps.ts';
import { hideMemory, type HowHidden, indexedOf, SHELF, showMemory, takeOut } from '../hiding.ts';
import { rememberSources } from '../imports/imports.store.ts';
import {
  deleteMemoryRow,
  findHiddenBehind,
  findMemoriesById,
  findMemory,
  type MemoryRow,
  saveHiding,
  toMemory,
} from '../memories.store.ts';
import { countChange, openNamespace } from '../namespaces.store.ts';
import { sessionPlace } from '../session.ts';
import { deleteTrash, findTrashed, insertTrash, listTrashed, type TrashedRow } from './trash.store.ts';

/** Before the name of a namespace: where its memories stand that are in the trash. No namespace of a request can begin so. */
const TRASH = SHELF + SHELF;

/** A memory that was hidden behind one in the trash and is shown meanwhile, as it was then. */
interface Showed {
  id: number;
  version: number;
  how: HowHidden;
}

/** Moves a memory to the trash at a time that no other one of its key has there, by which it is asked for; answers it. */
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
  // What is hidden behind it would be neither there nor found any more.
  const behind = findHiddenBehind(db, { account, namespaceId: row.namespace_id, key });
  for (const hidden of behind) showMemory(db, deps, { author, row: hidden });
  if (row.hidden === null) deps.index.remove(db, { ...indexedOf(account, row), place: placeOf(row) });
  else takeOut(db, deps, { account, row });
  deps.facts.withdrawn(db, row);
  deps.followers.trashed(db, row);

  const now = deps.clock.now();
  const trashId = openNamespace(db, account, { name: TRASH + namespace, now });
  insertTrash(db, {
    ...{ account, memoryId: id, namespace, key, trashedAt: at },
    wasHidden: row.hidden === 'trashed' ? null : row.hidden,
    showed: JSON.stringify(behind.flatMap(showedOf)),
  });
  saveAddress(db, id, { ...row, namespaceId: trashId, key: `${key}${SHELF}${id}`, place: undefined });
  saveHiding(db, id, { ...row, hidden: 'trashed', place: undefined });
  countChange(db, trashId, { memories: 1, bytes: row.bytes, now });
  countChange(db, row.namespace_id, { memories: -1, bytes: -row.bytes, now });
  deps.events.record(db, {
    ...{ ...author, type: 'memory.update', namespace, key },
    ...{ before: toMemory(row), after: { ...toMemory(row), trashed_at: new Date(at).toISOString() } },
  });
  deps.events.renamed(db, { account, id, namespace, key });
  if (author.actor.kind !== 'device')
    deps.sync.wrote(db, { account, namespace, key }, { ...row, trashed: at });
}

function showedOf({ id, version, hidden, hidden_behind }: MemoryRow): Showed[] {
  if ((hidden !== 'merged' && hidden !== 'superseded') || hidden_behind === null) return [];
  return [{ id, version, how: { hidden, behind: hidden_behind } }];
}

/** Brings a memory back from the trash, as it was, where its key is free. */
export function bringBack(
  db: WriteDb,
  deps: MemoryDeps,
  { author, trashed }: { author: Author; trashed: TrashedRow },
): void {
  const { account } = author;
  const { id, key, namespace, trashed_at, trash_id, showed, ...rest } = trashed;
  const now = deps.clock.now();
  const namespaceId = openNamespace(db, account, { name: namespace, now });
  const row: MemoryRow = {
    ...{ ...rest, id, key, namespace, namespace_id: namespaceId },
    ...hidingOf(db, trashed),
  };
  const place = row.hidden === null ? placeOf(row) : undefined;
  deleteTrash(db, id);
  saveAddress(db, id, { ...row, namespaceId, place });
  saveHiding(db, id, { ...row, place });
  countChange(db, namespaceId, { memories: 1, bytes: row.bytes, now });
  countChange(db, trash_id, { memories: -1, bytes: -row.bytes, now });
  if (row.hidden === null) {
    deps.index.put(db, { ...indexedOf(account, row), place }, undefined);
    deps.facts.changed(db, { account, id });
  } else {
    const shelf = openNamespace(db, account, { name: SHELF + namespace, now });
    deps.index.shelve(db, { ...indexedOf(account, row), namespaceId: shelf });
  }
  deps.events.record(db, {
    ...{ ...author, type: 'memory.update', namespace, key },
    ...{ before: { ...toMemory(row), trashed_at: new Date(trashed_at).toISOString() }, after: toMemory(row) },
  });
  hideAgain(db, deps, { author, row, showed: JSON.parse(showed) as Showed[] });
  if (author.actor.kind !== 'device') deps.sync.wrote(db, { account, namespace, key }, row);
}

/** As it was hidden, where what it was hidden behind is still there. */
function hidingOf(db: WriteDb, { account, namespace, hidden, hidden_behind, archived_at }: TrashedRow) {
  const isBehind = hidden === 'merged' || hidden === 'superseded';
  if (isBehind && !findMemory(db, { account, namespace, key: hidden_behind ?? '' }))
    return { hidden: null, hidden_behind: null, archived_at: null };
  return { hidden: hidden as HiddenKind | null, hidden_behind, archived_at };
}

/** Hides what was hidden behind it, where that is as it was. */
function hideAgain(
  db: WriteDb,
  deps: MemoryDeps,
  { author, row, showed }: { author: Author; row: MemoryRow; showed: readonly Showed[] },
): void {
  for (const { id, version, how } of showed) {
    const [other] = findMemoriesById(db, author.account, [id]);
    if (other?.version !== version || other.hidden !== null || other.namespace !== row.namespace) continue;
    hideMemory(db, deps, { author, namespace: other.namespace, key: other.key, how });
  }
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
    ...{ ...author, type: 'memory.delete', namespace, key, after: null },
    before: { ...toMemory(trashed), trashed_at: new Date(trashed.trashed_at).toISOString() },
  });
  // Where another memory has the key, or a later one is in the trash, other devices know of that one only.
  if (isSaid && !findMemory(db, { account, namespace, key }))
    deps.sync.deleted(db, { account, namespace, key, by: author.actor.kind });
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
    const page = listTrashed(db, { account, namespace, limit: PAGE, offset: kept });
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

function placeOf({ key, metadata, created_at }: MemoryRow) {
  return sessionPlace(key, JSON.parse(metadata) as JsonObject, created_at);
}
