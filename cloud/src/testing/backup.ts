import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { copyDatabase } from './home-database.ts';

/** A copy of a relay's database, as `docs/relay.md` says how one is made and put back. */
export interface Backup {
  /** Puts it in the place of the database; the relay must have ended. */
  putBack(): Promise<void>;
}

/** Makes a copy while the relay of a home runs: of its file, or of the database that two nodes share in its place. */
export async function backUp(home: string): Promise<Backup> {
  const server = process.env['REVERIE_TEST_POSTGRES'];
  if (server !== undefined) return copyDatabase(server, home);
  const at = (name: string) => path.join(home, name);
  const copy = at('copy.db');
  const made = spawnSync(process.execPath, ['cloud/src/main.ts', 'backup', copy], {
    cwd: path.join(import.meta.dirname, '../../..'),
    env: { PATH: process.env['PATH'], RELAY_HOME: home },
    encoding: 'utf8',
  });
  if (made.status !== 0 || made.stderr !== '') throw new Error(`backup: ${made.status} ${made.stderr}`);
  return {
    async putBack() {
      for (const name of ['relay.db-wal', 'relay.db-shm']) fs.rmSync(at(name), { force: true });
      fs.renameSync(copy, at('relay.db'));
    },
  };
}
