import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Here } from '../../peers/peers.ts';
import { startPostgres, type TestPostgres } from '../../testing/postgres.ts';
import { type Migration, migrations } from './migrations.ts';
import { createPool } from './pool.ts';
import { openPostgres, renewLog } from './postgres-storage.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

const open = (url: string, known?: readonly Migration[]) =>
  openPostgres({ url, sessionUrl: url, connections: 3, pollMs: 100 }, pino({ level: 'silent' }), known);

async function nameAt(url: string): Promise<string> {
  const storage = await open(url);
  const { logId } = storage.updates;
  await storage.close();
  return logId;
}

async function on(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const here = (more: Partial<Here>): Here => {
  const none = () => undefined;
  return {
    now: Date.now,
    rooms: () => [],
    devices: () => [],
    grown: none,
    epochIs: none,
    membersChanged: none,
    offered: none,
    accountChanged: none,
    countAnew: none,
    shutOut: none,
    presence: none,
    lost: none,
    renamed: none,
    cutOff: none,
    leave: none,
    ...more,
  };
};

test('eight nodes that start at once bring an empty database forward once, and agree on the name of its log', async () => {
  const url = await postgres.database();
  const names = await Promise.all(Array.from({ length: 8 }, () => nameAt(url)));
  expect(new Set(names).size).toBe(1);
  expect(await nameAt(url)).toBe(names[0]);
});

test('the log has a new name in a copy of the database, after its tables were restored, and when it is asked for', async () => {
  const url = await postgres.database();
  const name = await nameAt(url);
  const copied = new URL(url);
  copied.pathname = `${copied.pathname}_copy`;
  const admin = new URL(url);
  admin.pathname = '/postgres';
  await on(
    admin.href,
    `CREATE DATABASE ${copied.pathname.slice(1)} TEMPLATE ${new URL(url).pathname.slice(1)}`,
  );
  const copy = await nameAt(copied.href);
  expect(copy).not.toBe(name);
  expect(await nameAt(copied.href)).toBe(copy);
  // As a dump does that is restored into the database that it was made of.
  await on(
    url,
    'CREATE TABLE kept (LIKE log_rooms INCLUDING ALL); DROP TABLE log_rooms; ALTER TABLE kept RENAME TO log_rooms',
  );
  const restored = await nameAt(url);
  expect(restored).not.toBe(name);
  const renewed = await renewLog(url);
  expect(renewed).not.toBe(restored);
  expect(await nameAt(url)).toBe(renewed);
});

test('a running node hears of another name of the log, and has everybody come again', async () => {
  const url = await postgres.database();
  const storage = await open(url);
  let renamed = 0;
  const stop = await storage.peers.start(here({ renamed: () => (renamed += 1) }));
  const name = await renewLog(url);
  await expect.poll(() => renamed).toBe(1);
  expect(storage.updates.logId).toBe(name);
  await stop();
  await storage.close();
});

test('two versions run side by side while the newer one only adds; then the older one leaves, and is refused', async () => {
  const url = await postgres.database();
  const older = await open(url);
  const left: string[] = [];
  const stop = await older.peers.start(here({ leave: (why) => left.push(why) }));
  const added: Migration = { needs: 1, sql: 'ALTER TABLE accounts ADD COLUMN motto text' };
  const newer = await open(url, [...migrations, added]);
  await newer.updates.open('room');
  await older.updates.append([
    {
      room: 'room',
      epoch: 0,
      device: 'd',
      incarnation: 'i',
      entry: { kind: 'clear', n: 1, at: 1, clearedBefore: { ms: 1, counter: 0 } },
    },
  ]);
  expect((await newer.updates.state('room'))?.head).toBe(1);
  // The older one may even start anew.
  await (await open(url)).close();
  expect(left).toEqual([]);
  const last = await open(url, [
    ...migrations,
    added,
    { needs: migrations.length + 1, sql: 'ALTER TABLE accounts DROP COLUMN motto' },
  ]);
  await expect.poll(() => left.length).toBeGreaterThan(0);
  await expect(open(url)).rejects.toThrow('a newer relay');
  await stop();
  for (const storage of [older, newer, last]) await storage.close();
});

test('a change is told though no hint of it came and its account was not looked at before it; who missed nothing is not told', async () => {
  const url = await postgres.database();
  const storage = await open(url);
  const sign = (id: string) =>
    on(
      url,
      `INSERT INTO accounts (id, email, token_hash, key_prefix, created_at, expires_at) VALUES ('${id}', '', '${id}', '', 0, 0)`,
    );
  for (const id of ['changed', 'quiet']) await sign(id);
  await on(url, "UPDATE accounts SET changed_at = now() - interval '1 hour'");
  const told: string[] = [];
  let looks = 0;
  let connected: { device: string; account: string }[] = [];
  const stop = await storage.peers.start(
    here({
      devices: () => connected,
      rooms: () => ((looks += 1), []),
      accountChanged: (account) => told.push(account),
    }),
  );
  // Its device had asked what there is before this change, by a node that was killed before it could say a word of it.
  await on(url, "INSERT INTO rooms (id, owner, created_at) VALUES ('room', 'changed', 0)");
  await on(
    url,
    "INSERT INTO members (room, account, name, role, joined_at) VALUES ('room', 'changed', 'team', 'owner', 0)",
  );
  connected = ['changed', 'quiet'].map((account) => ({ device: `of ${account}`, account }));
  await expect.poll(() => told).toEqual(['changed']);
  const seen = looks;
  await expect.poll(() => looks).toBeGreaterThan(seen + 2);
  expect(told).toEqual(['changed']);
  await stop();
  await storage.close();
});

test('what one node holds another one does not get, until it is let go or the node is gone', async () => {
  const url = await postgres.database();
  const [one, two] = await Promise.all([open(url), open(url)]);
  one.peers.listensAt('http://127.0.0.1:1');
  const stops = [await one.peers.start(here({})), await two.peers.start(here({}))];
  expect(await one.peers.hold('x')).toEqual({ kind: 'here' });
  expect(await two.peers.hold('x')).toEqual({ kind: 'elsewhere', address: 'http://127.0.0.1:1' });
  await expect(two.records.write(() => two.peers.guard('x'))).rejects.toThrow('Another node');
  await one.records.write(() => one.peers.guard('x'));
  await one.peers.letGo('x');
  expect(await two.peers.hold('x')).toEqual({ kind: 'here' });
  await stops[1]?.();
  expect(await one.peers.hold('x')).toEqual({ kind: 'here' });
  await stops[0]?.();
  for (const storage of [one, two]) await storage.close();
});

test('a database that takes no connections for a while is waited for', async () => {
  const [url, other] = [await postgres.database('upkeep'), await postgres.database()];
  await on(other, 'ALTER DATABASE upkeep ALLOW_CONNECTIONS false');
  await expect(on(url, 'SELECT 1')).rejects.toMatchObject({ code: '55000' });
  const pool = createPool({ url, connections: 1, failed: () => undefined });
  const answer = pool.query({ text: 'SELECT 1 AS one' });
  await on(other, 'ALTER DATABASE upkeep ALLOW_CONNECTIONS true');
  expect((await answer).rows).toEqual([{ one: 1 }]);
  await pool.close();
});
