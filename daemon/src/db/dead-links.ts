import Database from 'better-sqlite3';
import { type FindNamed, isAttachment, type Leading, resolveLink } from '../language/notes/note-names.ts';
import { namedIn, type Within } from './note-names.store.ts';

/** Counts the links between notes in a database file, and those of them that lead to no note; undefined where an older program wrote it. */
export function countLinks(file: string): { all: number; dead: number } | undefined {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'note_links'").get()) return undefined;
    const found = new Map<number, FindNamed>();
    const count = { all: 0, dead: 0 };
    const links = db.prepare<[], Leading & Within & { key: string }>(
      `SELECT l.account, l.namespace_id AS namespaceId, m.key, l.form, l.target, l.part
       FROM note_links l CROSS JOIN memories m ON m.id = l.memory_id`,
    );
    for (const link of links.iterate()) {
      const named = found.get(link.namespaceId) ?? namedIn(db, link);
      found.set(link.namespaceId, named);
      count.all += 1;
      if (!resolveLink(link, link.key, named) && !isAttachment(link)) count.dead += 1;
    }
    return count;
  } finally {
    db.close();
  }
}
