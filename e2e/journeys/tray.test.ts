import { deepTest } from '@reverie/shared/testing/depth';
import { type Finding, getInsight, listInsights } from '@reverie/shared/contract/dreams/dreams';
import { sendMessage } from '@reverie/shared/contract/events/inbox';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { propose } from '../pages/dreams.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const TRAY = { viewport: { width: 380, height: 560 } } as const;

describe.skipIf(!hasBrowser)('the small window at the tray', () => {
  const stage = setStage();
  const call = () => stage.world.daemon.call;

  beforeAll(async () => {
    await stage.store('work', {
      bread: 'Sourdough bread needs a night to rise.',
      'payments-1': 'The payments API listens on port 8443.',
      'payments-2': 'The payments API listens on port 9443.',
      'cache-1': 'The cache holds 300 entries.',
      'cache-2': 'The cache holds 500 entries.',
    });
    await call()(sendMessage, {
      params: { namespace: 'work' },
      body: { from: 'Grace', kind: 'note', payload: { text: 'Halden asked again.' } },
    });
    const disagree = (key: string, quotes: readonly [string, string]) =>
      ({
        kind: 'disagree',
        title: `${key}: which one?`,
        why: 'They name two values.',
        evidence: quotes.map((quote, at) => ({ key: `${key}-${at + 1}`, quote })),
      }) satisfies Finding;
    await propose(stage, 'work', [
      disagree('payments', [
        'The payments API listens on port 8443.',
        'The payments API listens on port 9443.',
      ]),
      disagree('cache', ['The cache holds 300 entries.', 'The cache holds 500 entries.']),
    ]);
  });

  const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
  const proposed = async () =>
    (await call()(listInsights, { query: { waiting: 'true', order: 'best' } })).insights;

  /** What the click opens, which is another window. */
  async function opened(page: Page, act: () => Promise<void>): Promise<URL> {
    const [window] = await Promise.all([page.context().waitForEvent('page'), act()]);
    await window.waitForURL(/^http/);
    const url = new URL(window.url());
    await window.close();
    return url;
  }

  test('what waits is shown first, decided by keys alone, and taken back', async () => {
    const page = await stage.signedInAt('/tray', TRAY);
    await tab(page, /Review 2/).waitFor();
    const [first, second] = await proposed();
    if (!first || !second) throw new Error('The dream found less than two things');
    const sheet = page.getByRole('article');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(first.title);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('j');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(second.title);
    await page.keyboard.press('a');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(first.title);
    expect((await call()(getInsight, { params: { id: second.id } })).status).toBe('accepted');
    await page.keyboard.press('z');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(second.title);
    expect((await call()(getInsight, { params: { id: second.id } })).status).toBe('proposed');
  });

  test('what is decided is taken back also while the page is still at it', async () => {
    const page = await stage.signedInAt('/tray', TRAY);
    await tab(page, /Review 2/).waitFor();
    const [first, second] = await proposed();
    if (!first || !second) throw new Error('The dream found less than two things');
    const sheet = page.getByRole('article');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(first.title);
    const held = Promise.withResolvers<void>();
    await page.route(/\/accept$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.press('a');
    await page.keyboard.press('z');
    held.resolve();
    const status = async () => (await call()(getInsight, { params: { id: first.id } })).status;
    await page.getByText('Taken back: every memory is as it was.').waitFor();
    expect(await status()).toBe('proposed');
    await expect.poll(() => sheet.getAttribute('aria-label')).toBe(first.title);
  });

  test('it finds while one types, and opens what was found and the question in the main window', async () => {
    const page = await stage.signedInAt('/tray', TRAY);
    await page.getByRole('searchbox', { name: 'Find or ask' }).fill('sourdough');
    const hit = page.getByRole('button', { name: 'Sourdough bread' });
    await hit.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const memory = await opened(page, () => hit.click());
    expect([memory.pathname, memory.searchParams.get('key')]).toEqual(['/memories', 'bread']);
    const asked = await opened(page, () => page.getByRole('button', { name: 'Ask “sourdough”' }).click());
    expect([asked.pathname, asked.searchParams.get('q')]).toEqual(['/ask', 'sourdough']);
  });

  deepTest('every tab fits, in light and dark, and its rows open where they belong', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await stage.signedInAt('/tray?tab=recent', { ...TRAY, colorScheme });
      const row = (name: string) => page.getByRole('button', { name });
      expect((await opened(page, () => row('The cache holds 500').click())).pathname).toBe('/memories');
      await tab(page, /Inbox 1/).click();
      const message = await opened(page, () => row('Halden asked again.').click());
      expect([message.pathname, message.searchParams.get('namespace')]).toEqual(['/inbox', 'work']);
      expect(await axeFindings(page)).toEqual([]);
      await tab(page, /Activity/).click();
      const event = page.getByRole('option').first();
      expect((await opened(page, () => event.click())).pathname).toBe('/events');
      expect(await axeFindings(page)).toEqual([]);
      expect(await pageWidth(page)).toBeLessThanOrEqual(380);
      expect((await opened(page, () => row('Open Reverie').click())).pathname).toBe('/');
    }
  });

  test('a thought is written down in passing', async () => {
    const page = await stage.signedInAt('/tray?namespace=work', TRAY);
    await page.getByRole('button', { name: 'Write down a thought' }).click();
    await page.getByRole('textbox', { name: 'A thought' }).fill('Buy yeast on Friday');
    await page.keyboard.press('Enter');
    await page.getByText('Kept in default as').waitFor();
    expect(await stage.stored('default', 'buy-yeast-on-friday')).toMatchObject({
      value: 'Buy yeast on Friday',
    });
    expect(await axeFindings(page)).toEqual([]);
  });
});
