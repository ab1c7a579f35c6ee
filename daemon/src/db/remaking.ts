import type Database from 'better-sqlite3';

/** The largest files that are made anew, bytes: while requests wait (some 60 ms), and where nobody has written for a while (a second at most). */
const MOST = { busy: 8 * 1024 * 1024, idle: 64 * 1024 * 1024 } as const;
/** How long nobody has to have written before making a larger file anew keeps nobody waiting, ms. */
export const IDLE_MS = 5_000;

/** What became of making a file anew: it was made, will be once nobody writes, or never will be since it is too large. */
export type Remaking = 'made' | 'later' | 'too large';

/**
 * Makes the file of a database anew, for its pages keep pieces of what was deleted: SQLite overwrites what it deletes, but not
 * where that stood before its page was laid out anew.
 */
export function remake(db: Database.Database, isIdle: boolean): Remaking {
  const bytes = ['page_count', 'page_size'].reduce(
    (n, name) => n * Number(db.pragma(name, { simple: true })),
    1,
  );
  if (bytes > MOST.idle) return 'too large';
  if (bytes > MOST.busy && !isIdle) return 'later';
  db.exec('VACUUM');
  return 'made';
}
