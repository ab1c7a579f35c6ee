import { listNamespaces } from '@reverie/shared/contract/memories/memories';
import { getSettings } from '@reverie/shared/contract/system/settings';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, namespaceRow, rows, value } from '../pages/memories.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('settings and the places of the page', () => {
  const stage = setStage();
  const settings = () => stage.world.daemon.call(getSettings, {});
  const theme = (page: Page) => page.evaluate<string | undefined>('document.documentElement.dataset.theme');
  const opened = async (page: Page) => {
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.getByRole('region', { name: 'At night' }).waitFor();
  };

  test('hold in every window at once, and after a reload', async () => {
    await stage.store('work', { deploy: 'We deploy on Thursdays.' });
    const page = await stage.signedInAt('/settings', { locale: 'de-DE', timezoneId: 'America/Los_Angeles' });
    await opened(page);
    const other = await page.context().newPage();
    await other.goto(`${stage.world.daemon.origin}/memories?namespace=work`);
    await rows(other, 'We deploy').waitFor();
    const time = rows(other, 'We deploy').locator('time');
    expect(await time.getAttribute('lang')).toBe('en-GB');

    await page.getByRole('radio', { name: 'Dark', exact: true }).click();
    await expect.poll(() => theme(page)).toBe('dark');
    await expect.poll(() => theme(other)).toBe('dark');
    await page.getByLabel('Dates and times').selectOption('en-US');
    await expect.poll(() => time.getAttribute('lang')).toBe('en-US');
    const zone = page.getByLabel('Time zone');
    await zone.focus();
    await zone.selectOption('Asia/Tokyo');
    await expect.poll(async () => (await settings()).page.time_zone).toBe('Asia/Tokyo');
    // The choice stays where the focus is.
    expect(await page.evaluate<string>('document.activeElement?.ariaLabel')).toBe('Time zone');
    await page.getByLabel('Thoughts are kept in').selectOption('work');
    await page.getByRole('switch', { name: 'Dream every night' }).click();
    await page.getByLabel('When dreams begin').waitFor();
    await page.getByLabel('Days in the trash').fill('60');
    await page.getByLabel('Days in the trash').press('Enter');
    await expect.poll(settings).toMatchObject({
      thoughts: { namespace: 'work' },
      page: { theme: 'dark', region: 'en-US', time_zone: 'Asia/Tokyo' },
      dream: { schedule: '03:30' },
      trash: { days: 60 },
    });
    await page.reload();
    await opened(page);
    expect(await theme(page)).toBe('dark');
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Make a backup').click();
    await page.getByText(/checked:/).waitFor();
  });

  test('what is German nowhere stands on the page of a German browser', async () => {
    await stage.store('work', { deploy: 'We deploy on Thursdays.' });
    const look = { locale: 'de-DE', timezoneId: 'America/Los_Angeles' };
    const german =
      /\b(?:heute|gestern|morgen|vor \d+|jetzt|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|juli|oktober|dezember|letzte|uhr)\b/iu;
    const page = await stage.signedInAt('/', look);
    await page.getByRole('heading', { level: 1, name: /^Good/ }).waitFor();
    for (const [path, heading] of [
      ['/', /^Good/],
      ['/memories?namespace=work&key=deploy', 'Memories'],
      ['/events', 'Events'],
      ['/connections', 'Connections'],
      ['/settings', 'Settings'],
      ['/status', 'How it is doing'],
    ] as const) {
      await page.goto(`${stage.world.daemon.origin}${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      // Days and months, of which the choice of zones has none.
      expect([path, german.exec(await page.locator('body').innerText())?.[0]]).toEqual([path, undefined]);
    }
  });

  test('a namespace gets the colour and the sign that a person chose, by the right button', async () => {
    await stage.store('garden', { tulips: 'Tulips come in October.' });
    const page = await stage.signedIn('garden');
    await rows(page, 'Tulips').waitFor();
    await namespaceRow(page, 'garden').click({ button: 'right' });
    const dialog = page.getByRole('dialog', { name: 'garden' });
    await dialog.getByRole('radio', { name: 'green', exact: true }).click();
    await dialog.getByRole('radio', { name: 'Sign 🌱' }).click();
    const row = async () =>
      (await stage.world.daemon.call(listNamespaces, {})).namespaces.find(
        ({ namespace }) => namespace === 'garden',
      );
    await expect.poll(row).toMatchObject({ colour: 'green', sign: '🌱' });
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Done').click();
    await namespaceRow(page, 'garden').getByText('🌱').waitFor();
    await page.reload();
    await namespaceRow(page, 'garden').getByText('🌱').waitFor();
  });

  test('each room has its views beside each other, and in a narrow window a way back', async () => {
    const page = await stage.signedInAt('/');
    await choose(page, 'Connections');
    for (const view of [
      'Agents',
      'Devices',
      'Folders',
      'Models',
      'Webhooks',
      'Events',
      'API keys',
      'Accounts',
    ])
      await page
        .getByRole('list', { name: 'Connections' })
        .getByRole('link', { name: new RegExp(`^${view}`) })
        .waitFor();
    await choose(page, 'Folders');
    const views = page.getByRole('navigation', { name: 'Views' });
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor();
    expect(await views.getByRole('link', { name: 'Connections' }).getAttribute('aria-current')).toBe('page');
    await page.setViewportSize({ width: 390, height: 844 });
    await page
      .getByRole('navigation', { name: 'Connections' })
      .getByRole('link', { name: 'Connections' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await opened(page);
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/map');
    await page.keyboard.press('g');
    await page.keyboard.press(',');
    await opened(page);
  });

  test('the text that is read has 480 pixels at 1,024', async () => {
    await stage.store('wide', {
      note: '# A long note\n\n' + 'It goes on for more than a line of text. '.repeat(20),
    });
    const page = await stage.signedInAt('/memories?namespace=wide&key=note', {
      viewport: { width: 1024, height: 768 },
    });
    await expect.poll(async () => (await value(page).boundingBox())?.width).toBeGreaterThanOrEqual(480);
  });
});
