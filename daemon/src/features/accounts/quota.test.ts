import { on, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '@reverie/shared/accounts/caller';
import * as accounts from '@reverie/shared/contract/accounts/accounts';
import { acceptInsight } from '@reverie/shared/contract/dreams/dreams';
import * as keys from '@reverie/shared/contract/accounts/keys';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { routes } from '@reverie/shared/contract/routes';
import { WebSocket } from 'ws';
import type { TestDaemon } from '../../testing.ts';
import { proposeIn } from '../dreams/testing.ts';
import { tram, VALUES } from '../dreams/testing/merging.ts';
import { createRecorder } from '../events/events.service.ts';
import { findMemory } from '../memories/memories.store.ts';
import { confirmAt, signUp, startBehindProxy } from '../../testing/sign-up.ts';

const DAY = 86_400_000;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startBehindProxy();
});
afterAll(() => daemon.stop());

/** A confirmed free account with nothing used. */
async function agent(): Promise<{ key: string; account: string }> {
  const { reply, token, account } = await signUp(daemon, `agent${Math.random()}@example.org`);
  await confirmAt(daemon, token);
  return { key: reply.api_key, account };
}
const usage = (key: string) => daemon.as(key)(accounts.usage, {});
const store = (key: string, body: object, headers: Record<string, string> = {}) =>
  daemon.ask({ path: '/v1/memory-set', key, body, headers });
const batch = (key: string, from: number, count: number) =>
  daemon.ask({
    path: '/v1/memory/store-batch',
    key,
    body: {
      items: Array.from({ length: count }, (_, i) => ({ key: `b${from + i}`, value: `value ${from + i}` })),
    },
  });
/** Moves the clock to just before the next month, UTC. */
function goToEndOfMonth(): number {
  const now = new Date(daemon.clock.now());
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  daemon.clock.advance(next - 1000 - daemon.clock.now());
  return next;
}

describe('stores', () => {
  test('the hundredth is stored, the hundred-and-first is not, and a batch that crosses stores nothing', async () => {
    const { key } = await agent();
    expect((await batch(key, 0, 98)).status).toBe(200);
    const crossing = await batch(key, 98, 3);
    expect([crossing.status, crossing.json.code]).toEqual([429, 'quota_exceeded']);
    expect((await usage(key)).stores).toMatchObject({ limit: 100, used: 98, remaining: 2 });
    const at98 = await daemon.ask({ path: '/v1/memory-get', key, body: { key: 'b98' } });
    expect(at98.status).toBe(404);
    expect((await store(key, { key: 'one', value: '99th' })).status).toBe(200);
    const hundredth = await store(key, { key: 'two', value: '100th' });
    expect(hundredth.status).toBe(200);
    expect(hundredth.headers['ratelimit']).toMatch(/"stores";r=0;t=\d+/);
    const over = await store(key, { key: 'three', value: '101st' });
    expect([over.status, over.json.code]).toEqual([429, 'quota_exceeded']);
    const { resets_at } = (await usage(key)).stores;
    expect(over.headers['retry-after']).toBe(String((Date.parse(resets_at) - daemon.clock.now()) / 1000));
    // What is stored can still be read, said again, and deleted.
    expect((await store(key, { key: 'two', value: '100th' })).status).toBe(200);
    expect((await daemon.ask({ path: '/v1/memory-get', key, body: { key: 'two' } })).status).toBe(200);
    expect((await daemon.ask({ path: '/v1/memory-delete', key, body: { key: 'two' } })).status).toBe(200);
    expect((await store(key, { key: 'two', value: 'again' })).status).toBe(429);

    await daemon.restart();
    expect((await store(key, { key: 'three', value: '101st' })).status).toBe(429);
    const next = goToEndOfMonth();
    expect((await store(key, { key: 'three', value: '101st' })).status).toBe(429);
    daemon.clock.advance(next - daemon.clock.now());
    expect((await store(key, { key: 'three', value: '1st' })).status).toBe(200);
    expect((await usage(key)).stores).toMatchObject({ used: 1, remaining: 99 });
  });

  test('what changes nothing, fails, or is a replay counts nothing; an overwrite counts', async () => {
    const { key } = await agent();
    const used = async () => (await usage(key)).stores.used;
    const once = { 'Idempotency-Key': 'the same' };
    await store(key, { key: 'k', value: 'v' }, once);
    await store(key, { key: 'k', value: 'v' }, once);
    await store(key, { key: 'k', value: 'v' });
    expect(await used()).toBe(1);
    await store(key, { key: 'k', value: '' });
    await store(key, { key: 'k', value: 'v', if_updated_at: '2020-01-01T00:00:00Z' });
    expect(await used()).toBe(1);
    await store(key, { key: 'k', value: 'w' });
    expect(await used()).toBe(2);
    const restored = await daemon.ask({
      path: '/v1/memory/history/restore',
      key,
      body: { key: 'k', version: 1 },
    });
    expect([restored.status, await used()]).toEqual([200, 3]);
  });

  test('hiding and showing again are no stores: with the quota used up, what is hidden behind a memory still comes back', async () => {
    const { key } = await agent();
    await store(key, { key: 'first', value: 'The harbour opens at six.' });
    await store(key, { key: 'second', value: 'The harbour opens at six o’clock.' });
    const hidden = daemon.withStore((one) =>
      one.write((db) => {
        db.prepare(
          `INSERT INTO memory_hidings (memory_id, account, hides_as, behind, behind_created_at)
           SELECT m.id, m.account, 'merged', o.key, o.created_at FROM memories m JOIN memories o ON o.namespace_id = m.namespace_id
           WHERE m.key = 'first' AND o.key = 'second' AND m.account = (SELECT max(id) FROM accounts)`,
        ).run();
        const hide = `UPDATE memories SET hidden = 'merged', hidden_behind = 'second' WHERE id = (SELECT memory_id FROM memory_hidings)`;
        return db.prepare(hide).run().changes;
      }),
    );
    expect(hidden).toBe(1);
    expect((await batch(key, 0, 98)).status).toBe(200);
    expect((await store(key, { key: 'over', value: 'over' })).status).toBe(429);
    const deleted = await daemon.ask({ path: '/v1/memory-delete', key, body: { key: 'second' } });
    expect([deleted.status, (await usage(key)).stores.used]).toEqual([200, 100]);
    const { memories } = (await daemon.ask({ path: '/v1/memory-list', key, body: { limit: 1000 } })).json;
    expect((memories as { key: string }[]).map((one) => one.key)).toContain('first');
  });

  test('what a deletion brings about is no store: with the quota used up, what an accepted insight rests on can be deleted', async () => {
    const { key } = await agent();
    await store(key, { key: 'c', value: VALUES.c, namespace: 'n' });
    const account = daemon.withStore((one) =>
      one.read((db) => db.prepare<[], { id: AccountId }>('SELECT max(id) AS id FROM accounts').get()?.id),
    );
    const record = createRecorder({ clock: daemon.clock, written: () => undefined });
    const id = proposeIn(
      { ...daemon, find: findMemory, record, ...(account !== undefined && { account }) },
      {
        strategy: 'connect',
        title: 'The tram',
        body: 'It leaves.',
        content: 'It leaves.',
        evidence: tram,
        confidence: 0.9,
      },
    );
    expect((await daemon.as(key)(acceptInsight, { params: { id } })).status).toBe('accepted');
    expect((await batch(key, 0, 98)).status).toBe(200);
    expect((await store(key, { key: 'over', value: 'over' })).status).toBe(429);
    const deleted = await daemon.ask({ path: '/v1/memory-delete', key, body: { key: 'c', namespace: 'n' } });
    expect([deleted.status, (await usage(key)).stores.used]).toEqual([200, 100]);
    const kept = { key: `dream:${id}`, namespace: 'n' };
    expect((await daemon.as(key)(getMemory, { body: kept })).metadata).toMatchObject({ stale: ['c'] });
  });

  test('every route that is marked to store counts what it writes', async () => {
    const marked = routes.filter(({ costs }) => costs === 'store').map(({ id }) => id);
    expect(marked).toEqual(
      expect.arrayContaining([
        'import',
        'memory_history_restore',
        'memory_set',
        'memory_set_short',
        'memory_store_batch',
      ]),
    );
    const { key, account } = await agent();
    const import1 = await daemon.ask({
      path: '/v1/import',
      headers: { 'X-Reverie-Account': account },
      body: { items: [{ key: 'i', value: 'imported', created_at: '2020-01-01T00:00:00Z' }] },
    });
    expect(import1.status).toBe(200);
    expect((await daemon.ask({ path: '/v1/memory', key, body: { key: 's', value: 'short' } })).status).toBe(
      200,
    );
    expect((await usage(key)).stores.used).toBe(2);
  });
});

describe('recalls', () => {
  const bodies: Record<string, object> = {
    memory_get: { key: 'k' },
    memory_list: {},
    memory_search: { query: 'anything' },
    memory_search_short: { query: 'anything' },
    memory_ask: { question: 'What is anything?' },
  };
  const queries: Record<string, string> = {
    memory_list_short: '',
    memory_grep: '?pattern=anything',
    memory_search_get: '?q=anything',
    sessions_search: '?q=anything',
  };

  test.each(routes.filter(({ costs }) => costs === 'recall').map((route) => [route.id, route] as const))(
    '%s is one',
    async (id, route) => {
      const { key } = await agent();
      await store(key, { key: 'k', value: 'anything' });
      const answer = await daemon.ask({
        method: route.method,
        path: `/v1${route.path}${queries[id] ?? ''}`,
        key,
        ...(route.body && { body: bodies[id] ?? {} }),
      });
      expect([answer.status, (await usage(key)).recalls.used]).toEqual([200, 1]);
      expect(answer.headers['ratelimit']).toMatch(/"recalls";r=999;t=\d+/);
    },
  );

  test('asking is among them, and status, history, events and usage are not', async () => {
    const { key } = await agent();
    expect(routes.find(({ path }) => path === '/memory/ask')?.costs).toBe('recall');
    for (const path of ['/v1/status', '/v1/events', '/v1/usage', '/v1/namespaces', '/v1/keys/current'])
      expect((await daemon.ask({ path, key })).status).toBe(200);
    expect((await usage(key)).recalls.used).toBe(0);
  });

  test('what was refused counts nothing, what is not there counts', async () => {
    const { key } = await agent();
    const get = (body: object) => daemon.ask({ path: '/v1/memory-get', key, body });
    expect((await get({ key: '' })).status).toBe(400);
    expect((await daemon.ask({ path: '/v1/memory-get', key, body: '{' })).status).toBe(400);
    expect((await usage(key)).recalls.used).toBe(0);
    expect((await get({ key: 'nothing' })).status).toBe(404);
    expect((await usage(key)).recalls.used).toBe(1);
  });

  test('the thousandth passes, the next one does not, until the month turns and over a restart', async () => {
    const { key } = await agent();
    const get = () => daemon.ask({ path: '/v1/memory-get', key, body: { key: 'k' } });
    const recall = async (times: number) => {
      for (let i = 0; i < times; i += 1)
        if ((await get()).status !== 404) throw new Error(`${i} was refused`);
    };
    // A thousand requests are the limit of a day, so these take two.
    await recall(600);
    await daemon.restart();
    daemon.clock.advance(DAY);
    await recall(400);
    expect((await usage(key)).recalls).toMatchObject({ limit: 1000, used: 1000, remaining: 0 });
    const over = await get();
    expect([over.status, over.json.code]).toEqual([429, 'quota_exceeded']);
    expect(over.headers['ratelimit']).toMatch(/"recalls";r=0;t=\d+/);
    expect((await store(key, { key: 'k', value: 'can still be stored' })).status).toBe(200);
    await daemon.restart();
    expect((await get()).status).toBe(429);
    const next = goToEndOfMonth();
    expect((await get()).status).toBe(429);
    daemon.clock.advance(next - daemon.clock.now());
    expect((await get()).status).toBe(200);
    expect((await usage(key)).recalls.used).toBe(1);
  });
});

describe('requests of a day', () => {
  test('what is sent over a stream is counted with them: a connection is not worth any number', async () => {
    const { key } = await agent();
    for (let n = 0; n < 990; n += 1) await daemon.ask({ path: '/v1/keys/current', key });
    const socket = new WebSocket(`ws://${daemon.host}/v1/stream`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const told: string[] = [];
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { type, code } = JSON.parse(data.toString('utf8')) as { type: string; code?: string };
        if (told.push(code ?? type) === 12) resolve();
      });
    });
    await once(socket, 'open');
    // The handshake was the 991st.
    for (let n = 0; n < 12; n += 1)
      socket.send(JSON.stringify({ type: 'publish', channel: 'c', payload: { n } }));
    await all;
    socket.terminate();
    expect(told.filter((one) => one === 'channel.publish')).toHaveLength(9);
    expect(told.filter((one) => one === 'rate_limited')).toHaveLength(3);
    expect((await daemon.ask({ path: '/v1/keys/current', key })).status).toBe(429);
  });

  test('the thousandth of the free tier passes, the next one does not; keys made and rotated win nothing', async () => {
    const { key, account } = await agent();
    const ask = (with_ = key) => daemon.ask({ path: '/v1/namespaces', key: with_ });
    const last = await (async () => {
      for (let i = 1; i < 1000; i += 1) await ask();
      return ask();
    })();
    expect([last.status, last.headers['x-ratelimit-limit'], last.headers['x-ratelimit-remaining']]).toEqual([
      200,
      '1000',
      '0',
    ]);
    const over = await ask();
    const midnight = Math.ceil((daemon.clock.now() + 1) / DAY) * DAY;
    expect([over.status, over.json.code, over.headers['x-ratelimit-reset']]).toEqual([
      429,
      'rate_limited',
      String(midnight / 1000),
    ]);
    const looking = daemon.as(daemon.ownerKey, account);
    const made = await looking(keys.createKey, { body: { name: 'second' } });
    expect((await ask(made.key)).status).toBe(429);
    const rotated = await looking(keys.rotateKey, { params: { id: made.id }, body: {} });
    expect((await ask(rotated.key)).status).toBe(429);
    expect((await looking(accounts.usage, {})).requests.used).toBe(1000);
    await daemon.restart();
    expect((await ask()).status).toBe(429);
    daemon.clock.advance(midnight - 1000 - daemon.clock.now());
    expect((await ask()).status).toBe(429);
    daemon.clock.advance(1000);
    expect((await ask()).headers['x-ratelimit-remaining']).toBe('999');
  });

  test('a tier counts from the next request on, and takes the quotas of the month away', async () => {
    const { key, account } = await agent();
    expect((await batch(key, 0, 100)).status).toBe(200);
    expect((await store(key, { key: 'more', value: 'more' })).status).toBe(429);
    const shown = await daemon.call(accounts.updateAccount, {
      params: { id: account },
      body: { tier: 'pro' },
    });
    expect(shown).toMatchObject({ id: account, tier: 'pro', status: 'confirmed' });
    const now = await store(key, { key: 'more', value: 'more' });
    expect([now.status, now.headers['x-ratelimit-limit']]).toEqual([200, '100000']);
    expect(now.headers['ratelimit-policy']).toBe('"requests";q=100000;w=86400');
    expect((await usage(key)).stores).toMatchObject({ limit: null, used: 101, remaining: null });
    await daemon.call(accounts.updateAccount, { params: { id: account }, body: { tier: 'free' } });
    expect((await store(key, { key: 'even', value: 'more' })).status).toBe(429);
  });
});

describe('headers', () => {
  const told = [
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'ratelimit-policy',
    'ratelimit',
  ];
  test.each([
    ['a success', { path: '/v1/namespaces' }, 200],
    ['a refusal by the key', { path: '/v1/namespaces', key: 'wrong' }, 401],
    ['a refusal without a key', { path: '/v1/namespaces', key: null }, 401],
    ['a wrong body', { path: '/v1/memory-set', body: '{' }, 400],
    ['a wrong path', { path: '/v1/nothing' }, 404],
    ['a wrong method', { path: '/v1/memory-set', method: 'PUT' }, 405],
    ['a public path', { path: '/v1/healthz', key: null }, 200],
    ['the page', { path: '/', key: null }, 200],
    ['the document', { path: '/v1/openapi.json', key: null }, 200],
    ['a confirmation', { path: '/v1/auth/confirm?token=x', key: null }, 404],
    ['a path that cannot be read', { path: '/v1/%', key: null }, 400],
    ['a foreign host', { path: '/v1/healthz', headers: { Host: 'evil.example' } }, 421],
  ])('%s carries them all', async (_, asked, status) => {
    const answer = await daemon.ask(asked);
    expect(answer.status).toBe(status);
    for (const name of told) expect([name, answer.headers[name]]).toEqual([name, expect.any(String)]);
  });

  test('those of an agent tell of its month', async () => {
    const { key } = await agent();
    const { headers } = await daemon.ask({ path: '/v1/namespaces', key });
    const now = new Date(daemon.clock.now());
    const [from, until] = [0, 1].map((more) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more));
    const w = ((until ?? 0) - (from ?? 0)) / 1000;
    expect(headers['ratelimit-policy']).toBe(
      `"requests";q=1000;w=86400, "recalls";q=1000;w=${w}, "stores";q=100;w=${w}`,
    );
    const left = ((until ?? 0) - daemon.clock.now()) / 1000;
    expect(headers['ratelimit']).toMatch(
      new RegExp(`^"requests";r=999;t=\\d+, "recalls";r=1000;t=${left}, "stores";r=100;t=${left}$`),
    );
  });
});

describe('storage of who did not confirm', () => {
  const MIB = 1024 * 1024;

  test('10 MiB pass, more does not; overwriting wins nothing, deleting does', async () => {
    const { reply } = await signUp(daemon, 'big@example.org');
    const key = reply.api_key;
    const put = (name: string, letter: string, bytes = MIB) =>
      store(key, { key: name, value: letter.repeat(bytes) });
    for (let i = 0; i < 9; i += 1) expect((await put(`k${i}`, 'a')).status).toBe(200);
    // Events say more of a memory than its value; what counts is measured before anything is refused.
    expect((await put('tenth', 'a', MIB - 100)).status).toBe(200);
    const over = await put('more', 'a');
    expect([over.status, over.json.code]).toEqual([413, 'storage_exceeded']);
    // The earlier version is kept, too.
    expect((await put('k0', 'b')).status).toBe(413);
    const message = { from: 'a', kind: 'b', payload: { text: 'x'.repeat(60_000) } };
    expect((await daemon.ask({ path: '/v1/inbox/default', key, body: message })).status).toBe(413);
    const socket = new WebSocket(`${daemon.origin.replace('http', 'ws')}/v1/stream`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'publish', channel: 'build', payload: { text: 'x'.repeat(60_000) } }));
    for await (const [told] of on(socket, 'message') as AsyncIterable<[Buffer]>) {
      const { type, code } = JSON.parse(told.toString('utf8')) as { type: string; code?: string };
      expect(type).not.toBe('channel.publish');
      if (type !== 'error') continue;
      expect(code).toBe('storage_exceeded');
      break;
    }
    socket.terminate();
    // Jobs of dreams are kept for a year, and what they were asked with them.
    const dream = { task: 'x'.repeat(8000) };
    const dreamt = await daemon.ask({ path: '/v1/memory/dream/start', key, body: dream });
    expect([dreamt.status, dreamt.json.code]).toEqual([413, 'storage_exceeded']);
    const evidence = ['k2', 'k3'].map((name) => ({ key: name, quote: 'a'.repeat(2000) }));
    const findings = [{ kind: 'disagree', evidence, title: 'Which?', why: '' }];
    const proposed = await daemon.ask({ path: '/v1/memory/dream/insights', key, body: { findings } });
    expect([proposed.status, proposed.json.code]).toEqual([413, 'storage_exceeded']);
    const { insights } = (await daemon.ask({ path: '/v1/memory/dream/insights', key })).json;
    expect(insights).toEqual([]);
    expect((await usage(key)).storage).toMatchObject({
      limit: 10 * MIB,
      bytes: expect.any(Number) as number,
    });
    await daemon.ask({ path: '/v1/memory-delete', key, body: { key: 'k1' } });
    expect((await put('more', 'a')).status).toBe(200);
    expect((await usage(key)).storage.bytes).toBeLessThanOrEqual(10 * MIB);
  });

  test('confirming lifts it', async () => {
    const { reply, token } = await signUp(daemon, 'lifted@example.org');
    const put = (name: string) => store(reply.api_key, { key: name, value: 'a'.repeat(MIB) });
    for (let i = 0; i < 9; i += 1) await put(`k${i}`);
    expect((await put('10')).status).toBe(413);
    await confirmAt(daemon, token);
    expect((await put('10')).status).toBe(200);
    expect((await usage(reply.api_key)).storage.limit).toBeNull();
  });

  test('all together hold 200 MiB at most', async () => {
    const { reply } = await signUp(daemon, 'straw@example.org');
    const other = await signUp(daemon, 'haystack@example.org');
    expect((await store(reply.api_key, { key: 'k', value: 'v' })).status).toBe(200);
    const hold = (bytes: number) =>
      daemon.withStore((one) =>
        one.write((db) =>
          db.prepare('UPDATE accounts SET held = ? WHERE public_id = ?').run(bytes, other.account),
        ),
      );
    hold(200 * MIB);
    const over = await store(reply.api_key, { key: 'k', value: 'w' });
    expect([over.status, over.json.code]).toEqual([413, 'storage_exceeded']);
    expect(
      (await daemon.ask({ path: '/v1/memory-set', body: { key: 'owner', value: 'is not held up' } })).status,
    ).toBe(200);
    // Within the hour it is measured what they really hold.
    daemon.clock.advance(3_600_000);
    expect((await store(reply.api_key, { key: 'k', value: 'w' })).status).toBe(200);
  });
});
