import { deepTest } from '@reverie/shared/testing/depth';
import { listWebhooks, registerWebhook } from '@reverie/shared/contract/events/webhooks';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, rows } from '../pages/memories.ts';
import { pasteKey } from '../pages/session.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import { stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Retries within milliseconds: what fails is a dead letter soon.
const SETTINGS = { REVERIE_WEBHOOKS_RETRY_MIN_MS: '5', REVERIE_WEBHOOKS_RETRY_MAX_MS: '20' };

// The first one begins where there is none.
describe.skipIf(!hasBrowser)('webhooks in the page', { shuffle: false }, () => {
  const stage = setStage(SETTINGS);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(async () => receiver.close());

  const deliveries = (page: Page, text: string | RegExp) =>
    page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem').filter({ hasText: text });
  const registered = async (url: string) => {
    const { webhooks } = await stage.world.daemon.call(listWebhooks, {});
    return webhooks.find((webhook) => webhook.url === url);
  };
  const register = (path: string) =>
    stage.world.daemon.call(registerWebhook, {
      body: { url: `${receiver.url}${path}`, events: ['memory.*'], secret: 'a secret of some length' },
    });
  /** The page with a webhook of its own open. */
  const looking = async (path: string, ...options: Parameters<typeof stage.visit>) => {
    const { id } = await register(path);
    return stage.signedInAt(`/webhooks?webhook=${id}`, ...options);
  };

  test('the first webhook is registered with a made secret, tested, and gets what happens', async () => {
    receiver.answer(200, 'thanks');
    const page = await stage.signedInAt('/');
    await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor();
    await choose(page, 'Webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Register your first webhook').click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByLabel('URL', { exact: true }).fill('ftp://nowhere');
    await page.getByLabel('Deliveries a second at most').fill('0');
    await button(page, 'Register webhook').click();
    await page.getByText('allowed: http and https').waitFor();
    await page.getByText('must be a whole number from 1 to 1000').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('URL', { exact: true }).fill('http://169.254.169.254/latest');
    await page.getByLabel('Deliveries a second at most').fill('40');
    await button(page, 'Register webhook').click();
    await page.getByRole('alert').filter({ hasText: '169.254.169.254' }).waitFor();
    await page.getByLabel('URL', { exact: true }).fill(receiver.url);
    await button(page, 'Register webhook').click();
    await button(page, 'Send a test').click();
    await page.getByText(/Accepted with 200 after/).waitFor();
    expect(receiver.receipts.map(({ type }) => type)).toEqual(['webhook.test']);
    expect(await registered(receiver.url)).toMatchObject({ events: ['memory.*'], rate_per_s: 40 });

    await stage.store('hooks', { a: 'one' });
    await deliveries(page, 'memory.write').filter({ hasText: 'delivered' }).waitFor();
    const receipt = receiver.receipts.at(-1);
    const header = (name: string) => String(receipt?.headers[name]);
    // The secret that the form showed is the one that signs.
    new Webhook(secret).verify(receipt?.body ?? '', {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
    await page.getByText('works', { exact: true }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await deliveries(page, 'memory.write')
      .getByRole('button', { name: /memory.write/ })
      .click();
    await button(page, 'Replay…').click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await expect.poll(() => receiver.receipts.filter(({ id }) => id === receipt?.id).length).toBe(2);
  });

  test('it is edited, paused with an undo, and deleted only after a question', async () => {
    const url = `${receiver.url}/edit`;
    const page = await looking('/edit');
    await button(page, 'Edit').click();
    await page.getByLabel('Description', { exact: true }).fill('for the tests');
    await page.getByLabel(/Strictly in order/).check();
    await page.getByLabel('Everything').check();
    await expect.poll(() => page.getByLabel('memory.write', { exact: true }).isDisabled()).toBe(true);
    await button(page, 'Save').click();
    await expect
      .poll(() => registered(url))
      .toMatchObject({ events: ['*'], ordered: true, description: 'for the tests' });
    await page.getByText('strictly in order').waitFor();
    await stopTime(page);
    await button(page, 'Pause').click();
    await page.getByText('paused', { exact: true }).first().waitFor();
    await expect.poll(() => registered(url)).toMatchObject({ status: 'paused' });
    await button(page, 'Undo').click();
    await button(page, 'Pause').waitFor();
    await expect.poll(() => registered(url)).toMatchObject({ status: 'active' });

    await button(page, 'Delete…').click();
    await page.getByRole('dialog', { name: 'Delete this webhook?' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Keep it').click();
    expect(await registered(url)).toBeDefined();
    await button(page, 'Delete…').click();
    await button(page, 'Delete webhook').click();
    await button(page, 'Delete…').waitFor({ state: 'detached' });
    await expect.poll(() => registered(url)).toBeUndefined();
  });

  test('dead letters show every attempt, and are replayed one by one, some at once, and since a time', async () => {
    receiver.answer(503, 'not today');
    const page = await looking('/dead');
    await stage.store('dead', { a: '1', b: '2', c: '3', d: '4' });
    await page.getByLabel('Which deliveries').selectOption('Dead letters');
    await expect.poll(() => deliveries(page, 'dead').count()).toBe(4);
    await deliveries(page, 'memory.write').first().getByRole('button').click();
    await page
      .getByText(/Failed after \d+ ms: The receiver answered 503/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText(/^Attempt \d$/).count()).toBe(6);
    await expect.poll(() => page.getByText('not today').first().isVisible()).toBe(true);
    await page.getByText('failing', { exact: true }).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);

    receiver.answer(204);
    const before = receiver.receipts.length;
    await button(page, 'Replay').click();
    await expect.poll(() => deliveries(page, 'dead').count()).toBe(3);
    await page
      .getByRole('checkbox', { name: /^Choose/ })
      .first()
      .check();
    await button(page, 'Replay 1 chosen').click();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await expect.poll(() => deliveries(page, 'dead').count()).toBe(2);
    await button(page, 'Replay everything since…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('Choose a day and a time').waitFor();
    await stopTime(page);
    await page.getByLabel('Since', { exact: true }).fill('2020-01-01T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('2 deliveries are under way again.').waitFor();
    await page.getByRole('heading', { name: 'None of these' }).waitFor();
    const again = () => receiver.receipts.slice(before).filter(({ type }) => type === 'memory.write');
    // None is dead as soon as the last is under way.
    await expect.poll(() => new Set(again().map(({ id }) => id)).size).toBe(4);
  });

  test('one that was turned off is said on every view, at once', async () => {
    receiver.answer(410);
    const page = await stage.signedIn('hooks');
    await rows(page).first().waitFor();
    await register('/gone');
    await stage.store('hooks', { b: 'two' });
    await page.getByText(/was turned off|were turned off/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Look at it').click();
    await page.getByText('Its receiver answered 410').waitFor();
    receiver.answer(200);
    await button(page, 'Resume').click();
    await button(page, 'Pause').waitFor();
  });

  deepTest('narrow and dark it fits; a lesser key is told why it sees nothing', async () => {
    receiver.answer(200);
    const page = await looking(`/${'long'.repeat(100)}`, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await button(page, 'Send a test').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Edit').click();
    await page.getByLabel('URL', { exact: true }).waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);

    const { key } = await stage.world.daemon.call(createKey, { body: { name: 'lesser', scope: 'write' } });
    const other = await stage.visit();
    await other.goto(`${stage.world.daemon.origin}/webhooks`);
    await pasteKey(other, key);
    await other.getByRole('heading', { name: 'Only the owner may look after webhooks' }).waitFor();
    expect(await axeFindings(other)).toEqual([]);
  });
});
