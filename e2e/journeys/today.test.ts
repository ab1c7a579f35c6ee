import { dreamStatus, startDream } from '@reverie/shared/contract/dreams';
import { sendMessage } from '@reverie/shared/contract/inbox';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, detail } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const DAY_MS = 86_400_000;

describe.skipIf(!hasBrowser)('today', () => {
  const stage = setStage();

  test('a thought is kept by Enter alone, opened, and taken back', async () => {
    await stage.store('home', { boiler: 'The boiler is serviced in May.' });
    const page = await stage.signedInAt('/?namespace=home');
    await page.getByRole('textbox', { name: 'A thought' }).fill('The spare key hangs behind the boiler');
    await page.keyboard.press('Enter');
    await page.getByText('Kept in home as').waitFor();
    expect(await stage.stored('home', 'the-spare-key-hangs-behind-the')).toMatchObject({
      value: 'The spare key hangs behind the boiler',
    });
    // The same words again are another memory: nothing is written over.
    await page
      .getByRole('textbox', { name: 'A thought' })
      .fill('The spare key hangs behind the boiler, no more');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'the-spare-key-hangs-behind-the-2' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Take back').click();
    await page.getByText('to the trash').waitFor();
    await expect.poll(() => stage.count('home')).toBe(2);
    await page.reload();
    await button(page, 'Menu').waitFor();
    await page.goto(`${stage.world.daemon.origin}/?namespace=home&key=the-spare-key-hangs-behind-the`);
    // An address of before there was a Today.
    await page.waitForURL(/\/memories\?/);
    await detail(page, 'the-spare-key-hangs-behind-the').waitFor();
  });

  test('it names what comes up, what is to be decided and what is unread, in every shape', async () => {
    const soon = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
    await stage.store('work', {
      tls: `The TLS certificate of api.example.test expires on ${soon}. Renew it before that.`,
      'payments-1': 'The payments API listens on port 8443.',
      'payments-2': 'The payments API listens on port 9443.',
    });
    await stage.world.daemon.call(sendMessage, {
      params: { namespace: 'work' },
      body: { from: 'Grace', kind: 'note', payload: { text: 'Halden asked again.' } },
    });
    const { id } = await stage.world.daemon.call(startDream, { body: { namespace: 'work' } });
    await expect
      .poll(async () => (await stage.world.daemon.call(dreamStatus, { params: { id } })).status)
      .toBe('complete');
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const page = await stage.signedInAt('/', { viewport: { width, height: 900 }, colorScheme });
      await page.getByRole('heading', { level: 1, name: /one is due this week\.$/ }).waitFor();
      const part = (name: string) => page.getByRole('region', { name });
      await part('Coming up').getByText('In 5 days').waitFor();
      await part('To decide').getByText('these two disagree').waitFor();
      await part('Unread').getByText('1 message').waitFor();
      await part('Since yesterday').getByText('wrote three memories').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await pageWidth(page)).toBe(width);
    }
    const page = await stage.signedInAt('/');
    const views = page.getByRole('navigation', { name: 'Views' });
    await expect.poll(() => views.getByRole('link', { name: /Inbox/ }).textContent()).toMatch(/1/);
    await page.getByRole('region', { name: 'To decide' }).getByRole('link', { name: /8443/ }).click();
    await page.waitForURL(/\/dreams\?.*insight=/);
  });
});
