import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { HiddenKind, ListedMemory, Memory, MemoryClass } from '@reverie/shared/contract/memories';
import { titleOf } from '../../language/title.ts';
import type { MemoryDeps } from './deps.ts';
import { notFound, pagesOf } from './memories.service.ts';
import {
  countMemories,
  filterIds,
  findMemoriesById,
  findMemory,
  type ListFilter,
  listKeyRows,
  listMemoryRows,
  type MemoryRow,
  newestIds,
  toMemory,
} from './memories.store.ts';
import { findNamespace, listNamespaceRows } from './namespaces.store.ts';

/** A memory by its key. Throws `memory_not_found`. */
export function getMemory(
  { store, followers }: Pick<MemoryDeps, 'store' | 'followers'>,
  account: AccountId,
  address: { namespace: string; key: string },
): Memory {
  const row = store.read((db) => findMemory(db, { account, ...address }));
  if (!row) throw notFound(address);
  followers.recalled(account, [row.id]);
  return titled(row);
}

/** A memory as it is read: with its title. */
export function titled(row: MemoryRow): Memory {
  const memory = toMemory(row);
  return { ...memory, title: titleOf(row.value, memory.metadata) };
}

/** How much of each value a list or a search wants. */
interface WantedValue {
  /** So many characters. */
  preview?: number | undefined;
  values: boolean;
}

/** A memory with as much of its value as is wanted. */
export function asWanted(memory: Memory, { preview, values }: WantedValue): ListedMemory {
  if (values) return previewed(memory, preview);
  const { value: _, ...rest } = memory;
  return rest;
}

/** A memory with so many characters of its value; a cut one says so. Never half a surrogate pair. */
export function previewed(memory: Memory, characters = Infinity): Memory {
  const { value } = memory;
  if (value.length <= characters) return memory;
  const last = value.charCodeAt(characters - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters;
  return { ...memory, value: value.slice(0, end), truncated: true };
}

export interface ListInput extends WantedValue {
  namespace: string;
  class?: MemoryClass | undefined;
  tags?: readonly string[] | undefined;
  include?: readonly HiddenKind[] | undefined;
  limit: number;
  offset: number;
  order: 'created' | 'updated';
  prefix?: string | undefined;
}

/** A page of a namespace, and how many memories pass the filter in all. */
export function listMemories(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  input: ListInput,
): { memories: ListedMemory[]; total: number } {
  return store.read((db) => {
    const namespace = findNamespace(db, account, input.namespace);
    if (!namespace) return { memories: [], total: 0 };
    const filter = listFilter(account, namespace.id, input);
    const memories = listMemoryRows(db, filter, input).map((row) => asWanted(titled(row), input));
    const isFiltered =
      filter.class !== null ||
      filter.tagCount > 0 ||
      filter.prefix !== '' ||
      (input.include ?? []).length > 0;
    return {
      memories,
      total: isFiltered ? countMemories(db, filter) : namespace.memories - namespace.hidden,
    };
  });
}

/** A page of the keys of a namespace, and after which key the next one begins. */
export function memoryKeys(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  {
    namespace,
    prefix = '',
    after = '',
    limit,
  }: { namespace: string; prefix?: string | undefined; after?: string | undefined; limit: number },
): { keys: string[]; next: string | null } {
  return store.read((db) => {
    const found = findNamespace(db, account, namespace);
    const keys = found ? listKeyRows(db, { account, namespaceId: found.id, prefix, after, limit }) : [];
    return { keys, next: keys.length === limit ? (keys.at(-1) ?? null) : null };
  });
}

/** Memories by their ids; those of other accounts are left out. */
export function memoriesById(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  ids: readonly number[],
): Map<number, Memory> {
  const rows = store.read((db) => findMemoriesById(db, account, ids));
  return new Map(rows.map((row) => [row.id, titled(row)]));
}

interface Filter {
  prefix?: string | undefined;
  class?: MemoryClass | undefined;
  tags?: readonly string[] | undefined;
  include?: readonly HiddenKind[] | undefined;
}

/** Ids of the memories of a namespace that pass a filter; undefined when there is nothing to filter by. */
export function memoryIds(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  input: Filter & { namespace: string },
): number[] | undefined {
  if (input.class === undefined && (input.tags ?? []).length === 0) return undefined;
  return store.read((db) => {
    const namespace = findNamespace(db, account, input.namespace);
    return namespace ? filterIds(db, listFilter(account, namespace.id, input)) : [];
  });
}

/** The filter of a list or a search, as the store takes it. */
function listFilter(account: AccountId, namespaceId: number, input: Filter): ListFilter {
  const tags = [...new Set(input.tags ?? [])];
  return {
    account,
    namespaceId,
    class: input.class ?? null,
    tags: JSON.stringify(tags),
    tagCount: tags.length,
    include: JSON.stringify(input.include ?? []),
    prefix: input.prefix ?? '',
  };
}

/**
 * All memories, newest first, as they are known at the start, of one namespace, of those that a key has (`within`) or of all; values are read
 * page by page. What is deleted meanwhile is left out.
 */
export async function* everyMemory(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  {
    namespace,
    within = null,
    limit = Number.MAX_SAFE_INTEGER,
  }: { namespace?: string | undefined; within?: string | null; limit?: number | undefined },
): AsyncGenerator<Memory> {
  const found =
    namespace === undefined ? undefined : store.read((db) => findNamespace(db, account, namespace));
  if (namespace !== undefined && !found) return;
  const ids = store.read((db) =>
    newestIds(db, { account, namespaceId: found?.id ?? null, within, hidden: 0, limit }),
  );
  for (const page of pagesOf(ids)) {
    const rows = new Map(store.read((db) => findMemoriesById(db, account, page)).map((row) => [row.id, row]));
    for (const id of page) {
      const row = rows.get(id);
      if (row) yield titled(row);
    }
    // Other requests get their turn between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The namespaces that hold memories and that a caller has, by name. */
export function listNamespaces(
  { store }: Pick<MemoryDeps, 'store'>,
  { account, readable }: Pick<Caller, 'account' | 'readable'>,
) {
  return store
    .read((db) => listNamespaceRows(db, account))
    .filter(({ name, memories }) => memories > 0 && readable(name))
    .map((row) => ({
      namespace: row.name,
      count: row.memories - row.hidden,
      bytes: row.bytes,
      updated_at: new Date(row.updated_at).toISOString(),
    }));
}
