import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';
import { stemsTable } from '../candidates.store.ts';
import { chunkRange, textTable } from '../index.store.ts';

/** The stems of an account's text index behind one, in their order, so many at most. */
export function stemsAfter(
  db: ReadDb,
  account: AccountId,
  { after, limit }: { after: string; limit: number },
): string[] {
  return db
    .prepare<[string, number], string>(`SELECT term FROM ${stemsTable(db, account)} WHERE term > ? LIMIT ?`)
    .pluck()
    .all(after, limit);
}

/** For each namespace of an account the number that its next chunk gets. */
export function nextChunks(db: ReadDb, account: AccountId): Map<number, number> {
  const rows = db
    .prepare<[number], [id: number, next: number]>('SELECT id, next_chunk FROM namespaces WHERE account = ?')
    .raw()
    .all(account);
  return new Map(rows);
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
      `SELECT body FROM ${textTable(account)} WHERE rowid >= ? AND rowid < ?`,
    )
    .pluck()
    .all(first + from, first + to);
}

/** What the newest chunks of a namespace that have a word, or another one of its stem, say. `word` has letters alone. */
export function bodiesWith(
  db: ReadDb,
  account: AccountId,
  { namespaceId, word, limit }: { namespaceId: number; word: string; limit: number },
): string[] {
  const table = textTable(account);
  const { from, to } = chunkRange(namespaceId);
  return db
    .prepare<[string, number, number, number], string>(
      `SELECT body FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?`,
    )
    .pluck()
    .all(`body : "${word}"`, from, to, limit);
}
