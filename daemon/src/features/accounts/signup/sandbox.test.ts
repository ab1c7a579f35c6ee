import { createFakeClock } from '@reverie/shared/testing/fake-clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isKey } from '@reverie/shared/accounts/key-format';
import { loadMigrations } from '../../../db/migrations.ts';
import { openStore } from '../../../db/open-store.ts';
import { startTestDaemon, type TestDaemon } from '../../../testing.ts';
import { newAddress, startBehindProxy } from '../../../testing/sign-up.ts';
import { emptySandbox, ensureSandbox } from './sandbox.ts';

const DAY = 86_400_000;
const MIB = 1024 * 1024;
let daemon: TestDaemon;
let key: string;
const shownKey = async (at: TestDaemon) =>
  /rv_sandbox_\w+/.exec((await at.ask({ path: '/v1/openapi.json', key: null })).text)?.[0];
beforeAll(async () => {
  daemon = await startBehindProxy();
  key = (await shownKey(daemon)) ?? '';
});
afterAll(() => daemon.stop());

const as = (from: string) => (path: string, body?: unknown) =>
  daemon.ask({ path, key, body, headers: { 'X-Forwarded-For': from } });

test('everybody may know the key, and it is the same after a restart', async () => {
  expect(isKey(key)).toBe(true);
  await daemon.restart();
  expect(await shownKey(daemon)).toBe(key);
  const visitor = as(newAddress());
  expect((await visitor('/v1/memory-set', { key: 'k', value: 'for all' })).status).toBe(200);
  const got = await as(newAddress())('/v1/memory-get', { key: 'k' });
  expect([got.status, got.json['value']]).toEqual([200, 'for all']);
});

test('a hundred requests from an address pass in 24 hours, whatever others ask', async () => {
  const [one, two] = [as(newAddress()), as(newAddress())];
  for (let i = 0; i < 99; i += 1) expect((await one('/v1/namespaces')).status).toBe(200);
  const hundredth = await one('/v1/namespaces');
  expect([
    hundredth.status,
    hundredth.headers['x-ratelimit-limit'],
    hundredth.headers['x-ratelimit-remaining'],
  ]).toEqual([200, '100', '0']);
  const over = await one('/v1/namespaces');
  expect([over.status, over.json.code, over.headers['retry-after']]).toEqual([429, 'rate_limited', '86400']);
  expect((await two('/v1/namespaces')).status).toBe(200);
  await daemon.restart();
  daemon.clock.advance(DAY - 1000);
  expect((await one('/v1/namespaces')).status).toBe(429);
  daemon.clock.advance(1000);
  expect((await one('/v1/namespaces')).status).toBe(200);
});

test('its quotas are not used up by one visitor for all', async () => {
  const many = Array.from({ length: 150 }, (_, i) => ({ key: `m${i}`, value: `value ${i}` }));
  expect((await as(newAddress())('/v1/memory/store-batch', { items: many })).status).toBe(200);
  expect((await as(newAddress())('/v1/memory-set', { key: 'other', value: 'visitor' })).status).toBe(200);
});

test('it does no harm: no webhooks, no keys, no accounts, and 10 MiB at most', async () => {
  const visitor = as(newAddress());
  const hook = { url: 'https://example.org/', events: ['*'], secret: 'a secret of mine' };
  for (const [path, body] of [
    ['/v1/webhooks/register', hook],
    ['/v1/webhooks', undefined],
    ['/v1/keys', { name: 'more' }],
    ['/v1/accounts', undefined],
    ['/v1/outbox', undefined],
  ] as const) {
    const answer = await visitor(path, body);
    expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'forbidden_scope']);
  }
  const statuses = [];
  for (let i = 0; i < 11; i += 1)
    statuses.push((await visitor('/v1/memory-set', { key: `big${i}`, value: 'x'.repeat(MIB) })).status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(11);
  expect(statuses.at(-1)).toBe(413);
});

test('it is emptied every 24 hours, and works on', async () => {
  const visitor = as(newAddress());
  await visitor('/v1/memory-delete', { key: 'big0' });
  await visitor('/v1/memory-set', { key: 'gone', value: 'tomorrow', namespace: 'trial' });
  await visitor('/v1/inbox/trial', { from: 'me', kind: 'note', payload: { text: 'hello' } });
  await daemon.call((await import('@reverie/shared/contract/memories/memories')).setMemory, {
    body: { key: 'mine', value: 'stays' },
  });
  daemon.clock.advance(DAY + 61_000);
  await expect.poll(async () => (await as(newAddress())('/v1/namespaces')).json['namespaces']).toEqual([]);
  const after = as(newAddress());
  expect((await after('/v1/inbox/trial')).json['messages']).toEqual([]);
  expect((await after('/v1/memory-search', { query: 'tomorrow', namespace: 'trial' })).json['count']).toBe(0);
  expect(
    (await after('/v1/memory-set', { key: 'new', value: 'tomorrow again', namespace: 'trial' })).status,
  ).toBe(200);
  expect((await after('/v1/memory-search', { query: 'tomorrow', namespace: 'trial' })).json['count']).toBe(1);
  expect((await daemon.ask({ path: '/v1/memory-get', body: { key: 'mine' } })).status).toBe(200);
});

describe('the day of the sandbox', () => {
  const setUp = () => {
    const store = openStore({ file: ':memory:', migrations: loadMigrations() });
    const clock = createFakeClock();
    let emptied = 0;
    const ensure = () => ensureSandbox({ store, clock }, () => undefined);
    const sweep = () => emptySandbox({ store, clock }, () => (emptied += 1));
    ensure();
    return { store, clock, ensure, sweep, emptied: () => emptied };
  };

  test('ends after 24 hours, not a moment before, and then begins anew', () => {
    const { store, clock, ensure, sweep, emptied } = setUp();
    expect([sweep(), emptied()]).toEqual([false, 0]);
    clock.advance(DAY - 1);
    expect([sweep(), emptied()]).toEqual([false, 0]);
    clock.advance(1);
    expect([sweep(), emptied()]).toEqual([true, 1]);
    expect([sweep(), emptied()]).toEqual([false, 1]);
    clock.advance(DAY - 1);
    // A start begins no new day.
    ensure();
    expect([sweep(), emptied()]).toEqual([false, 1]);
    clock.advance(1);
    expect([sweep(), emptied()]).toEqual([true, 2]);
    store.close();
  });

  test('is not over while it could not be emptied', () => {
    const { store, clock, sweep, emptied } = setUp();
    clock.advance(DAY);
    const failing = () =>
      emptySandbox({ store, clock }, () => {
        throw new Error('broken off');
      });
    expect(failing).toThrow('broken off');
    expect([sweep(), emptied()]).toEqual([true, 1]);
    store.close();
  });
});

test('the owner may turn it off', async () => {
  const closed = await startTestDaemon({ env: { REVERIE_SANDBOX_ENABLED: 'false' } });
  try {
    expect(await shownKey(closed)).toBeUndefined();
    expect((await closed.ask({ path: '/v1/namespaces', key })).status).toBe(401);
  } finally {
    await closed.stop();
  }
});
