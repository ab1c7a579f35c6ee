import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createFakeClock, type FakeClock } from '@reverie/shared/testing/fake-clock';
import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { type Database, openDatabase } from '../db/open-database.ts';
import { createSqliteStorage } from '../db/sqlite-storage.ts';
import { buildRelay } from '../relay.ts';
import type { UpdateLog } from '../update-log/update-log.ts';
import { temporaryHome } from './process.ts';

/** A relay in this process, on a free port, with a clock that the test moves. */
export interface TestRelay {
  origin: string;
  home: string;
  clock: FakeClock;
  db: Database;
  updates: UpdateLog;
  /** The links in the mails that wait, in no order. */
  links(): string[];
  stop(): Promise<void>;
}

export async function startRelay(
  env: Record<string, string> = {},
  wrap: (log: UpdateLog) => UpdateLog = (log) => log,
): Promise<TestRelay> {
  const { home, remove } = temporaryHome();
  const config = readConfig({ RELAY_HOME: home, RELAY_LOG_LEVEL: 'silent', ...env });
  const db = openDatabase(path.join(home, 'relay.db'), path.join(home, 'relay.mark'));
  const clock = createFakeClock();
  const sqlite = createSqliteStorage(db);
  const updates = wrap(sqlite.updates);
  const storage = { ...sqlite, updates };
  const relay = await buildRelay({
    config,
    storage,
    clock,
    log: pino({ level: 'silent' }),
    leave: () => undefined,
  });
  await relay.http.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(relay.http.server.address() as AddressInfo).port}`;
  relay.listensAt(origin);
  await relay.startBackground();
  const outbox = path.join(home, 'outbox');
  return {
    origin,
    home,
    clock,
    db,
    updates,
    links: () =>
      (fs.existsSync(outbox) ? fs.readdirSync(outbox) : [])
        .map((name) =>
          fs.readFileSync(path.join(outbox, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='),
        )
        .map((text) => /http:\S+token=\S+/.exec(text)?.[0] ?? ''),
    async stop() {
      await relay.stop();
      db.close();
      remove();
    },
  };
}
