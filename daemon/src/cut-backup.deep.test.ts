import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/memories/memories';
import { createBackup } from '@reverie/shared/contract/system/system';
import { examine } from './cli/doctor.ts';
import { type Home, homeAt } from './platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from './testing.ts';

/** Another build may be under test: the bundle of the desktop app. */
const BIN = process.env['REVERIE_COMMAND'] ?? path.join(import.meta.dirname, '../bin/reverie.cjs');
const SECRET = 'zyxwobblequonk';

let temporary: { folder: string; remove: () => void };
let home: Home;
let child: DaemonProcess;

beforeEach(async () => {
  temporary = temporaryFolder();
  home = homeAt(path.join(temporary.folder, 'home'));
  await start();
  await call()(contract.setMemory, { body: { key: 'k', value: SECRET } });
  await end('SIGTERM');
  // So large that a copy of it takes a while.
  const db = new Database(home.database);
  db.exec('CREATE TABLE ballast (bytes BLOB)');
  const insert = db.prepare('INSERT INTO ballast (bytes) VALUES (zeroblob(1048576))');
  for (let megabyte = 0; megabyte < 64; megabyte += 1) insert.run();
  db.close();
});
afterEach(async () => {
  await end('SIGKILL');
  temporary.remove();
});

let origin: string;
async function start(): Promise<void> {
  child = spawnDaemon(home.folder);
  origin = await child.ready;
}

function call() {
  const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
  return createClient({ origin, key: () => key });
}

async function end(signal: NodeJS.Signals) {
  child.kill(signal);
  return child.ended;
}

function backups(): string[] {
  return fs.existsSync(home.backups) ? fs.readdirSync(home.backups) : [];
}

/** Resolves once a copy of the database has begun, with its bytes so far. */
async function aDraft(): Promise<void> {
  const size = (name: string) =>
    fs.statSync(path.join(home.backups, name), { throwIfNoEntry: false })?.size ?? 0;
  while (!backups().some((name) => /\.draft$/.test(name) && size(name) > 0))
    await new Promise((resolve) => setImmediate(resolve));
}

async function doctor() {
  const findings = await examine({ home, env: {}, now: Date.now() });
  return findings.find(({ check }) => check === 'Leftovers');
}

describe('a backup that is cut off', () => {
  test('by a kill leaves a copy that doctor names, and that the next start takes away', async () => {
    await start();
    const backup = call()(createBackup, { body: {} }).catch(() => undefined);
    await aDraft();
    await end('SIGKILL');
    await backup;
    expect(backups().filter((name) => name.endsWith('.draft'))).toHaveLength(1);
    expect(await doctor()).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(/backups.*\.draft \(.*half a backup/) as unknown,
      todo: expect.stringContaining('Start Reverie') as unknown,
    });
    await start();
    expect(backups()).toEqual([]);
    await end('SIGTERM');
    expect(await doctor()).toMatchObject({ level: 'ok' });
  });

  test('by a stop leaves nothing, or is whole', async () => {
    await start();
    const backup = call()(createBackup, { body: { name: 'whole.db' } }).catch(() => undefined);
    await aDraft();
    expect((await end('SIGTERM')).code).toBe(0);
    const made = await backup;
    expect(backups()).toEqual(made === undefined ? [] : ['whole.db']);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s where no daemon runs leaves nothing',
    async (signal) => {
      const command = spawn(process.execPath, [BIN, 'backup'], {
        env: { PATH: process.env['PATH'], REVERIE_HOME: home.folder },
        stdio: 'ignore',
      });
      const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
        command.once('exit', (...how) => resolve(how)),
      );
      await aDraft();
      command.kill(signal);
      expect(await ended).not.toEqual([0, null]);
      expect(backups()).toEqual([]);
    },
  );

  test('so does the copy of a restore that is interrupted', async () => {
    const file = path.join(temporary.folder, 'backup.db');
    fs.copyFileSync(home.database, file);
    const command = spawn(process.execPath, [BIN, 'restore', file, '--yes'], {
      env: { PATH: process.env['PATH'], REVERIE_HOME: home.folder },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => command.once('exit', resolve));
    const copies = () => fs.readdirSync(home.folder).filter((name) => name.startsWith('incoming-'));
    while (copies().length === 0) await new Promise((resolve) => setImmediate(resolve));
    command.kill('SIGINT');
    expect(await ended).not.toBe(0);
    expect(copies()).toEqual([]);
  });

  test('by a kill where no daemon runs goes with the next backup', async () => {
    fs.mkdirSync(home.backups);
    fs.writeFileSync(path.join(home.backups, 'a.db.0123456789ab.draft'), SECRET);
    const command = spawn(process.execPath, [BIN, 'backup', '--name', 'whole.db'], {
      env: { PATH: process.env['PATH'], REVERIE_HOME: home.folder },
      stdio: 'ignore',
    });
    expect(await new Promise((resolve) => command.once('exit', resolve))).toBe(0);
    expect(backups()).toEqual(['whole.db']);
  });
});
