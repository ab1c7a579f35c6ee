import fs from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Refusal } from './refusal.ts';

/**
 * Copies a relay's database, also while the relay runs on it. Whoever puts the copy in its place continues another
 * log, so the copy is marked as one and gets a new name when it is opened.
 */
export async function backupDatabase(from: string, to: string): Promise<void> {
  if (!fs.existsSync(from)) throw new Refusal(`There is no database ${from}; set RELAY_HOME.`);
  fs.closeSync(fs.openSync(to, 'wx', 0o600));
  const db = new Sqlite(from, { readonly: true });
  try {
    await db.backup(to);
  } finally {
    db.close();
  }
  const copy = new Sqlite(to);
  copy.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('run', 'copy')").run();
  copy.pragma('journal_mode = DELETE');
  copy.close();
}
