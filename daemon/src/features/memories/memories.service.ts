import { isDeepStrictEqual } from 'node:util';
import type { AccountId } from '@reverie/shared/accounts/caller';
import { byteLength, type JsonObject } from '@reverie/shared/contract/fields';
import { Problem } from '@reverie/shared/contract/problems';
import { objectIn } from '../../db/json-column.ts';
import { writerOf } from '../../db/authors.ts';
import { type Author, isAskedFor, type NewEvent } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { notedDay } from '../../language/notes/noted-day.ts';
import { newUlid } from '../../platform/ids.ts';
import { classify } from './classify.ts';
import type { MemoryDeps } from './deps.ts';
import { hidingAround, indexedOf, placeOf, SHELF, takeOut } from './hiding.ts';
import { saveBehind } from './hiding.store.ts';
import { saveVersion } from './history.store.ts';
import { followUpkeep, rememberSources } from './imports/imports.store.ts';
import {
  type At,
  deleteMemoryRow,
  deleteTags,
  findMemoriesById,
  findMemory,
  insertMemory,
  type MemoryRow,
  newestIds,
  saveTags,
  toMemory,
  updateMemory,
} from './memories.store.ts';
import { dropFace } from './namespaces/faces.store.ts';
import { countChange, dropNamespace, findNamespace, openNamespace } from './namespaces/namespaces.store.ts';
import { keepProperties } from './properties.store.ts';
import { sessionPlace, tagsOf } from './reading/session.ts';
import { clearTrash } from './trash/trashing.ts';

export interface Item {
  key: string;
  value: string;
  namespace: string;
  metadata?: JsonObject | undefined;
  expires_at?: string | undefined;
  /** Only imports set times. */
  created_at?: string | undefined;
  updated_at?: string | undefined;
}

export interface WrittenMemory {
  outcome: 'created' | 'updated' | 'unchanged';
  id: number;
  version: number;
}

/** Keys of clear events are told one by one up to this many. */
const CLEAR_EVENTS = 10_000;

/** Stores one memory. Throws `conflict` when `if_updated_at` is not when it was last changed, or is null and it is there. */
export function setMemory(
  deps: MemoryDeps,
  author: Author,
  item: Item & { if_updated_at?: string | null | undefined },
): WrittenMemory {
  return deps.store.write((db) => {
    if (item.if_updated_at !== undefined)
      refuseStale(findMemory(db, at(author, item)), item, item.if_updated_at);
    return writeMemory(db, deps, { author, item });
  });
}

/** Stores many memories in order, all or nothing; answers their keys. Keys are made where they are missing. */
export function storeBatch(
  deps: MemoryDeps,
  author: Author,
  items: readonly (Omit<Item, 'key'> & { key?: string | undefined })[],
): string[] {
  return deps.store.write((db) =>
    items.map((item, index) => {
      const key = item.key ?? `mem_${newUlid(deps.clock.now())}`;
      try {
        writeMemory(db, deps, { author, item: { ...item, key } });
      } catch (cause) {
        throw inItem(cause, index);
      }
      return key;
    }),
  );
}

/** The failure of one item of a batch, its fields named as they stand in the request. */
export function inItem(cause: unknown, index: number): unknown {
  if (!(cause instanceof Problem) || !cause.errors) return cause;
  const errors = cause.errors.map(({ path, message }) => ({ path: `items.${index}.${path}`, message }));
  return new Problem(cause.code, `items.${index}.${cause.message}`, { errors });
}

function at({ account }: Author, { namespace, key }: Pick<Item, 'namespace' | 'key'>): At {
  return { account, namespace, key };
}

/** Throws `conflict` where a memory was not last changed at `expected` (ISO 8601), or, with null, where there is one at all. */
export function refuseStale(
  row: MemoryRow | undefined,
  item: { key: string },
  expected: string | null,
): void {
  const actual = row && new Date(row.updated_at).toISOString();
  if (actual === (expected ?? undefined)) return;
  if (expected === null)
    throw new Problem(
      'conflict',
      `There is a memory ${item.key} already; choose another key, or overwrite it`,
    );
  throw new Problem(
    'conflict',
    actual === undefined
      ? `The memory ${item.key} is not there any more`
      : `The memory ${item.key} was changed at ${actual}, not at ${expected}; get it and decide anew`,
  );
}

/** The one way in which a memory is written: row, version, tags, indexes, counts and event in one transaction. */
export function writeMemory(
  db: WriteDb,
  deps: MemoryDeps,
  { author, item }: { author: Author; item: Item },
): WrittenMemory {
  const { account } = author;
  const { key, namespace } = item;
  const now = deps.clock.now();
  const expires_at = item.expires_at === undefined ? null : Date.parse(item.expires_at);
  if (expires_at !== null && expires_at <= now && author.origin === 'local') throw inThePast(item);
  const old = findMemory(db, at(author, item));
  if (old && old.hidden === null && isSame(old, { item, metadata: item.metadata ?? {}, expires_at }))
    return { outcome: 'unchanged', id: old.id, version: old.version };

  const content = { ...columnsOf(item, { old, now }), expires_at };
  const place = sessionPlace(key, item.metadata ?? {}, content.created_at);
  const noted_at = notedDay({ key, value: item.value, metadata: item.metadata ?? {} })?.on ?? null;
  const namespaceId = old?.namespace_id ?? openNamespace(db, account, { name: namespace, now });
  const settleHiding = hidingAround(db, deps, { author, ...item });
  if (old) makeWay(db, deps, { account, old });
  const writer = writerOf(author.actor);
  const fresh = { ...content, noted_at, place, writer, account, namespaceId, key, class: classify(key) };
  const id = old?.id ?? insertMemory(db, fresh);
  if (old) updateMemory(db, id, { ...content, noted_at, place, writer });
  saveTags(db, { account, namespaceId, id }, tagsOf(item.metadata ?? {}));
  keepProperties(db, id);
  const more = { memories: old ? 0 : 1, bytes: content.bytes - (old?.bytes ?? 0) };
  countChange(db, namespaceId, { ...more, now: content.updated_at });
  const { value, metadata } = content;
  deps.index.put(db, { id, account, namespaceId, key, value, metadata, place }, old && placeOf(old));
  if (old) deps.followers.overwritten(db, { id, value });
  deps.facts.changed(db, { id });

  const version = (old?.version ?? 0) + 1;
  if (old && isOnlyTagged(old, content)) followUpkeep(db, { memoryId: id, from: old.version, to: version });
  const shown = {
    ...SHOWN,
    ...content,
    noted_at,
    writer,
    id,
    namespace_id: namespaceId,
    namespace,
    key,
    version,
  };
  const after = toMemory({ ...shown, class: classify(key) });
  if (isAskedFor(author)) deps.quota.stored(db, account, after);
  deps.events.record(db, {
    ...author,
    type: old ? 'memory.update' : 'memory.write',
    namespace,
    key,
    before: old ? toMemory(old) : null,
    after,
  });
  deps.sync.wrote(db, { author, namespace, key, before: old?.updated_at ?? null }, content);
  settleHiding();
  return { outcome: old ? 'updated' : 'created', id, version };
}

/** Whether a memory gets other tags, and stays the same in all else. */
function isOnlyTagged(
  old: MemoryRow,
  { value, metadata, expires_at }: Pick<MemoryRow, 'value' | 'metadata' | 'expires_at'>,
): boolean {
  const withoutTags = (json: string) => ({ ...objectIn(json), tags: undefined });
  return (
    old.value === value &&
    old.expires_at === expires_at &&
    isDeepStrictEqual(withoutTags(old.metadata), withoutTags(metadata))
  );
}

/** What of a row says that nothing hides it. */
const SHOWN = { hidden: null, hidden_behind: null, archived_at: null } as const;

function inThePast({ expires_at }: Item): Problem {
  const message = `${expires_at} is in the past`;
  return new Problem('invalid_request', `expires_at: ${message}`, {
    errors: [{ path: 'expires_at', message }],
  });
}

/** What a row has of an item; a change is later than the one before. */
function columnsOf(item: Item, { old, now }: { old: MemoryRow | undefined; now: number }) {
  const created_at = item.created_at === undefined ? (old?.created_at ?? now) : Date.parse(item.created_at);
  const changedAt = old ? Math.max(now, old.updated_at + 1) : now;
  return {
    value: item.value,
    metadata: JSON.stringify(item.metadata ?? {}),
    bytes: byteLength(item.value),
    created_at,
    updated_at: item.updated_at === undefined ? changedAt : Date.parse(item.updated_at),
  };
}

/** What was there becomes an earlier version, and shows itself: who writes a hidden memory wants it. */
function makeWay(
  db: WriteDb,
  deps: MemoryDeps,
  { account, old }: { account: AccountId; old: MemoryRow },
): void {
  saveVersion(db, old, { account, max: deps.maxVersions });
  saveBehind(db, { account, id: old.id }, undefined);
  if (old.hidden !== null) takeOut(db, deps, { account, row: old });
  deleteTags(db, old.id);
}

/** Whether storing an item would change nothing. */
export function isSame(
  row: MemoryRow,
  { item, metadata, expires_at }: { item: Item; metadata: JsonObject; expires_at: number | null },
): boolean {
  return (
    row.value === item.value &&
    row.expires_at === expires_at &&
    (item.created_at === undefined || Date.parse(item.created_at) === row.created_at) &&
    (item.updated_at === undefined || Date.parse(item.updated_at) === row.updated_at) &&
    // Both as JSON holds them, which has no -0.
    isDeepStrictEqual(JSON.parse(row.metadata), JSON.parse(JSON.stringify(metadata)))
  );
}

/** The failure of an address where no memory is. */
export function notFound({ namespace, key }: { namespace: string; key: string }): Problem {
  return new Problem(
    'memory_not_found',
    `There is no memory ${JSON.stringify(key)} in the namespace ${JSON.stringify(namespace)}`,
  );
}

/** Deletes a memory for good: from rows, indexes, versions and earlier events. */
export function deleteMemory(
  deps: MemoryDeps,
  author: Author,
  address: { namespace: string; key: string; if_updated_at?: string | undefined },
): void {
  deps.store.write((db) => {
    const row = findMemory(db, at(author, address));
    if (address.if_updated_at !== undefined) refuseStale(row, address, address.if_updated_at);
    if (!row) throw notFound(address);
    forget(db, deps, { author, row });
  });
}

/** Deletes a row that was found, inside a transaction. */
export function forget(
  db: WriteDb,
  deps: MemoryDeps,
  { author, row }: { author: Author; row: MemoryRow },
): void {
  const { account } = author;
  deps.followers.deleted(db, row);
  const settleHiding = hidingAround(db, deps, { author, ...row });
  if (row.hidden === null) deps.index.remove(db, { ...indexedOf(account, row), place: placeOf(row) });
  else takeOut(db, deps, { account, row });
  deps.events.redactEarlier(db, { account, id: row.id });
  rememberSources(db, account, { memoryId: row.id });
  deleteMemoryRow(db, row.id);
  countChange(db, row.namespace_id, { memories: -1, bytes: -row.bytes, now: deps.clock.now() });
  deps.events.redact(db, { account, namespace: row.namespace, key: row.key });
  deps.events.record(db, deletion(author, row));
  deps.sync.deleted(db, { author, namespace: row.namespace, key: row.key });
  // What was hidden behind it would be neither there nor found any more: it is shown in its place.
  settleHiding();
}

function deletion(author: Author, row: MemoryRow): NewEvent {
  return {
    ...author,
    type: 'memory.delete',
    namespace: row.namespace,
    key: row.key,
    before: toMemory(row),
    after: null,
  };
}

/** Deletes all memories of a namespace for good, with those in the trash; answers how many. */
export function clearNamespace(
  deps: MemoryDeps,
  author: Author,
  name: string,
): { deleted: number; fromTrash: number } {
  const { account } = author;
  return deps.store.write((db) => {
    const fromTrash = clearTrash(db, deps, { author, namespace: name });
    dropFace(db, account, name);
    const namespace = findNamespace(db, account, name);
    const deleted = namespace?.memories ?? 0;
    if (namespace) {
      deps.events.redact(db, { account, namespace: name, key: null });
      deps.events.redactEarlier(db, { account, namespaceId: namespace.id });
      const ids = newestIds(db, {
        account,
        namespaces: JSON.stringify([namespace.id]),
        hidden: 1,
        limit: CLEAR_EVENTS,
      });
      // Page by page: 10,000 values at once may be 10 GB.
      for (const page of pagesOf(ids))
        for (const row of findMemoriesById(db, account, page)) deps.events.record(db, deletion(author, row));
      deps.followers.cleared(db, { account, namespace: name });
      const shelf = findNamespace(db, account, SHELF + name);
      for (const { id } of [namespace, ...(shelf ? [shelf] : [])]) deps.index.clear(db, account, id);
      rememberSources(db, account, { namespaceId: namespace.id });
      if (shelf) dropNamespace(db, account, shelf.id);
      dropNamespace(db, account, namespace.id);
    }
    deps.events.record(db, {
      ...author,
      type: 'memory.clear',
      namespace: name,
      key: null,
      before: { count: deleted },
      after: { count: 0 },
    });
    deps.sync.cleared(db, { author, namespace: name });
    return { deleted, fromTrash };
  });
}

/** Rows that are read at once. */
const PAGE = 100;

/** Ids in groups that are read together. */
export function* pagesOf(ids: readonly number[]): Generator<number[]> {
  for (let from = 0; from < ids.length; from += PAGE) yield ids.slice(from, from + PAGE);
}
