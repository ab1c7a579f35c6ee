import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { deepTest } from '@reverie/shared/testing/depth';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { rows } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';

const NOTES = {
  'Inbox.md': '# Inbox\n\nSee [[Boiler]] and [the plan](Projects/Flat/Plan.md).',
  'Projects/Flat/Boiler.md': '# Boiler\n\nServiced in May.',
  'Projects/Flat/Plan.md': '# Plan\n\nPaint the hall.',
  'Projects/Note 10.md': 'Ten.',
  'Projects/Note 9.md': 'Nine.',
  'Journal/2026-11-01.md': 'A quiet day.',
};

describe('the folders of a namespace', () => {
  const stage = setStage();
  let asked = 0;
  const opened = async (
    ...options: Parameters<typeof stage.visit>
  ): Promise<{ page: Page; namespace: string }> => {
    const namespace = `vault ${(asked += 1)}`;
    await stage.store(namespace, NOTES);
    const page = await stage.signedInAt(`/memories?namespace=${encodeURIComponent(namespace)}`, ...options);
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'By folder' });
    await page.getByRole('treeitem', { name: 'Inbox' }).waitFor();
    return { page, namespace };
  };
  const names = async (page: Page) =>
    (await page.getByRole('treeitem').allTextContents()).map((name) => name.trim());
  const keys = async (namespace: string) =>
    (await stage.world.daemon.call(memoryKeys, { query: { namespace } })).keys;
  const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

  test('open and close by keyboard, what is read follows, and the next visit finds them so', async () => {
    const { page } = await opened();
    await expect.poll(() => names(page)).toEqual(['Journal', 'Projects', 'Inbox']);
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await item(page, 'Flat').waitFor();
    await expect
      .poll(() => names(page))
      .toEqual(['Journal', 'Projects', 'Flat', 'Note 9', 'Note 10', 'Inbox']);
    await expect.poll(() => item(page, 'Projects').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('article').getByText('Nine.').waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => page.getByRole('tree').getAttribute('aria-activedescendant'))
      .toBe(await item(page, 'Projects').getAttribute('id'));
    await page.reload();
    await item(page, 'Flat').waitFor();
    await expect
      .poll(() => names(page))
      .toEqual(['Journal', 'Projects', 'Flat', 'Note 9', 'Note 10', 'Inbox']);
    await page.getByRole('tree').focus();
    await item(page, 'Projects').click();
    await expect.poll(() => names(page)).toEqual(['Journal', 'Projects', 'Inbox']);
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Newest first' });
    await rows(page, 'Inbox').waitFor();
  });

  test('what is opened from elsewhere is shown in its folder; a note that is written comes up', async () => {
    const { page, namespace } = await opened();
    await item(page, 'Inbox').click();
    await page.getByRole('article').getByRole('link', { name: 'Boiler' }).click();
    await expect.poll(() => item(page, 'Boiler').getAttribute('aria-current')).toBe('true');
    await stage.store(namespace, { 'Projects/Flat/Attic.md': 'Cold.' });
    await item(page, 'Attic').waitFor();
    await item(page, 'Flat').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'New memory here' }).click();
    await expect.poll(() => page.getByLabel('Key').inputValue()).toBe('Projects/Flat/');
  });

  test('a note and a folder are dragged into another, links follow, and it is taken back', async () => {
    const { page, namespace } = await opened();
    await item(page, 'Projects').click();
    await item(page, 'Flat').click();
    await item(page, 'Boiler').click();
    await page.getByRole('article').getByText('Serviced in May.').waitFor();
    await item(page, 'Plan').dragTo(item(page, 'Journal'));
    await page.getByText('1 memory was moved. Links in 1 note follow.').waitFor();
    expect(await keys(namespace)).toContain('Journal/Plan.md');
    expect((await stage.stored(namespace, 'Inbox.md')).value).toContain('(Journal/Plan.md)');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => keys(namespace)).toEqual(Object.keys(NOTES).sort());

    await item(page, 'Flat').dragTo(item(page, 'Inbox'));
    await page.getByText('2 memories were moved. Links in 1 note follow.').waitFor();
    expect(await keys(namespace)).toEqual(expect.arrayContaining(['Flat/Boiler.md', 'Flat/Plan.md']));
    // It goes on being read, and its folder on being open.
    await expect.poll(() => page.url()).toContain('Flat%2FBoiler.md');
    expect(page.url()).not.toContain('Projects');
    await expect
      .poll(() => names(page))
      .toEqual(['Flat', 'Boiler', 'Plan', 'Journal', '2026-11-01', 'Projects', 'Note 9', 'Note 10', 'Inbox']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => keys(namespace)).toEqual(Object.keys(NOTES).sort());
    // The page shows it a moment later, and rows that move under the pointer would be dragged in its place.
    const BEFORE = [
      'Journal',
      '2026-11-01',
      'Projects',
      'Flat',
      'Boiler',
      'Plan',
      'Note 9',
      'Note 10',
      'Inbox',
    ];
    await expect.poll(() => names(page)).toEqual(BEFORE);
    // What was read is read on.
    await page.getByRole('article').getByText('Serviced in May.').waitFor();
    expect(page.url()).toContain('Projects%2FFlat%2FBoiler.md');

    // Nothing is put over another, and a folder does not go into itself.
    await stage.store(namespace, { 'Journal/Boiler.md': 'Another.' });
    await expect.poll(() => names(page)).toEqual(BEFORE.toSpliced(2, 0, 'Boiler'));
    await item(page, 'Projects').dragTo(item(page, 'Flat'));
    expect(await keys(namespace)).toEqual([...Object.keys(NOTES), 'Journal/Boiler.md'].sort());
  });

  test('a folder is renamed by its key, and keys act on the line that they are on', async () => {
    const { page, namespace } = await opened();
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    // Nothing is done to what is open while the keyboard is on a folder.
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('r');
    const folder = page.getByLabel('Folder', { exact: true });
    expect(await folder.inputValue()).toBe('Projects');
    await folder.fill('Projects/inside');
    await folder.press('Enter');
    await page.getByText('cannot be moved into itself').waitFor();
    await folder.fill('Journal');
    await folder.press('Enter');
    await page.getByText('4 memories were moved.').waitFor();
    expect(await keys(namespace)).toEqual(
      [
        'Inbox.md',
        'Journal/2026-11-01.md',
        'Journal/Flat/Boiler.md',
        'Journal/Flat/Plan.md',
        'Journal/Note 10.md',
        'Journal/Note 9.md',
      ].sort(),
    );
    await item(page, 'Inbox').waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('#');
    await expect.poll(() => keys(namespace)).not.toContain('Inbox.md');
  });

  test.each([
    ['dark', 380],
    ['light', 1280],
  ] as const)('fit, and are read by everybody: %s, %i pixels', async (colorScheme, width) => {
    const { page } = await opened({ colorScheme, viewport: { width, height: 800 } });
    await item(page, 'Projects').click();
    await item(page, 'Flat').waitFor();
    expect(await pageWidth(page)).toBeLessThanOrEqual(width);
    expect(await axeFindings(page)).toEqual([]);
  });

  deepTest('20,000 keys scroll without a missing line', async () => {
    const namespace = 'many';
    const all = Array.from({ length: 20_000 }, (_, n) => `${n % 2 ? 'half/' : ''}note ${n}.md`);
    for (let from = 0; from < all.length; from += 500)
      await stage.world.daemon.call(storeBatch, {
        body: { items: all.slice(from, from + 500).map((key) => ({ key, namespace, value: key })) },
      });
    const page = await stage.signedIn(namespace);
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'By folder' });
    await item(page, 'half').click();
    await item(page, 'note 1').waitFor();
    const expected = [
      'half',
      ...[1, 0].flatMap((rest) =>
        all
          .map((_, n) => n)
          .filter((n) => n % 2 === rest)
          .map((n) => `note ${n}`),
      ),
    ];
    // At every stop what is seen is the whole of that part of the list, in the very next frame.
    const missing = await page.evaluate<string[]>(
      `(async (expected) => {
        const tree = document.querySelector('[role=tree]');
        const missing = [];
        const frame = () => new Promise(requestAnimationFrame);
        for (let top = 0; top < tree.scrollHeight; top += tree.clientHeight * 7.3) {
          tree.scrollTop = top;
          await frame();
          const seen = [...tree.querySelectorAll('[role=treeitem]')];
          const [first, last] = [Math.floor(tree.scrollTop / 30), Math.ceil((tree.scrollTop + tree.clientHeight) / 30) - 1];
          for (let at = first; at <= Math.min(last, expected.length - 1); at += 1)
            if (seen.find((row) => row.id === 'row-' + at)?.textContent.trim() !== expected[at]) missing.push(at + ' ' + expected[at]);
        }
        return missing;
      })(${JSON.stringify(expected)})`,
    );
    expect(missing).toEqual([]);
  });
});
