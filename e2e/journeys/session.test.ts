import { deepTest } from '@reverie/shared/testing/depth';
import { createKey, listKeys, revokeKey } from '@reverie/shared/contract/accounts/keys';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, rows } from '../pages/memories.ts';
import { pasteKey, waitForSessionScreen } from '../pages/session.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('a session', () => {
  const stage = setStage();

  /** Another tab of the same browser. */
  async function tab(context: BrowserContext, path = '/'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${stage.world.daemon.origin}${path}`);
    return page;
  }

  const signedIn = (page: Page) => button(page, 'Menu').waitFor();
  const pageKeys = async () => {
    const { keys } = await stage.world.daemon.call(listKeys, {});
    return keys.filter(({ open_sessions }) => open_sessions !== null);
  };

  test('is that of every tab of a browser, and stands in no address and in no storage that lasts', async () => {
    await stage.store('tabs', { a: 'seen in each tab' });
    const first = await stage.signedIn('tabs');
    await rows(first, 'seen in each tab').waitFor();
    const second = await tab(first.context(), '/memories?namespace=tabs');
    await rows(second, 'seen in each tab').waitFor();
    await second.reload();
    await rows(second, 'seen in each tab').waitFor();
    expect(second.url()).not.toMatch(/rv_|ticket/);
    expect(await second.evaluate<number>('localStorage.length + document.cookie.length')).toBe(0);
    expect(await pageKeys()).toMatchObject([{ open_sessions: 1 }]);

    // Another browser has no part in it.
    const stranger = await stage.visit();
    await stranger.goto(stage.world.daemon.origin);
    await waitForSessionScreen(stranger);

    await choose(first, 'Sign out');
    await waitForSessionScreen(first);
    await waitForSessionScreen(second);
    expect(await second.getByText('You were signed out').count()).toBe(0);
    await expect.poll(pageKeys).toMatchObject([{ open_sessions: 0 }]);
  });

  deepTest(
    'that is opened later opens the tabs that wait, and leaves that of another key alone',
    async () => {
      const made = await stage.world.daemon.call(createKey, { body: { name: 'a reader', scope: 'read' } });
      const waiting = await stage.visit();
      await waiting.goto(stage.world.daemon.origin);
      await waitForSessionScreen(waiting);
      const opened = await waiting.context().newPage();
      await opened.goto(await stage.world.ticketAddress());
      await signedIn(opened);
      await signedIn(waiting);

      const reader = await stage.visit();
      await reader.goto(stage.world.daemon.origin);
      await pasteKey(reader, made.key);
      await signedIn(reader);
      const owner = await reader.context().newPage();
      await owner.goto(await stage.world.ticketAddress('/keys'));
      await owner.getByRole('button', { name: /^New key/ }).waitFor();
      await reader.goto(`${stage.world.daemon.origin}/keys`);
      await reader.getByRole('heading', { name: 'Only the owner may look after keys' }).waitFor();
    },
  );

  test('of each browser is one of the one key of the page, and revoking that ends them all', async () => {
    const pages = [await stage.signedInAt('/'), await stage.signedInAt('/'), await stage.signedInAt('/')];
    for (const page of pages) await signedIn(page);
    const [row] = await pageKeys();
    expect(await pageKeys()).toHaveLength(1);
    const keys = await tab((pages[0] as Page).context(), '/keys');
    const shown = keys.getByRole('listitem').filter({ hasText: 'Page on this machine' });
    await shown.getByText(`${row?.open_sessions ?? 0} open sessions`).waitFor();
    expect(await button(keys, 'Rotate Page on this machine').count()).toBe(0);
    expect(await axeFindings(keys)).toEqual([]);
    await stage.world.daemon.call(revokeKey, { params: { id: row?.id ?? '' } });
    for (const page of [...pages, keys]) {
      await waitForSessionScreen(page);
      await page.getByText('You were signed out').waitFor();
    }
  });
});
