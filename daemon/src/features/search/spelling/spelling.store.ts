import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';
import { stemsTable } from '../../../db/text-indexes.store.ts';
import { IS_THERE, type IndexRange, within } from '../ranking/candidates.store.ts';
import { chunkRange, textTable } from '../index/index.store.ts';

/** The next `limit` stems of an account's text index after the stem `after`, in order. */
export function stemsAfter(
  db: ReadDb,
  account: AccountId,
  { after, limit }: { after: string; limit: number },
): string[] {
  return db
    .prepare<[string, number], string>(
      `SELECT term FROM ${stemsTable(db, textTable(account))} WHERE term > ? LIMIT ?`,
    )
    .pluck()
    .all(after, limit);
}

/** The indexed words of the chunks of a namespace whose numbers are in `[from, to)`. */
export function bodiesBetween(
  db: ReadDb,
  account: AccountId,
  { namespaceId, from, to }: { namespaceId: number; from: number; to: number },
): string[] {
  const first = chunkRange(namespaceId).from;
  return db
    .prepare<[number, number], string>(
      `SELECT body FROM ${textTable(account)} WHERE rowid >= ? AND rowid < ? AND ${IS_THERE}`,
    )
    .pluck()
    .all(first + from, first + to);
}

/** The indexed words of the newest chunks of a range that have `word` (letters alone), or another word of the same stem. */
export function bodiesWith(
  db: ReadDb,
  account: AccountId,
  { word, limit, ...at }: IndexRange & { word: string; limit: number },
): string[] {
  const table = textTable(account);
  const { sql, values } = within(at);
  return db
    .prepare<unknown[], string>(
      `SELECT body FROM ${table} WHERE ${table} MATCH ? AND ${sql} ORDER BY rowid DESC LIMIT ?`,
    )
    .pluck()
    .all(`body : "${word}"`, ...values, limit);
}
