import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { ListedMemory, Memory } from '@reverie/shared/contract/memories/memories';
import type { memoryKeys as keysRoute } from '@reverie/shared/contract/memories/memory-keys';
import type { Parsed, Reply } from '@reverie/shared/contract/route';
import { authorsOf, type NameAuthor } from '../../../db/authors.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import { titleOf } from '../../../language/notes/title.ts';
import type { MemoryDeps } from '../deps.ts';
import { notFound, pagesOf } from '../memories.service.ts';
import {
  countMemories,
  filterIds,
  listFolded,
  listIds,
  listKeyRows,
  type ListPage,
} from './listing.store.ts';
import {
  findMemoriesById,
  findMemory,
  firstTexts,
  type MemoryRow,
  type MemoryText,
  newestIds,
  toMemory,
} from '../memories.store.ts';
import { findNamespace, listNamespaceRows } from '../namespaces/namespaces.store.ts';
import { coloursOf } from '../namespaces/faces.ts';
import { listFaces } from '../namespaces/faces.store.ts';
import { listNamespaceModels } from '../namespaces/privacy.store.ts';
import { filterOf, isNarrowed, namespacesOf, type Narrowing } from './narrowing.ts';

/** A memory by its key. Throws `memory_not_found`. */
export function getMemory(
  { store, recalled }: Pick<MemoryDeps, 'store' | 'recalled'>,
  account: AccountId,
  address: { namespace: string; key: string },
): Memory {
  const found = store.read((db) => {
    const row = findMemory(db, { account, ...address });
    return row && { id: row.id, memory: titled(row, authorsOf(db, account)) };
  });
  if (!found) throw notFound(address);
  recalled(account, [found.id]);
  return found.memory;
}

/** A memory as it is read: with its title, and who wrote it. */
export function titled(row: MemoryRow, name: NameAuthor): Memory {
  const memory = toMemory(row);
  const author = name(row.writer);
  return { ...memory, title: titleOf(row.value, memory.metadata), ...(author && { author }) };
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

export interface ListInput extends Narrowing, WantedValue {
  limit: number;
  offset: number;
  order: ListPage['order'];
}

/** A page of what is looked at, and how many memories pass the filter in all. */
export function listMemories(
  deps: Pick<MemoryDeps, 'store' | 'index'>,
  account: AccountId,
  input: ListInput,
): { memories: ListedMemory[]; total: number } {
  return deps.store.read((db) => {
    const namespaces = namespacesOf(db, account, input);
    if (namespaces.length === 0) return { memories: [], total: 0 };
    const filter = filterOf(db, deps, { account, namespaces: namespaces.map(({ id }) => id), by: input });
    const ids = listIds(db, filter, input);
    const rows = new Map(findMemoriesById(db, account, ids).map((row) => [row.id, row]));
    const name = authorsOf(db, account);
    const isFiltered = isNarrowed(input) || (input.include ?? []).length > 0;
    return {
      memories: ids.flatMap((id) => {
        const row = rows.get(id);
        return row ? [asWanted(titled(row, name), input)] : [];
      }),
      total: isFiltered
        ? countMemories(db, filter)
        : namespaces.reduce((sum, { memories, hidden }) => sum + memories - hidden, 0),
    };
  });
}

/** A page of the keys of a namespace, and after which key the next one begins; with a delimiter those below it as their folders. */
export function memoryKeys(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  { namespace, prefix = '', after = '', among, delimiter, limit }: Parsed<typeof keysRoute>['query'],
): Reply<typeof keysRoute> {
  return store.read((db) => {
    const found = findNamespace(db, account, namespace);
    const range = found && { account, namespaceId: found.id, prefix, after, limit };
    const nextOf = (page: readonly string[]) => (page.length === limit ? (page.at(-1) ?? null) : null);
    if (delimiter === undefined) {
      const keys = range ? listKeyRows(db, { ...range, among }) : [];
      return { keys, next: nextOf(keys) };
    }
    const items = range ? listFolded(db, { ...range, delimiter }) : [];
    const namesOf = (wanted: boolean) =>
      items.filter(({ isFolder }) => isFolder === wanted).map(({ name }) => name);
    return { keys: namesOf(false), folders: namesOf(true), next: nextOf(items.map(({ name }) => name)) };
  });
}

/** Memories by their ids; those of other accounts are left out. */
export function memoriesById(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  ids: readonly number[],
): Map<number, Memory> {
  return store.read((db) => {
    const name = authorsOf(db, account);
    return new Map(findMemoriesById(db, account, ids).map((row) => [row.id, titled(row, name)]));
  });
}

/** Ids of the memories that a search may find; undefined when there is nothing to filter by. */
export function memoryIds(
  deps: Pick<MemoryDeps, 'store' | 'index'>,
  account: AccountId,
  by: Narrowing,
): number[] | undefined {
  if (!isNarrowed(by)) return undefined;
  return deps.store.read((db) => {
    const namespaces = namespacesOf(db, account, by).map(({ id }) => id);
    return namespaces.length > 0 ? filterIds(db, filterOf(db, deps, { account, namespaces, by })) : [];
  });
}

/**
 * All memories, newest first, as they are known at the start, of one namespace or of all that may be read; values are read
 * page by page. What is deleted meanwhile is left out.
 */
export async function* everyMemory(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  {
    namespace = EVERY_NAMESPACE,
    readable,
    limit = Number.MAX_SAFE_INTEGER,
  }: Pick<Narrowing, 'readable'> & { namespace?: string | undefined; limit?: number | undefined },
): AsyncGenerator<Memory> {
  const ids = store.read((db) => {
    const found = namespacesOf(db, account, { namespace, readable }).map(({ id }) => id);
    return newestIds(db, { account, namespaces: JSON.stringify(found), hidden: 0, limit });
  });
  for (const page of pagesOf(ids)) {
    const memories = memoriesById({ store }, account, page);
    for (const id of page) {
      const memory = memories.get(id);
      if (memory) yield memory;
    }
    // Other requests get their turn between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Characters of the texts that are read at once. */
const TEXTS_AT_ONCE = 1_000_000;

/** Which texts are read: of one key, of paths `/NAMESPACE/KEY` that begin so, or of all that a caller may read. */
interface WantedTexts {
  namespace: string;
  key?: string | undefined;
  under?: string | undefined;
}

/** What memories say, the one that changed last first, in pages of some million characters. Hidden ones are left out, and those that are deleted meanwhile. */
export async function* memoryTexts(
  deps: Pick<MemoryDeps, 'store' | 'index'>,
  caller: Pick<Caller, 'account' | 'readable'>,
  wanted: WantedTexts,
): AsyncGenerator<MemoryText[]> {
  const ids = deps.store.read((db) => idsOfTexts(db, deps, { caller, wanted }));
  for (let from = 0; from < ids.length;) {
    const page = ids.slice(from, from + PAGE_OF_TEXTS);
    const texts = deps.store.read((db) =>
      firstTexts(db, caller.account, { ids: page, characters: TEXTS_AT_ONCE }),
    );
    const last = texts.at(-1);
    const isFull = texts.reduce((sum, { value }) => sum + value.length, 0) >= TEXTS_AT_ONCE;
    // Fewer than a page, and yet not full: the others are gone.
    from += last && isFull ? page.indexOf(last.id) + 1 : page.length;
    yield texts;
    // Other requests get their turn between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function idsOfTexts(
  db: ReadDb,
  deps: Pick<MemoryDeps, 'index'>,
  { caller, wanted }: { caller: Pick<Caller, 'account' | 'readable'>; wanted: WantedTexts },
): number[] {
  const { account, readable } = caller;
  const { namespace, key, under = '/' } = wanted;
  const namespaces = namespacesOf(db, account, { namespace, readable });
  if (key !== undefined)
    return namespaces.flatMap(({ name }) => {
      const row = findMemory(db, { account, namespace: name, key });
      return row?.hidden === null && `/${name}/${key}`.startsWith(under) ? [row.id] : [];
    });
  const listed = (among: readonly { id: number }[], prefix: string) => {
    if (among.length === 0) return [];
    const by = { namespace, prefix };
    const filter = filterOf(db, deps, { account, namespaces: among.map(({ id }) => id), by });
    return listIds(db, filter, { order: 'updated', limit: Number.MAX_SAFE_INTEGER, offset: 0 });
  };
  return [
    ...listed(
      namespaces.filter(({ name }) => `/${name}/`.startsWith(under)),
      '',
    ),
    ...namespaces
      .filter(({ name }) => under.startsWith(`/${name}/`) && under !== `/${name}/`)
      .flatMap((one) => listed([one], under.slice(one.name.length + 2))),
  ];
}

/** Ids that are read at once at most. */
const PAGE_OF_TEXTS = 1_000;

/** The namespaces that hold memories and that a caller has, by name. */
export function listNamespaces(
  { store }: Pick<MemoryDeps, 'store'>,
  { account, readable }: Pick<Caller, 'account' | 'readable'>,
) {
  return store.read((db) => {
    const kept = listNamespaceModels(db, account);
    const faces = listFaces(db, account);
    const rows = listNamespaceRows(db, account);
    const colours = coloursOf(rows, faces);
    return rows
      .filter(({ name, memories }) => memories > 0 && readable(name))
      .map((row) => ({
        namespace: row.name,
        count: row.memories - row.hidden,
        bytes: row.bytes,
        updated_at: new Date(row.updated_at).toISOString(),
        ...(kept.has(row.name) && { models: kept.get(row.name) }),
        colour: colours.get(row.name),
        sign: faces.get(row.name)?.sign ?? undefined,
      }));
  });
}
