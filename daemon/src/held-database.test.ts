import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { performance } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as contract from '@reverie/shared/contract/memories/memories';
import { health } from '@reverie/shared/contract/system/system';
import { startTestDaemon, type TestDaemon } from './testing.ts';

let daemon: TestDaemon;
let others: ChildProcess[];

beforeEach(async () => {
  others = [];
  daemon = await startTestDaemon();
});
afterEach(async () => {
  for (const other of others) await end(other);
  await daemon.stop();
});

/** Another program that opened the database and began something, until it is ended. */
async function hold(sql: string): Promise<ChildProcess> {
  const program = `const db = new (require('better-sqlite3'))(process.argv[1]);
    db.exec(${JSON.stringify(sql)}); db.prepare('SELECT count(*) FROM memories').get();
    console.log('holds it'); process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', program, daemon.home.database], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  others.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** How long a connection of this patience waits for who holds the database, ms. */
function waitOf(patience: number, run: (db: Database.Database) => void): number {
  const db = new Database(daemon.home.database, { timeout: patience });
  try {
    return timeOf(() => run(db));
  } finally {
    db.close();
  }
}

function timeOf(run: () => void): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

/** The files of the database in which a text stands. */
function found(text: string): string[] {
  return ['', '-wal']
    .map((suffix) => `${daemon.home.database}${suffix}`)
    .filter((file) => fs.existsSync(file) && fs.readFileSync(file).includes(text));
}

const waitsSince = async () => (await daemon.call(health, {})).storage.log_waits_since;

test('a reader holds nobody up while deletion is made final, and what was deleted is gone once it ends', async () => {
  const reader = await hold('BEGIN');
  const longest: number[] = [];
  for (const round of [1, 2, 3]) {
    const value = `zyxwobblequonk number ${round}`;
    await daemon.call(contract.setMemory, { body: { key: `k${round}`, value } });
    await daemon.call(contract.deleteMemory, { body: { key: `k${round}` } });
    // Nothing else runs in a tick: who asks meanwhile waits as long as it takes.
    const ticks = Array.from({ length: 100 }, () => timeOf(() => daemon.clock.advance(1000)));
    longest.push(Math.max(...ticks));
  }
  const emptied = (db: Database.Database) => void db.pragma('wal_checkpoint(TRUNCATE)');
  const waits = [1, 2, 3].map(() => waitOf(100, emptied));
  expect(Math.min(...longest)).toBeLessThan(Math.min(...waits));

  expect(found('zyxwobblequonk')).not.toEqual([]);
  expect(await waitsSince()).not.toBeNull();
  await end(reader);
  daemon.clock.advance(1000);
  expect(found('zyxwobblequonk')).toEqual([]);
  expect(await waitsSince()).toBeNull();
});

test('deleting an account is answered while somebody reads, and what it held is gone once they end', async () => {
  const { publicId, key } = daemon.addAccount('write');
  await daemon.as(key)(contract.setMemory, { body: { key: 'k', value: 'quixotarium' } });
  const reader = await hold('BEGIN');
  const path = `/v1/accounts/${publicId}`;
  expect((await daemon.ask({ method: 'DELETE', path })).status).toBe(200);
  await end(reader);
  daemon.clock.advance(1000);
  expect(found('quixotarium')).toEqual([]);
});

test('a program that writes to the database holds a request up for a moment only, and is named', async () => {
  const writer = await hold('BEGIN IMMEDIATE');
  const begin = (db: Database.Database) =>
    expect(() => db.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  const times: number[] = [];
  for (const round of [1, 2, 3]) {
    const began = performance.now();
    const refused = await daemon.ask({ path: '/v1/memory-set', body: { key: `k${round}`, value: 'v' } });
    times.push(performance.now() - began);
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { code: 'storage_busy' },
    });
  }
  expect(Math.min(...times)).toBeLessThan(waitOf(1000, begin));
  await end(writer);
  await daemon.call(contract.setMemory, { body: { key: 'k', value: 'v' } });
});
