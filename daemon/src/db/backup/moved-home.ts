import fs from 'node:fs';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Home } from '../../platform/home/home.ts';

/** The files of a home that travel with its database. */
const travelling = ['config', 'ownerKey', 'apiKey'] as const;
type Travelling = (typeof travelling)[number];

const Row = z.object({ name: z.enum(travelling), content: z.string() });

/** The files that a moved home brings along. */
export type MovedFiles = ReadonlyMap<Travelling, string>;

/** Puts the settings and keys of a home into a copy of its database, which then is all of the home. */
export function packInto(file: string, home: Home): void {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = DELETE');
    db.transaction(() => {
      db.exec('CREATE TABLE moved_home (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT');
      const put = db.prepare('INSERT INTO moved_home (name, content) VALUES (?, ?)');
      for (const name of travelling)
        if (fs.existsSync(home[name])) put.run(name, fs.readFileSync(home[name], 'utf8'));
    })();
  } finally {
    db.close();
  }
}

/** Whether a database file is a packed home. */
export function isMoved(file: string): boolean {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'moved_home'").get() !== undefined;
  } finally {
    db.close();
  }
}

/** Takes the files out of a packed home again; the caller has `secure_delete` on. */
export function unpackFrom(db: Database.Database): MovedFiles {
  const rows = z.array(Row).parse(db.prepare('SELECT name, content FROM moved_home').all());
  db.exec('DROP TABLE moved_home');
  return new Map(rows.map(({ name, content }) => [name, content]));
}
