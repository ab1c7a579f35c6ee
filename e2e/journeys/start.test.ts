import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@reverie/shared/client';
import { listFolders } from '@reverie/shared/contract/memories/folders';
import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, rows } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Told in order: nothing is remembered for the first only.
describe.skipIf(!hasBrowser)('a first start', { shuffle: false }, () => {
  const stage = setStage();
  let notes: string;

  beforeEach(() => {
    notes = join(mkdtempSync(join(tmpdir(), 'reverie-notes-')), 'Notes');
    mkdirSync(notes);
    writeFileSync(join(notes, 'boiler.md'), '# The boiler\n\nServiced in May.');
    writeFileSync(join(notes, 'tea.md'), '# Tea\n\nGreen tea at 80 degrees.');
  });

  afterEach(() => rmSync(join(notes, '..'), { recursive: true }));

  const folders = async () => (await stage.world.daemon.call(listFolders, {})).folders;
  const follow = async (page: Page, path: string) => {
    await page.getByLabel('Folder', { exact: true }).fill(path);
    await button(page, 'Follow this folder').click();
  };

  test('ends with a folder brought in and an agent that has called, each noticed by itself', async () => {
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      const page = await stage.signedInAt('/', { viewport: { width, height: 900 }, colorScheme });
      await page.getByRole('heading', { name: 'Welcome. Nothing is remembered yet.' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await pageWidth(page)).toBeLessThanOrEqual(width);
      if (width === 390) continue;

      await follow(page, 'notes');
      await page.getByText('It could not be followed').waitFor();
      await follow(page, notes);
      await page.getByText(`${notes}: 2 memories in notes`).waitFor();
      await page.getByText('You have begun').waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await page.getByText('Waiting for it to look here').waitFor();
      const key = readFileSync(join(stage.world.daemon.home, 'api-key'), 'utf8').trim();
      const agent = createClient({ origin: stage.world.daemon.origin, key: () => key });
      await agent(setMemory, { body: { key: 'note:hello', value: 'My first memory' } });
      await page.getByText('api-key called').waitFor();

      await button(page, 'Go to Today').click();
      await page.getByRole('heading', { name: 'Since yesterday' }).waitFor();
    }
  });

  test('a folder that is followed says how it does and what it did not take, and can be left', async () => {
    writeFileSync(join(notes, 'empty.md'), '');
    const page = await stage.signedInAt('/folders');
    await page.getByRole('button', { name: /^Follow a folder/ }).click();
    await page.getByLabel('Its notes go to the namespace').fill('home');
    await follow(page, notes);
    const item = page.getByRole('listitem').filter({ hasText: notes });
    await item.getByText('2 memories in home').waitFor();
    await item.getByText('1 file needs a look').click();
    await item.getByText('empty.md is empty').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await item.getByRole('link', { name: 'home' }).click();
    await rows(page, 'The boiler').waitFor();

    await choose(page, 'Folders');
    await button(page, `Stop following ${notes}`).click();
    await button(page, 'Stop following').click();
    await item.waitFor({ state: 'detached' });
    expect((await folders()).filter(({ path }) => path === notes)).toEqual([]);
    expect(await stage.count('home')).toBe(2);
  });
});
