import { calendarDay } from '@reverie/shared/contract/calendar-day';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, detail } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// All by keyboard alone, from the first key press to the memory that is read.
describe.skipIf(!hasBrowser)('the one field', () => {
  const stage = setStage();

  const field = (page: Page) => page.getByRole('dialog', { name: 'Find or ask' });
  const option = (page: Page, text: string | RegExp) => field(page).getByRole('option', { name: text });

  test('a memory of another namespace is found by what it says, and read', async () => {
    await stage.store('work', {
      deploy: '# Deploy days\n\nWe deploy on Thursdays at 14:00, never on Fridays.',
    });
    await stage.store('home', { syrup: '# Elderberry syrup\n\nSimmer the berries for twenty minutes.' });
    const page = await stage.signedIn('work');
    await button(page, 'Menu').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // Nothing is written yet: what was changed last, the views, the actions.
    await option(page, /Elderberry syrup/).waitFor();
    await option(page, /^Inbox/).waitFor();

    await page.keyboard.type('how long do berries simmer');
    await option(page, /Simmer the berries/).waitFor();
    await expect.poll(() => field(page).locator('mark').count()).toBeGreaterThan(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await detail(page, 'syrup').waitFor();
    await expect.poll(() => field(page).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('namespace')).toBe('home');
  });

  test('a question is asked, a view gone to, an action done', async () => {
    const page = await stage.signedInAt('/?namespace=work');
    await button(page, 'Menu').waitFor();
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('?when do we deploy');
    await option(page, 'Ask “when do we deploy”').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ask\?.*when/);
    await page.getByText('Thursdays').first().waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('webh');
    await field(page)
      .getByRole('option', { name: /^Webhooks/, selected: true })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/webhooks/);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark');
    await field(page).getByRole('option', { name: 'Dark', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await expect.poll(() => field(page).count()).toBe(0);
  });

  test('today’s note is begun by two keys, and opened by the field once it is there', async () => {
    await stage.store('diary', { 'Days/2026-09-14.md': 'Rain.' });
    const key = `Days/${calendarDay(new Date())}.md`;
    const page = await stage.signedInAt('/?namespace=diary');
    await button(page, 'Menu').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.getByLabel('Text', { exact: true }).waitFor();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe(key);
    await page.keyboard.type('Sun at last.');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => stage.count('diary')).toBe(2);
    expect((await stage.stored('diary', key)).value).toBe('Sun at last.');
    await detail(page, key).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL(/\/inbox/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('journal');
    await option(page, /^Open today’s note/).click();
    await detail(page, key).filter({ hasText: 'Sun at last.' }).waitFor();
  });

  test('it fits the window of a tray, and stands over no other window', async () => {
    const page = await stage.signedInAt('/', { viewport: { width: 380, height: 560 } });
    await button(page, 'More').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Control+k');
    expect(await field(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('deploy');
    await option(page, /Deploy days/).waitFor();
    expect(await pageWidth(page)).toBe(380);
    expect(await axeFindings(page)).toEqual([]);
  });
});
