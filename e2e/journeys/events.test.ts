import { deepTest } from '@reverie/shared/testing/depth';
import {
  clearNamespace,
  deleteMemory,
  setMemory,
  storeBatch,
} from '@reverie/shared/contract/memories/memories';
import type { Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { eventRows, openEvent, waitForLive } from '../pages/events.ts';
import { button, detail, rows, value } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Without Chromium there is nothing to drive; the page's pure parts are tested beside their files.
// Told in order: the log is empty for the first only.
describe.skipIf(!hasBrowser)('events in the page', { shuffle: false }, () => {
  const stage = setStage();
  const call: typeof stage.world.daemon.call = (...args) => stage.world.daemon.call(...args);

  test('an empty log says what will appear; what happens then does, without a reload', async () => {
    const page = await stage.signedInAt('/events');
    await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();
    await waitForLive(page);
    expect(await axeFindings(page)).toEqual([]);
    await stage.store('first', { 'note:one': 'hello' });
    await eventRows(page, 'You wrote hello').waitFor();
    await page.getByRole('listbox').getByText('Today', { exact: true }).waitFor();
  });

  test('the page lives on the stream: it asks for nothing over and over', async () => {
    await stage.store('stream', { a: 'one' });
    const page = await stage.signedIn('stream');
    await rows(page, 'one').waitFor();
    const asked: string[] = [];
    page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname));
    await stage.store('stream', { b: 'two' });
    await rows(page, 'two').waitFor();
    expect(asked).not.toContain('/v1/events');
  });

  test('an event opens to what it changed, and leads to the memory', async () => {
    await stage.store('diff', { plan: 'We ship on Monday.' });
    await stage.store('diff', { plan: 'We ship on Tuesday.' });
    const page = await stage.signedInAt('/events');
    // Both are one row; what changed last lies open.
    await eventRows(page, 'You wrote We ship on Tuesday').click();
    const changes = openEvent(page).getByTestId('diff').first();
    await expect.poll(() => changes.locator('del').allInnerTexts()).toEqual(['Monday']);
    await expect.poll(() => changes.locator('ins').allInnerTexts()).toEqual(['Tuesday']);
    expect(await axeFindings(page)).toEqual([]);
    await openEvent(page).getByText('Raw', { exact: true }).first().click();
    await openEvent(page).getByText('"memory.update"').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Open the memory').click();
    await detail(page, 'plan').waitFor();
    await value(page).filter({ hasText: 'Tuesday' }).waitFor();
  });

  test('what was deleted is gone from the log, and the log says so', async () => {
    await stage.store('gone', { whisper: 'the old secret' });
    const page = await stage.signedInAt('/events?namespace=gone');
    await waitForLive(page);
    await eventRows(page, 'You wrote the old secret').click();
    await openEvent(page).locator('ins').getByText('the old secret').waitFor();
    await call(deleteMemory, { body: { namespace: 'gone', key: 'whisper' } });
    await eventRows(page, 'You deleted whisper for good').waitFor();
    await eventRows(page, 'You wrote a memory that was deleted since').waitFor();
    await openEvent(page).getByText('Deleted means gone').waitFor();
    await expect.poll(() => openEvent(page).innerText()).not.toContain('secret');
    await stage.store('gone', { other: 'stays' });
    await call(clearNamespace, { body: { namespace: 'gone' } });
    await eventRows(page, 'You cleared gone: 1 memory was deleted').waitFor();
    // The log still knows the namespace, which holds nothing any more.
    await page.goto(`${stage.world.daemon.origin}/events`);
    await eventRows(page, 'You cleared gone').waitFor();
    await page.getByLabel('Namespace', { exact: true }).selectOption('gone');
    await expect.poll(() => page.locator('main').innerText()).not.toContain('secret');
  });

  deepTest(
    'filters stay in the address, and thousands of events are looked through by keyboard',
    async () => {
      for (let from = 0; from < 3_000; from += 1000)
        await call(storeBatch, {
          body: {
            items: Array.from({ length: 1000 }, (_, at) => ({
              key: `n${from + at}`,
              value: 'x',
              namespace: 'many',
            })),
          },
        });
      const page = await stage.signedInAt('/events');
      await page.getByLabel('Namespace', { exact: true }).selectOption('diff');
      await eventRows(page, 'We ship on Tuesday').waitFor();
      await expect.poll(() => eventRows(page).count()).toBe(1);
      await page.getByLabel('Kind', { exact: true }).selectOption('dream');
      await page.getByRole('heading', { name: 'No such event' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.reload();
      await page.getByRole('heading', { name: 'No such event' }).waitFor();
      await button(page, 'Show all events').click();
      // All of a batch is one row, and what is below it is fetched by itself.
      await eventRows(page, 'You wrote 3,000 memories').waitFor();
      await eventRows(page, 'You wrote hello').waitFor();
      await page.getByRole('listbox').focus();
      for (const key of ['j', 'k', 'End', 'Home']) await page.keyboard.press(key);
      await openEvent(page).getByRole('article', { name: 'You wrote 3,000 memories' }).waitFor();
      await page.getByRole('button', { name: 'Show more (2,900)' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('j');
      await openEvent(page).getByRole('article', { name: 'You cleared gone' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('article').count()).toBe(0);
    },
  );

  deepTest('what happens while one reads further down moves nothing', async () => {
    for (let n = 0; n < 40; n += 1)
      await call(setMemory, { body: { namespace: `place${n}`, key: 'k', value: `Reading ${n}` } });
    const page = await stage.signedInAt('/events');
    await waitForLive(page);
    const read = eventRows(page, 'You wrote Reading 9').last();
    await page.getByRole('listbox').focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('PageDown');
        return read.isVisible();
      })
      .toBe(true);
    await page.getByRole('listbox').evaluate('(list) => list.scrollBy(0, -7)');
    const before = (await read.boundingBox())?.y;
    await stage.store('news', { one: 'News' });
    await stage.store('other', { two: 'Other news' });
    await page.getByRole('status').filter({ hasText: 'kept' }).first().waitFor();
    await expect
      .poll(async () => {
        await page.getByRole('listbox').evaluate('(list) => list.clientHeight');
        return Number(await read.getAttribute('aria-posinset'));
      })
      .toBeGreaterThan(31);
    expect(Math.abs(((await read.boundingBox())?.y ?? 0) - (before ?? 0))).toBeLessThan(2);
  });

  deepTest('narrow and dark it shows the list or the event', async () => {
    const page = await stage.signedInAt('/events', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await eventRows(page).first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await call(setMemory, { body: { key: 'w'.repeat(300), value: 'v'.repeat(3_000), namespace: 'wide' } });
    await eventRows(page, 'vvv').click();
    await openEvent(page).getByTestId('diff').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await pageWidth(page)).toBe(360);
    await button(page, 'Back to the list').click();
    await eventRows(page, 'vvv').waitFor();
  });

  test('a lost connection is said, and resumed without a gap', async () => {
    const page = await stage.signedInAt('/events');
    await waitForLive(page);
    // The page's token survives a restart; what is written before it is back must still appear.
    await stage.world.restart(async () => {
      await page.getByText('What you see may be old').waitFor();
      expect(await axeFindings(page)).toEqual([]);
    });
    await stage.store('after', { 'after:restart': 'It is back' });
    await eventRows(page, 'You wrote It is back').waitFor();
    await waitForLive(page);
  });
});
