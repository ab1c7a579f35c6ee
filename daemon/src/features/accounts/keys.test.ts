import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '@reverie/shared/accounts/key-format';
import { ApiError } from '@reverie/shared/client';
import { listEvents } from '@reverie/shared/contract/events/events';
import * as contract from '@reverie/shared/contract/accounts/keys';
import * as memories from '@reverie/shared/contract/memories/memories';
import * as portable from '@reverie/shared/contract/memories/portable';
import * as history from '@reverie/shared/contract/memories/history';
import * as search from '@reverie/shared/contract/search/search';
import { type Route, type Scope, scopes } from '@reverie/shared/contract/route';
import { routes } from '@reverie/shared/contract/routes';
import { scopeOf } from '@reverie/shared/testing/scopes';
import { type RawResponse, startTestDaemon, type TestDaemon } from '../../testing.ts';

const HOUR = 3_600_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ env: { REVERIE_LIMITS_WRONG_KEYS_PER_SECOND: '1000000' } });
});
afterAll(() => daemon.stop());

let made = 0;
const make = (scope: Scope, more: { expires_in_days?: number } = {}) =>
  daemon.call(contract.createKey, { body: { name: `${scope} key ${(made += 1)}`, scope, ...more } });
const works = async (key: string) => (await daemon.ask({ path: '/v1/keys/current', key })).status === 200;
async function failure(run: Promise<unknown>): Promise<ApiError> {
  const cause = await run.then(
    () => undefined,
    (failed: unknown) => failed,
  );
  if (cause instanceof ApiError) return cause;
  throw new Error(`expected a refusal, got ${String(cause)}`);
}

describe('every route of the contract', () => {
  // By what is written down beside the contract: a route's own scope is what the daemon believes, too.
  const neededBy = ({ id }: Route) => scopeOf.get(id) ?? 'owner';
  const protectedRoutes = routes
    .filter((route) => neededBy(route) !== 'public')
    .map((route) => [`${route.method} ${route.path}`, route] as const);

  function expectUnauthorized({ status, headers, json }: RawResponse): void {
    expect([status, json.code, headers['www-authenticate']]).toEqual([401, 'unauthorized', 'Bearer']);
  }

  test.each(protectedRoutes)('%s needs a valid key of its scope', async (_, route) => {
    const revoked = await make('owner');
    await daemon.call(contract.revokeKey, { params: { id: revoked.id } });
    const request = {
      method: route.method,
      path: `/v1${route.path.replaceAll(/\{\w+\}/g, 'some-id')}`,
      ...(route.body && { body: {} }),
    };
    const wrong = [
      null,
      '',
      'abc',
      daemon.ownerKey.slice(0, -1),
      `${daemon.ownerKey}x`,
      makeKey('live'),
      revoked.key,
    ];
    for (const key of wrong) expectUnauthorized(await daemon.ask({ ...request, key }));
    for (const Authorization of [
      daemon.ownerKey,
      `Basic ${daemon.ownerKey}`,
      `Bearer`,
      `Bearer a ${daemon.ownerKey}`,
    ])
      expectUnauthorized(await daemon.ask({ ...request, key: null, headers: { Authorization } }));
    const rank = ['public', ...scopes].indexOf(neededBy(route));
    for (const [at, scope] of scopes.entries()) {
      const { status, json } = await daemon.ask({ ...request, key: (await make(scope)).key });
      if (at + 1 < rank) expect([scope, status, json.code]).toEqual([scope, 403, 'forbidden_scope']);
      // Whatever it says to a body of nothing, it is no refusal of the key; the machine's own webhooks are the owner's (`access.test.ts`).
      else if (route.tag !== 'webhooks' || scope === 'owner')
        expect(['unauthorized', 'forbidden_scope']).not.toContain(json.code);
    }
  });

  test('whoever sends a key in another way is told how to send it, and never the key', async () => {
    const told = async (Authorization: string) =>
      (await daemon.ask({ path: '/v1/namespaces', key: null, headers: { Authorization } })).text;
    for (const other of [
      `Basic ${daemon.ownerKey}`,
      daemon.ownerKey,
      'Bearer',
      `Bearer a ${daemon.ownerKey}`,
    ]) {
      const text = await told(other);
      expect(text).toContain('has to read `Bearer <key>`');
      expect(text).not.toContain(daemon.ownerKey);
    }
    expect(await told(`Bearer ${makeKey('live')}`)).toContain('unknown, revoked or expired');
  });

  test('a key is no query parameter and no cookie', async () => {
    const path = `/v1/namespaces?key=${daemon.ownerKey}&access_token=${daemon.ownerKey}`;
    const Cookie = `key=${daemon.ownerKey}; token=${daemon.ownerKey}`;
    expectUnauthorized(await daemon.ask({ path, key: null, headers: { Cookie } }));
  });
});

describe('keys', () => {
  test('are shown once, listed newest first, and named by their beginning', async () => {
    const made = await daemon.call(contract.createKey, { body: { name: '  Cursor ' } });
    expect(made).toMatchObject({ name: 'Cursor', scope: 'write', key_prefix: made.key.slice(0, 12) });
    const { keys } = await daemon.call(contract.listKeys, {});
    expect(keys[0]).toMatchObject({ id: made.id, last_used_at: null, revoked_at: null });
    expect(JSON.stringify(keys)).not.toContain(made.key);
    expect(keys.map(({ name }) => name)).toEqual(expect.arrayContaining(['owner-key', 'api-key']));
    const bytes =
      fs.readFileSync(daemon.home.database).toString('latin1') +
      fs.readFileSync(`${daemon.home.database}-wal`).toString('latin1');
    expect(bytes).not.toContain(made.key.slice(12));
  });

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a', scope: 'admin' }, 'scope'],
    [{ name: 'a', expires_in_days: 0 }, 'expires_in_days'],
    [{ name: 'a', expires_in_days: 3651 }, 'expires_in_days'],
    [{ name: 'a', account: 2 }, 'account'],
  ])('%j is refused', async (body, path) => {
    const answer = await daemon.ask({ path: '/v1/keys', body });
    expect([answer.status, answer.json.errors?.map((error) => error.path)]).toEqual([400, [path]]);
  });

  test('the key of a request tells of itself', async () => {
    const { key, id } = await make('read');
    const current = await daemon.as(key)(contract.currentKey, {});
    expect(current).toMatchObject({ id, scope: 'read', account: expect.stringMatching(/^acc_/) as unknown });
  });

  test('a revoked key stops at once, and is not there any more', async () => {
    const { key, id } = await make('write');
    expect(await works(key)).toBe(true);
    await daemon.call(contract.revokeKey, { params: { id } });
    expect(await works(key)).toBe(false);
    for (const again of [contract.revokeKey] as const)
      expect(await failure(daemon.call(again, { params: { id } }))).toMatchObject({ code: 'key_not_found' });
    expect(await failure(daemon.call(contract.rotateKey, { params: { id }, body: {} }))).toMatchObject({
      status: 404,
    });
  });

  test('a key ends by itself', async () => {
    const { key, id } = await make('write', { expires_in_days: 1 });
    expect(await works(key)).toBe(true);
    daemon.clock.advance(24 * HOUR);
    expect(await works(key)).toBe(false);
    expect(await failure(daemon.call(contract.rotateKey, { params: { id }, body: {} }))).toMatchObject({
      status: 404,
    });
  });

  test('a rotated key works for 24 h more, and no longer', async () => {
    const old = await make('read');
    expect(await works(old.key)).toBe(true);
    const made = await daemon.call(contract.rotateKey, { params: { id: old.id }, body: {} });
    expect(made).toMatchObject({ name: old.name, scope: 'read' });
    expect([await works(old.key), await works(made.key)]).toEqual([true, true]);
    daemon.clock.advance(24 * HOUR - 1);
    expect(await works(old.key)).toBe(true);
    daemon.clock.advance(1);
    expect([await works(old.key), await works(made.key)]).toEqual([false, true]);
  });

  test('or stops at once', async () => {
    const old = await make('read');
    expect(await works(old.key)).toBe(true);
    const made = await daemon.call(contract.rotateKey, { params: { id: old.id }, body: { immediate: true } });
    expect([await works(old.key), await works(made.key)]).toEqual([false, true]);
  });

  test('the keys of the two files are rotated, not revoked, and the files follow', async () => {
    const { keys } = await daemon.call(contract.listKeys, {});
    const ofFile = keys.find(({ name }) => name === 'api-key');
    const id = ofFile?.id ?? '';
    expect(await failure(daemon.call(contract.revokeKey, { params: { id } }))).toMatchObject({
      code: 'conflict',
    });
    const made = await daemon.call(contract.rotateKey, { params: { id }, body: {} });
    expect(fs.readFileSync(daemon.home.apiKey, 'utf8').trim()).toBe(made.key);
    expect(fs.statSync(daemon.home.apiKey).mode & 0o777).toBe(0o600);
    // The one that was replaced cannot be rotated again: the file would get a key that ends tomorrow.
    const again = failure(daemon.call(contract.rotateKey, { params: { id }, body: {} }));
    expect(await again).toMatchObject({ code: 'conflict' });
    await daemon.restart();
    expect(fs.readFileSync(daemon.home.apiKey, 'utf8').trim()).toBe(made.key);
    expect(await works(made.key)).toBe(true);
  });

  test('a lost or foreign key file is made anew at the next start, and the lost key ends', async () => {
    const lost = fs.readFileSync(daemon.home.apiKey, 'utf8').trim();
    for (const content of [undefined, 'garbage', makeKey('live')]) {
      if (content === undefined) fs.rmSync(daemon.home.apiKey);
      else fs.writeFileSync(daemon.home.apiKey, content, { mode: 0o600 });
      await daemon.restart();
      const now = fs.readFileSync(daemon.home.apiKey, 'utf8').trim();
      expect([await works(now), await works(lost), now === content]).toEqual([true, false, false]);
    }
  });
});

describe('tickets and the session of the page', () => {
  const redeem = (ticket: string) => daemon.ask({ path: '/v1/tickets/redeem', key: null, body: { ticket } });
  const issue = async () => (await daemon.call(contract.createTicket, {})).ticket;

  test('a ticket is traded once for a session of owner scope that lives a week', async () => {
    const ticket = await issue();
    expect(ticket).toMatch(/^[\w-]{43}$/);
    const first = await redeem(ticket);
    expect([first.status, first.json['scope'], first.headers['cache-control']]).toEqual([
      201,
      'owner',
      'no-store',
    ]);
    const token = String(first.json['token']);
    expect(await works(token)).toBe(true);
    const second = await redeem(ticket);
    expect([second.status, second.json.code]).toEqual([410, 'gone']);
    daemon.clock.advance(7 * 24 * HOUR - 1);
    expect(await works(token)).toBe(true);
    daemon.clock.advance(1);
    expect(await works(token)).toBe(false);
  });

  test('a ticket lives for 60 seconds', async () => {
    const [one, two] = [await issue(), await issue()];
    daemon.clock.advance(59_999);
    expect((await redeem(one)).status).toBe(201);
    daemon.clock.advance(1);
    expect((await redeem(two)).status).toBe(410);
    expect((await redeem('nonsense')).status).toBe(410);
  });

  test('a ticket does not survive a restart', async () => {
    const ticket = await issue();
    await daemon.restart();
    expect((await redeem(ticket)).status).toBe(410);
  });
});

describe('another account', () => {
  const secret = 'The treasure lies under the sycamore';

  test('reads, finds, changes and infers nothing of the first one', async () => {
    const namespace = 'private';
    const body = { key: 'k', namespace, value: secret };
    await daemon.call(memories.setMemory, { body });
    await daemon.call(memories.setMemory, { body: { ...body, value: `${secret}!` } });
    const other = daemon.addAccount('owner');
    const call = daemon.as(other.key);
    const theirs = [
      await call(memories.listMemories, { body: { namespace } }),
      await call(search.searchMemories, { body: { namespace, query: secret } }),
      await call(search.searchMemoriesGet, { query: { q: '*' } }),
      await call(search.searchMemoriesGet, { query: { q: secret, namespace } }),
      await call(memories.listNamespaces, {}),
      (await call(listEvents, { query: { since: 0 } })).events,
      (await call(listEvents, { query: {} })).events,
    ];
    expect(JSON.stringify(theirs)).not.toMatch(/treasure|private/);
    const { keys } = await call(contract.listKeys, {});
    expect(keys.map(({ name }) => name)).toEqual(['other']);
    const status = await daemon.ask({ path: '/v1/status', key: other.key });
    expect(status.json).toMatchObject({
      memories: 0,
      namespaces: 0,
      bytes: 0,
      embedder: { total: 0, embedded: 0 },
    });

    const at = { key: 'k', namespace };
    const ownerKeyId = (await daemon.call(contract.currentKey, {})).id;
    const refusals = [
      call(memories.getMemory, { body: at }),
      call(memories.deleteMemory, { body: at }),
      call(history.memoryHistory, { query: at }),
      call(history.restoreVersion, { body: { ...at, version: 1 } }),
      call(contract.revokeKey, { params: { id: ownerKeyId } }),
      call(contract.rotateKey, { params: { id: ownerKeyId }, body: {} }),
    ];
    for (const refusal of await Promise.all(refusals.map(failure)))
      expect(refusal).toMatchObject({ status: 404 });

    expect(await call(memories.clearNamespace, { body: { namespace } })).toMatchObject({ deleted: 0 });
    await call(memories.setMemory, { body: { ...body, value: 'mine', namespace } });
    await call(portable.importMemories, { body: { items: [{ ...body, value: 'imported' }] } });
    expect(await daemon.call(memories.getMemory, { body: at })).toMatchObject({ value: `${secret}!` });
    const { versions } = await daemon.call(history.memoryHistory, { query: at });
    expect(versions).toHaveLength(2);
  });

  test('makes no copy of the machine and reads none of its metrics, also with an owner key', async () => {
    const other = daemon.addAccount('owner');
    const backup = await daemon.ask({ path: '/v1/backup', method: 'POST', body: {}, key: other.key });
    expect(backup).toMatchObject({ status: 403, json: { code: 'forbidden_scope' } });
    expect((await daemon.ask({ path: '/metrics', key: other.key })).status).toBe(403);
    expect((await daemon.ask({ path: '/metrics' })).status).toBe(200);
  });

  test('sees the ends of its own events only', async () => {
    const other = daemon.addAccount('owner');
    await daemon.call(memories.setMemory, { body: { key: 'ends', value: 'of the machine' } });
    const before = await daemon.as(other.key)(listEvents, { query: {} });
    await daemon.call(memories.setMemory, { body: { key: 'ends', value: 'changed' } });
    expect(await daemon.as(other.key)(listEvents, { query: {} })).toEqual(before);
  });

  test('`X-Reverie-Account` works for owner keys of this machine only', async () => {
    const machine = (await daemon.call(contract.currentKey, {})).account;
    const other = daemon.addAccount('write');
    await daemon.as(other.key)(memories.setMemory, { body: { key: 'theirs', value: 'by the agent' } });

    const looking = daemon.as(daemon.ownerKey, other.publicId);
    const seen = await looking(memories.getMemory, { body: { key: 'theirs' } });
    expect(seen.value).toBe('by the agent');
    expect((await looking(contract.currentKey, {})).account).toBe(other.publicId);

    for (const key of [daemon.apiKey, (await make('read')).key, other.key]) {
      const asked = daemon.as(key, key === other.key ? machine : other.publicId);
      expect(await failure(asked(memories.listNamespaces, {}))).toMatchObject({
        status: 403,
        code: 'forbidden_scope',
      });
    }
    const foreignOwner = (await looking(contract.createKey, { body: { name: 'theirs', scope: 'owner' } }))
      .key;
    expect(await failure(daemon.as(foreignOwner, machine)(memories.listNamespaces, {}))).toMatchObject({
      status: 403,
    });
    expect(await failure(daemon.as(daemon.ownerKey, 'acc_none')(memories.listNamespaces, {}))).toMatchObject({
      status: 404,
      code: 'account_not_found',
    });
  });
});

test('images, frames and links of a page of another site do not use up the hour of who has no key', async () => {
  const small = await startTestDaemon({ env: { REVERIE_LIMITS_ANONYMOUS_PER_HOUR: '3' } });
  try {
    const ask = (headers: Record<string, string>) =>
      small.ask({ path: '/v1/healthz', key: null, headers }).then(({ status }) => status);
    const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
    const posted = { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:3000' };
    const foreign = [
      await ask(image),
      await ask(posted),
      await ask(image),
      await ask(image),
      await ask(image),
    ];
    expect(foreign).toEqual([200, 403, 200, 429, 429]);
    // The page itself, an address that was typed, and a program.
    const own = [{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }, {}, {}];
    expect([await ask(own[0] ?? {}), await ask(own[1] ?? {}), await ask({}), await ask({})]).toEqual([
      200, 200, 200, 429,
    ]);
  } finally {
    await small.stop();
  }
});

describe('the day of an account', () => {
  test('its requests are counted, told, refused with 429 and counted anew at midnight UTC', async () => {
    const small = await startTestDaemon({
      env: { REVERIE_LIMITS_REQUESTS_PER_DAY: '3', REVERIE_LIMITS_ANONYMOUS_PER_HOUR: '2' },
    });
    try {
      const ask = () => small.ask({ path: '/v1/namespaces' });
      const seen = [await ask(), await ask(), await ask()];
      expect(seen.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0']);
      const over = await ask();
      expect([over.status, over.json.code]).toEqual([429, 'rate_limited']);
      expect(over.headers['retry-after']).toBe(String(12 * 3600));
      expect(over.headers['x-ratelimit-reset']).toBe(String((small.clock.now() + 12 * HOUR) / 1000));
      // Whose key is not valid is counted by address.
      const anonymous = () => small.ask({ path: '/v1/healthz', key: 'nonsense' });
      expect([(await anonymous()).status, (await anonymous()).status, (await anonymous()).status]).toEqual([
        200, 200, 429,
      ]);
      await small.restart();
      expect((await ask()).status).toBe(429);
      small.clock.advance(12 * HOUR);
      expect((await ask()).status).toBe(200);
      expect((await anonymous()).status).toBe(200);
    } finally {
      await small.stop();
    }
  });
});

describe('a name', () => {
  const named = (name: string, more: { expires_in_days?: number } = {}) =>
    daemon.call(contract.createKey, { body: { name, ...more } });

  test('that a key has already is refused with that key, until it ends', async () => {
    const first = await named('the only one');
    const { status, code, message } = await failure(named(' the only one '));
    expect([status, code]).toEqual([409, 'conflict']);
    expect(message).toContain(first.id);
    expect(message).toContain(first.key_prefix);
    expect(message).not.toContain(first.key);
    await daemon.call(contract.revokeKey, { params: { id: first.id } });
    const second = await named('the only one', { expires_in_days: 1 });
    expect(second.id).not.toBe(first.id);
    daemon.clock.advance(25 * HOUR);
    await named('the only one');
  });

  test('stays with a key that is rotated, and the new one is told of', async () => {
    const old = await named('rotated');
    const next = await daemon.call(contract.rotateKey, { params: { id: old.id }, body: {} });
    expect(next.name).toBe('rotated');
    expect((await failure(named('rotated'))).message).toContain(next.id);
    await daemon.call(contract.rotateKey, { params: { id: next.id }, body: { immediate: true } });
    expect((await failure(named('rotated'))).status).toBe(409);
  });

  test('of the files is taken, those of other accounts and of sessions of the page are not', async () => {
    expect((await failure(named('api-key'))).status).toBe(409);
    await named('other');
    daemon.addAccount('write');
    for (let n = 0; n < 2; n += 1) {
      const { ticket } = await daemon.call(contract.createTicket, {});
      await daemon.call(contract.redeemTicket, { body: { ticket } });
    }
    await named('Page');
    expect((await failure(named('Page'))).status).toBe(409);
  });
});
