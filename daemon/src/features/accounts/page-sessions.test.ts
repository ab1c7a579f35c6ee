import fs from 'node:fs';
import path from 'node:path';
import { createClient } from '@reverie/shared/client';
import { hashKey, makeKey } from '@reverie/shared/accounts/key-format';
import * as contract from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import { listEvents } from '@reverie/shared/contract/events/events';
import { STREAM_PROTOCOL, streamCloseCodes } from '@reverie/shared/contract/events/stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { seconds } from '@reverie/shared/testing/patience';
import { loadMigrations } from '../../db/migrations.ts';
import { openStore } from '../../db/open-store.ts';
import { homeAt } from '../../platform/home/home.ts';
import { spawnDaemon, startTestDaemon, temporaryFolder, type TestDaemon } from '../../testing.ts';

const DAY = 86_400_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ env: { REVERIE_LIMITS_WRONG_KEYS_PER_SECOND: '1000000' } });
});
afterAll(() => daemon.stop());

const works = async (key: string) => (await daemon.ask({ path: '/v1/keys/current', key })).status === 200;
const redeem = (ticket: string) => daemon.ask({ path: '/v1/tickets/redeem', key: null, body: { ticket } });

/** Signs a browser in; answers its token. */
async function signIn(): Promise<string> {
  const { ticket } = await daemon.call(contract.createTicket, {});
  return (await daemon.call(contract.redeemTicket, { body: { ticket } })).token;
}

/** The rows of the page among the keys. */
async function pageKeys() {
  const { keys } = await daemon.call(contract.listKeys, {});
  return keys.filter(({ open_sessions }) => open_sessions !== null);
}

/** Ends whatever a test left open. */
async function revokeAll(): Promise<void> {
  for (const { id } of await pageKeys()) await daemon.call(contract.revokeKey, { params: { id } });
}

/** A stream of a token; `closed` is the code that it ended with. */
async function openStream(
  token: string,
): Promise<{ closed: Promise<number>; isOpen: () => boolean; close: () => void }> {
  const socket = new WebSocket(`${daemon.origin.replace('http', 'ws')}/v1/stream`, [
    STREAM_PROTOCOL,
    `bearer.${token}`,
  ]);
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { closed, isOpen: () => socket.readyState === WebSocket.OPEN, close: () => socket.close() };
}

describe('the page has one key', () => {
  test('however often it is opened, with the number of its open sessions and its last use', async () => {
    await revokeAll();
    const tokens = [await signIn(), await signIn(), await signIn()];
    const ids = await Promise.all(tokens.map((token) => daemon.as(token)(contract.currentKey, {})));
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    const used = daemon.clock.now();
    expect(await pageKeys()).toMatchObject([
      { id: ids[0]?.id, name: 'Page', scope: 'owner', key_prefix: '', expires_at: null, open_sessions: 3 },
    ]);
    expect(ids[0]).toMatchObject({ open_sessions: 3, expires_at: new Date(used + 7 * DAY).toISOString() });
    await daemon.restart();
    expect(await pageKeys()).toMatchObject([
      { open_sessions: 3, last_used_at: new Date(used).toISOString() },
    ]);
    expect(await Promise.all(tokens.map(works))).toEqual([true, true, true]);
  });

  test('and what was written by any of its sessions was written by it', async () => {
    const [one, two] = [await signIn(), await signIn()];
    for (const token of [one, two])
      await daemon.as(token)(setMemory, { body: { key: 'by-the-page', value: token.slice(-4) } });
    const [row] = await pageKeys();
    const { events } = await daemon.call(listEvents, { query: { since: 0, actor_id: row?.id } });
    expect(events.map(({ type }) => type)).toEqual(['memory.write', 'memory.update']);
  });

  test('whose sessions that have ended leave nothing behind when the next one is opened', async () => {
    await revokeAll();
    await signIn();
    await signIn();
    const rows = () =>
      daemon.withStore((store) =>
        store.read((db) =>
          db
            .prepare<[], { ends: number }>(
              "SELECT s.expires_at AS ends FROM page_sessions s JOIN accounts a ON a.id = s.account WHERE a.kind = 'machine'",
            )
            .all()
            .map(({ ends }) => ends - daemon.clock.now()),
        ),
      );
    daemon.clock.advance(7 * DAY - 1);
    expect(await signIn()).not.toBe('');
    expect(rows()).toEqual([1, 1, 7 * DAY]);
    daemon.clock.advance(1);
    await signIn();
    expect(rows()).toEqual([7 * DAY - 1, 7 * DAY]);
  });

  test('of which only hashes of tokens are kept', async () => {
    const token = await signIn();
    const bytes =
      fs.readFileSync(daemon.home.database).toString('latin1') +
      fs.readFileSync(`${daemon.home.database}-wal`).toString('latin1');
    expect(bytes).not.toContain(token.slice(8));
  });

  test('for each account: that of another one opens nothing here', async () => {
    const other = daemon.addAccount('owner');
    const { ticket } = await daemon.as(other.key)(contract.createTicket, {});
    const { token, account } = await daemon.call(contract.redeemTicket, { body: { ticket } });
    expect(account).toBe(other.publicId);
    const [theirs] = (await daemon.as(token)(contract.listKeys, {})).keys;
    expect(theirs).toMatchObject({ name: 'Page', open_sessions: 1 });
    expect((await pageKeys()).map(({ id }) => id)).not.toContain(theirs?.id);
    await revokeAll();
    expect(await works(token)).toBe(true);
  });
});

describe('two trades at once', () => {
  test('of one ticket give one session', async () => {
    await revokeAll();
    const { ticket } = await daemon.call(contract.createTicket, {});
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(ticket)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(410)]);
    expect(await pageKeys()).toMatchObject([{ open_sessions: 1 }]);
  });

  test('of many tickets give as many sessions of one key', async () => {
    await revokeAll();
    const tickets = await Promise.all(
      Array.from({ length: 8 }, async () => (await daemon.call(contract.createTicket, {})).ticket),
    );
    const answers = await Promise.all(tickets.map(redeem));
    expect(new Set(answers.map(({ json }) => json['token'])).size).toBe(8);
    expect(await pageKeys()).toMatchObject([{ open_sessions: 8 }]);
  });
});

describe('an end', () => {
  test('comes after a week, to each session by itself', async () => {
    await revokeAll();
    const first = await signIn();
    daemon.clock.advance(DAY);
    const second = await signIn();
    daemon.clock.advance(6 * DAY - 1);
    expect([await works(first), await works(second)]).toEqual([true, true]);
    daemon.clock.advance(1);
    expect([await works(first), await works(second)]).toEqual([false, true]);
    expect(await pageKeys()).toMatchObject([{ open_sessions: 1 }]);
    daemon.clock.advance(DAY);
    expect(await works(second)).toBe(false);
    const before = await pageKeys();
    expect(before).toMatchObject([{ open_sessions: 0 }]);
    await signIn();
    expect(await pageKeys()).toMatchObject([{ id: before[0]?.id, open_sessions: 1 }]);
  });

  test('by signing out is that of one session and its streams', async () => {
    await revokeAll();
    const [gone, stays] = [await signIn(), await signIn()];
    const [ended, open] = [await openStream(gone), await openStream(stays)];
    await daemon.as(gone)(contract.endSession, {});
    expect(await ended.closed).toBe(streamCloseCodes.unauthorized);
    expect([await works(gone), await works(stays)]).toEqual([false, true]);
    expect(await pageKeys()).toMatchObject([{ open_sessions: 1 }]);
    expect(open.isOpen()).toBe(true);
    open.close();
  });

  test('by revoking the key is that of all, also over a restart, and the next ticket makes another', async () => {
    await revokeAll();
    const tokens = [await signIn(), await signIn()];
    const streams = await Promise.all(tokens.map(openStream));
    const [row] = await pageKeys();
    await daemon.as(tokens[0])(contract.revokeKey, { params: { id: row?.id ?? '' } });
    expect(await Promise.all(streams.map(({ closed }) => closed))).toEqual([
      streamCloseCodes.unauthorized,
      streamCloseCodes.unauthorized,
    ]);
    expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
    expect(await pageKeys()).toEqual([]);
    await daemon.restart();
    expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
    const token = await signIn();
    const [next] = await pageKeys();
    expect([await works(token), next?.id === row?.id]).toEqual([true, false]);
  });

  test('of a stream comes with that of its session', async () => {
    const token = await signIn();
    const { closed } = await openStream(token);
    daemon.clock.advance(7 * DAY);
    expect(await closed).toBe(streamCloseCodes.unauthorized);
  });

  test('is nothing that a key can ask for, and the key of the page is not rotated', async () => {
    await signIn();
    const end = await daemon.ask({ path: '/v1/sessions/current', method: 'DELETE' });
    expect([end.status, end.json.code]).toEqual([409, 'conflict']);
    const [row] = await pageKeys();
    const rotate = await daemon.ask({ path: `/v1/keys/${row?.id ?? ''}/rotate`, body: {} });
    expect([rotate.status, rotate.json.code]).toEqual([409, 'conflict']);
    expect(rotate.text).toContain('revoke it');
  });

  test('with a power cut: what was answered is still signed in', { timeout: seconds(60) }, async () => {
    const { folder, remove } = temporaryFolder();
    const first = spawnDaemon(folder);
    const client = (origin: string, key: string) => createClient({ origin, key: () => key });
    let origin = await first.ready;
    const owner = fs.readFileSync(homeAt(folder).ownerKey, 'utf8').trim();
    const { ticket } = await client(origin, owner)(contract.createTicket, {});
    const { ticket: unused } = await client(origin, owner)(contract.createTicket, {});
    const { token } = await client(origin, owner)(contract.redeemTicket, { body: { ticket } });
    first.kill('SIGKILL');
    await first.ended;
    const second = spawnDaemon(folder);
    origin = await second.ready;
    expect(await client(origin, token)(contract.currentKey, {})).toMatchObject({ open_sessions: 1 });
    await expect(client(origin, owner)(contract.redeemTicket, { body: { ticket: unused } })).rejects.toThrow(
      'reverie open',
    );
    second.kill('SIGTERM');
    await second.ended;
    remove();
  });
});

test('keys of a page that each had its own become sessions of the newest, and tabs stay signed in', () => {
  const { folder, remove } = temporaryFolder();
  const file = path.join(folder, 'reverie.db');
  const migrations = loadMigrations();
  const first = migrations.findIndex(({ sql }) => sql.includes('CREATE TABLE page_sessions'));
  const before = openStore({ file, migrations: migrations.slice(0, first) });
  const keys = ['a', 'b', 'c', 'd'].map((letter) => ({ letter, text: makeKey('live') }));
  before.write((db) => {
    const account = db.prepare<[number, string, string]>(
      "INSERT INTO accounts (id, public_id, kind, tier, created_at) VALUES (?, ?, ?, 'machine', 1)",
    );
    account.run(1, 'acc', 'machine');
    account.run(2, 'acc_bot', 'bot');
    const add = db.prepare<unknown[]>(
      `INSERT INTO api_keys (id, account, name, scope, purpose, hash, key_prefix, created_at, last_used_at, expires_at, revoked_at)
       VALUES (?, ?, ?, 'owner', ?, ?, 'rv_live_abcd', ?, ?, ?, ?)`,
    );
    const hashOf = (at: number) => hashKey(keys[at]?.text ?? '');
    add.run('key_old', 1, 'Page', 'page', hashOf(0), 10, 90, 1000, null);
    add.run('key_new', 1, 'Page', 'page', hashOf(1), 20, 30, 2000, null);
    add.run('key_revoked', 1, 'Page', 'page', hashOf(2), 30, null, 3000, 40);
    add.run('key_made', 1, 'Page', 'made', hashOf(3), 40, 50, null, null);
    add.run('key_bot', 2, 'Page', 'page', hashKey('bot'), 50, null, 5000, null);
  });
  before.close();

  const store = openStore({ file, migrations });
  const rows = store.read((db) =>
    db
      .prepare('SELECT id, account, purpose, key_prefix, last_used_at, expires_at FROM api_keys ORDER BY id')
      .all(),
  );
  const page = { purpose: 'page', key_prefix: '', expires_at: null };
  expect(rows).toEqual([
    { id: 'key_bot', account: 2, ...page, last_used_at: null },
    {
      id: 'key_made',
      account: 1,
      purpose: 'made',
      key_prefix: 'rv_live_abcd',
      last_used_at: 50,
      expires_at: null,
    },
    { id: 'key_new', account: 1, ...page, last_used_at: 90 },
  ]);
  const sessions = store.read((db) =>
    db
      .prepare('SELECT id, account, key_id, hash, created_at, expires_at FROM page_sessions ORDER BY id')
      .all(),
  );
  const [old, newest] = keys.map(({ text }) => hashKey(text));
  expect(sessions).toEqual([
    { id: 'ses_bot', account: 2, key_id: 'key_bot', hash: hashKey('bot'), created_at: 50, expires_at: 5000 },
    { id: 'ses_new', account: 1, key_id: 'key_new', hash: newest, created_at: 20, expires_at: 2000 },
    { id: 'ses_old', account: 1, key_id: 'key_new', hash: old, created_at: 10, expires_at: 1000 },
  ]);
  store.close();
  remove();
});
