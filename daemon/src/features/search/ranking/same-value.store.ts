import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb } from '../../../db/open-store.ts';

/** Memories of a namespace that are looked at in one piece: some milliseconds. */
const AT_ONCE = 2_000;

interface Place {
  readonly account: AccountId;
  readonly namespaceId: number;
  /** The last key that was looked at; '' at the beginning. */
  readonly after: string;
}

/**
 * Of the next memories of a namespace, by key, those that say exactly this; `last` is the last key that was looked at, undefined where no
 * more follow.
 */
export interface SameValues {
  readonly same: readonly { readonly id: number; readonly created_at: number }[];
  readonly last: string | undefined;
}

/** Compares values one by one, for a text that no index can look for; values of another length are not read. */
export function nextSameValues(db: ReadDb, place: Place, value: string): SameValues {
  const last = db
    .prepare<[Place & { skipped: number }], string>(
      `SELECT key FROM memories WHERE account = @account AND namespace_id = @namespaceId AND key > @after
       ORDER BY key LIMIT 1 OFFSET @skipped`,
    )
    .pluck()
    .get({ ...place, skipped: AT_ONCE - 1 });
  const end = last === undefined ? '' : 'AND key <= @last';
  const same = db
    .prepare<[Place & { last: string | undefined; value: string }], { id: number; created_at: number }>(
      `SELECT id, created_at FROM memories
       WHERE account = @account AND namespace_id = @namespaceId AND key > @after ${end}
         AND octet_length(value) = octet_length(@value) AND value = @value AND hidden IS NULL`,
    )
    .all({ ...place, last, value });
  return { same, last };
}
