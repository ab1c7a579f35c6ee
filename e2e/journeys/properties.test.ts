import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

const NOTE = `---
# What is known of it.
status: "open"   # as of today
due: 2026-12-01
rooms: 3
ready: false
people:
  - Ada
  - "Bo"
deep: { x: 1 }
---
# Flat

Text.
`;

describe('the properties of a note', () => {
  const stage = setStage();
  const namespace = 'properties';
  const value = async () => (await stage.stored(namespace, 'flat.md')).value;
  const opened = async (...options: Parameters<typeof stage.visit>): Promise<Page> => {
    await stage.store(namespace, { 'flat.md': NOTE, 'plain.md': 'Text alone.' });
    const page = await stage.signedInAt(`/memories?namespace=${namespace}&key=flat.md`, ...options);
    await page.getByRole('button', { name: 'Edit status' }).waitFor();
    return page;
  };
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');

  test('are edited in their place, by keyboard, and change nothing else of the text', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Edit status' }).press('Enter');
    const status = page.getByRole('textbox', { name: 'status' });
    expect(await status.inputValue()).toBe('open');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Edit status');
    await page.keyboard.press('Enter');
    await status.fill('let out');
    await status.press('Enter');
    await page.getByText('“status” was changed.').waitFor();
    await expect.poll(() => focused(page)).toBe('Edit status');
    expect(await value()).toBe(NOTE.replace('"open"', '"let out"'));

    await page.getByRole('button', { name: 'Edit due' }).click();
    const due = page.getByLabel('due', { exact: true });
    expect(await due.getAttribute('type')).toBe('date');
    await due.fill('2026-12-24');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(value).toContain('due: 2026-12-24\n');

    await page.getByRole('button', { name: 'Edit rooms' }).click();
    const rooms = page.getByRole('textbox', { name: 'rooms' });
    await rooms.fill('many');
    await rooms.press('Enter');
    await page.getByRole('alert').getByText('Write a number').waitFor();
    await rooms.fill('2.5');
    await rooms.press('Enter');
    await expect.poll(value).toContain('rooms: 2.5\n');

    await page.getByRole('checkbox', { name: 'ready' }).click();
    await expect.poll(value).toContain('ready: true\n');

    await page.getByRole('button', { name: 'Edit people' }).click();
    await page.getByRole('button', { name: 'Remove Ada' }).click();
    await page.getByRole('textbox', { name: 'people' }).fill('Cem');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(value).toContain('people:\n  - "Bo"\n  - Cem\n');
    // What has parts of its own is edited in the text.
    expect(await page.getByRole('button', { name: 'Edit deep' }).count()).toBe(0);
    expect(await value()).toBe(
      NOTE.replace('"open"', '"let out"')
        .replace('12-01', '12-24')
        .replace('rooms: 3', 'rooms: 2.5')
        .replace('false', 'true')
        .replace('  - Ada\n  - "Bo"\n', '  - "Bo"\n  - Cem\n'),
    );
  });

  test('are added and removed, and each change can be taken back', async () => {
    const page = await opened();
    const undo = async (said: string) => {
      const notice = page.getByRole('listitem').filter({ hasText: said });
      await notice.getByRole('button', { name: 'Undo' }).click();
    };
    await page.getByRole('button', { name: 'Edit due' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(value).toBe(NOTE.replace('due: 2026-12-01\n', ''));
    await undo('“due” was removed.');
    await expect.poll(value).toBe(NOTE);

    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Status');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('There is such a property').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('seen on');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('date');
    await page.getByLabel('Value').fill('2026-11-29');
    await page.keyboard.press('Enter');
    await expect.poll(value).toBe(NOTE.replace('{ x: 1 }\n', '{ x: 1 }\nseen on: 2026-11-29\n'));
    await undo('“seen on” was changed.');
    await expect.poll(value).toBe(NOTE);

    await page.goto(`${new URL(page.url()).origin}/memories?namespace=${namespace}&key=plain.md`);
    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('status');
    await page.getByLabel('Value').fill('yes');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await stage.stored(namespace, 'plain.md')).value)
      .toBe('---\nstatus: "yes"\n---\nText alone.');
  });

  test('that were changed elsewhere meanwhile are not overwritten unasked', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Edit status' }).click();
    await page.getByRole('textbox', { name: 'status' }).fill('mine');
    const theirs = NOTE.replace('"open"', '"theirs"').replace('rooms: 3', 'rooms: 4');
    await stage.world.daemon.call(setMemory, { body: { namespace, key: 'flat.md', value: theirs } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“status” says “theirs” there').waitFor();
    expect(await value()).toBe(theirs);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(value).toBe(theirs.replace('"theirs"', '"mine"'));
    await expect.poll(() => focused(page)).toBe('Edit status');
  });

  test('stand in their table in both themes and widths, without findings', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const page = await opened({ viewport: { width, height: 1000 }, colorScheme });
        const shot = async (name: string) => {
          const folder = process.env['REVERIE_SHOTS'];
          if (folder !== undefined)
            await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
          expect(await axeFindings(page)).toEqual([]);
          expect(await pageWidth(page)).toBe(width);
        };
        await shot('table');
        await page.getByRole('button', { name: 'Edit people' }).click();
        await shot('list');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Edit due' }).click();
        await shot('date');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Add a property' }).click();
        await shot('add');
      }
  });
});
