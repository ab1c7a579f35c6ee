import { cases } from '@reverie/shared/testing/depth';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '@reverie/shared/client';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as search from '@reverie/shared/contract/search/search';
import { verifyDatabase } from './db/backup/verify.ts';
import { type Home, homeAt } from './platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from './testing.ts';

let temporary: { folder: string; remove: () => void };
let home: Home;
const children: DaemonProcess[] = [];

beforeEach(() => {
  temporary = temporaryFolder();
  home = homeAt(path.join(temporary.folder, 'home'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
    await child.ended;
  }
  temporary.remove();
});

function spawn(env: Record<string, string> = {}, folder = home.folder): DaemonProcess {
  const child = spawnDaemon(folder, env);
  children.push(child);
  return child;
}

async function stop(child: DaemonProcess) {
  child.kill('SIGTERM');
  return child.ended;
}

function clientOf(origin: string) {
  const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
  return createClient({ origin, key: () => key });
}

/** A home with some memories, its daemon stopped; each test that needs one has a copy. */
let used: { folder: string; remove: () => void } | undefined;
afterAll(() => used?.remove());

async function usedHome(): Promise<void> {
  if (!used) {
    const child = spawn();
    const call = clientOf(await child.ready);
    const items = Array.from({ length: 200 }, (_, n) => ({ key: `k${n}`, value: `value ${n} `.repeat(50) }));
    await call(contract.storeBatch, { body: { items } });
    expect(await stop(child)).toMatchObject({ code: 0, stderr: '' });
    used = temporaryFolder();
    fs.renameSync(home.folder, path.join(used.folder, 'home'));
  }
  fs.cpSync(path.join(used.folder, 'home'), home.folder, { recursive: true });
}

/** The files of a home, byte for byte; the lock and what SQLite keeps beside a file it has open aside. */
function contentOf(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder).filter((name) => !/^lock\.db|-(wal|shm)$/.test(name));
  return Object.fromEntries(
    names.sort().map((name) => {
      const file = path.join(folder, name);
      return [name, fs.statSync(file).isFile() ? fs.readFileSync(file).toString('base64') : 'folder'];
    }),
  );
}

/** A start that is refused: exit 1, one clear message on stderr, nothing on stdout. */
async function refusal(env: Record<string, string> = {}, folder = home.folder): Promise<string> {
  const { code, stdout, stderr } = await spawn(env, folder).ended;
  expect([code, stdout], stderr).toEqual([1, '']);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toMatch(/Error:|node:internal/);
  expect(stderr.trim().split('\n').length).toBeLessThan(5);
  return stderr;
}

describe('a home that cannot be used', () => {
  test('is a file, or lies below one', async () => {
    fs.writeFileSync(home.folder, 'not a folder');
    expect(await refusal()).toMatch(/home is not a folder: set REVERIE_HOME to a folder/);
    expect(await refusal({}, path.join(home.folder, 'below'))).toMatch(/is not a folder/);
    expect(fs.readFileSync(home.folder, 'utf8')).toBe('not a folder');
  });

  test('is a folder of other things that others can read: it is not closed to them', async () => {
    fs.mkdirSync(home.folder, { mode: 0o755 });
    fs.writeFileSync(path.join(home.folder, 'letter.txt'), 'somebody else reads this');
    expect(await refusal()).toMatch(/holds other things.*set REVERIE_HOME/);
    expect(fs.statSync(home.folder).mode & 0o777).toBe(0o755);
    expect(fs.readdirSync(home.folder)).toEqual(['letter.txt']);
  });

  test('has a key that others can read', async () => {
    await usedHome();
    fs.chmodSync(home.ownerKey, 0o644);
    expect(await refusal()).toMatch(/Other users can read .*owner-key.*chmod 600/);
  });

  test('has another daemon, whose pid and address are named', async () => {
    const first = spawn();
    const origin = await first.ready;
    const before = contentOf(home.folder);
    const told = await refusal();
    expect(told).toContain(`process ${first.pid}`);
    expect(told).toContain(origin);
    expect(contentOf(home.folder)).toEqual(before);
    const call = clientOf(origin);
    expect(await call(contract.listNamespaces, {})).toEqual({ namespaces: [] });
  });
});

describe('a database that cannot be used is named and left as it is', () => {
  test('a header that was overwritten', async () => {
    await usedHome();
    const handle = fs.openSync(home.database, 'r+');
    fs.writeSync(handle, Buffer.alloc(100, 0x5a), 0, 100, 0);
    fs.closeSync(handle);
    const before = contentOf(home.folder);
    expect(await refusal()).toMatch(/reverie\.db is damaged.*Nothing was changed.*reverie restore/);
    expect(contentOf(home.folder)).toEqual(before);
  });

  test('a text file in its place', async () => {
    await usedHome();
    fs.writeFileSync(home.database, 'These are my notes.\n'.repeat(500));
    const before = contentOf(home.folder);
    expect(await refusal()).toMatch(/damaged/);
    expect(contentOf(home.folder)).toEqual(before);
  });

  test('a newer version', async () => {
    await usedHome();
    const db = new Database(home.database);
    db.pragma('journal_mode = DELETE');
    db.pragma('user_version = 9000');
    db.close();
    const before = contentOf(home.folder);
    expect(await refusal()).toMatch(/version 9000.*Nothing was changed.*Install a newer Reverie/);
    expect(contentOf(home.folder)).toEqual(before);
  });

  test('pages overwritten in the middle: no crash, a failure that says what to do, and verify sees it', async () => {
    await usedHome();
    const { size } = fs.statSync(home.database);
    const handle = fs.openSync(home.database, 'r+');
    const pages = Math.floor(size / 4096);
    for (let page = Math.floor(pages / 4); page < pages; page += 1)
      fs.writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
    fs.closeSync(handle);
    expect(verifyDatabase(home.database).problems).not.toEqual([]);
    const child = spawn({ REVERIE_LOG_LEVEL: 'silent' });
    const started = await child.ready.then(
      (origin) => origin,
      () => undefined,
    );
    if (started === undefined) {
      const { code, stderr } = await child.ended;
      expect([code, stderr]).toEqual([1, expect.stringMatching(/damaged.*reverie (doctor|restore)/)]);
      return;
    }
    const call = clientOf(started);
    const told = await Promise.all([
      call(contract.listMemories, { body: { limit: 1000 } }).catch((cause: unknown) => cause),
      call(search.searchMemories, { body: { query: 'value 7' } }).catch((cause: unknown) => cause),
      call(contract.setMemory, { body: { key: 'k7', value: 'new' } }).catch((cause: unknown) => cause),
    ]);
    const failed = told.filter((one) => one instanceof Error);
    expect(failed.length).toBeGreaterThan(0);
    for (const cause of failed)
      expect(cause).toMatchObject({
        status: 500,
        code: 'storage_failed',
        message: expect.stringContaining('reverie doctor') as unknown,
      });
    const { status } = await fetch(`${started}/healthz`);
    expect(status).toBe(200);
  });
});

describe('settings that cannot be used', () => {
  test('a port that another program has', async () => {
    const other = http.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const told = await refusal({ REVERIE_PORT: String(port) });
      expect(told).toMatch(new RegExp(`port ${port} is in use.*REVERIE_PORT`));
      expect(fs.existsSync(home.daemon)).toBe(false);
    } finally {
      other.close();
    }
  });

  const SETTINGS = [
    ['REVERIE_PORT', 'http', /port.*http/],
    ['REVERIE_HISTORY_MAX_VERSIONS', '-1', /history\.max_versions.*-1.*0/s],
    ['REVERIE_HOST', '203.0.113.77', /203\.0\.113\.77.*tls.*REVERIE_ALLOW_REMOTE/],
    ['REVERIE_HOST', '::', /::.*tls/],
    ['REVERIE_HOST', '127.evil.example', /tls|no address/],
    ['REVERIE_TLS_CERT', '/nowhere.pem', /tls\.key/],
  ] as const;
  test.each(cases(SETTINGS, 3))('%s=%s', async (name, value, told) => {
    expect(await refusal({ [name]: value })).toMatch(told);
    expect(fs.existsSync(home.folder)).toBe(false);
  });

  test('an address that this machine does not have', async () => {
    const told = await refusal({ REVERIE_HOST: '203.0.113.77', REVERIE_ALLOW_REMOTE: 'true' });
    expect(told).toMatch(/no address 203\.0\.113\.77.*REVERIE_HOST/);
  });

  test.each([
    ['{"events": {"retention_days": 0}}', /config\.json|events\.retention_days.*0/],
    ['{"port": 7337', /not JSON/],
  ])('config.json %s', async (content, told) => {
    fs.mkdirSync(home.folder);
    fs.writeFileSync(home.config, content);
    expect(await refusal()).toMatch(told);
    expect(contentOf(home.folder)).toEqual({ 'config.json': Buffer.from(content).toString('base64') });
  });

  test('certificates that are none', async () => {
    const file = path.join(temporary.folder, 'cert.pem');
    fs.writeFileSync(file, 'not a certificate');
    expect(await refusal({ REVERIE_TLS_CERT: file, REVERIE_TLS_KEY: file })).toMatch(/tls\.(cert|key)/);
  });
});

describe('a stop', () => {
  test('ends within 5 s, with exit 0, under a request that never ends', async () => {
    const child = spawn();
    const { hostname, port } = new URL(await child.ready);
    const stuck = http.request({
      hostname,
      port,
      method: 'POST',
      path: '/v1/memory-set',
      headers: {
        'Content-Length': '10',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${fs.readFileSync(home.ownerKey, 'utf8').trim()}`,
      },
    });
    const cut = new Promise((resolve) => stuck.once('error', resolve).once('response', resolve));
    stuck.write('{');
    await fetch(`http://${hostname}:${port}/healthz`);
    const { code } = await stop(child);
    await cut;
    expect(code).toBe(0);
    expect(fs.existsSync(home.daemon)).toBe(false);
  });
});
