import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import * as contract from '@reverie/shared/contract/events/webhooks';
import * as deliveriesContract from '@reverie/shared/contract/events/deliveries';
import { steadyPort } from '@reverie/shared/testing/steady-port';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from './testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const HOUR = 3_600_000;

let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.stop());
beforeEach(async () => {
  receiver = await startReceiver(undefined, await steadyPort());
});
afterEach(async () => {
  const { webhooks } = await daemon.call(contract.listWebhooks, {});
  for (const { id } of webhooks) await daemon.call(contract.deleteWebhook, { params: { id } });
  await receiver.stop();
});

const register = (
  more: Partial<Parameters<typeof daemon.call<typeof contract.registerWebhook>>[1]['body']> = {},
) =>
  daemon.call(contract.registerWebhook, {
    body: { url: receiver.url, events: ['memory.*'], secret: SECRET, ...more },
  });
const set = (key: string, value = 'v') => daemon.call(setMemory, { body: { key, value } });
const parsed = ({ body }: ReceivedRequest) => JSON.parse(body) as Record<string, unknown>;
const deliveries = async (
  query: Parameters<typeof daemon.call<typeof deliveriesContract.listDeliveries>>[1]['query'] = {},
) => (await daemon.call(deliveriesContract.listDeliveries, { query })).deliveries;

/** Waits, a real moment at a time, until something is so; the test's own time limit ends it. */
async function until<T>(look: () => Promise<T>, is: (found: T) => boolean): Promise<T> {
  for (let found = await look(); ; found = await look()) {
    if (is(found)) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const settled = (id: string, status: string) =>
  until(
    () => daemon.call(deliveriesContract.getDelivery, { params: { id } }),
    (found) => found.status === status,
  );

describe('a webhook', () => {
  test('gets the whole event, signed as Standard Webhooks says', async () => {
    const made = await register();
    expect(made).toMatchObject({ url: receiver.url, events: ['memory.*'], status: 'active' });
    expect(Object.keys(made).sort()).toEqual(['created_at', 'events', 'id', 'status', 'url']);
    await set('signed', 'one');
    const [got] = await receiver.got(1);
    if (!got) throw new Error('nothing came');
    const body = parsed(got);
    expect(body).toMatchObject({
      type: 'memory.write',
      namespace: 'default',
      actor: { kind: 'key' },
      data: { before: null, after: { key: 'signed', value: 'one' } },
    });
    expect(body['timestamp']).toBe(body['created_at']);
    expect(got.headers['webhook-id']).toBe(body['id']);
    // The library checks against its own clock; the daemon's stands still elsewhere, so it signs at that time.
    const at = Number(got.headers['webhook-timestamp']) * 1000;
    expect(at).toBe(Math.floor(daemon.clock.now() / 1000) * 1000);
    const again = new Webhook(SECRET).sign(String(body['id']), new Date(at), got.body);
    expect(got.headers['webhook-signature']).toBe(again);
    const [delivery] = await deliveries();
    const log = await settled(String(delivery?.id), 'delivered');
    expect(log.log).toMatchObject([{ number: 1, status: 200, response: 'ok', error: null }]);
  });

  test('never shows its secret, and says how it is', async () => {
    const { id } = await register({ description: 'mine' });
    const one = await daemon.ask({ path: `/v1/webhooks/${id}` });
    const all = await daemon.ask({ path: '/v1/webhooks' });
    expect(one.json).toMatchObject({ id, description: 'mine', status: 'active', rate_per_s: 50, pending: 0 });
    for (const { text } of [one, all]) expect(text).not.toContain(SECRET.slice(6));
  });

  test('gets only what it asked for', async () => {
    await register({ events: ['memory.delete', 'channel.*'] });
    await set('a');
    await set('b');
    await daemon.call(deleteMemory, { body: { key: 'a' } });
    await daemon.call(deleteMemory, { body: { key: 'b' } });
    const got = (await receiver.got(2)).map(parsed);
    expect(got.map(({ type }) => type)).toEqual(['memory.delete', 'memory.delete']);
  });

  test('gets nothing of what was imported', async () => {
    await register();
    const item = { key: 'old', value: 'v', created_at: '2020-01-01T00:00:00.000Z' };
    await daemon.call(importMemories, { body: { items: [item] } });
    await set('new');
    const got = await receiver.got(1);
    expect(got.map(parsed)).toMatchObject([{ data: { after: { key: 'new' } } }]);
  });

  test('is tried again 5 times, at growing waits, and then is a dead letter that can be replayed', async () => {
    receiver.answer = (response) => void response.writeHead(500).end('broken');
    const { id } = await register();
    await set('fails');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await receiver.got(attempt);
      const [waiting] = await until(
        () => deliveries({ webhook_id: id }),
        ([found]) => found?.attempts === attempt,
      );
      const next = Date.parse(String(waiting?.next_attempt_at));
      waits.push(next - daemon.clock.now());
      daemon.clock.advance(next - daemon.clock.now());
    }
    for (const [at, wait] of [60_000, 166_900, 464_758, 1_293_547, HOUR].entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(wait * 0.89);
      expect(waits[at]).toBeLessThanOrEqual(wait * 1.11);
    }
    await receiver.got(6);
    const { dead_letters } = await until(
      () => daemon.call(deliveriesContract.listDeadLetters, { query: { webhook_id: id } }),
      (found) => found.dead_letters.length === 1,
    );
    const [dead] = dead_letters;
    expect(dead).toMatchObject({ status: 'dead', attempts: 6, last_status: 500 });
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    const times = new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp']));
    expect([ids.size, times.size]).toEqual([1, 6]);

    receiver.answer = (response) => response.end();
    await daemon.call(deliveriesContract.replayDelivery, { params: { id: String(dead?.id) } });
    const replayed = await settled(String(dead?.id), 'delivered');
    expect(replayed.log).toHaveLength(7);
    expect(replayed.log[0]).toMatchObject({
      status: 500,
      response: 'broken',
      error: 'The receiver answered 500',
    });
    expect(receiver.received[6]?.headers['webhook-id']).toBe([...ids][0]);
  });

  test('says how the delivery does that waits longest', async () => {
    const { id } = await register();
    const show = () => daemon.call(contract.getWebhook, { params: { id } });
    expect((await show()).oldest_pending).toBeNull();
    receiver.answer = (response) => void response.writeHead(503).end();
    const since = new Date(daemon.clock.now()).toISOString();
    await set('waits');
    const failed = await until(show, ({ oldest_pending }) => oldest_pending?.attempts === 1);
    expect(failed.oldest_pending).toMatchObject({ since, last_error: 'The receiver answered 503' });
    const next = Date.parse(String(failed.oldest_pending?.next_attempt_at));
    expect(next).toBeGreaterThan(daemon.clock.now());
    // What is delivered meanwhile does not make up for it.
    receiver.answer = (response) => response.end();
    await set('goes');
    const after = await until(show, ({ last_delivery_at }) => last_delivery_at !== null);
    expect(after.failing_since).toBeNull();
    expect(after.oldest_pending).toMatchObject({ since, attempts: 1 });
    daemon.clock.advance(next - daemon.clock.now());
    expect((await until(show, ({ pending }) => pending === 0)).oldest_pending).toBeNull();
  });

  test('that answers 410 is turned off, and an event and its state say so', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    const watcher = await startReceiver();
    const { id } = await register();
    await daemon.call(contract.registerWebhook, {
      body: { url: watcher.url, events: ['channel.publish'], secret: SECRET },
    });
    await set('gone');
    const [notice] = await watcher.got(1);
    expect(notice && parsed(notice)).toMatchObject({
      actor: { kind: 'system', id: 'webhooks' },
      data: { after: { channel: 'webhooks', payload: { webhook_id: id, reason: 'gone' } } },
    });
    const off = await daemon.call(contract.getWebhook, { params: { id } });
    expect(off).toMatchObject({ status: 'disabled', disabled_reason: 'gone', dead_letters: 1 });
    await set('while off');
    receiver.answer = (response) => response.end();
    await daemon.call(contract.updateWebhook, { params: { id }, body: { status: 'active' } });
    const got = await receiver.got(2);
    expect(got.map(parsed)[1]).toMatchObject({ data: { after: { key: 'while off' } } });
    await watcher.stop();
  });

  test('that fails for five days is turned off, and says since when', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await register();
    const look = () => daemon.call(contract.getWebhook, { params: { id } });
    const began = daemon.clock.now();
    for (let half = 0; half < 10; half += 1) {
      const before = receiver.received.length;
      await set(`failing ${half}`);
      await receiver.got(before + 1);
      const attempted = await until(
        () => deliveries({ webhook_id: id }),
        ([newest]) => (newest?.attempts ?? 0) > 0,
      );
      expect(attempted[0]?.status).toBe('pending');
      expect((await look()).status).toBe('active');
      daemon.clock.advance(12 * HOUR);
      await until(
        () => deliveries({ webhook_id: id, status: 'pending' }),
        (all) => all.every(({ next_attempt_at }) => Date.parse(String(next_attempt_at)) > daemon.clock.now()),
      );
    }
    const off = await until(look, ({ status }) => status === 'disabled');
    expect(off).toMatchObject({ disabled_reason: 'failing', failing_since: new Date(began).toISOString() });
    const on = await daemon.call(contract.updateWebhook, { params: { id }, body: { status: 'active' } });
    expect(on).toMatchObject({ status: 'active', disabled_reason: null, failing_since: null });
  });

  test('with `ordered` waits for the one before', async () => {
    receiver.answer = (response) => void response.writeHead(503).end();
    await register({ ordered: true });
    for (const key of ['1', '2', '3']) await set(`ordered ${key}`);
    await receiver.got(1);
    const [oldest] = (
      await until(
        () => deliveries({ status: 'pending' }),
        (all) => all.some(({ attempts }) => attempts === 1),
      )
    ).reverse();
    expect(oldest?.attempts).toBe(1);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => response.end();
    daemon.clock.advance(70_000);
    const seqs = (await receiver.got(4)).map(({ seq }) => seq);
    expect(seqs.slice(1)).toEqual([seqs[0], Number(seqs[0]) + 1, Number(seqs[0]) + 2]);
  });

  test('beyond its rate deliveries wait, none is lost, and they start in the order of `seq`', async () => {
    await register({ rate_per_s: 3 });
    for (let n = 0; n < 7; n += 1) await set(`rate ${n}`);
    await receiver.got(3);
    await until(
      () => deliveries({ status: 'pending' }),
      (all) => all.length === 4,
    );
    expect(receiver.received).toHaveLength(3);
    daemon.clock.advance(1000);
    await receiver.got(6);
    await until(
      () => deliveries({ status: 'pending' }),
      (all) => all.length === 1,
    );
    expect(receiver.received).toHaveLength(6);
    daemon.clock.advance(1000);
    await receiver.got(7);
    // Those of one second are under way together, and may arrive in any order.
    const bySecond = [
      receiver.received.slice(0, 3),
      receiver.received.slice(3, 6),
      receiver.received.slice(6),
    ];
    const seqs = bySecond.flatMap((some) => some.map(({ seq }) => Number(seq)).sort((a, b) => a - b));
    expect(seqs).toEqual(Array.from({ length: 7 }, (_, n) => Number(seqs[0]) + n));
  });

  test('what was deleted is not in a delivery that comes later', async () => {
    receiver.answer = (response, { body }) => void response.writeHead(500).end(body);
    const { id } = await register();
    await set('private', 'very secret words');
    await receiver.got(1);
    const look = () => deliveries({ webhook_id: id });
    const [first] = await until(look, ([found]) => found?.attempts === 1);
    await daemon.call(deleteMemory, { body: { key: 'private' } });
    const log = await daemon.ask({ path: `/v1/webhooks/deliveries/${first?.id}` });
    expect(log.text).not.toContain('very secret words');
    // The delete event keeps what was deleted until its delivery ended, and the write event does not.
    await receiver.got(2);
    await until(look, (all) => all.every(({ attempts }) => attempts === 1));
    receiver.answer = (response) => response.end();
    daemon.clock.advance(70_000);
    const again = (await receiver.got(4)).slice(2).map(parsed);
    expect(again).toContainEqual(
      expect.objectContaining({ type: 'memory.write', data: { before: null, after: null } }),
    );
    const deletion = again.find(({ type }) => type === 'memory.delete');
    expect(deletion).toMatchObject({ data: { before: { value: 'very secret words' }, after: null } });
    await until(look, (all) => all.every(({ status }) => status === 'delivered'));
    daemon.clock.advance(31_000);
    expect((await daemon.ask({ path: '/v1/events?limit=1000' })).text).not.toContain('very secret words');
  });

  test('a test is sent at once and logged, and is no dead letter', async () => {
    const { id } = await register();
    const sent = await daemon.call(deliveriesContract.testWebhook, { params: { id } });
    expect(sent).toMatchObject({ status: 'delivered', test: true, event: 'webhook.test', last_status: 200 });
    expect(parsed((await receiver.got(1))[0] as ReceivedRequest)).toMatchObject({
      type: 'webhook.test',
      seq: null,
    });
    await receiver.stop();
    const failed = await daemon.call(deliveriesContract.testWebhook, { params: { id } });
    expect(failed).toMatchObject({ status: 'dead', test: true, last_status: null });
    expect(failed.log[0]?.error).toContain('ECONNREFUSED');
    const { dead_letters } = await daemon.call(deliveriesContract.listDeadLetters, {
      query: { webhook_id: id },
    });
    expect(dead_letters).toEqual([]);
  });

  test('survives a restart with what it still has to deliver', async () => {
    await register();
    await receiver.stop();
    await set('before the restart');
    await until(
      () => deliveries(),
      ([found]) => found?.attempts === 1,
    );
    await daemon.restart();
    receiver = await startReceiver(undefined, Number(new URL(receiver.url).port));
    daemon.clock.advance(70_000);
    const got = await receiver.got(1);
    expect(got.map(parsed)).toMatchObject([{ data: { after: { key: 'before the restart' } } }]);
  });

  test('deleted: what it still had to deliver is cancelled', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await register();
    await set('cancelled');
    await receiver.got(1);
    await daemon.call(contract.deleteWebhook, { params: { id } });
    const [cancelled] = await until(
      () => deliveries({ webhook_id: id }),
      ([found]) => found?.status === 'cancelled',
    );
    const replay = await daemon.ask({
      method: 'POST',
      path: `/v1/webhooks/deliveries/${cancelled?.id}/replay`,
    });
    expect(replay).toMatchObject({ status: 404, json: { code: 'webhook_not_found' } });
  });
});

// By 17 s a look at the clock, the first retry, a minute after its failure, falls between looking for what is due and for what is next.
test('a retry that comes due while it is looked for is not left', async () => {
  receiver.answer = (response) => void response.writeHead(503).end();
  await register();
  const { now } = daemon.clock;
  let looks = 0;
  daemon.clock.now = () => now() + 17_000 * (looks += 1);
  try {
    await set('slow');
    await receiver.got(1);
    // Nothing else asks for the time meanwhile.
    await expect
      .poll(() => {
        daemon.clock.advance(10_000);
        return receiver.received.length;
      })
      .toBeGreaterThan(1);
  } finally {
    daemon.clock.now = now;
    daemon.clock.advance(17_000 * looks);
  }
});

describe('the delivery log', () => {
  test('filters and pages', async () => {
    const { id } = await register();
    const since = new Date(daemon.clock.now() + 1000).toISOString();
    await set('log 0');
    await receiver.got(1);
    daemon.clock.advance(1000);
    for (let n = 1; n < 5; n += 1) await set(`log ${n}`);
    await daemon.call(deleteMemory, { body: { key: 'log 1' } });
    await receiver.got(6);
    expect(await deliveries({ webhook_id: id })).toHaveLength(6);
    expect(await deliveries({ webhook_id: id, since })).toHaveLength(5);
    expect(await deliveries({ webhook_id: id, event: 'memory.delete' })).toHaveLength(1);
    expect(await deliveries({ webhook_id: id, event: 'memory.*' })).toHaveLength(6);
    expect(await deliveries({ webhook_id: id, event: 'dream.*' })).toEqual([]);
    const seen: (number | null)[] = [];
    let cursor: string | undefined;
    do {
      const query = { webhook_id: id, limit: 4, ...(cursor !== undefined && { cursor }) };
      const page = await daemon.call(deliveriesContract.listDeliveries, { query });
      seen.push(...page.deliveries.map(({ seq }) => seq));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(6);
    expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)));
  });

  test('dead letters are replayed by id, and all of them since a time', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    const { id } = await register();
    await set('dead 1');
    const dead = () => daemon.call(deliveriesContract.listDeadLetters, { query: { webhook_id: id } });
    const [first] = (await until(dead, (found) => found.dead_letters.length === 1)).dead_letters;
    await daemon.call(contract.updateWebhook, { params: { id }, body: { status: 'active' } });
    daemon.clock.advance(5000);
    const since = new Date(daemon.clock.now()).toISOString();
    await set('dead 2');
    await until(dead, (found) => found.dead_letters.length === 2);
    receiver.answer = (response) => response.end();
    await daemon.call(contract.updateWebhook, { params: { id }, body: { status: 'active' } });
    const some = await daemon.call(deliveriesContract.replayDeadLetters, { body: { since, webhook_id: id } });
    expect(some).toEqual({ success: true, replayed: 1, skipped: 0 });
    const one = await daemon.call(deliveriesContract.replayDeadLetters, {
      body: { ids: [String(first?.id)] },
    });
    expect(one).toEqual({ success: true, replayed: 1, skipped: 0 });
    await receiver.got(4);
    await until(
      () => deliveries({ webhook_id: id, status: 'delivered' }),
      (all) => all.length === 2,
    );
    const wrong = await daemon.ask({ path: '/v1/webhooks/dead-letters/replay', body: {} });
    expect(wrong.status).toBe(400);
  });

  test('is kept for its retention', async () => {
    const { id } = await register();
    await set('kept');
    await receiver.got(1);
    const look = () => deliveries({ webhook_id: id });
    await until(look, ([found]) => found?.status === 'delivered');
    daemon.clock.advance(29 * 24 * HOUR);
    expect(await look()).toHaveLength(1);
    daemon.clock.advance(2 * 24 * HOUR);
    expect(await look()).toHaveLength(0);
  });
});
