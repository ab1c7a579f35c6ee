import { makeKey } from '@reverie/shared/accounts/key-format';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, connect, type Linked, openRoom, pair, signUp } from '../testing/device.ts';
import { startPostgres, type TestPostgres } from '../testing/postgres.ts';
import { startRelay, type TestRelay } from '../testing/relay.ts';
import { makeOperatorKey } from '../operator/operator.service.ts';
import { listAudit } from './audit.store.ts';
import { createRefusedCallers } from './refused-callers.ts';
import { ROWS_AN_HOUR } from './audit.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

describe.each([
  ['SQLite', async (): Promise<Record<string, string>> => ({})],
  ['Postgres', async () => ({ RELAY_DATABASE_URL: await postgres.database() })],
])('the audit log on %s', (_name, env) => {
  let relay: TestRelay;
  beforeEach(async () => {
    relay = await startRelay(await env());
  });
  afterEach(() => relay.stop());

  const post = (path: string, by: Linked, body?: unknown) =>
    call(relay.origin, { method: 'POST', path, key: by.key, body });
  const entries = () => relay.records.read(() => listAudit({ limit: 1000 }));
  const kinds = async () => (await entries()).map(({ kind }) => kind).reverse();

  async function invited({
    owner,
    room,
    guest,
  }: {
    owner: Linked;
    room: string;
    guest: Linked;
  }): Promise<string> {
    const { body } = await post(`/rooms/${room}/invites`, owner, { role: 'viewer' });
    const invite = String(body['invite']);
    const secret = new URL(invite).hash.slice(1);
    await post(`/invites/${String(body['id'])}/accept`, guest, { secret, name: 'theirs' });
    return invite;
  }

  test('says who did what about whom, and no secret and no name', async () => {
    const owner = await signUp(relay.origin, 'owner@example.org');
    const guest = await signUp(relay.origin, 'guest@example.org');
    const token = new URL(relay.links()[0] ?? '').searchParams.get('token') ?? '';
    await call(relay.origin, { method: 'POST', path: '/auth/confirm', body: { token } });
    const second = await pair(relay.origin, owner, 'laptop-of-anna');
    const room = await openRoom(relay.origin, owner, 'secret-project');
    const invite = await invited({ owner, room, guest });
    await call(relay.origin, {
      method: 'PATCH',
      path: `/rooms/${room}/members/${guest.account}`,
      key: owner.key,
      body: { role: 'editor' },
    });
    await call(relay.origin, { method: 'DELETE', path: `/rooms/${room}`, key: guest.key });
    await invited({ owner, room, guest });
    await call(relay.origin, {
      method: 'DELETE',
      path: `/rooms/${room}/members/${guest.account}`,
      key: owner.key,
    });
    await call(relay.origin, { method: 'DELETE', path: `/devices/${second.device}`, key: owner.key });
    await call(relay.origin, { method: 'DELETE', path: `/rooms/${room}`, key: owner.key });
    await call(relay.origin, { method: 'DELETE', path: '/account', key: guest.key });

    expect(await kinds()).toEqual([
      'account.signed_up',
      'account.signed_up',
      'account.confirmed',
      'pairing.code_made',
      'device.linked',
      'invite.made',
      'invite.used',
      'member.joined',
      'member.role_changed',
      'member.left',
      'invite.made',
      'invite.used',
      'member.joined',
      'member.removed',
      'device.revoked',
      'room.deleted',
      'account.deleted',
    ]);
    const all = await entries();
    const [by_account, by_device] = [owner.account, owner.device];
    expect(all.find(({ kind }) => kind === 'member.role_changed')).toMatchObject({
      by_account,
      by_device,
      account: guest.account,
      room,
      role: 'editor',
      email: null,
    });
    expect(all.find(({ kind }) => kind === 'device.revoked')).toMatchObject({
      by_account,
      by_device,
      by_email: 'owner@example.org',
      device: second.device,
    });
    const text = JSON.stringify(all);
    const secret = new URL(invite).hash.slice(1);
    for (const hidden of [owner.key, guest.key, secret, token, 'secret-project', 'theirs', 'laptop-of-anna'])
      expect(text).not.toContain(hidden);
  });

  test('a device that asks to be let in, and the answer', async () => {
    const owner = await signUp(relay.origin, 'owner@example.org');
    const token = new URL(relay.links()[0] ?? '').searchParams.get('token');
    await call(relay.origin, { method: 'POST', path: '/auth/confirm', body: { token } });
    const asked = await call(relay.origin, {
      method: 'POST',
      path: '/link',
      body: { email: 'owner@example.org', name: 'new' },
    });
    const request = String(asked.body['request']);
    await post(`/devices/requests/${request}`, owner, { approve: true });
    await call(relay.origin, {
      method: 'POST',
      path: `/link/${request}`,
      body: { secret: asked.body['secret'] },
    });
    expect((await kinds()).slice(2)).toEqual(['device.asked', 'device.approved', 'device.linked']);
    expect((await entries()).find(({ kind }) => kind === 'device.approved')).toMatchObject({
      by_device: owner.device,
      subject: request,
    });
  });

  test('what is undone leaves no row', async () => {
    const owner = await signUp(relay.origin, 'owner@example.org');
    const room = await openRoom(relay.origin, owner, 'team');
    const before = await kinds();
    await relay.fill('audit');
    const refused = await post(`/rooms/${room}/invites`, owner, { role: 'viewer' });
    expect(refused.status).toBe(500);
    await relay.unfill('audit');
    const { body } = await call(relay.origin, { path: `/rooms/${room}/invites`, key: owner.key });
    expect(body['invites']).toEqual([]);
    expect(await kinds()).toEqual(before);
  });

  test('refused callers are one row an hour for an address, however many they are', async () => {
    const linked = await signUp(relay.origin, 'a@example.org');
    const wrong = linked.key.replace(/^rv_bot_./, 'rv_bot_!');
    for (let n = 0; n < 40; n += 1) await call(relay.origin, { path: '/devices', key: wrong });
    const refused = await connect(relay.origin, { ...linked, key: wrong });
    expect(await refused.closed).toBe(4401);
    await call(relay.origin, {
      method: 'POST',
      path: '/pair/claim',
      body: { code: 'AAAA-AAAA-AAAA', name: 'x' },
    });
    const failures = async () =>
      (await entries())
        .filter(({ address }) => address !== null)
        .map(({ kind, address, times }) => ({ kind, address, times }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(await failures()).toEqual([]);
    relay.clock.advance(MINUTE);
    const expected = [
      { kind: 'login.failed', address: '127.0.0.1', times: 41 },
      { kind: 'pairing.failed', address: '127.0.0.1', times: 1 },
    ];
    await expect.poll(failures).toEqual(expected);
    await call(relay.origin, { path: '/devices', key: wrong });
    relay.clock.advance(MINUTE);
    await expect.poll(async () => (await failures())[0]?.times).toBe(42);
    expect(await failures()).toHaveLength(2);
  });

  test('a flood from many addresses is a few rows', async () => {
    const refused = createRefusedCallers(relay);
    for (let n = 0; n < 1000; n += 1) refused.note('login.failed', `10.0.${n >> 8}.${n & 255}`);
    await refused.save();
    for (let n = 0; n < 1000; n += 1) refused.note('pairing.failed', `10.1.${n >> 8}.${n & 255}`);
    await refused.save();
    const all = await entries();
    expect(all.length).toBeLessThan(210);
    expect(all.reduce((sum, { times }) => sum + times, 0)).toBe(2000);
    expect(all.find(({ kind }) => kind === 'pairing.failed')).toMatchObject({
      address: 'others',
      times: 1000,
    });
  });

  test('an address that tries keys of an operator is refused, with a right one, too', async () => {
    const { key } = await makeOperatorKey({ records: relay.records, now: () => relay.clock.now() }, 'ops');
    const ask = async (given: string) =>
      (await call(relay.origin, { path: '/admin/accounts', key: given })).status;
    expect(await ask(key)).toBe(200);
    const tried = await Promise.all(Array.from({ length: 30 }, () => ask(makeKey('operator'))));
    expect(new Set(tried)).toEqual(new Set([401]));
    expect([await ask(makeKey('operator')), await ask(key)]).toEqual([429, 429]);
    relay.clock.advance(60 * MINUTE);
    expect(await ask(key)).toBe(200);
    await expect.poll(async () => (await kinds()).includes('operator.failed')).toBe(true);
  });

  test('one account cannot fill it: beyond some rows an hour its acts are counted', async () => {
    const owner = await signUp(relay.origin, 'owner@example.org');
    const room = await openRoom(relay.origin, owner, 'team');
    for (let n = 0; n < ROWS_AN_HOUR + 30; n += 1)
      await post(`/rooms/${room}/invites`, owner, { role: 'viewer' });
    const all = await entries();
    expect(all).toHaveLength(ROWS_AN_HOUR);
    expect(all[0]).toMatchObject({ kind: 'invite.made', times: 32 });
  });

  test('old entries go', async () => {
    await signUp(relay.origin, 'a@example.org');
    relay.clock.advance(89 * DAY);
    await signUp(relay.origin, 'b@example.org');
    relay.clock.advance(2 * DAY);
    await expect
      .poll(async () => (await kinds()).filter((kind) => kind === 'account.signed_up'))
      .toHaveLength(1);
  });
});
