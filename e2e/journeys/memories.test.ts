import { deleteMemory, storeBatch } from '@reverie/shared/contract/memories/memories';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { describe, expect, test } from 'vitest';
import { deepTest, runs } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import {
  button,
  choose,
  detail,
  openMemory,
  rows,
  search,
  value,
  write,
  writeMetadata,
} from '../pages/memories.ts';
import { passTime, stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';
import { keptLonger } from '../../app/web/features/memories/kept-longer.ts';

/** Runs in the browser: where the first and the last line of a text begin. */
const LEFT_OF_LINES = `(() => {
  const value = document.querySelector('[data-testid=value]');
  const text = document.createTreeWalker(value, NodeFilter.SHOW_TEXT).nextNode();
  const leftOf = (from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect().left;
  };
  const cut = text.data.indexOf('\\n');
  return [leftOf(0, cut), leftOf(cut + 1, text.data.length)];
})()`;

// Without Chromium there is nothing to drive; the page's pure parts are tested beside their files.
describe.skipIf(!hasBrowser)('the memories in the page', () => {
  const stage = setStage();

  test('a memory is edited, its history is shown, and an earlier version restored', async () => {
    await stage.store('edit', { 'note:plan': 'We ship on Monday.' });
    const page = await stage.signedIn('edit');
    await openMemory(page, 'note:plan');
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Details…' }).click();
    await writeMetadata(page, '{"sure": }');
    await button(page, 'Save').click();
    await page.getByText('This is not valid JSON').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await writeMetadata(page, '{"sure": true}');
    await button(page, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await write(page, { value: 'We ship on Tuesday.' });
    await value(page).filter({ hasText: 'Tuesday' }).waitFor();
    await expect.poll(async () => (await stage.stored('edit', 'note:plan')).value).toContain('Tuesday');
    expect(await stage.stored('edit', 'note:plan')).toMatchObject({
      value: 'We ship on Tuesday.',
      metadata: { sure: true },
    });
    expect(await axeFindings(page)).toEqual([]);

    await button(page, 'History').click();
    const changes = page.getByTestId('diff').first();
    await changes.waitFor();
    await expect.poll(() => changes.locator('del').allInnerTexts()).toEqual(['Monday']);
    await expect.poll(() => changes.locator('ins').allInnerTexts()).toEqual(['Tuesday']);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Restore this version').click();
    await value(page).filter({ hasText: 'We ship on Monday.' }).waitFor();
    expect((await stage.stored('edit', 'note:plan')).value).toBe('We ship on Monday.');
    const { versions } = await stage.world.daemon.call(memoryHistory, {
      query: { namespace: 'edit', key: 'note:plan' },
    });
    expect(versions).toHaveLength(4);
  });

  test('a search shows what fits with its words marked, and folds what hardly does', async () => {
    const long = 'This says nothing of it, and goes on for quite a while. '.repeat(20);
    await stage.store('passages', {
      house: `# The house\n\n${long}\n\nThe boiler was serviced in May by Herr Kern.\n\n${long}`,
      kettle: 'Water in the kettle boils in the kitchen.',
      garage: 'The old car was serviced by the garage in town, with new tyres for the winter and a new belt.',
      heating: 'In winter we turn the radiator down at night.',
      lease: 'The landlord wants a deposit for the flat.',
      phone: 'The technician comes about the phone line.',
      lift: 'The lift of the office is out of order.',
    });
    const { results } = await stage.world.daemon.call(searchMemories, {
      body: { query: 'boiler serviced Herr Kern', namespace: 'passages' },
    });
    const strong = results.filter(({ weaker }) => !weaker).length;
    // Of what hardly fits only what has a word of the query is offered.
    const worth = results.filter(({ weaker, passage }) => weaker && passage && passage.marks.length > 0);
    expect([strong > 0, worth.length > 0, results.length > strong + worth.length]).toEqual([
      true,
      true,
      true,
    ]);
    const page = await stage.signedIn('passages');
    await search(page).fill('boiler serviced Herr Kern');
    const found = rows(page, 'house');
    await expect
      .poll(() => found.locator('mark').allInnerTexts())
      .toEqual(['boiler', 'serviced', 'Herr', 'Kern']);
    expect(await found.innerText()).toContain('The boiler was serviced in May by Herr Kern.');
    expect(await found.innerText()).not.toContain('nothing of it');
    expect(await rows(page).count()).toBe(strong);
    const more = page.getByRole('button', { name: /^\d weaker match/ });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBe(strong + worth.length);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: /^Hide/ }).click();
    await expect.poll(() => rows(page).count()).toBe(strong);
  });

  deepTest(
    'a search says what it read otherwise, and opens a namespace that answers better with the same query',
    async () => {
      await stage.store('cellar', { wine: 'The elderberry wine was bottled in May.' });
      await stage.store('kitchen', { bread: 'Knead the dough for ten minutes.' });
      const page = await stage.signedIn('kitchen');
      await search(page).fill('elderberry wine bottled');
      await page.getByRole('button', { name: /^In cellar: 1 that fits better The elderberry wine/ }).click();
      await detail(page, 'wine').waitFor();
      expect(await search(page).inputValue()).toBe('elderberry wine bottled');
      await search(page).fill('elderbery wine');
      await page.getByText('Nothing says “elderbery”; looked for “elderberry”.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test('a delete goes to the trash, at once, and comes back by Undo or from there; for good it goes when that is meant', async () => {
    await stage.store('delete', { stays: 'one', goes: 'two', closes: 'three' });
    const page = await stage.signedIn('delete');
    await openMemory(page, 'stays');
    await stopTime(page);
    await page.keyboard.press('#');
    await page.getByText('Moved one to the trash').waitFor();
    await expect.poll(() => rows(page, 'stays').count()).toBe(0);
    expect(await stage.count('delete')).toBe(2);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Undo').click();
    await rows(page, 'stays').waitFor();
    expect((await stage.stored('delete', 'stays')).value).toBe('one');

    await openMemory(page, 'goes');
    await button(page, 'Delete').click();
    await page.getByText('Moved two to the trash').waitFor();
    await passTime(page);
    await page.getByText('2 memories').waitFor();
    await button(page, 'Trash').click();
    const trash = page.getByRole('list', { name: 'Trash of delete' });
    await trash.getByRole('button', { name: /^two/ }).click();
    await detail(page, 'goes').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Bring back').click();
    await page.getByText('The trash is empty').waitFor();
    expect((await stage.stored('delete', 'goes')).value).toBe('two');
    await button(page, 'Close the trash').click();

    await openMemory(page, 'goes');
    await button(page, 'Delete').click();
    await page.getByText('Moved two to the trash').waitFor();
    await button(page, 'Trash').click();
    await trash.getByRole('button', { name: /^two/ }).click();
    await button(page, 'Delete for good…').click();
    const asked = page.getByRole('dialog', { name: 'Delete for good?' });
    await asked.getByText('What keeps it longer').click();
    for (const [where, until] of keptLonger) {
      await asked.getByText(where, { exact: true }).waitFor();
      await asked.getByText(until).waitFor();
    }
    expect(await axeFindings(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Delete for good', exact: true }).click();
    await page.getByText('The trash is empty').waitFor();
    expect(await stage.count('delete')).toBe(2);
    await button(page, 'Close the trash').click();

    await openMemory(page, 'closes');
    await button(page, 'Delete').click();
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => stage.count('delete')).toBe(1);
    expect((await stage.stored('delete', 'stays')).value).toBe('one');
  });

  test('search finds while one types, is narrowed by class, and says what to try when nothing fits', async () => {
    await stage.store('search', {
      'note:tea': 'Green tea is brewed at 80 degrees.',
      'note:bread': 'Sourdough bread needs a night to rise.',
      'error:oven': 'The oven was too cold for the bread.',
    });
    const page = await stage.signedIn('search');
    await rows(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sourdough brea');
    await rows(page, 'note:bread').waitFor();
    await expect.poll(() => rows(page).first().innerText()).toContain('Sourdough bread');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('sourdough brea');
    await button(page, 'Filter').click();
    await page.getByRole('radio', { name: 'error' }).click();
    await rows(page, 'error:oven').first().waitFor();
    await expect.poll(() => rows(page, 'note:bread').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('radio', { name: 'dream' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await button(page, 'Search all kinds').click();
    await rows(page, 'note:bread').waitFor();
    await search(page).focus();
    await search(page).press('Escape');
    await rows(page, 'note:tea').waitFor();
  });

  test('a namespace is cleared only after its name was typed', async () => {
    await stage.store('throwaway', { a: 'x', b: 'y' });
    // Where nothing is left at all, the page says how to begin.
    await stage.store('kept', { c: 'z' });
    const page = await stage.signedIn('throwaway');
    await rows(page).first().waitFor();
    await choose(page, 'About throwaway…');
    await button(page, 'Clear this namespace…').click();
    const clear = button(page, 'Clear namespace');
    const [where = '', until = ''] = keptLonger[2] ?? [];
    expect(await page.getByText(until).isVisible()).toBe(false);
    await page.getByText('What keeps it longer').click();
    await page.getByRole('term').filter({ hasText: where }).waitFor();
    await page.getByText(until).waitFor();
    await page.getByRole('textbox', { name: /to confirm/ }).fill('throwawa');
    await expect.poll(() => clear.isDisabled()).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('textbox', { name: /to confirm/ }).fill('throwaway');
    await clear.click();
    await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor();
    await expect.poll(() => stage.count('throwaway')).toBe(0);
  });

  test('what an agent writes shows up by itself', async () => {
    await stage.store('agent', { a: 'one' });
    const page = await stage.signedIn('agent');
    await openMemory(page, 'a');
    await stage.store('agent', { a: 'one more', b: 'two' });
    await rows(page, 'two').waitFor();
    await value(page).filter({ hasText: 'one more' }).waitFor();
    await stage.world.daemon.call(deleteMemory, { body: { namespace: 'agent', key: 'a' } });
    await page.getByRole('heading', { name: 'This memory does not exist' }).waitFor();
  });

  deepTest('thousands of memories scroll to the end, and the keyboard moves, opens and closes', async () => {
    const count = runs(2_000, 10_000);
    for (let from = 0; from < count; from += 1000)
      await stage.world.daemon.call(storeBatch, {
        body: {
          items: Array.from({ length: 1000 }, (_, at) => ({
            key: `note:${String(from + at).padStart(5, '0')}`,
            value: `Memory number ${from + at}`,
            namespace: 'many',
          })),
        },
      });
    const page = await stage.signedIn('many');
    await page.getByText(`${count.toLocaleString('en')} memories`).waitFor();
    await page.getByLabel('Order').selectOption('Oldest first');
    await rows(page, 'note:00000').waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await detail(page, 'note:00001').waitFor();
    await page.keyboard.press('Escape');
    await detail(page, 'note:00001').waitFor({ state: 'detached' });
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await rows(page, `note:${String(count - 1).padStart(5, '0')}`).waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(60);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  deepTest(
    'a very long text, right-to-left text and unbroken words are shown whole and in bounds',
    async () => {
      await stage.store('odd', {
        huge: `${'a line of text\n'.repeat(runs(9_000, 69_000))}the end`,
        'מפתח:שלום': 'שלום עולם\nand English 🧠',
        [`long-${'k'.repeat(400)}`]: 'w'.repeat(5_000),
      });
      const page = await stage.signedIn('odd', {
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
      });
      await openMemory(page, 'huge');
      await expect.poll(() => value(page).innerText()).not.toContain('the end');
      await button(page, 'Show all').click();
      await value(page).filter({ hasText: 'the end' }).waitFor();
      await button(page, 'Back to the list').click();
      await openMemory(page, `long-${'k'.repeat(400)}`);
      expect(await pageWidth(page)).toBe(360);
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'Back to the list').click();
      await openMemory(page, 'מפתח:שלום');
      expect(await pageWidth(page)).toBe(360);
      // Each line finds its own direction: the Hebrew one stands right, the English one left.
      const lefts = await page.evaluate<[number, number]>(LEFT_OF_LINES);
      expect(lefts[0]).toBeGreaterThan(lefts[1] + 100);
    },
  );
});
