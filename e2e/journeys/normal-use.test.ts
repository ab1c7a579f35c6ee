import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { cases } from '@reverie/shared/testing/depth';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../chromium.ts';
import { furnish } from '../pictures/furnish.ts';
import { setStage, signIn } from '../stage.ts';

/** Every view of the page, as one comes there by its address; those that differ most first. */
const VIEWS = [
  '/',
  '/memories?namespace=work&key=runbooks%2Frotate-signing-key',
  '/memories?namespace=work&q=when%20do%20we%20deploy',
  '/ask?namespace=work&q=when%20do%20we%20deploy%3F',
  '/map?namespace=work',
  '/dreams',
  '/inbox',
  '/sessions',
  '/sync',
  '/folders',
  '/agents',
  '/webhooks',
  '/events',
  '/models',
  '/status',
  '/tray?tab=review',
  '/memories?namespace=work',
  '/memories?namespace=*',
  '/memories?namespace=work&key=runbooks%2Fdeploy&mode=edit',
  '/memories?namespace=work&key=runbooks%2Fdeploy&mode=history',
  '/memories?namespace=work&mode=new',
  '/memories?namespace=work&mode=trash',
  '/ask',
  '/dreams?namespace=work&panel=health',
  '/dreams?strategy=forecast',
  '/dreams?status=accepted',
  '/sessions/sources',
  '/keys',
  '/accounts',
  '/tray?tab=recent',
  '/tray?tab=inbox',
  '/tray?tab=activity',
  '/quick',
];

describe.skipIf(!hasBrowser)('normal use of a full home', () => {
  const stage = setStage();

  test('asks for nothing that is not there: no answer is a refusal, in any view', async () => {
    await furnish(stage.world.daemon.call);
    const payload = {
      text: 'See `checkout/refund.ts`, customers/halden and not/there at all.',
      disk: { used: 0.97, host: 'db-2' },
    };
    await stage.world.daemon.call(sendMessage, {
      params: { namespace: 'work' },
      body: { from: 'claude-code', kind: 'note', payload },
    });
    const page = await stage.visit({ viewport: { width: 1440, height: 900 } });
    const settled = listenTo(page);
    await signIn(page, await stage.world.ticketAddress('/'));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    for (const path of cases(VIEWS, 8)) {
      await page.goto(`${stage.world.daemon.origin}${path}`);
      await page.locator('main, [role=search], input').first().waitFor();
      expect(await settled(), path).toEqual([]);
    }
    // What stands behind each row, too.
    await page.goto(`${stage.world.daemon.origin}/inbox`);
    const messages = page.getByRole('region', { name: 'Inbox' }).getByRole('listitem').getByRole('button');
    await messages.first().waitFor();
    for (const row of await messages.all()) {
      await row.click();
      expect(await settled()).toEqual([]);
    }
    const message = page.getByRole('article', { name: 'Claude Code' });
    await messages.filter({ hasText: 'checkout/refund.ts' }).click();
    await message.getByRole('link', { name: 'customers/halden' }).waitFor();
    // Of an object one reads what it says, and not how it was sent.
    await message.getByText('Used', { exact: true }).waitFor();
    expect(await message.innerText()).not.toContain('{');
    await page.goto(`${stage.world.daemon.origin}/events`);
    const events = page.getByRole('listbox').getByRole('option');
    await events.first().waitFor();
    for (const row of await events.all()) {
      await row.click();
      await page.getByRole('region', { name: 'Open event' }).getByRole('article').waitFor();
      expect(await settled()).toEqual([]);
      // A sentence stands there first; what programs get is folded.
      expect(await page.getByRole('region', { name: 'Open event' }).locator('pre:visible').count()).toBe(0);
    }
    expect(await settled()).toEqual([]);
  });
});

/** Keeps what the page asks for in sight: waits until all of it is answered, and tells what was refused. */
function listenTo(page: Page): () => Promise<string[]> {
  const open = new Set<Request>();
  const refused: string[] = [];
  page.on('request', (request) => open.add(request));
  page.on('requestfailed', (request) => open.delete(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('framenavigated', (frame) => frame === page.mainFrame() && open.clear());
  page.on('response', (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return async () => {
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    await expect.poll(() => [...open].filter((one) => one.url().includes('/v1/')).length).toBe(0);
    return refused;
  };
}
