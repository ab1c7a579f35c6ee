import { getMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, openMemory, rows, write } from '../pages/memories.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const VIEWS = [
  'Today',
  'Memories',
  'Ask',
  'Map',
  'Dreams',
  'Inbox',
  'Connections',
  'Agents',
  'Sessions',
  'Devices',
  'Folders',
  'Webhooks',
  'Events',
  'Models',
  'API keys',
  'Accounts',
  'Settings',
  'Status',
];

/** All that is said on the screen about a daemon that is away: alerts, toasts, and words that stand anywhere. */
function told(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const isSeen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 1;
    const said = [...document.querySelectorAll('[role=alert], section[aria-label=Messages] li')].filter(isSeen);
    const words = /not answer|reconnect|could not be (?:loaded|fetched)|cannot be|failed to|unreachable|tries again/i;
    const others = [...document.querySelectorAll('body *')].filter(
      (one) => isSeen(one) && !said.some((known) => known.contains(one) || one.contains(known)) &&
        [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && words.test(data)));
    return [...said, ...others].map(({ textContent }) => textContent.trim());
  })()`);
}

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'What you see may be old' });

// Told in order: views were not opened before it.
describe.skipIf(!hasBrowser)('an outage', { shuffle: false }, () => {
  const stage = setStage({}, 'own-process');

  test('is told once on each view, whatever was seen before, and all is well after it', async () => {
    await stage.store('outage', { one: '# One\n\nThe first of two.', two: 'The second of two.' });
    const page = await stage.signedIn('outage');
    await rows(page, 'The second').waitFor();
    await openMemory(page, 'one');
    for (const view of ['Events', 'Status']) await choose(page, view);
    await page.getByText('In figures').waitFor();
    // The parts that are loaded late have come by then.
    await page.waitForLoadState('networkidle');

    let back: Promise<void> | undefined;
    await stage.world.crash(async () => {
      await banner(page).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      for (const view of cases(VIEWS, 4)) {
        await choose(page, view);
        await expect
          .poll(async () => [view, await told(page)])
          .toEqual([view, [expect.stringMatching(/^Reverie has not answered since \d/)]]);
      }
      // A view that was first asked for in it is loaded anew after it, and the page with it: nothing would be said then.
      await choose(page, 'Memories');
      // It is said for some seconds, which may be over once the daemon has told that it is ready.
      back = page.getByText('Back: Reverie answers again.').waitFor({ state: 'attached' });
    });
    await banner(page).waitFor({ state: 'detached' });
    await back;
    for (const view of cases(VIEWS, 4)) {
      await choose(page, view);
      await expect.poll(async () => [view, await told(page)]).toEqual([view, []]);
    }
    await choose(page, 'Memories');
    await rows(page, 'The second').waitFor();
  });

  test('leaves no view without its styles that was first opened in it', async () => {
    const page = await stage.signedInAt('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const styles = () =>
      page.evaluate<string[]>(
        `[...document.styleSheets].map((sheet) => { try { return sheet.cssRules.length > 0 ? 'read' : 'empty' } catch { return 'failed' } })`,
      );
    const before = (await styles()).length;
    await stage.world.crash(async () => {
      await banner(page).waitFor();
      await choose(page, 'Settings');
      // Asked for in vain by then.
      await page.waitForLoadState('networkidle');
    });
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    const after = await styles();
    expect(new Set(after)).toEqual(new Set(['read']));
    expect(after.length).toBeGreaterThan(before);
  });

  test('keeps what is on the screen, and what is changed meanwhile waits and is done', async () => {
    await stage.store('kept', { one: 'Still to be read' });
    const page = await stage.signedIn('kept');
    await rows(page, 'Still to be read').waitFor();
    await button(page, 'New memory').first().click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await stage.world.crash(async () => {
      await banner(page).waitFor();
      await rows(page, 'Still to be read').waitFor();
      await write(page, { key: 'meanwhile', value: 'Written while it was away' });
      await banner(page).filter({ hasText: '1 change waits here until then: keep this tab open.' }).waitFor();
      await expect.poll(() => told(page)).toHaveLength(1);
    });
    await rows(page, 'Written while it was away').waitFor();
    await banner(page).waitFor({ state: 'detached' });
    expect(
      await stage.world.daemon.call(getMemory, { body: { namespace: 'kept', key: 'meanwhile' } }),
    ).toMatchObject({
      value: 'Written while it was away',
    });
  });

  test('can be signed out of, without waiting for its end', async () => {
    const page = await stage.signedInAt('/');
    await button(page, 'Menu').waitFor();
    // The menu is a part of its own, and has to be there when the daemon is not.
    await button(page, 'Menu').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
    await stage.world.crash(async () => {
      await banner(page).waitFor();
      await choose(page, 'Sign out');
      await page.getByText('Reverie did not end this page’s session').waitFor();
      await page.reload().catch(() => undefined);
    });
  });
});
