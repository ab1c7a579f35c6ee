import { createKey } from '@reverie/shared/contract/accounts/keys';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import * as contract from '@reverie/shared/contract/events/webhooks';
import * as deliveriesContract from '@reverie/shared/contract/events/deliveries';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from './testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  const { webhooks } = await daemon.call(contract.listWebhooks, {});
  for (const { id } of webhooks) await daemon.call(contract.deleteWebhook, { params: { id } });
  await receiver.stop();
});

const set = (key: string) => daemon.call(setMemory, { body: { key, value: 'v' } });
const parsed = ({ body }: ReceivedRequest) => JSON.parse(body) as Record<string, unknown>;

describe('who may', () => {
  test('the machine account needs an owner key', async () => {
    const body = { url: receiver.url, events: ['*'], secret: SECRET };
    const { status, json } = await daemon.ask({ path: '/v1/webhooks/register', body, key: daemon.apiKey });
    expect([status, json.code]).toEqual([403, 'forbidden_scope']);
    expect((await daemon.ask({ path: '/v1/webhooks', key: daemon.apiKey })).status).toBe(403);
    expect((await daemon.ask({ path: '/v1/webhooks/deliveries', key: daemon.apiKey })).status).toBe(403);
  });

  test('another account sees, changes and gets nothing of it', async () => {
    const mine = await daemon.call(contract.registerWebhook, {
      body: { url: receiver.url, events: ['*'], secret: SECRET },
    });
    await set('mine');
    await receiver.got(1);
    const { deliveries } = await daemon.call(deliveriesContract.listDeliveries, {
      query: { webhook_id: mine.id },
    });
    const [delivery] = deliveries;
    const other = daemon.addAccount('write');
    const theirs = daemon.as(other.key);
    expect(await theirs(contract.listWebhooks, {})).toEqual({ webhooks: [] });
    expect((await theirs(deliveriesContract.listDeliveries, { query: {} })).deliveries).toEqual([]);
    for (const [method, path] of [
      ['GET', `/v1/webhooks/${mine.id}`],
      ['DELETE', `/v1/webhooks/${mine.id}`],
      ['POST', `/v1/webhooks/${mine.id}/test`],
      ['GET', `/v1/webhooks/deliveries/${delivery?.id}`],
      ['POST', `/v1/webhooks/deliveries/${delivery?.id}/replay`],
    ] as const)
      expect((await daemon.ask({ method, path, key: other.key })).status).toBe(404);
    await theirs(setMemory, { body: { key: 'theirs', value: 'v' } });
    await set('mine again');
    const got = (await receiver.got(2)).map(parsed);
    expect(JSON.stringify(got)).not.toContain('theirs');
    const loop = await daemon.ask({
      path: '/v1/webhooks/register',
      body: { url: receiver.url, events: ['*'], secret: SECRET },
      key: other.key,
    });
    expect(loop).toMatchObject({ status: 400, json: { errors: [{ path: 'url' }] } });
    const asking = { url: 'http://10.0.0.1/', events: ['*'], secret: SECRET, allow_private_network: true };
    expect((await daemon.ask({ path: '/v1/webhooks/register', body: asking, key: other.key })).status).toBe(
      403,
    );
  });

  test('a name of the machine that leads nowhere now is let through, and one that leads to Reverie itself is not', async () => {
    const { port } = new URL(receiver.url);
    const register = (url: string) =>
      daemon.ask({ path: '/v1/webhooks/register', body: { url, events: ['*'], secret: SECRET } });
    expect((await register(`http://localhost:${port}/`)).status).toBe(201);
    expect((await register('http://does-not-exist.invalid/')).status).toBe(201);
    const itself = await register(`http://localhost:${new URL(daemon.origin).port}/`);
    expect(itself.text).toContain('Reverie itself');
  });

  test('what an owner allowed for one address does not hold for another that somebody else puts there', async () => {
    const other = daemon.addAccount('write');
    const byOwner = daemon.as(daemon.ownerKey, other.publicId);
    const { id } = await byOwner(contract.registerWebhook, {
      body: { url: 'http://10.0.0.1/', events: ['dream.*'], secret: SECRET, allow_private_network: true },
    });
    const patch = (body: object) =>
      daemon.ask({ method: 'PATCH', path: `/v1/webhooks/${id}`, body, key: other.key });
    expect((await patch({ description: 'still mine' })).json['allow_private_network']).toBe(true);
    expect((await patch({ url: 'http://10.0.0.2/' })).status).toBe(400);
    expect((await patch({ allow_private_network: true })).status).toBe(403);
    const moved = await patch({ url: 'http://203.0.114.1/' });
    expect(moved.json).toMatchObject({ url: 'http://203.0.114.1/', allow_private_network: false });
    expect((await patch({ url: 'http://10.0.0.1/' })).status).toBe(400);
    expect((await patch({})).status).toBe(400);
  });

  test('a revoked or reading key may nothing', async () => {
    const reader = await daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    expect((await daemon.ask({ path: '/v1/webhooks', key: reader.key })).status).toBe(403);
    expect((await daemon.ask({ path: '/v1/webhooks', key: null })).status).toBe(401);
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data', 'link-local'],
    ['http://[::ffff:169.254.169.254]/', 'link-local'],
    ['http://10.1.2.3/', 'private network'],
    ['http://0.0.0.0:9/', 'reserved'],
    ['http://me:pw@example.com/', 'password'],
    ['ftp://example.com/', 'ftp'],
    ['not a url', 'not a URL'],
  ])('%s is refused', async (url, why) => {
    const body = { url, events: ['*'], secret: SECRET };
    const { status, text } = await daemon.ask({ path: '/v1/webhooks/register', body });
    expect(status).toBe(400);
    expect(text).toContain(why);
  });

  test('the daemon itself is refused', async () => {
    const body = { url: `${daemon.origin}/v1/inbox/x`, events: ['*'], secret: SECRET };
    const { status, text } = await daemon.ask({ path: '/v1/webhooks/register', body });
    expect(status).toBe(400);
    expect(text).toContain('Reverie itself');
  });

  test('what is wrong is named', async () => {
    const body = { url: receiver.url, events: ['memory.wrote', 'weather.*'], secret: 'short', colour: 'red' };
    const { status, json } = await daemon.ask({ path: '/v1/webhooks/register', body });
    expect(status).toBe(400);
    expect(json.errors?.map(({ path }) => path).sort()).toEqual(['colour', 'events.0', 'events.1', 'secret']);
  });

  test('one `Idempotency-Key` registers once', async () => {
    const asked = {
      path: '/v1/webhooks/register',
      body: { url: receiver.url, events: ['*'], secret: SECRET },
      headers: { 'Idempotency-Key': 'once' },
    };
    const [one, two] = [await daemon.ask(asked), await daemon.ask(asked)];
    expect(one.json).toEqual(two.json);
    expect((await daemon.call(contract.listWebhooks, {})).webhooks).toHaveLength(1);
  });
});
