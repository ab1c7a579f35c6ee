import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Author } from '../../../db/change.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import type { MemoryDeps } from '../deps.ts';
import { findMemoriesById, findMemory, type MemoryRow } from '../memories.store.ts';
import { renameMemory } from '../renaming.service.ts';
import { moveToTrashNow } from '../trash/trashing.ts';
import {
  dropSource,
  findSource,
  type ImportAddress,
  listSources,
  markVanished,
  memoriesFrom,
  rememberDeleted,
  saveSource,
  sourcesOfMemory,
  wasDeleted,
} from './imports.store.ts';

/** A memory, and a source that it came from. */
export interface FromSource {
  source: string;
  namespace: string;
  key: string;
}

/** What became of the memories whose sources are gone; `kept`: edited here since they were imported, so they stay. */
export interface Pruned {
  pruned: FromSource[];
  kept: FromSource[];
}

/** A page of the ids of sources at or below a root, by their bytes, whose memories are here. */
export function sourcesBelow(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  page: { root: string; after?: string | undefined; limit: number },
): string[] {
  return store.read((db) => listSources(db, { ...page, account, after: page.after ?? '' }));
}

/**
 * Moves to the trash what came from sources that are gone, in one transaction. A memory that also came from another source that is not gone
 * stays, and so does what was edited here. What is brought again later comes back from there.
 */
export function pruneSources(deps: MemoryDeps, author: Author, sources: readonly string[]): Pruned {
  return deps.store.write((db) => {
    const plan = planned(db, author.account, sources);
    for (const { row } of plan.trash) moveToTrashNow(db, deps, { author, row });
    for (const gone of plan.gone) markVanished(db, author.account, gone);
    return toldOf(plan);
  });
}

/** What pruning would do, without doing it. */
export function planPrune(
  { store }: Pick<MemoryDeps, 'store'>,
  account: AccountId,
  sources: readonly string[],
): Pruned {
  return store.read((db) => toldOf(planned(db, account, sources)));
}

interface Plan {
  trash: { row: MemoryRow; source: string }[];
  kept: FromSource[];
  /** Sources that are marked as gone. */
  gone: { sourceId: string; memoryId: number }[];
}

function toldOf({ trash, kept }: Plan): Pruned {
  return {
    pruned: trash.map(({ row, source }) => ({ source, namespace: row.namespace, key: row.key })),
    kept,
  };
}

function planned(db: ReadDb, account: AccountId, sources: readonly string[]): Plan {
  const gone = new Set(sources);
  const plan: Plan = { trash: [], kept: [], gone: [] };
  const seen = new Set<number>();
  for (const source of gone)
    for (const memoryId of memoriesFrom(db, account, source)) {
      const [row] = seen.has(memoryId) ? [] : findMemoriesById(db, account, [memoryId]);
      if (!row) continue;
      seen.add(memoryId);
      const all = sourcesOfMemory(db, memoryId);
      const isElsewhere = all.some((one) => one.vanished === 0 && !gone.has(one.sourceId));
      const isUntouched = all.some(
        (one) => one.version === row.version && one.namespace === row.namespace && one.key === row.key,
      );
      if (!isElsewhere && !isUntouched) {
        plan.kept.push({ source, namespace: row.namespace, key: row.key });
        continue;
      }
      if (!isElsewhere) plan.trash.push({ row, source });
      for (const { sourceId } of all) if (gone.has(sourceId)) plan.gone.push({ sourceId, memoryId });
    }
  return plan;
}

/**
 * A source has another name now, as a file that was renamed: its memory is renamed with it and keeps its history, and the next import
 * writes what the source says under its new name. What was deleted here stays so under the new name. Answers false, and does
 * nothing, where nothing was imported from it, or another memory has the new key: then it is a new source.
 */
export function moveSource(
  deps: MemoryDeps,
  author: Author,
  { from, to }: { from: ImportAddress; to: ImportAddress },
): boolean {
  return deps.store.write((db) => {
    const { account } = author;
    const source = findSource(db, account, from);
    if (!source) {
      if (!wasDeleted(db, account, from)) return false;
      rememberDeleted(db, account, to);
      return true;
    }
    const [row] = source.trashed ? [] : findMemoriesById(db, account, [source.memory_id]);
    // What was renamed here keeps the name that it has here.
    const isAsImported = row?.namespace === from.namespace && row.key === from.key;
    const isRenamed = from.namespace !== to.namespace || from.key !== to.key;
    if (isAsImported && isRenamed) {
      if (findMemory(db, { account, ...to })) return false;
      renameMemory(deps, author, { from, to });
    }
    dropSource(db, account, from);
    saveSource(db, account, { ...to, ...source, hash: '', vanished: 0 });
    return true;
  });
}
