import Database from 'better-sqlite3';
import { wordsIn } from './planted.ts';

/** In which tables of a database file words stand, each table with its words; those that stand in no row are of the space between rows. */
export function tablesWith(file: string, words: ReadonlySet<string>): Map<string, string[]> {
  const db = new Database(file, { readonly: true });
  const found = new Map<string, string[]>();
  const between = new Set(words);
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .pluck()
      .all() as string[];
    for (const name of tables) {
      const here = new Set<string>();
      for (const row of db.prepare(`SELECT * FROM "${name}"`).iterate() as Iterable<Record<string, unknown>>)
        for (const cell of Object.values(row))
          for (const word of wordsIn(Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell), words))
            here.add(word);
      if (here.size > 0) found.set(name, [...here]);
      for (const word of here) between.delete(word);
    }
  } finally {
    db.close();
  }
  if (between.size > 0) found.set(BETWEEN, [...between]);
  return found;
}

/** Where SQLite moved rows from and has not overwritten them, or what has no table any more. */
export const BETWEEN = 'space between rows';
