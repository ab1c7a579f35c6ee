import { byteLength, limits } from '@reverie/shared/contract/fields';
import { importMemories, type PortableMemory } from '@reverie/shared/contract/memories/portable';
import type { Client } from '@reverie/shared/client';
import type { ReadItem, Skipped, UnreadFrontmatter } from '@reverie/memory-formats/reader';

/**
 * Less than the contract allows: each batch is one transaction that other writers wait for, and a step of the
 * progress bar. `json` bounds the body, since a value may take six times its bytes with every one escaped.
 */
export const batchLimits = { items: 500, valueBytes: 8 * 1024 * 1024, jsonBytes: 32 * 1024 * 1024 } as const;

/** How far an import is. */
export interface ImportProgress {
  /** What it is about: the key of the memory, or the path of what was skipped. */
  at: string;
  found: number;
  /** Memories that the server has answered for. */
  done: number;
  skipped: number;
  valueBytes: number;
}

/** A memory, and the source that brought it. */
export type BroughtMemory = Pick<PortableMemory, 'namespace' | 'key'> & { source: string | undefined };

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  /** Edited here since the last import: the change of the source was left out. */
  kept: BroughtMemory[];
  /** Deleted here since an earlier import, so left out. */
  deletedHere: BroughtMemory[];
  /** Here again, from the trash where they were there. */
  restored: number;
  skipped: Skipped[];
  /** Taken with their whole text, but not with all that their frontmatter says. */
  unread: UnreadFrontmatter[];
  /** Ids of all sources that are there, whatever was done with them. */
  sources: Set<string>;
  valueBytes: number;
  /** What was answered before an interruption or a failure stays; running the import again goes on from there. */
  ended: { kind: 'complete' } | { kind: 'interrupted' } | { kind: 'failed'; error: unknown };
}

export interface ImportRun {
  client: Client;
  /** What a reader finds. */
  found: AsyncIterable<ReadItem>;
  /** Asks what would be done, and changes nothing. */
  dryRun?: boolean;
  /** Brings back what was deleted here. */
  restore?: boolean;
  /** Ends the import after the batch that is under way. */
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** The time, in milliseconds; memories whose end is past are left out. */
  now?: () => number;
}

/**
 * Sends what a reader finds in batches. Nothing is retried: a failure ends the run, and since the server knows
 * the source of each memory with its hash, the next run skips what is there already.
 */
export async function importAll(run: ImportRun): Promise<ImportReport> {
  const report: ImportReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    kept: [],
    deletedHere: [],
    restored: 0,
    skipped: [],
    unread: [],
    sources: new Set(),
    valueBytes: 0,
    ended: { kind: 'complete' },
  };
  const state: State = {
    run,
    report,
    batch: emptyBatch(),
    seen: new Map(),
    found: 0,
    done: 0,
    underWay: Promise.resolve(),
  };
  try {
    for await (const found of run.found) {
      if (run.signal?.aborted) break;
      await take(state, found);
    }
    if (!run.signal?.aborted) await send(state);
    await state.underWay;
  } catch (error) {
    // What was sent before the reader failed is answered, and counted.
    await state.underWay.catch(() => undefined);
    report.ended = { kind: 'failed', error };
    return report;
  }
  if (run.signal?.aborted) report.ended = { kind: 'interrupted' };
  return report;
}

interface Batch {
  items: PortableMemory[];
  valueBytes: number;
  jsonBytes: number;
}

interface State {
  run: ImportRun;
  report: ImportReport;
  batch: Batch;
  /** The source of each address so far: two sources of one memory would overwrite each other at every run. */
  seen: Map<string, string>;
  found: number;
  done: number;
  /** The batch that was sent last: while the server is at it, the next one is read. */
  underWay: Promise<void>;
}

function emptyBatch(): Batch {
  return { items: [], valueBytes: 0, jsonBytes: 0 };
}

async function take(state: State, found: ReadItem): Promise<void> {
  if (found.kind === 'skipped') {
    state.report.skipped.push(found.skipped);
    tell(state, found.skipped.path);
    return;
  }
  const { memory } = found;
  const source = sourceOf(memory);
  if (memory.source) state.report.sources.add(memory.source.id);
  const left = reasonToLeave(state, memory);
  if (left) {
    state.report.skipped.push({ path: source, ...left });
    tell(state, source);
    return;
  }
  if (found.unread) state.report.unread.push(found.unread);
  state.seen.set(addressOf(memory), source);
  const valueBytes = byteLength(memory.value);
  const jsonBytes = byteLength(JSON.stringify(memory));
  if (isFull(state.batch, valueBytes, jsonBytes)) await send(state);
  state.batch.items.push(memory);
  state.batch.valueBytes += valueBytes;
  state.batch.jsonBytes += jsonBytes;
  state.found++;
  tell(state, memory.key);
}

function addressOf({ namespace, key }: PortableMemory): string {
  return `${namespace}\n${key}`;
}

function sourceOf({ source, key }: PortableMemory): string {
  return source?.id ?? key;
}

function reasonToLeave({ run, seen }: State, memory: PortableMemory): Omit<Skipped, 'path'> | undefined {
  const { expires_at, key, namespace } = memory;
  // It would be stored, deleted at once, and created again by the next import.
  if (expires_at !== undefined && Date.parse(expires_at) <= (run.now ?? Date.now)())
    return { reason: 'expired', detail: `ended at ${expires_at}` };
  const earlier = seen.get(addressOf(memory));
  if (earlier === undefined) return undefined;
  const detail = `has the key ${key} in ${namespace}, as ${earlier} has; the first one was taken`;
  return { reason: 'duplicate', detail };
}

function isFull({ items, ...size }: Batch, valueBytes: number, jsonBytes: number): boolean {
  if (items.length === 0) return false;
  return (
    items.length >= Math.min(batchLimits.items, limits.batchItems) ||
    size.valueBytes + valueBytes > Math.min(batchLimits.valueBytes, limits.batchBytes) ||
    size.jsonBytes + jsonBytes > batchLimits.jsonBytes
  );
}

/** Sends the batch once the one before is answered: they are stored in order. */
async function send(state: State): Promise<void> {
  const { batch } = state;
  state.batch = emptyBatch();
  await state.underWay;
  if (state.run.signal?.aborted) return;
  state.underWay = sendBatch(state, batch);
  // Whoever awaits it next is told.
  state.underWay.catch(() => undefined);
}

async function sendBatch(state: State, batch: Batch): Promise<void> {
  const { run, report } = state;
  const last = batch.items.at(-1);
  if (!last) return;
  const reply = await run.client(importMemories, {
    body: { items: batch.items, dry_run: run.dryRun ?? false, restore: run.restore ?? false },
  });
  report.created += reply.created;
  report.updated += reply.updated;
  report.unchanged += reply.unchanged;
  report.restored += reply.restored;
  for (const [at, outcome] of reply.outcomes.entries()) {
    const item = batch.items[at];
    const named = outcome === 'kept' ? report.kept : outcome === 'deleted_here' ? report.deletedHere : [];
    if (item) named.push({ namespace: item.namespace, key: item.key, source: item.source?.id });
  }
  report.valueBytes += batch.valueBytes;
  state.done += batch.items.length;
  tell(state, last.key);
}

function tell({ run, report, found, done }: State, at: string): void {
  run.onProgress?.({ at, found, done, skipped: report.skipped.length, valueBytes: report.valueBytes });
}
