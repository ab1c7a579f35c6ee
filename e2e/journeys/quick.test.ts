import { listMemories } from '@reverie/shared/contract/memories/memories';
import { changeSettings, getSettings } from '@reverie/shared/contract/system/settings';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const SIZE = { viewport: { width: 620, height: 360 } } as const;

describe.skipIf(!hasBrowser)('the one field in a window of its own', () => {
  const stage = setStage();
  beforeAll(async () => {
    await stage.store('work', {
      bread: 'Sourdough bread needs a night to rise.',
      payments: 'The payments API listens on port 8443.',
    });
    await stage.world.daemon.call(changeSettings, { body: { thoughts: { namespace: 'work' } } });
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Find or ask' });
  const option = (page: Page, text: string | RegExp) =>
    page.getByRole('listbox').getByRole('option', { name: text });
  const chosen = (page: Page) => page.getByRole('option', { selected: true });
  const keys = async () =>
    (await stage.world.daemon.call(listMemories, { body: { namespace: 'work' } })).memories.map(
      ({ key }) => key,
    );

  test('keeps a thought with Ctrl+Enter, and takes it back', async () => {
    const page = await stage.signedInAt('/quick', SIZE);
    // It has the focus by itself.
    await field(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Zyx wvu');
    await page.getByText('Nothing fits “Zyx wvu”. Ctrl+Enter keeps it as a thought.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Kept in work as').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await expect.poll(keys).toHaveLength(3);
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(keys).toHaveLength(2);
  });

  test('keeps what is written before it is known where thoughts go, and what is written meanwhile', async () => {
    const page = await stage.visit(SIZE);
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/v1${getSettings.path}`, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(await stage.world.ticketAddress('/quick'));
    await field(page).fill('Feed the starter');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type(' at noon');
    answer();
    await page.getByText('Kept in work as feed-the-starter').waitFor();
    expect(await field(page).inputValue()).toBe('Feed the starter at noon');
    expect(await stage.stored('work', 'feed-the-starter')).toMatchObject({ value: 'Feed the starter' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(keys).toHaveLength(2);
  });

  test('finds as one types, and opens what the arrows choose in the main window', async () => {
    const page = await stage.signedInAt('/quick', SIZE);
    await field(page).fill('sourdough');
    const hit = option(page, /needs a night to rise/);
    await hit.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await chosen(page).filter({ hasText: 'needs a night to rise' }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await hit.getAttribute('aria-selected')).toBe('false');
    await page.keyboard.press('ArrowUp');
    const [main] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await main.waitForURL(/\/memories\?/);
    expect(new URL(main.url()).searchParams.get('key')).toBe('bread');
    expect(await keys()).toHaveLength(2);
  });

  test('Enter opens what fits though it was pressed before that was found, and Ctrl+Enter keeps', async () => {
    const page = await stage.signedInAt('/quick', SIZE);
    await field(page).fill('payments');
    const [main] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    await main.waitForURL(/\/memories\?/);
    expect(new URL(main.url()).searchParams.get('key')).toBe('payments');
    expect(await keys()).toHaveLength(2);
    await field(page).fill('sourdough');
    await option(page, /needs a night to rise/).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Kept in work as sourdough').waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(keys).toHaveLength(2);
  });

  test('where thoughts go is one Tab away, and changed for every window', async () => {
    const page = await stage.signedInAt('/quick', SIZE);
    const home = page.getByRole('combobox', { name: 'Keep thoughts in' });
    await home.waitFor();
    await field(page).focus();
    await page.keyboard.press('Tab');
    await home.and(page.locator(':focus')).waitFor();
    await home.selectOption('default');
    await field(page).fill('Fetch the parcel');
    await option(page, 'Keep it as a thought in default').click();
    await page.getByText('Kept in default as').waitFor();
    await expect
      .poll(async () => (await stage.world.daemon.call(getSettings, {})).thoughts)
      .toEqual({ namespace: 'default' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await home.selectOption('work');
    await expect
      .poll(async () => (await stage.world.daemon.call(getSettings, {})).thoughts)
      .toEqual({ namespace: 'work' });
  });

  test('answers what ends with a question mark, and is emptied by Escape', async () => {
    const page = await stage.signedInAt('/quick', SIZE);
    await field(page).fill('Which port do payments use?');
    await page.keyboard.press('Escape');
    expect(await field(page).inputValue()).toBe('');
    await field(page).fill('Which port do payments use?');
    await page.getByRole('region', { name: 'Answer' }).filter({ hasText: 'Not sure' }).waitFor();
    await option(page, /listens on port 8443/).waitFor();
    const whole = option(page, 'Show the whole answer');
    const [main] = await Promise.all([page.context().waitForEvent('page'), whole.click()]);
    await main.waitForURL(/\/ask\?/);
    expect(new URL(main.url()).searchParams.get('q')).toBe('Which port do payments use?');
  });

  test.each(['light', 'dark'] as const)('fits its window and can be read in %s', async (colorScheme) => {
    const page = await stage.signedInAt('/quick', { ...SIZE, colorScheme });
    await field(page).fill('payments');
    await option(page, /listens on port/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await pageWidth(page)).toBe(620);
    expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBe(360);
  });
});
