import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Store } from '../../db/open-store.ts';
import type { SessionTexts } from './deps.ts';
import { countMatches, countOccurrences, countTexts } from './text.store.ts';

/** Returns what the text index of an account's sessions tells of them; it reads the database when it is asked. */
export function sessionTexts({ read }: Pick<Store, 'read'>, account: AccountId): SessionTexts {
  return {
    texts: read((db) => countTexts(db, account)),
    count: (match) => read((db) => countMatches(db, account, match)),
    occurrences: (stem, prefix) => read((db) => countOccurrences(db, account, { stem, prefix })),
  };
}
