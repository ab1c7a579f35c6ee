import { calendarDay } from '@reverie/shared/contract/calendar-day';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, detail } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// All by keyboard alone, from the first key press to the memory that is read.
// Each finds what those before it stored.
describe.skipIf(!hasBrowser)('the one field', { shuffle: false }, () => {
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
    await option(page, /^Go to Inbox/).waitFor();

    await page.keyboard.type('how long do berries simmer');
    await option(page, /Simmer the berries/).waitFor();
    await expect.poll(() => field(page).locator('mark').count()).toBeGreaterThan(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await detail(page, 'syrup').waitFor();
    await expect.poll(() => field(page).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('namespace')).toBe('home');
  });

  test('what is typed before it is there stands in it, and a thumb reaches it', async () => {
    const page = await stage.visit({ viewport: { width: 390, height: 844 } });
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/assets/Field-*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(await stage.world.ticketAddress('/memories?namespace=home'));
    const find = page.getByRole('navigation', { name: 'Tabs' }).getByRole('button', { name: 'Find' });
    await find.click();
    // Some of these keys do something else to a list.
    await page.keyboard.type('e how do berries xsimmeg');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('r');
    expect(await page.getByRole('dialog').count()).toBe(0);
    arrive();
    await expect
      .poll(() => field(page).getByRole('combobox', { name: 'Find or ask' }).inputValue())
      .toBe('e how do berries xsimmer');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('berries simmer');
    await option(page, /Simmer the berries/).waitFor();
  });

  test('a question is answered where it is asked, a view and a namespace gone to, an action done', async () => {
    const page = await stage.signedInAt('/?namespace=work');
    await button(page, 'Menu').waitFor();
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('?when do we deploy');
    await option(page, 'Ask “when do we deploy”').waitFor();
    // Nothing is asked, and no model paid, before it is finished.
    expect(await field(page).getByRole('region', { name: 'Answer' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    // Without a model nothing is asserted: what is closest is quoted, and opens.
    const answer = field(page).getByRole('region', { name: 'Answer' });
    await answer.filter({ hasText: 'Not sure' }).waitFor();
    expect(await answer.innerText()).not.toMatch(/Thursday/);
    await field(page).getByRole('group', { name: 'From your memories' }).getByText('Thursdays').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await option(page, 'Show the whole answer').click();
    await page.waitForURL(/\/ask\?.*when/);
    await page.getByText('Thursdays').first().waitFor();

    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('webh');
    await field(page)
      .getByRole('option', { name: /^Go to Webhooks/, selected: true })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/webhooks/);

    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('home');
    await field(page).getByRole('option', { name: 'Go to home', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/memories\?namespace=home/);

    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('dark');
    await field(page).getByRole('option', { name: 'Dark', selected: true }).waitFor();
    // Both of what can be done stand below one heading.
    expect(await field(page).getByRole('group', { name: 'Do', exact: true }).count()).toBe(1);
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
    await field(page).waitFor();
    await page.keyboard.type('journal');
    await option(page, /^Open today’s note/).click();
    await detail(page, key).filter({ hasText: 'Sun at last.' }).waitFor();
  });

  test('where nothing fits it says so, and keeps the thought', async () => {
    const page = await stage.signedInAt('/');
    await button(page, 'Menu').waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('xyzzy qwrt');
    await field(page).getByText('Nothing fits “xyzzy qwrt”. Ctrl+Enter keeps it as a thought.').waitFor();
    expect(await field(page).getByRole('group', { name: 'Memories' }).count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await field(page).getByText('Kept in default as xyzzy-qwrt').waitFor();
    expect((await stage.stored('default', 'xyzzy-qwrt')).value).toBe('xyzzy qwrt');
    await field(page).getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => stage.count('default')).toBe(0);
  });

  test('what is chosen by hand stays chosen, whatever comes in later', async () => {
    const page = await stage.signedInAt('/');
    await button(page, 'Menu').waitFor();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/v1/memory-search', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('simmer');
    await page.keyboard.press('ArrowDown');
    const keep = field(page).getByRole('option', { name: /^Keep it as a thought/, selected: true });
    await keep.waitFor();
    answer();
    await option(page, /Simmer the berries/).waitFor();
    await keep.waitFor();
  });

  test('what is found is tagged, moved, thrown away and brought back where it was found', async () => {
    await stage.store('desk', { lamp: 'The lamp of the hall takes a Zweibrücken bulb.' });
    const page = await stage.signedInAt('/');
    await button(page, 'Menu').waitFor();
    const act = async (text: string, label: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await field(page).waitFor();
      await page.keyboard.type('Zweibrücken');
      await field(page)
        .getByRole('option', { name: /lamp of the hall/, selected: true })
        .waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await field(page).getByRole('option', { name: label, selected: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await act('ta', 'Tag…');
    const tags = page.getByRole('dialog', { name: 'Tags' });
    await tags.waitFor();
    await page.keyboard.press('Escape');
    await tags.waitFor({ state: 'detached' });

    await act('mo', 'Move…');
    await page.getByRole('dialog', { name: 'Move this memory' }).waitFor();
    await page.keyboard.type('home');
    await page.keyboard.press('Enter');
    await page.getByText('1 memory was moved to home.').waitFor();
    expect((await stage.stored('home', 'lamp')).value).toMatch(/Zweibrücken/);

    await act('tr', 'Move to the trash');
    await page.getByText('The lamp of the hall takes a Zweibrücken bulb. to the trash').waitFor();
    // By its key, in whatever view one is.
    await page.keyboard.press('u');
    await page.getByText('Zweibrücken bulb. to the trash').waitFor({ state: 'detached' });
    await expect.poll(async () => (await stage.stored('home', 'lamp')).value).toMatch(/Zweibrücken/);

    // → opens what can be done, ← leads back to what was written.
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('Zweibrücken');
    await field(page)
      .getByRole('option', { name: /lamp of the hall/, selected: true })
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await option(page, 'Copy text').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowLeft');
    await field(page)
      .getByRole('option', { name: /lamp of the hall/, selected: true })
      .waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await page.keyboard.type('edit');
    await page.keyboard.press('Enter');
    await page.waitForURL(/key=lamp.*mode=edit|mode=edit.*key=lamp/);
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
    // It fills the window, and all of it is reached without a key.
    expect(await field(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 380, height: 560 });
    await field(page).getByRole('button', { name: 'Actions' }).click();
    await option(page, 'Copy link').waitFor();
    await field(page).getByRole('button', { name: 'Cancel' }).click();
    await field(page).waitFor({ state: 'detached' });
  });
});
