import type { AccountId } from '@reverie/shared/accounts/caller';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { objectIn } from '../../../db/json-column.ts';
import type { ReadDb } from '../../../db/open-store.ts';
import { momentOf } from '../../../language/notes/noted-day.ts';
import type { DreamMemory } from '../dream-memory.ts';
import { digestOf } from './digest.ts';
import { isRecalled, withoutRecalled } from './recalled-text.ts';
import { sample } from './sampling.ts';
import { eligibleMemories, viewedRows, type ViewedRow } from './view.store.ts';

/** Characters of a value that a dream sees at most, and of all of them: what strategies read of a character takes some twenty bytes. */
const SHOWN = { each: 8192, all: 10 * 1024 * 1024 } as const;
/** A page is read in one transaction, in some milliseconds: no more rows and bytes than this. */
const PAGE = { rows: 500, bytes: 4 * 1024 * 1024 } as const;

/** Reads a namespace by pages, as far as nobody stops it: its memories by `time`, then id, and how many there are in all. */
export function readMemories(
  db: ReadDb,
  { account, namespace, isStopped }: { account: AccountId; namespace: string; isStopped: () => boolean },
): { memories: DreamMemory[]; of: number } {
  const eligible = eligibleMemories(db, { account, namespace });
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
  return { memories, of: eligible.length };
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

export function* pages(rows: readonly { id: number; bytes?: number }[]): Generator<number[]> {
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
    wasRecalled: row.was_recalled === 1,
  };
}

/** The beginning of a text as a text of its own: a slice would keep all of it in memory. */
function cut(text: string, most: number): string {
  return String(JSON.parse(JSON.stringify(text.slice(0, most))));
}

function timestampOf({ timestamp }: JsonObject): number | undefined {
  if (typeof timestamp !== 'string') return undefined;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}
