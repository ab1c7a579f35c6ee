import { deepTest } from '@reverie/shared/testing/depth';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, detail, namespaceRow, openMemory, rows, value, write } from '../pages/memories.ts';
import { pasteKey, waitForSessionScreen } from '../pages/session.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Without Chromium there is nothing to drive; the page's pure parts are tested beside their files.
// Told in order: the home is empty for the first only.
describe.skipIf(!hasBrowser)('the page', { shuffle: false }, () => {
  const stage = setStage();

  test('an empty home says how to begin, and the first memory is written', async () => {
    const page = await stage.visit();
    await page.goto(await stage.world.ticketAddress());
    await page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor();
    await expect.poll(() => page.getByText('reverie import').count()).toBeGreaterThan(0);
    await page.getByText('reverie connect claude-code').waitFor();
    await page.getByLabel('Which agent').selectOption('A program');
    await page.getByText(`curl ${stage.world.daemon.origin}/v1/memory-set`).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await choose(page, 'Memories');
    await button(page, 'Write your first memory').click();
    await write(page, { key: 'note:first', value: 'Something to keep', metadata: '{"tags": ["a", "b"]}' });
    await detail(page, 'note:first').waitFor();
    await expect.poll(() => value(page).innerText()).toBe('Something to keep');
    expect(await stage.stored('default', 'note:first')).toMatchObject({
      value: 'Something to keep',
      metadata: { tags: ['a', 'b'] },
    });
    await rows(page, 'note:first').waitFor();
  });

  test('`reverie open` opens the page once, leaves the address, and the session survives a reload', async () => {
    const address = await stage.world.reverie('open', '--print');
    expect(address).toMatch(/#ticket=/);
    const page = await stage.visit();
    await page.goto(address);
    await button(page, 'Menu').waitFor();
    expect(page.url()).not.toContain('ticket');
    await page.reload();
    await button(page, 'Menu').waitFor();

    const other = await stage.visit();
    await other.goto(address);
    await waitForSessionScreen(other);
    await other.getByText('used already').waitFor();
    expect(await axeFindings(other)).toEqual([]);
  });

  test('a pasted key is checked; a revoked one leads back with the reason; signing out ends the session', async () => {
    const made = await stage.world.daemon.call(createKey, { body: { name: 'pasted', scope: 'read' } });
    const page = await stage.visit();
    await page.goto(stage.world.daemon.origin);
    await waitForSessionScreen(page);
    await expect
      .poll(() => page.getByLabel('API key', { exact: true }).getAttribute('type'))
      .toBe('password');
    await pasteKey(page, 'rv_live_wrong');
    await page.getByText('does not know this key').waitFor();
    await pasteKey(page, made.key);
    await button(page, 'Menu').waitFor();
    await choose(page, 'Memories');
    await rows(page).first().waitFor();
    // A key that may only read is offered nothing that writes.
    await expect.poll(() => button(page, 'New memory').count()).toBe(0);

    await stage.world.daemon.call(revokeKey, { params: { id: made.id } });
    // The daemon closes the stream, so the page notices by itself.
    await waitForSessionScreen(page);
    await page.getByText('You were signed out').waitFor();

    await page.goto(await stage.world.ticketAddress());
    await button(page, 'Menu').waitFor();
    await choose(page, 'Sign out');
    await waitForSessionScreen(page);
    await page.reload();
    await waitForSessionScreen(page);
  });

  deepTest(
    'narrow shows the list or the memory; dark follows the system and the switch, which is remembered',
    async () => {
      await stage.store('look', { 'note:look': 'Look at me' });
      await stage.store('look-2', { other: 'Elsewhere' });
      const page = await stage.signedIn('look', {
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
      });
      const paper = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      await rows(page, 'note:look').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const dark = await paper();
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await page.getByRole('radio', { name: 'Light', exact: true }).click();
      await expect.poll(paper).not.toBe(dark);
      await page.goBack();
      await page.reload();
      await rows(page, 'note:look').waitFor();
      expect(await paper()).not.toBe(dark);
      expect(await axeFindings(page)).toEqual([]);

      await openMemory(page, 'note:look');
      await expect.poll(() => rows(page).first().isVisible()).toBe(false);
      await button(page, 'Back to the list').click();
      await rows(page, 'note:look').waitFor();
      await page.getByRole('combobox', { name: 'Namespace' }).selectOption('look-2');
      await rows(page, 'other').waitFor();
      expect(await pageWidth(page)).toBe(360);
    },
  );

  test('keys are made, shown once and revoked; the status is told', async () => {
    const page = await stage.signedIn('default');
    await rows(page).first().waitFor();
    await namespaceRow(page, 'default').waitFor();
    await choose(page, 'API keys');
    await button(page, 'New key n').click();
    await page.getByLabel('Name', { exact: true }).fill('from the page');
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Make key').click();
    const shown = page.getByRole('dialog', { name: 'The key “from the page”' });
    await shown.getByText(/^rv_live_/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Done').click();
    // However long a name is, the words beside it stay whole.
    await stage.world.daemon.call(createKey, { body: { name: 'long '.repeat(19), scope: 'owner' } });
    await page.reload();
    const keys = page.getByRole('list', { name: 'Keys' }).getByRole('listitem');
    await keys.filter({ hasText: /^long / }).waitFor();
    expect(await linesOf(page, 'li code')).toBe(1);
    await button(page, 'Revoke from the page').click();
    await button(page, 'Revoke key').click();
    await keys.filter({ hasText: 'from the page' }).filter({ hasText: 'revoked' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await choose(page, 'Status');
    await page.getByText('In figures').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a daemon that goes away is said, and the page recovers when it is back', async () => {
    await stage.store('back', { a: 'still here' });
    const made = await stage.world.daemon.call(createKey, { body: { name: 'stays valid', scope: 'owner' } });
    const page = await stage.visit();
    const underWay = assetsUnderWay(page);
    await page.goto(`${stage.world.daemon.origin}/memories?namespace=back`);
    await pasteKey(page, made.key);
    await rows(page, 'still here').waitFor();
    const banner = page.getByText('What you see may be old');
    // What is likely next has come, the menu among it; what else is gone to meanwhile comes with the daemon.
    await expect.poll(() => fetchedParts(page)).toEqual(LIKELY);
    await expect.poll(() => underWay.size).toBe(0);
    await stage.world.restart(async () => {
      await banner.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const menu = await button(page, 'Menu').boundingBox();
      const side = await page.getByRole('navigation', { name: 'Namespaces' }).boundingBox();
      expect(right(menu)).toBeLessThanOrEqual(right(side));
      for (const view of ['Map', 'API keys', 'Accounts', 'Status']) await choose(page, view);
      await banner.waitFor();
      await choose(page, 'Memories');
    });
    await stage.store('back', { b: 'written after' });
    await banner.waitFor({ state: 'detached' });
    await rows(page, 'written after').waitFor();
  });
});

const LIKELY = ['AskPage', 'Field', 'MemoriesPage', 'PageMenu'];

/** The parts of the page that were asked for and have not come yet. */
function assetsUnderWay(page: Page): ReadonlySet<Request> {
  const underWay = new Set<Request>();
  page.on('request', (request) => request.url().includes('/assets/') && underWay.add(request));
  const end = (request: Request) => underWay.delete(request);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return underWay;
}

/** Which parts that are loaded late the browser has the code of, of those that are fetched for themselves. */
function fetchedParts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...new Set(performance.getEntriesByType('resource')
      .flatMap(({ name }) => /assets\\/(\\w+Page|Field|PageMenu)-[\\w-]+\\.js$/.exec(name)?.[1] ?? []))].sort()`,
  );
}

function right(box: { x: number; width: number } | null): number {
  return box ? box.x + box.width : Number.NaN;
}

/** On how many lines the texts that a selector finds stand, at most. */
function linesOf(page: Page, selector: string): Promise<number> {
  return page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('${selector}')].map(
      (text) => new Set([...text.getClientRects()].map(({ y }) => y)).size))`,
  );
}
