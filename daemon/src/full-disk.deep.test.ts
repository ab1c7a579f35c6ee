import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '@reverie/shared/client';
import * as accounts from '@reverie/shared/contract/accounts/accounts';
import * as dreams from '@reverie/shared/contract/dreams/dreams';
import * as contract from '@reverie/shared/contract/memories/memories';
import * as search from '@reverie/shared/contract/search/search';
import { health, status } from '@reverie/shared/contract/system/system';
import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { examine } from './cli/doctor.ts';
import { verifyDatabase } from './db/backup/verify.ts';
import { startDaemon } from './main.ts';
import { type Home, homeAt } from './platform/home/home.ts';
import { type DaemonProcess, spawnDaemon, temporaryFolder } from './testing.ts';

const mountable = canMount();
if (!mountable) console.warn('skipped: this machine lets no test mount a small disk (root is needed)');

const VALUE = 'Rain fell on the town all day. '.repeat(100);

describe.skipIf(!mountable)('a full disk', () => {
  const disks = createSmallDisks();
  let temporary: { folder: string; remove: () => void };
  let home: Home;
  const children: DaemonProcess[] = [];

  beforeEach(() => {
    temporary = temporaryFolder();
    home = homeAt(path.join(temporary.folder, 'home'));
    disks.mount(home.folder, '24m');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      await child.ended;
    }
    disks.unmountAll();
    temporary.remove();
  });

  async function start(env: Record<string, string> = {}): Promise<{ child: DaemonProcess; call: Client }> {
    const child = spawnDaemon(home.folder, env);
    children.push(child);
    const origin = await child.ready;
    const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
    return { child, call: createClient({ origin, key: () => key }) };
  }

  async function end(child: DaemonProcess, signal: NodeJS.Signals) {
    child.kill(signal);
    return child.ended;
  }

  const set = (call: Client, key: string) => call(contract.setMemory, { body: { key, value: VALUE } });
  /** A daemon that was killed with much in its write-ahead log; answers what is stored. */
  async function crashed(): Promise<string[]> {
    const { child, call } = await start();
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}`);
    await call(contract.storeBatch, { body: { items: keys.map((key) => ({ key, value: VALUE })) } });
    await end(child, 'SIGKILL');
    expect(fs.statSync(`${home.database}-wal`).size).toBeGreaterThan(0);
    return keys;
  }

  async function keysOf(call: Client): Promise<string[]> {
    const { memories } = await call(contract.listMemories, { body: { limit: 1000 } });
    return memories.map(({ key }) => key).sort();
  }

  /** Reads work, writes are refused with 507, and it says so. */
  async function expectReadsOnly(call: Client, keys: readonly string[]): Promise<void> {
    expect(await keysOf(call)).toEqual([...keys].sort());
    expect(await call(contract.getMemory, { body: { key: keys[0] ?? '' } })).toMatchObject({ value: VALUE });
    const found = await call(search.searchMemories, { body: { query: 'rain in the town' } });
    expect(found.count).toBeGreaterThan(0);
    const items = Array.from({ length: 50 }, (_, n) => ({ key: `new ${n}`, value: VALUE.repeat(10) }));
    const refused = { status: 507, code: 'disk_full' };
    await expect(call(contract.storeBatch, { body: { items } })).rejects.toMatchObject(refused);
    const large = { key: 'large', value: VALUE.repeat(200) };
    await expect(call(contract.setMemory, { body: large })).rejects.toMatchObject(refused);
    const since = expect.stringMatching(/^\d{4}-/) as unknown;
    expect((await call(health, {})).storage).toMatchObject({ state: 'full', since });
    expect((await call(status, {})).storage).toMatchObject({ state: 'full', since });
    expect(await keysOf(call)).toEqual([...keys].sort());
  }

  /** What `reverie doctor` finds, by check. */
  async function findings() {
    const found = await examine({ home, env: {}, now: Date.now() });
    return Object.fromEntries(found.map((finding) => [finding.check, finding]));
  }

  /** Without a request of anybody it says that all is well, and everything works. */
  async function expectRecovery(call: Client, keys: readonly string[]): Promise<void> {
    await expect
      .poll(async () => (await call(health, {})).storage)
      .toEqual({ state: 'ok', since: null, log_waits_since: null });
    await set(call, 'after');
    expect(await keysOf(call)).toEqual([...keys, 'after'].sort());
  }

  test('507 with a clear message; reads work, nothing is lost, and writes work again', async () => {
    const { child, call } = await start();
    await set(call, 'before');
    const soon = new Date(Date.now() + 5000).toISOString();
    await call(contract.setMemory, { body: { key: 'ends', value: VALUE, expires_at: soon } });
    const free = disks.fill(home.folder);

    const answered: string[] = [];
    let refused: unknown;
    for (let n = 0; n < 3000 && refused === undefined; n += 1)
      await call(contract.setMemory, { body: { key: `k${n}`, value: `${n} ${VALUE}` } }).then(
        () => answered.push(`k${n}`),
        (cause: unknown) => (refused = cause),
      );
    expect(refused).toMatchObject({ status: 507, code: 'disk_full' });
    expect(String(refused)).toMatch(/disk is full.*Free some space/);
    const items = [{ value: VALUE }, { value: `${VALUE} again`.repeat(100) }];
    await expect(call(contract.storeBatch, { body: { items } })).rejects.toMatchObject({ status: 507 });

    while (Date.now() <= Date.parse(soon)) await new Promise((resolve) => setImmediate(resolve));
    expect((await keysOf(call)).filter((key) => key !== 'ends')).toEqual(['before', ...answered].sort());
    expect(await call(contract.getMemory, { body: { key: 'before' } })).toMatchObject({ value: VALUE });
    const { count } = await call(search.searchMemories, { body: { query: 'rain in the town' } });
    expect(count).toBeGreaterThan(0);

    free();
    await set(call, 'after');
    await call(contract.deleteMemory, { body: { key: 'before' } });
    expect((await end(child, 'SIGTERM')).code).toBe(0);
    const { problems, memories } = verifyDatabase(home.database);
    expect([problems, memories]).toEqual([[], answered.length + 1]);
  });

  test.each([
    ['nearly full', 128 * 1024],
    ['full to the last byte', 0],
  ])(
    'that is %s after a crash: it starts, serves, refuses writes, and goes on by itself',
    async (_, left) => {
      const keys = await crashed();
      const free = disks.fill(home.folder, left);
      const { child, call } = await start();
      await expectReadsOnly(call, keys);
      free();
      await expectRecovery(call, keys);
      const ended = await end(child, 'SIGTERM');
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(verifyDatabase(home.database)).toMatchObject({ problems: [], memories: keys.length + 1 });
    },
  );

  test('with no room for what connections share: it is held alone, and shared again later', async () => {
    const keys = await crashed();
    fs.rmSync(`${home.database}-shm`);
    const free = disks.fill(home.folder);
    const { call } = await start();
    await expectReadsOnly(call, keys);
    expect(verifyDatabase(home.database).problems).toEqual(['database is locked']);
    expect(await findings()).toMatchObject({
      Disk: { level: 'problem' },
      Home: { level: 'problem', text: expect.stringContaining('is full') as unknown },
      Daemon: { level: 'problem', text: expect.stringContaining('the disk is full since') as unknown },
      Database: { level: 'warning', text: expect.stringContaining('holds it alone') as unknown },
    });
    free();
    await expectRecovery(call, keys);
    expect(verifyDatabase(home.database).problems).toEqual([]);
    expect(await findings()).toMatchObject({ Daemon: { level: 'ok' }, Database: { level: 'ok' } });
  });

  test('a stop on it is clean, and so is the next start; commands find it once there is room', async () => {
    const first = await start();
    await set(first.call, 'k');
    const free = disks.fill(home.folder);
    expect(await keysOf(first.call)).toEqual(['k']);
    expect((await end(first.child, 'SIGTERM')).code).toBe(0);
    // The stop gave the write-ahead log's space back.
    const freeMore = disks.fill(home.folder);
    const before = fs.readdirSync(home.folder).sort();
    const second = await start();
    await expectReadsOnly(second.call, ['k']);
    expect(fs.existsSync(home.daemon)).toBe(false);
    expect((await findings())['Daemon']?.text).toContain('no room for daemon.json');
    free();
    freeMore();
    await expectRecovery(second.call, ['k']);
    await expect.poll(() => fs.existsSync(home.daemon)).toBe(true);
    await end(second.child, 'SIGTERM');
    const names = fs.readdirSync(home.folder).filter((name) => !/^ballast|^reverie\.db-/.test(name));
    expect(names.sort()).toEqual(before.filter((name) => !/^ballast|^reverie\.db-/.test(name)));
  });

  test('what a crash left of daemon.json gives its room to the next one', async () => {
    const keys = await crashed();
    const old = fs.readFileSync(home.daemon, 'utf8');
    disks.fill(home.folder);
    const { call, child } = await start();
    expect(await keysOf(call)).toEqual([...keys].sort());
    expect(fs.readFileSync(home.daemon, 'utf8')).not.toBe(old);
    expect(JSON.parse(fs.readFileSync(home.daemon, 'utf8'))).toMatchObject({ pid: child.pid });
  });

  test('a first start is refused: there is nothing to serve', async () => {
    disks.fill(home.folder);
    fs.chmodSync(home.folder, 0o700);
    const child = spawnDaemon(home.folder);
    children.push(child);
    const { code, stdout, stderr } = await child.ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/disk .* is full: free some space and start again/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('days on it end nothing: what is done now and then is put off', async () => {
    const clock = createFakeClock();
    const env = { REVERIE_HOME: home.folder, REVERIE_PORT: '0', REVERIE_LOG_LEVEL: 'silent' };
    const running = await startDaemon({ env, flags: {}, clock });
    try {
      const key = fs.readFileSync(home.ownerKey, 'utf8').trim();
      const call = createClient({ origin: running.origin, key: () => key });
      await set(call, 'k');
      const { id } = await call(dreams.startDream, { body: { namespace: 'empty' } });
      const state = async () => (await call(dreams.dreamStatus, { params: { id } })).status;
      await expect.poll(state).toBe('complete');
      // A year later the record of that dream is to go.
      clock.advance(364 * 86_400_000);
      const { api_key } = await call(accounts.botSignup, { body: { email: 'bot@example.org' } });
      const asBot = createClient({ origin: running.origin, key: () => api_key });
      // What an account holds is measured after it deleted something.
      await set(asBot, 'gone');
      await asBot(contract.deleteMemory, { body: { key: 'gone' } });
      const freed: (() => void)[] = [];
      for (let quarter = 0; quarter < 12; quarter += 1) {
        // Also what emptying the log gave back.
        freed.push(disks.fill(home.folder));
        clock.advance(6 * 3_600_000);
      }
      await expectReadsOnly(call, ['k']);
      for (const free of freed) free();
      clock.advance(10_000);
      await expectRecovery(call, ['k']);
    } finally {
      await running.stop();
    }
  });

  test('a home that can only be read is refused', async () => {
    await end((await start()).child, 'SIGTERM');
    const content = () => fs.readdirSync(home.folder).filter((name) => !/^lock\.db|-(wal|shm)$/.test(name));
    const before = content();
    disks.closeForWriting(home.folder);
    const child = spawnDaemon(home.folder);
    children.push(child);
    const { code, stderr } = await child.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot write to .*home: make the folder writable.*REVERIE_HOME/);
    expect(content()).toEqual(before);
  });
});
