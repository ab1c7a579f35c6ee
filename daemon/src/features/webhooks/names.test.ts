import * as deliveriesContract from '@reverie/shared/contract/events/deliveries';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import * as contract from '@reverie/shared/contract/events/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../testing.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let daemon: TestDaemon;
let bot: ReturnType<TestDaemon['addAccount']>;
beforeAll(async () => {
  daemon = await startTestDaemon();
  bot = daemon.addAccount('owner');
});
afterAll(() => daemon.stop());

/** A name that leads to this machine, one that there is not, and addresses that need no look-up. */
const targets = (): Record<string, string> => ({
  'a name of this machine': 'http://localhost:9/',
  'a name that there is not': 'http://does-not-exist.invalid/',
  'a loopback address': 'http://127.0.0.1:9/',
  'an address of a private network': 'http://10.0.0.1/',
  'an address of metadata': 'http://169.254.169.254/',
  'Reverie itself': `http://localhost:${new URL(daemon.origin).port}/`,
});

/** A refusal without what is another one each time. */
function plain({ status, json }: { status: number; json: Record<string, unknown> }): unknown {
  return { ...json, status, instance: undefined, request_id: undefined };
}

/** Makes the name of a webhook lead elsewhere after it was registered, as whoever owns the name can. */
function lead(id: string, url: string): void {
  daemon.withStore((store) =>
    store.write((db) => {
      db.prepare<[string, string]>('UPDATE webhooks SET url = ? WHERE id = ?').run(url, id);
    }),
  );
}

const register = (url: string, key = bot.key) =>
  daemon.ask({ path: '/v1/webhooks/register', body: { url, events: ['memory.*'], secret: SECRET }, key });

describe('an account that is not the machine’s learns nothing of names', () => {
  test('by registering', async () => {
    const replies = await Promise.all(
      Object.values(targets()).map(async (url) => plain(await register(url))),
    );
    expect(replies[0]).toMatchObject({ status: 400, errors: [{ path: 'url' }] });
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    expect(JSON.stringify(replies)).not.toMatch(/127\.|::1|resolves|loopback|itself/);
  });

  test('by changing what is registered', async () => {
    const { json } = await register('http://203.0.114.1/');
    const replies = await Promise.all(
      Object.values(targets()).map(async (url) =>
        plain(
          await daemon.ask({
            method: 'PATCH',
            path: `/v1/webhooks/${String(json['id'])}`,
            body: { url },
            key: bot.key,
          }),
        ),
      ),
    );
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    expect(replies[0]).toMatchObject({ status: 400, errors: [{ path: 'url' }] });
    expect(JSON.stringify(replies)).not.toMatch(/127\.|::1|resolves|loopback|itself/);
    // Nothing is sent there.
    await daemon.as(bot.key)(contract.deleteWebhook, { params: { id: String(json['id']) } });
  });

  test('by tests and attempts, where the name leads elsewhere since', async () => {
    const theirs = daemon.as(bot.key);
    const said: unknown[] = [];
    for (const url of Object.values(targets())) {
      const { json } = await register('http://203.0.114.1/');
      const id = String(json['id']);
      lead(id, url);
      const tested = await theirs(deliveriesContract.testWebhook, { params: { id } });
      // The dispatcher reads the row again when it is changed.
      await theirs(contract.updateWebhook, { params: { id }, body: { description: 'moved' } });
      await theirs(setMemory, { body: { key: `for ${url}`, value: 'v' } });
      const attempted = await expect
        .poll(async () => {
          const { deliveries } = await theirs(deliveriesContract.listDeliveries, {
            query: { webhook_id: id },
          });
          return deliveries.find(({ test, attempts }) => !test && attempts > 0)?.last_error;
        })
        .toBeTruthy()
        .then(() => theirs(deliveriesContract.listDeliveries, { query: { webhook_id: id } }));
      said.push([
        tested.last_error,
        tested.log[0]?.error,
        ...new Set(attempted.deliveries.map((one) => one.last_error)),
      ]);
      await theirs(contract.deleteWebhook, { params: { id } });
    }
    for (const one of said) expect(one).toEqual(said[0]);
    expect(JSON.stringify(said)).not.toMatch(
      /127\.|::1|resolves|loopback|itself|ENOTFOUND|EAI_AGAIN|invalid/,
    );
  });
});

test('the machine’s own account is told why', async () => {
  const reply = await register('http://169.254.169.254/', daemon.ownerKey);
  expect(reply.text).toContain('link-local');
  const { json } = await register('http://localhost:9/', daemon.ownerKey);
  const tested = await daemon.call(deliveriesContract.testWebhook, { params: { id: String(json['id']) } });
  expect(tested.last_error).toMatch(/ECONNREFUSED (127\.|::1)/);
});
