import { setMemory } from '@reverie/shared/contract/memories';
import * as contract from '@reverie/shared/contract/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';
import { type Answer, type Receiver, startReceiver } from './testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENTS = 30;

const hostile: Record<string, Answer> = {
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

let daemon: TestDaemon;
const receivers: Receiver[] = [];
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(async () => {
  await daemon.stop();
  for (const receiver of receivers) await receiver.stop();
});

test('receivers of every bad kind do not hold up a good one, nor the API', async () => {
  const ids: Record<string, string> = {};
  for (const [name, answer] of Object.entries(hostile)) {
    const receiver = await startReceiver(answer);
    receivers.push(receiver);
    const made = await daemon.call(contract.registerWebhook, {
      body: { url: receiver.url, events: ['*'], secret: SECRET, description: name },
    });
    ids[name] = made.id;
  }
  const good = await startReceiver();
  receivers.push(good);
  await daemon.call(contract.registerWebhook, {
    body: { url: good.url, events: ['memory.*'], secret: SECRET },
  });
  for (let n = 0; n < EVENTS; n += 1)
    await daemon.call(setMemory, { body: { key: `hostile ${n}`, value: 'v' } });
  // The clock stands still: nobody's timeout can have helped.
  const seqs = (await good.got(EVENTS)).map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(EVENTS);
  expect((await daemon.call(contract.listWebhooks, {})).webhooks).toHaveLength(8);
  const look = () => daemon.call(contract.getWebhook, { params: { id: String(ids['is gone']) } });
  let gone = await look();
  while (gone.status === 'active') gone = await look();
  expect(gone).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  // No more than eight are under way to the one that hangs.
  const ofHanging = () => receivers[0]?.received.length;
  await expect.poll(ofHanging).toBe(8);
  await look();
  expect(ofHanging()).toBe(8);
});
