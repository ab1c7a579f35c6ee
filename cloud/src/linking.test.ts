import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, connect, type Linked, pair, signUp } from './testing/device.ts';
import { startRelay, type TestRelay } from './testing/relay.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let relay: TestRelay;
beforeEach(async () => {
  relay = await startRelay();
});
afterEach(() => relay.stop());

const ask = (path: string, key?: string) => call(relay.origin, { path, ...(key !== undefined && { key }) });
const post = (path: string, body: unknown, key?: string) =>
  call(relay.origin, { method: 'POST', path, body, ...(key !== undefined && { key }) });
const devicesOf = async (by: Linked) =>
  (await ask('/devices', by.key)).body as unknown as {
    devices: { id: string; name: string; online: boolean; current: boolean }[];
    requests: { id: string; number: string }[];
  };

/** Presses the button of the one mail that came, beside those that had come before. */
async function confirm(before: readonly string[] = []): Promise<void> {
  const [link = ''] = relay.links().filter((one) => !before.includes(one));
  const { status } = await post('/auth/confirm', { token: new URL(link).searchParams.get('token') });
  expect(status).toBe(200);
}

test('the first device works at once, and stops after 7 days unless the mail is confirmed', async () => {
  const kept = await signUp(relay.origin, 'kept@example.org');
  await confirm();
  const lost = await signUp(relay.origin, 'lost@example.org');
  const open = await connect(relay.origin, lost);
  await open.next('welcome');
  expect((await ask('/account', lost.key)).body).toMatchObject({ status: 'provisional', bytes: 0 });
  relay.clock.advance(7 * DAY);
  expect(await open.closed).toBe(4401);
  expect((await ask('/account', lost.key)).status).toBe(401);
  expect((await ask('/account', kept.key)).body).toMatchObject({ status: 'confirmed', confirm_by: null });
  expect(await (await connect(relay.origin, lost)).closed).toBe(4401);
});

test('opening the link confirms nothing; the button does', async () => {
  const linked = await signUp(relay.origin, 'a@example.org');
  const link = relay.links()[0] ?? '';
  const page = await fetch(link, { headers: { Accept: 'text/html' } });
  expect(await page.text()).toContain('<form method="post"');
  expect((await ask('/account', linked.key)).body).toMatchObject({ status: 'provisional' });
  const pressed = await fetch(link.split('?')[0] ?? '', {
    method: 'POST',
    headers: { Accept: 'text/html' },
    body: new URL(link).searchParams,
  });
  expect(await pressed.text()).toContain('Confirmed');
  expect((await ask('/account', linked.key)).body).toMatchObject({ status: 'confirmed' });
});

test('a form of another site changes nothing, whoever is made to send it', async () => {
  const linked = await signUp(relay.origin, 'a@example.org');
  const link = relay.links()[0] ?? '';
  const token = new URL(link).searchParams;
  const press = (headers: Record<string, string>) =>
    fetch(link.split('?')[0] ?? '', {
      method: 'POST',
      headers: { Accept: 'text/html', ...headers },
      body: token,
    });
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: relay.origin, 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const headers of foreign) expect((await press(headers)).status).toBe(403);
  expect((await ask('/account', linked.key)).body).toMatchObject({ status: 'provisional' });
  // What a browser sends with the relay's own form: older ones without `Sec-Fetch-Site`.
  expect((await press({ Origin: relay.origin })).status).toBe(200);
  expect((await press({ Origin: relay.origin, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  expect((await ask('/account', linked.key)).body).toMatchObject({ status: 'confirmed' });
});

test('a known address lets nobody in by itself: a linked device has to approve, and then the key is given once', async () => {
  const first = await signUp(relay.origin, 'a@example.org');
  await confirm();
  relay.clock.advance(MINUTE);
  const waiting = (await post('/link', { email: 'a@example.org', name: 'laptop' })).body;
  expect(waiting).toMatchObject({
    status: 'awaits_approval',
    number: expect.stringMatching(/^\d{6}$/) as string,
  });
  const secret = { secret: waiting['secret'] };
  const path = `/link/${String(waiting['request'])}`;
  expect((await post(path, secret)).body).toMatchObject({ status: 'awaits_approval' });
  expect((await post(path, { secret: 'guessed' })).status).toBe(410);

  const { requests } = await devicesOf(first);
  expect(requests).toMatchObject([{ id: waiting['request'], number: waiting['number'] }]);
  // Another account cannot answer.
  const stranger = await signUp(relay.origin, 'b@example.org');
  expect((await post(`/devices/requests/${requests[0]?.id}`, { approve: true }, stranger.key)).status).toBe(
    410,
  );
  expect((await post(`/devices/requests/${requests[0]?.id}`, { approve: true }, first.key)).status).toBe(200);
  const second = (await post(path, secret)).body as unknown as Linked;
  expect(second).toMatchObject({ status: 'linked', account: first.account });
  expect((await post(path, secret)).status).toBe(410);
  expect((await devicesOf(second)).devices.map(({ name, current }) => [name, current])).toEqual([
    ['first', false],
    ['laptop', true],
  ]);

  const refused = (await post('/link', { email: 'a@example.org', name: 'thief' })).body;
  await post(`/devices/requests/${String(refused['request'])}`, { approve: false }, first.key);
  expect((await post(`/link/${String(refused['request'])}`, { secret: refused['secret'] })).body).toEqual({
    status: 'refused',
  });
});

test('an address that somebody else only signed up with is not known: it has to be confirmed for that', async () => {
  await signUp(relay.origin, 'a@example.org');
  const before = relay.links();
  const mine = await signUp(relay.origin, 'a@example.org');
  await confirm(before);
  const later = (await post('/link', { email: 'a@example.org', name: 'x' })).body;
  expect(later['status']).toBe('awaits_approval');
  expect((await devicesOf(mine)).requests).toHaveLength(1);
});

test('a pairing code is used once, within 10 minutes', async () => {
  const first = await signUp(relay.origin, 'a@example.org');
  const { body } = await post('/pair', undefined, first.key);
  const claim = { code: String(body['code']).toLowerCase(), name: 'phone' };
  relay.clock.advance(10 * MINUTE - 1);
  expect((await post('/pair/claim', claim)).body).toMatchObject({ account: first.account });
  expect((await post('/pair/claim', claim)).status).toBe(410);
  const { body: late } = await post('/pair', undefined, first.key);
  relay.clock.advance(10 * MINUTE);
  expect((await post('/pair/claim', { ...claim, code: late['code'] })).status).toBe(410);
});

test('a pairing code is dead after five wrong tries, for the right one too; four do not hurt', async () => {
  const first = await signUp(relay.origin, 'a@example.org');
  const tryAfter = async (wrong: number) => {
    const code = String((await post('/pair', undefined, first.key)).body['code']);
    const other = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
    for (let n = 0; n < wrong; n += 1)
      expect((await post('/pair/claim', { code: other, name: 'x' })).status).toBe(410);
    return (await post('/pair/claim', { code, name: 'x' })).status;
  };
  expect(await tryAfter(4)).toBe(201);
  expect(await tryAfter(5)).toBe(410);
});

test('who tries codes is stopped by address', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1)
    statuses.push((await post('/pair/claim', { code: 'AAAA-AAAA-AAAA', name: 'x' })).status);
  expect(statuses.slice(0, 30).every((status) => status === 410)).toBe(true);
  expect(statuses[30]).toBe(429);
});

test('what is refused before any route carries the headers of the limits, too', async () => {
  for (const path of ['/devices', `/rooms/${'x'.repeat(3000)}/members`]) {
    const { status, headers } = await fetch(`${relay.origin}/v1${path}`);
    expect([401, 400]).toContain(status);
    expect(headers.get('x-ratelimit-limit')).toBe('3000');
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThanOrEqual(3000);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
  }
});

test('a device that is shut out is cut off at once, and does not come in again; the others stay', async () => {
  const first = await signUp(relay.origin, 'a@example.org');
  const second = await pair(relay.origin, first);
  const [one, two] = await Promise.all([connect(relay.origin, first), connect(relay.origin, second)]);
  await Promise.all([one.next('welcome'), two.next('welcome')]);
  expect((await devicesOf(first)).devices).toMatchObject(
    [1, 2].map(() => ({ online: true, last_seen: new Date(relay.clock.now()).toISOString() })),
  );
  const stranger = await signUp(relay.origin, 'b@example.org');
  const path = `/devices/${second.device}`;
  expect((await call(relay.origin, { method: 'DELETE', path, key: stranger.key })).status).toBe(404);
  expect((await call(relay.origin, { method: 'DELETE', path, key: first.key })).status).toBe(200);
  expect((await two.next('error')).code).toBe('revoked');
  expect(await two.closed).toBe(4401);
  expect(await (await connect(relay.origin, second)).closed).toBe(4401);
  expect((await ask('/devices', second.key)).status).toBe(401);
  await one.next('rooms');
  expect((await devicesOf(first)).devices).toMatchObject([{ id: first.device, online: true }]);
  one.close();
});

test('a device that is shut out has made no way back: codes and approvals from before are void', async () => {
  const first = await signUp(relay.origin, 'a@example.org');
  await confirm();
  const thief = await pair(relay.origin, first);
  const { body: made } = await post('/pair', undefined, thief.key);
  const { body: asked } = await post('/link', { email: 'a@example.org', name: 'its friend' });
  await post(`/devices/requests/${String(asked['request'])}`, { approve: true }, thief.key);
  const path = `/devices/${thief.device}`;
  expect((await call(relay.origin, { method: 'DELETE', path, key: first.key })).status).toBe(200);
  expect((await post('/pair/claim', { code: made['code'], name: 'again' })).status).toBe(410);
  const answer = await post(`/link/${String(asked['request'])}`, { secret: asked['secret'] });
  expect(answer.status).toBe(410);
  expect((await devicesOf(first)).devices).toHaveLength(1);
});

test('an account that is deleted leaves nothing behind', async () => {
  const linked = await signUp(relay.origin, 'a@example.org');
  const { body } = await post('/rooms', { name: 'default' }, linked.key);
  const device = await connect(relay.origin, linked);
  await device.next('welcome');
  expect((await call(relay.origin, { method: 'DELETE', path: '/account', key: linked.key })).status).toBe(
    200,
  );
  expect(await device.closed).toBe(4401);
  expect(await relay.updates.state(String(body['id']))).toBeUndefined();
  for (const table of ['accounts', 'devices', 'rooms', 'members', 'log_rooms'])
    expect(await relay.rows(`SELECT count(*) AS count FROM ${table}`)).toEqual([{ count: 0 }]);
});

test('a text that no database could hold is a wrong field, wherever it stands', async () => {
  const { key } = await signUp(relay.origin, 'a@example.org');
  const wrong = ['\0', 'a\0b', 'room\u0001', '\u007f', '\ud800', 'x\udc00y', 'x'.repeat(300)];
  const email = 'b@example.org';
  const fields = [
    { path: '/link', field: 'name', of: (name: string) => ({ email, name }) },
    { path: '/link', field: 'email', of: (text: string) => ({ email: `${text}@example.org`, name: 'x' }) },
    { path: '/pair/claim', field: 'name', of: (name: string) => ({ code: 'AAAA-AAAA-AAAA', name }) },
    { path: '/pair/claim', field: 'code', of: (code: string) => ({ code, name: 'x' }) },
    { path: '/link/req_1', field: 'secret', of: (secret: string) => ({ secret }) },
    { path: '/auth/confirm', field: 'token', of: (token: string) => ({ token }) },
    { path: '/rooms', field: 'name', of: (name: string) => ({ name }) },
    { path: '/invites/inv_1/accept', field: 'name', of: (name: string) => ({ secret: 's', name }) },
    { path: '/invites/inv_1/accept', field: 'secret', of: (secret: string) => ({ secret, name: 'x' }) },
  ];
  for (const { path, field, of } of fields)
    for (const text of wrong) {
      const { status, body } = await post(path, of(text), key);
      expect([path, text, status, body['code']]).toEqual([path, text, 400, 'invalid_request']);
      expect(body['errors']).toContainEqual(expect.objectContaining({ path: field }));
    }
});

test('nor does any part of an address reach a database as it is', async () => {
  const { key } = await signUp(relay.origin, 'a@example.org');
  const gets = ['/join/%00', '/join/inv_%00', '/join/%ED%A0%80', `/join/${'x'.repeat(65)}`, '/join/a%20b'];
  gets.push('/v1/rooms/%00/members', '/v1/rooms/rm_%00/invites', '/v1/auth/confirm?token=%00');
  for (const path of gets) {
    const answer = await fetch(`${relay.origin}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    expect([path, answer.status]).toEqual([path, 400]);
    expect(await answer.json()).toMatchObject({ code: 'invalid_request' });
  }
  const changes = ['/rooms/%00', '/rooms/rm_1/members/%00', '/rooms/rm_1/invites/%00', '/devices/%00'];
  for (const path of changes)
    expect([path, (await call(relay.origin, { method: 'DELETE', path, key })).status]).toEqual([path, 400]);
  // A person whose link was cut or added to gets a page.
  const page = await fetch(`${relay.origin}/join/inv_1.`, { headers: { Accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
});

test('it says whether it is well, and counts for whom it may', async () => {
  const health = await fetch(`${relay.origin}/healthz`);
  expect(await health.json()).toMatchObject({ status: 'ok', log_id: relay.updates.logId });
  const metrics = await fetch(`${relay.origin}/metrics`);
  expect(await metrics.text()).toContain('reverie_relay_connections 0');
  // What a proxy passes on is not from loopback, whatever the socket says.
  const proxied = await fetch(`${relay.origin}/metrics`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
  expect(proxied.status).toBe(401);
});
