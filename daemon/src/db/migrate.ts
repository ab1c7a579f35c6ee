import type Database from 'better-sqlite3';
import { Refusal } from '../platform/home/home.ts';

/** One step forward. Never edited after it landed: a later step mends an earlier one. */
export interface Migration {
  version: number;
  sql: string;
}

function versionOf(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Throws `Refusal` for a database that a later program made; only reads. */
export function refuseNewer(db: Database.Database, migrations: readonly Migration[]): void {
  const latest = migrations.at(-1)?.version ?? 0;
  const current = versionOf(db);
  if (current > latest)
    throw new Refusal(
      `The database is of version ${current}, and this Reverie knows versions up to ${latest}. Nothing was changed. Install a newer Reverie, or set REVERIE_HOME to another folder.`,
    );
}

/** Brings a database to the newest version, each step in its own transaction; refuses a newer file. */
export function migrate(db: Database.Database, migrations: readonly Migration[]): void {
  refuseNewer(db, migrations);
  const current = versionOf(db);
  for (const { version, sql } of migrations) {
    if (version <= current) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${version}`);
    }).immediate();
  }
}
