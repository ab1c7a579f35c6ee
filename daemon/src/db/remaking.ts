import type Database from 'better-sqlite3';

/** The largest file that is made anew while requests wait, bytes: that takes some 60 ms. */
export const MOST_REMADE = 8 * 1024 * 1024;

/**
 * Makes the file of a small database anew, for its pages keep pieces of what was deleted: SQLite overwrites what it deletes, but not
 * where that stood before its page was laid out anew. Answers whether it did: larger ones are left as they are.
 */
export function remakeSmall(db: Database.Database): boolean {
  const bytes = ['page_count', 'page_size'].reduce(
    (n, name) => n * Number(db.pragma(name, { simple: true })),
    1,
  );
  if (bytes > MOST_REMADE) return false;
  db.exec('VACUUM');
  return true;
}
