import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

/** What a memory was read for: kinds of findings as `bitsOf` counts them, and the digest of what it said then. */
export interface ReadMark {
  readonly kinds: number;
  readonly digest: Buffer;
}

/** What readers have read of some memories, by id. */
export function readMarks(db: ReadDb, ids: readonly number[]): Map<number, ReadMark> {
  const rows = db
    .prepare<[string], ReadMark & { memory_id: number }>(
      `SELECT r.memory_id, r.kinds, r.digest FROM json_each(?) wanted CROSS JOIN dream_read r ON r.memory_id = wanted.value`,
    )
    .all(JSON.stringify(ids));
  return new Map(rows.map(({ memory_id, kinds, digest }) => [memory_id, { kinds, digest }]));
}

/** Notes that a memory was read as it is now, for kinds beside those that it was read for as the same text before. */
export function saveRead(
  db: WriteDb,
  { account, id, kinds, digest }: ReadMark & { account: AccountId; id: number },
): void {
  db.prepare<[{ id: number; account: number; kinds: number; digest: Buffer }]>(
    `INSERT INTO dream_read (memory_id, account, kinds, digest) SELECT m.id, @account, @kinds, @digest FROM memories m WHERE m.id = @id
     ON CONFLICT (memory_id) DO UPDATE SET digest = excluded.digest,
       kinds = CASE WHEN dream_read.digest = excluded.digest THEN dream_read.kinds | excluded.kinds ELSE excluded.kinds END`,
  ).run({ id, account, kinds, digest });
}
