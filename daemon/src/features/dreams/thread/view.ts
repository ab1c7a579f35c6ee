import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { z } from 'zod';
import { objectIn, valueIn } from '../../../db/json-column.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import { momentOf } from '../../../language/noted-day.ts';
import { digestOf } from './digest.ts';
import { nearestOf, type NearestTable } from './neighbours.ts';
import { isRecalled, withoutRecalled } from './recalled-text.ts';
import { sample } from './sampling.ts';
import { type DreamMemory, type DreamView, NEIGHBOURS, type RecallView } from '../dream-view.ts';
import {
  acceptedRows,
  eligibleMemories,
  recallQueries,
  recallSums,
  vectorRows,
  viewedRows,
  type ViewedRow,
} from './view.store.ts';

/** Characters of a value that a dream sees at most, and of all of them: what strategies read of a character takes some twenty bytes. */
const SHOWN = { each: 8192, all: 10 * 1024 * 1024 } as const;
/** A page is read in one transaction, in some milliseconds: no more rows and bytes than this. */
const PAGE = { rows: 500, bytes: 4 * 1024 * 1024 } as const;
const DAY = 86_400_000;

export interface ViewOptions {
  db: ReadDb;
  account: AccountId;
  namespace: string;
  now: number;
  /** The model whose vectors are compared. */
  embedder: string;
  isStopped: () => boolean;
}

/** Reads a namespace by pages; answers the view and how many memories there are in all. */
export function openView(options: ViewOptions): { view: DreamView; of: number } {
  const { db, account, now, isStopped } = options;
  const eligible = eligibleMemories(db, options);
  const taken = sample(eligible);
  const most = mostShown(taken.map(({ bytes }) => bytes));
  const memories: DreamMemory[] = [];
  for (const ids of pages(taken)) {
    if (isStopped()) break;
    for (const row of viewedRows(db, account, ids)) {
      const memory = toDreamMemory(row, most);
      if (memory) memories.push(memory);
    }
  }
  memories.sort((a, b) => a.time - b.time || a.id - b.id);
  const nearest = once(() => nearestMemories(memories, options));
  const recalls = once(() => readRecalls(db, memories));
  const accepted = once(() =>
    acceptedRows(db, options).map(({ strategy, title, body, keys }) => ({
      strategy,
      title,
      body,
      evidence: valueIn(Keys, keys),
    })),
  );
  return {
    of: eligible.length,
    view: {
      now,
      memories: () => memories,
      neighbours: (id, k) => nearest()(id, k),
      recalls,
      accepted,
    },
  };
}

/**
 * How many characters are shown of one memory at most, so that all together stay within the limit: long ones are cut, short ones stay
 * whole.
 */
export function mostShown(
  bytes: readonly number[],
  { each, all }: { each: number; all: number } = SHOWN,
): number {
  let left = all;
  for (const [index, size] of bytes.toSorted((a, b) => a - b).entries()) {
    const share = left / (bytes.length - index);
    if (Math.min(size, each) > share) return Math.floor(share);
    left -= Math.min(size, each);
  }
  return each;
}

function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

function* pages(rows: readonly { id: number; bytes?: number }[]): Generator<number[]> {
  let ids: number[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (ids.length === PAGE.rows || (ids.length > 0 && bytes + (row.bytes ?? 0) > PAGE.bytes)) {
      yield ids;
      [ids, bytes] = [[], 0];
    }
    ids.push(row.id);
    bytes += row.bytes ?? 0;
  }
  if (ids.length > 0) yield ids;
}

/** A row as a dream sees it, of its value so many characters; undefined for what was recalled, and for what says nothing. */
export function toDreamMemory(row: ViewedRow, most: number): DreamMemory | undefined {
  const metadata = objectIn(row.metadata);
  const value = withoutRecalled(row.value);
  if (isRecalled(metadata) || value.trim() === '') return undefined;
  const { tags } = metadata;
  const isCut = value.length > most;
  return {
    id: row.id,
    key: row.key,
    value: isCut ? cut(value, most) : value,
    isCut,
    digest: digestOf(value),
    class: row.class,
    metadata,
    tags: Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [],
    session: row.session,
    time:
      row.session_time ?? timestampOf(metadata) ?? momentOf(row.noted_at ?? row.created_at, row.created_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const Keys = z.array(z.string());

/** The beginning of a text as a text of its own: a slice would keep all of it in memory. */
function cut(text: string, most: number): string {
  return String(JSON.parse(JSON.stringify(text.slice(0, most))));
}

function timestampOf({ timestamp }: JsonObject): number | undefined {
  if (typeof timestamp !== 'string') return undefined;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}

function nearestMemories(
  memories: readonly DreamMemory[],
  { db, embedder, isStopped }: Pick<ViewOptions, 'db' | 'embedder' | 'isStopped'>,
): DreamView['neighbours'] {
  const slotOf = new Map(memories.map(({ id }, slot) => [id, slot]));
  let dimensions = 0;
  let vectors = new Float32Array(0);
  for (const ids of pages(memories))
    for (const { memory_id, scale, vector } of vectorRows(db, ids, embedder)) {
      if (dimensions === 0) {
        dimensions = vector.byteLength;
        vectors = new Float32Array(memories.length * dimensions);
      }
      const at = (slotOf.get(memory_id) ?? 0) * dimensions;
      const bytes = new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      // The mean of its parts stands for a long memory.
      for (const [d, x] of bytes.entries()) vectors[at + d] = (vectors[at + d] ?? 0) + x * scale;
    }
  if (dimensions === 0) return () => [];
  normaliseAll(vectors, dimensions);
  const table: NearestTable = nearestOf(vectors, { dimensions, keep: NEIGHBOURS, isStopped });
  return (id, k) => {
    const slot = slotOf.get(id);
    if (slot === undefined) return [];
    return table.of(slot, k).flatMap(({ slot: near, cosine }, index) => {
      const memory = memories[near];
      return memory ? [{ id: memory.id, rank: index + 1, cosine }] : [];
    });
  };
}

function normaliseAll(vectors: Float32Array, dimensions: number): void {
  for (let from = 0; from < vectors.length; from += dimensions) {
    let square = 0;
    for (let d = from; d < from + dimensions; d++) square += (vectors[d] ?? 0) ** 2;
    if (square === 0) continue;
    const factor = 1 / Math.sqrt(square);
    for (let d = from; d < from + dimensions; d++) vectors[d] = (vectors[d] ?? 0) * factor;
  }
}

function readRecalls(db: ReadDb, memories: readonly DreamMemory[]): RecallView[] {
  const found: RecallView[] = [];
  for (const ids of pages(memories)) {
    const queries = new Map<number, Set<string>>();
    for (const { memory_id, queries: hashes } of recallQueries(db, ids)) {
      const of = queries.get(memory_id) ?? new Set();
      for (let at = 0; at + 4 <= hashes.length; at += 4) of.add(hashes.toString('latin1', at, at + 4));
      queries.set(memory_id, of);
    }
    for (const { memory_id, count, days, last_day } of recallSums(db, ids))
      found.push({
        memoryId: memory_id,
        count,
        days,
        queries: queries.get(memory_id)?.size ?? 0,
        lastAt: last_day * DAY,
      });
  }
  return found;
}
