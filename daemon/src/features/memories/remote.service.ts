import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@reverie/shared/contract/fields';
import type { Behind } from '@reverie/shared/document/register';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import type { MemoryDeps } from './deps.ts';
import { saidHidden, type SaidHidden, sayHidden } from './hiding.ts';
import { takeOverHistory } from './history.store.ts';
import { takeOverSources } from './imports/imports.store.ts';
import { forget, writeMemory } from './memories.service.ts';
import { findMemory, type MemoryRow, toMemory } from './memories.store.ts';
import { findTrashed, saveTrashedAt } from './trash/trash.store.ts';
import { bringBack, clearTrash, forgetTrashed, moveToTrash } from './trash/trashing.ts';

/** What another device says of a memory; without content it was deleted. Times in ms since 1970. */
export interface RemoteChange {
  namespace: string;
  key: string;
  content:
    | {
        value: string;
        metadata: JsonObject;
        created_at: number;
        updated_at: number;
        expires_at: number | null;
        /** The key that it had before, where another device renamed it. */
        was?: string | undefined;
        /** When it was put into the trash. */
        trashed?: number | undefined;
        /** When it was archived. */
        archived?: number | undefined;
        /** What it is hidden behind, wherever that is there. */
        behind?: Behind | undefined;
      }
    | undefined;
}

/** Makes a memory what another device says, in the way of every other write, and hides it where that does; answers whether anything changed. */
export function applyRemote(
  db: WriteDb,
  deps: MemoryDeps,
  { author, change }: { author: Author; change: RemoteChange },
): boolean {
  const { namespace, key, content } = change;
  const row = findMemory(db, { account: author.account, namespace, key });
  if (!content) {
    if (row) forget(db, deps, { author, row });
    return row !== undefined;
  }
  const { trashed } = content;
  const at = { account: author.account, namespace, key, createdAt: content.created_at };
  const inTrash = row ? undefined : findTrashed(db, at);
  const said = { archived: content.archived, behind: content.behind };
  if (trashed !== undefined && inTrash && says(inTrash, content) && isSaid(db, inTrash, said)) {
    // Both devices put it there: it is there since the one time that all of them know.
    if (inTrash.trashed_at !== trashed) saveTrashedAt(db, inTrash.id, trashed);
    return false;
  }
  // The same memory: it comes back with its history. Another one of this key leaves it where it is.
  if (inTrash) {
    bringBack(db, deps, { author, trashed: inTrash });
    applyRemote(db, deps, { author, change });
    return true;
  }
  if (trashed !== undefined) {
    applyRemote(db, deps, { author, change: { ...change, content: { ...content, trashed: undefined } } });
    const written = findMemory(db, { account: author.account, namespace, key });
    if (written) moveToTrash(db, deps, { author, row: written, at: trashed });
    return true;
  }
  if (row && says(row, content)) return sayHidden(db, deps, { author, row, said });
  const iso = (ms: number) => new Date(ms).toISOString();
  const item = {
    key,
    namespace,
    value: content.value,
    metadata: content.metadata,
    created_at: iso(content.created_at),
    updated_at: iso(content.updated_at),
    ...(content.expires_at !== null && { expires_at: iso(content.expires_at) }),
  };
  const { outcome, id } = writeMemory(db, deps, { author, item });
  if (outcome === 'created' && content.was !== undefined)
    goOn(db, deps, { author, at: { namespace, key, id, created_at: content.created_at }, was: content.was });
  const now = findMemory(db, { account: author.account, namespace, key });
  const isHidden = now !== undefined && sayHidden(db, deps, { author, row: now, said });
  return isHidden || outcome !== 'unchanged';
}

/** Gives a new memory the past of the one that it was under another key; where that has a third one by now, of that one. */
function goOn(
  db: WriteDb,
  deps: MemoryDeps,
  {
    author: { account },
    at,
    was,
  }: {
    author: Author;
    at: { namespace: string; key: string; id: number; created_at: number };
    was: string;
  },
): void {
  const { namespace, id, created_at } = at;
  const keys = [was, ...deps.events.namesakes(db, { account, namespace, key: was, created_at })];
  // Its row goes once its own deletion comes: somebody may have written it again meanwhile.
  const before = keys
    .filter((key) => key !== at.key)
    .flatMap((key) => findMemory(db, { account, namespace, key }) ?? [])
    .find((row) => row.created_at === created_at);
  if (!before) return;
  takeOverHistory(db, { from: before, to: id });
  deps.events.goesOn(db, { from: before.id, to: id });
  deps.events.renamed(db, { account, id, namespace, key: was });
  if (before.key === was) takeOverSources(db, { from: before.id, to: id });
}

/** Tells that a memory that had two names goes on under one of them, unless it was called by the other before. */
export function keepName(
  db: WriteDb,
  deps: MemoryDeps,
  { author, namespace, key, other }: { author: Author; namespace: string; key: string; other: string },
): void {
  const { account } = author;
  const row = findMemory(db, { account, namespace, key });
  if (!row || deps.events.wasCalled(db, { id: row.id, namespace, key: other })) return;
  const after = toMemory(row);
  deps.events.record(db, {
    ...author,
    type: 'memory.update',
    namespace,
    key,
    before: { ...after, key: other },
    after,
  });
  deps.events.renamed(db, { account, id: row.id, namespace, key: other });
  const goes = findMemory(db, { account, namespace, key: other });
  if (goes) takeOverSources(db, { from: goes.id, to: row.id });
}

const isSaid = (db: WriteDb, row: MemoryRow, said: SaidHidden) =>
  isDeepStrictEqual(saidHidden(db, row), said);

function says(row: MemoryRow, content: NonNullable<RemoteChange['content']>): boolean {
  return (
    row.value === content.value &&
    row.created_at === content.created_at &&
    row.updated_at === content.updated_at &&
    row.expires_at === content.expires_at &&
    isDeepStrictEqual(JSON.parse(row.metadata), content.metadata)
  );
}

/** Deletes from the trash what another device deleted from its own: one memory, or all that was put there until a time. */
export function forgetTrashedRemotely(
  db: WriteDb,
  deps: MemoryDeps,
  {
    author,
    which,
  }: {
    author: Author;
    which: { namespace: string } & ({ until: number } | { key: string; created_at: number });
  },
): void {
  const { namespace } = which;
  if ('until' in which) return void clearTrash(db, deps, { author, namespace, until: which.until });
  const { key, created_at: createdAt } = which;
  const trashed = findTrashed(db, { account: author.account, namespace, key, createdAt });
  if (trashed) forgetTrashed(db, deps, { author, trashed });
}

/** Tells that a version lost against the one that is stored: `memory.merge`, with what it said before. */
export function recordMerge(
  db: WriteDb,
  deps: MemoryDeps,
  { author, at, lost }: { author: Author; at: { namespace: string; key: string }; lost: JsonObject },
): void {
  const row = findMemory(db, { account: author.account, ...at });
  deps.events.record(db, {
    ...author,
    ...at,
    type: 'memory.merge',
    before: lost,
    after: row ? toMemory(row) : null,
  });
}
