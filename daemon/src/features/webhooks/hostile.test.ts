import { setMemory } from '@reverie/shared/contract/memories/memories';
import { type Delivery, listDeliveries } from '@reverie/shared/contract/events/deliveries';
import * as contract from '@reverie/shared/contract/events/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type ReceiverAnswer, type Receiver, startReceiver } from './testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENTS = 30;

const hostile: Record<string, ReceiverAnswer> = {
  hangs: () => undefined,
  'answers 500': (response) => void response.writeHead(500).end(),
  redirects: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'is gone': (response) => void response.writeHead(410).end(),
  'sends 10 MB': (response) => response.end(Buffer.alloc(10 * 1024 * 1024, 'x')),
  'closes the socket': (response) => void response.destroy(),
  drips: (response) => {
    response.writeHead(200);
    response.write('.');
  },
};

const anyText = expect.any(String) as string;

let daemon: TestDaemon;
let good: Receiver;
let hanging: Receiver;
const ids: Record<string, string> = {};
const receivers: Receiver[] = [];

async function start(answer?: ReceiverAnswer): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}

const look = (name: string) => daemon.call(contract.getWebhook, { params: { id: String(ids[name]) } });

// The clock stands still from here on: nobody's timeout can help, neither a receiver nor who stores memories.
beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const [name, answer] of Object.entries(hostile)) {
    const receiver = await start(answer);
    if (name === 'hangs') hanging = receiver;
    const made = await daemon.call(contract.registerWebhook, {
      body: { url: receiver.url, events: ['*'], secret: SECRET, description: name },
    });
    ids[name] = made.id;
  }
  good = await start();
  await daemon.call(contract.registerWebhook, {
    body: { url: good.url, events: ['memory.*'], secret: SECRET },
  });
  for (let n = 0; n < EVENTS; n += 1)
    await daemon.call(setMemory, { body: { key: `hostile ${n}`, value: 'v' } });
});
afterAll(async () => {
  await daemon.stop();
  for (const receiver of receivers) await receiver.stop();
});

test('receivers of every bad kind do not hold up a good one, nor the API', async () => {
  const seqs = (await good.got(EVENTS)).map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(EVENTS);
  // Each of them was asked meanwhile.
  for (const receiver of receivers) await receiver.got(1);
  const { webhooks } = await daemon.call(contract.listWebhooks, {});
  expect(webhooks.map(({ description }) => description).sort()).toEqual(['', ...Object.keys(hostile)].sort());
});

test('one that is gone is turned off', async () => {
  await expect.poll(() => look('is gone')).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
});

test('no more than eight are under way to the one that hangs', async () => {
  const ofHanging = () => hanging.received.length;
  await expect.poll(ofHanging).toBe(8);
  await good.got(EVENTS);
  await look('hangs');
  expect(ofHanging()).toBe(8);
});

test.each<[string, Partial<Delivery>]>([
  ['hangs', { status: 'pending', attempts: 0 }],
  ['answers 500', { status: 'pending', last_status: 500, last_error: 'The receiver answered 500' }],
  [
    'redirects',
    {
      status: 'pending',
      last_status: 302,
      last_error: 'The receiver answered 302, and redirects are not followed',
    },
  ],
  ['is gone', { status: 'dead', last_status: 410, last_error: 'The receiver answered 410' }],
  ['sends 10 MB', { status: 'delivered', last_status: 200, last_error: null }],
  ['closes the socket', { status: 'pending', last_status: null, last_error: anyText }],
])('a delivery to one that %s is told as it is', async (name, told) => {
  const first = async () => {
    const of = { webhook_id: String(ids[name]), limit: '1000' };
    const { deliveries } = await daemon.call(listDeliveries, { query: of });
    return deliveries.find(({ attempts }) => attempts > 0 || told.attempts === 0);
  };
  await expect.poll(first).toMatchObject(told);
});
