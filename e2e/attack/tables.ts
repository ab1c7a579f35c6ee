import Database from 'better-sqlite3';
import { wordsIn } from './planted.ts';

/** In which tables of a database file a word stands; none where it stands in free pages alone. */
export function tablesWith(file: string, word: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .pluck()
      .all() as string[];
    return tables.filter((name) => {
      for (const row of db.prepare(`SELECT * FROM "${name}"`).iterate() as Iterable<Record<string, unknown>>)
        for (const cell of Object.values(row)) {
          const text = Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell);
          if (wordsIn(text, new Set([word])).length > 0) return true;
        }
      return false;
    });
  } finally {
    db.close();
  }
}
