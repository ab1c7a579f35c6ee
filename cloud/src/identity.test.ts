import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { proofText } from '@reverie/shared/protocol/relay-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, pair, signUp } from './testing/device.ts';
import { startPostgres, type TestPostgres } from './testing/postgres.ts';
import { startRelay } from './testing/relay.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

async function proofOf(origin: string) {
  const challenge = randomBytes(32).toString('base64url');
  const { status, body } = await call(origin, { method: 'POST', path: '/identity', body: { challenge } });
  expect(status).toBe(200);
  const proof = body as unknown as { key: string; log_id: string; addresses: string[]; signature: string };
  const holds = (said: Partial<typeof proof & { challenge: string }>) => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: proof.key }, format: 'jwk' });
    const text = proofText({ challenge, ...proof, ...said });
    return verify(null, Buffer.from(text), key, Buffer.from(proof.signature, 'base64url'));
  };
  return { ...proof, holds };
}

test('a relay signs what it says of itself for one challenge, with a key that no other relay has', async () => {
  const env = { RELAY_PUBLIC_URL: 'https://a.example.org/, https://b.example.org' };
  const [one, other] = [await startRelay(env), await startRelay()];
  const proof = await proofOf(one.origin);
  expect(proof.addresses).toEqual(['https://a.example.org', 'https://b.example.org']);
  expect(proof.holds({})).toBe(true);
  expect(proof.holds({ challenge: randomBytes(32).toString('base64url') })).toBe(false);
  expect(proof.holds({ log_id: 'log_other' })).toBe(false);
  expect(proof.holds({ addresses: ['https://evil.example'] })).toBe(false);
  expect((await proofOf(one.origin)).key).toBe(proof.key);
  expect((await proofOf(other.origin)).key).not.toBe(proof.key);
  const bad = await call(one.origin, { method: 'POST', path: '/identity', body: { challenge: 'short' } });
  expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'challenge' }] } });
  await Promise.all([one.stop(), other.stop()]);
});

test('nodes of one database that start at once are one relay, and so is one that starts later', async () => {
  const env = { RELAY_DATABASE_URL: await postgres.database() };
  const nodes = await Promise.all([startRelay(env), startRelay(env), startRelay(env)]);
  const later = await startRelay(env);
  const keys = await Promise.all([...nodes, later].map(async ({ origin }) => (await proofOf(origin)).key));
  expect(new Set(keys).size).toBe(1);
  await Promise.all([...nodes, later].map((node) => node.stop()));
});

test.each(['SQLite', 'Postgres'])('a key is told how it stands, on %s', async (kind) => {
  const relay = await startRelay(
    kind === 'Postgres' ? { RELAY_DATABASE_URL: await postgres.database() } : {},
  );
  const standingOf = async (key: string) =>
    (await call(relay.origin, { method: 'POST', path: '/standing', body: { key } })).body;
  const first = await signUp(relay.origin, 'a@example.org');
  const second = await pair(relay.origin, first);
  expect(await standingOf(second.key)).toEqual({ standing: 'linked', at: null });
  await call(relay.origin, { method: 'DELETE', path: `/devices/${second.device}`, key: first.key });
  expect(await standingOf(second.key)).toEqual({
    standing: 'removed',
    at: new Date(relay.clock.now()).toISOString(),
  });
  expect(await standingOf(`${first.key}x`)).toEqual({ standing: 'unknown', at: null });
  relay.clock.advance(8 * 86_400_000);
  expect(await standingOf(first.key)).toEqual({ standing: 'unknown', at: null });
  await relay.stop();
});
