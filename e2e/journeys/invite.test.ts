import { expect, describe, test, beforeAll, afterAll } from 'vitest';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { call, openRoom, signUp, type Linked } from '../../cloud/src/testing/device.ts';
import { startRelay, type TestRelay } from '../../cloud/src/testing/relay.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth } from '../stage.ts';
import { theBrowser } from '../browser.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('the link of an invite, opened in a browser', () => {
  let relay: TestRelay;
  const contexts: BrowserContext[] = [];
  let owner: Linked;
  let room: string;
  const sent: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    relay = await startRelay();
    owner = await signUp(relay.origin, 'a@example.org');
    room = await openRoom(relay.origin, owner, 'team');
  });
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await relay.stop();
  });

  async function invite(more: Record<string, unknown> = {}): Promise<{ link: string; id: string }> {
    const body = { role: 'editor', ...more };
    const made = await call(relay.origin, {
      method: 'POST',
      path: `/rooms/${room}/invites`,
      key: owner.key,
      body,
    });
    return { link: String(made.body['invite']), id: String(made.body['id']) };
  }

  async function open(link: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await (await theBrowser()).newContext(options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/content security policy|refused/i.test(message.text())) complaints.push(message.text());
    });
    await page.goto(link);
    return page;
  }
  const shot = async (page: Page, name: string) => {
    const folder = process.env['REVERIE_TEST_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/invite-${name}.png`, fullPage: true });
  };

  test('shows the command with the whole link, which can be copied; the secret is sent nowhere', async () => {
    const { link } = await invite();
    const secret = new URL(link).hash.slice(1);
    const page = await open(link, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('heading', { name: 'You are invited to shared memories' }).waitFor();
    expect(await page.locator('#command').textContent()).toBe(`reverie join "${link}"`);
    await page.getByText('You could read and change what is shared.').waitFor();
    await page.getByRole('button', { name: 'Copy the command' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`reverie join "${link}"`);
    expect(await axeFindings(page)).toEqual([]);
    await shot(page, 'light');
    expect(sent.filter((one) => one.includes(secret) && !one.startsWith(`${link} `))).toEqual([]);
    expect(sent.map((one) => new URL(one.split(' ')[0] ?? '').origin)).toEqual(sent.map(() => relay.origin));
    expect(complaints).toEqual([]);
    // Opening it used nothing up.
    const other = await signUp(relay.origin, 'b@example.org');
    const path = `/invites/${new URL(link).pathname.split('/').at(-1) ?? ''}/accept`;
    const joined = await call(relay.origin, {
      method: 'POST',
      path,
      key: other.key,
      body: { secret, name: 'theirs' },
    });
    expect(joined.status).toBe(200);
    const used = await open(link);
    await used.getByRole('heading', { name: 'This invite was used' }).waitFor();
  });

  test('is as wide as a phone, and dark where that is wanted; without its secret it says so', async () => {
    const { link } = await invite({ role: 'viewer' });
    const small = { viewport: { width: 360, height: 740 } };
    const page = await open(link, { ...small, colorScheme: 'dark' });
    await page.getByText('You could read what is shared, and not change it.').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await shot(page, 'dark-360');
    const cut = await open(link.split('#')[0] ?? '', small);
    await cut.getByText('This link is not whole').waitFor();
    expect(await cut.locator('#command').isVisible()).toBe(false);
    const plain = await open(link, { ...small, javaScriptEnabled: false });
    await plain.getByText('with the whole address of this page').waitFor();
    expect(complaints).toEqual([]);
  });

  test('withdrawn, too old, or never there: it is told in words, with what to do', async () => {
    const withdrawn = await invite();
    await call(relay.origin, {
      method: 'DELETE',
      path: `/rooms/${room}/invites/${withdrawn.id}`,
      key: owner.key,
    });
    const gone = await open(withdrawn.link, { viewport: { width: 360, height: 740 } });
    await gone
      .getByText('It was withdrawn, or the link is not the one that was sent. Ask for a new one.')
      .waitFor();
    await shot(gone, 'withdrawn');
    const old = await invite({ expires_in: 60 });
    relay.clock.advance(61_000);
    const response = await (await open('about:blank')).goto(old.link);
    expect(response?.status()).toBe(410);
    expect(await response?.text()).toContain('This invite has ended');
  });
});
