// The fixed piece of work by which the speed of a machine is told: what tests mostly do. It loads the daemon's modules, and writes to SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadMigrations } from '../../daemon/src/db/migrations.ts';
import { openStore } from '../../daemon/src/db/open-store.ts';
await import('../../daemon/src/app.ts');

const folder = mkdtempSync(join(tmpdir(), 'reverie-speed-'));
try {
  const store = openStore({ file: join(folder, 'speed.db'), migrations: loadMigrations() });
  for (let at = 0; at < 50; at += 1)
    store.write((db) =>
      db.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(`speed ${at}`, 'x'.repeat(1000)),
    );
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
