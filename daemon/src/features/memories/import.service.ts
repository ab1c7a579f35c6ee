import type { importOutcomes, PortableMemory } from '@reverie/shared/contract/portable';
import type { Author } from '../../db/change.ts';
import type { ReadDb } from '../../db/open-store.ts';
import { findSource, saveSource } from './imports.store.ts';
import type { MemoryDeps } from './deps.ts';
import { isSame, writeMemory } from './memories.service.ts';
import { findMemory, type MemoryRow } from './memories.store.ts';

export type ImportOutcome = (typeof importOutcomes)[number];

/**
 * Imports memories with their times, in one transaction; answers what was done with each. What is
 * unchanged at its source is skipped, and what was edited here since the last import is kept.
 */
export function importMemories(
  deps: MemoryDeps,
  author: Author,
  items: readonly PortableMemory[],
): ImportOutcome[] {
  return deps.store.write((db) =>
    items.map((item) => {
      const row = findMemory(db, { account: author.account, namespace: item.namespace, key: item.key });
      const outcome = decide(db, { author, item, row });
      let written: { id: number; version: number } | undefined = row;
      if (outcome === 'created') written = writeMemory(db, deps, { author, item: unchangedSince(item) });
      if (outcome === 'updated') written = writeMemory(db, deps, { author, item });
      // The source of a kept memory stays unrecorded, so that the next import says again that it differs.
      if (item.source && written && outcome !== 'kept' && !isKnown(db, { author, item, row }))
        saveSource(db, author.account, {
          sourceId: item.source.id,
          memoryId: written.id,
          hash: item.source.hash,
          version: written.version,
        });
      return outcome;
    }),
  );
}

/**
 * What only says when it was made has not been changed since: stored as changed now, the notes of years would all be of
 * the day of the import, and of two that differ the older one would be as new as the newer.
 */
function unchangedSince(item: PortableMemory): PortableMemory {
  return item.updated_at === undefined && item.created_at !== undefined
    ? { ...item, updated_at: item.created_at }
    : item;
}

/** What an import would do, without doing it. */
export function planImport(
  { store }: Pick<MemoryDeps, 'store'>,
  author: Author,
  items: readonly PortableMemory[],
): ImportOutcome[] {
  return store.read((db) =>
    items.map((item) => {
      const row = findMemory(db, { account: author.account, namespace: item.namespace, key: item.key });
      return decide(db, { author, item, row });
    }),
  );
}

interface Candidate {
  author: Author;
  item: PortableMemory;
  row: MemoryRow | undefined;
}

/** Whether the source was imported in exactly this state. */
function isKnown(db: ReadDb, { author, item, row }: Candidate): boolean {
  if (!row || !item.source) return false;
  return (
    findSource(db, author.account, { sourceId: item.source.id, memoryId: row.id })?.hash === item.source.hash
  );
}

function decide(db: ReadDb, candidate: Candidate): ImportOutcome {
  const { author, item, row } = candidate;
  if (!row) return 'created';
  if (isKnown(db, candidate)) return 'unchanged';
  const expires_at = item.expires_at === undefined ? null : Date.parse(item.expires_at);
  if (isSame(row, { item, metadata: item.metadata ?? {}, expires_at })) return 'unchanged';
  if (item.source) {
    const source = findSource(db, author.account, { sourceId: item.source.id, memoryId: row.id });
    return source?.version === row.version ? 'updated' : 'kept';
  }
  const isNewerHere = item.updated_at === undefined || Date.parse(item.updated_at) < row.updated_at;
  return isNewerHere ? 'kept' : 'updated';
}
