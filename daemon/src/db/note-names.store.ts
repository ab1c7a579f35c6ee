import type { AccountId } from '@reverie/shared/accounts/caller';
import { type FindNamed, foldName, type NamedNote } from '../language/notes/note-names.ts';
import type { ReadDb } from './open-store.ts';

/** A namespace of an account. */
export interface Within {
  readonly account: AccountId;
  readonly namespaceId: number;
}

/** Notes of one name that are looked at. */
const MOST_NAMED = 2_000;

/** Finds by their names the notes of a namespace, as it is now; what was found once is remembered. */
export function namedIn(db: Pick<ReadDb, 'prepare'>, { account, namespaceId }: Within): FindNamed {
  const known = new Map<string, readonly NamedNote[]>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const notes = db
      .prepare<[number, number, string], Omit<NamedNote, 'path'>>(
        `SELECT n.memory_id AS id, m.key, n.kind FROM note_names n CROSS JOIN memories m ON m.id = n.memory_id
         WHERE n.account = ? AND n.namespace_id = ? AND n.name = ? LIMIT ${MOST_NAMED}`,
      )
      .all(account, namespaceId, name)
      .map((note) => ({ ...note, path: foldName(note.key) }));
    known.set(name, notes);
    return notes;
  };
}
