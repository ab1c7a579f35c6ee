import { deepTest } from '@reverie/shared/testing/depth';
import { listTrash } from '@reverie/shared/contract/memories/trash';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { detail, rows, value } from '../pages/memories.ts';
import { sheet } from '../pages/writing.ts';
import { stopTime } from '../pages/time.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Without Chromium there is nothing to drive; the page's pure parts are tested beside their files.
describe.skipIf(!hasBrowser)('the memories by keyboard alone', () => {
  const stage = setStage();

  test('one is found, read, changed, tagged, moved to the trash, and comes back', async () => {
    await stage.store('keys', {
      boiler: '# The boiler\n\nServiced in May by Herr Kern.',
      bread: '# Bread\n\nKnead the dough for ten minutes.',
      wine: '# Wine\n\nBottled in May.',
    });
    const page = await stage.signedIn('keys');
    await rows(page, 'The boiler').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('who serviced the boiler');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('DIV Results for who serviced the boiler');
    // It is the only one, on which the keyboard stands already, and opens with the first key.
    const again = page.waitForRequest(/memory-search|\/search/).then(() => 'when it was asked for again');
    again.catch(() => undefined);
    await page.keyboard.press('ArrowDown');
    const shown = detail(page, 'boiler').waitFor();
    expect(await Promise.race([shown.then(() => 'at once'), again])).toBe('at once');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('ARTICLE The boiler');
    expect(await axeFindings(page)).toEqual([]);

    await page.keyboard.press('e');
    await sheet(page).waitFor();
    await expect.poll(() => focused(page)).toBe('DIV Text');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' He comes again in 2028.');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await value(page).filter({ hasText: 'again in 2028' }).waitFor();
    await expect
      .poll(async () => (await stage.stored('keys', 'boiler')).value)
      .toContain('He comes again in 2028.');

    await page.keyboard.press('t');
    await expect.poll(() => focused(page)).toBe('INPUT Add a tag');
    await page.keyboard.type('house');
    await page.keyboard.press('Enter');
    expect(await axeFindings(page)).toEqual([]);
    await toButton(page, 'Save tags');
    await page.keyboard.press('Enter');
    await page.getByText('Tagged “house”.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stage.stored('keys', 'boiler')).toMatchObject({ metadata: { tags: ['house'] } });

    await page.keyboard.press('#');
    await page.getByText('Moved The boiler to the trash').waitFor();
    await expect.poll(() => stage.count('keys')).toBe(2);
    await page.keyboard.press('u');
    await expect.poll(() => stage.count('keys')).toBe(3);
    expect(await stage.stored('keys', 'boiler')).toMatchObject({ metadata: { tags: ['house'] } });
  });

  test('what is read follows the keyboard, and keys act on what is read', async () => {
    await stage.store('follow', { one: 'First note.', two: 'Second note.', three: 'Third note.' });
    const page = await stage.signedIn('follow');
    await page.getByLabel('Order').selectOption('Oldest first');
    await rows(page, 'First note.').waitFor();
    const order = await Promise.all((await rows(page).all()).map((row) => row.getAttribute('title')));
    expect(order).toHaveLength(3);
    const [first = '', second = '', third = ''] = order.map((key) => key ?? '');
    await page.keyboard.press('j');
    await detail(page, first).waitFor();
    await page.keyboard.press('j');
    await detail(page, second).waitFor();
    await page.keyboard.press('#');
    // The next one takes its place, so that one can go on.
    await detail(page, third).waitFor();
    await expect.poll(() => stage.count('follow')).toBe(2);
    const { memories } = await stage.world.daemon.call(listTrash, { query: { namespace: 'follow' } });
    expect(memories.map(({ key }) => key)).toEqual([second]);
    await page.keyboard.press('u');
    await expect.poll(() => stage.count('follow')).toBe(3);
    await rows(page, second).waitFor();
    await expect.poll(() => page.locator('[role=option][aria-current]').getAttribute('title')).toBe(third);
    await page.keyboard.press('k');
    await detail(page, second).waitFor();
  });

  test('several are selected, tagged, moved and moved back together; a taken key is said in words', async () => {
    await stage.store('many', { a: 'Apples.', b: 'Beans.', c: 'Carrots.' });
    await stage.store('other', { c: 'Other carrots.' });
    const page = await stage.signedIn('many');
    await rows(page).nth(2).waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Home');
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.getByRole('dialog', { name: 'Tags of 3 memories' }).waitFor();
    await page.keyboard.type('garden');
    await page.keyboard.press('Enter');
    await toButton(page, 'Save tags');
    await page.keyboard.press('Enter');
    await page.getByText('Tagged 3 memories “garden”.').waitFor();
    for (const key of ['a', 'b', 'c'])
      expect(await stage.stored('many', key)).toMatchObject({ metadata: { tags: ['garden'] } });

    await page.getByRole('listbox').focus();
    await page.keyboard.press('Home');
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowDown');
    await stopTime(page);
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Move 3 memories' }).waitFor();
    await page.keyboard.type('other');
    await page.keyboard.press('Enter');
    await page.getByText(/other has a memory of the same key already, so “Carrots.” stayed/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await stage.count('other')).toBe(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await expect.poll(() => stage.count('many')).toBe(3);
    expect(await stage.count('other')).toBe(1);
  });

  deepTest('the menu of a row opens by its key, renames, and gives the focus back', async () => {
    await stage.store('menu', { old: 'A note.', taken: 'Another.' });
    const page = await stage.signedIn('menu');
    await rows(page, 'A note.').click();
    await detail(page, 'old').waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Rename…' }).press('Enter');
    const key = page.getByRole('dialog', { name: 'Rename this memory' }).getByLabel('Key');
    await key.fill('taken');
    await page.keyboard.press('Enter');
    await page.getByText('There is a memory with the key “taken” already').waitFor();
    await key.fill('new');
    await page.keyboard.press('Enter');
    await detail(page, 'new').waitFor();
    expect((await stage.stored('menu', 'new')).value).toBe('A note.');
  });

  deepTest(
    'a link scrolls the list to its memory, and every namespace is listed and searched at once',
    async () => {
      await stage.store(
        'deep',
        Object.fromEntries(Array.from({ length: 260 }, (_, n) => [`note-${n}`, `Number ${n}.`])),
      );
      const page = await stage.signedInAt('/memories?namespace=deep&order=created&key=note-99');
      await detail(page, 'note-99').waitFor();
      await rows(page)
        .and(page.locator('[aria-current]'))
        .and(page.getByTitle('note-99', { exact: true }))
        .waitFor();
      await page.getByTitle('Every namespace').click();
      await page
        .getByText(/^\d+ memories$/)
        .first()
        .waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('number 77');
      await rows(page, 'Number 77.').filter({ hasText: 'deep' }).first().waitFor();
      await rows(page, 'Number 77.').first().click();
      await detail(page, 'note-77').waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
  );
});

/** What has the focus: its element and its name. */
function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(({ tagName, ariaLabel }) => tagName + ' ' + (ariaLabel ?? ''))(document.activeElement)`,
  );
}

/** Goes on by Tab until a button has the focus. */
async function toButton(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    if ((await page.evaluate<string>('document.activeElement.textContent')) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${name}`);
}
