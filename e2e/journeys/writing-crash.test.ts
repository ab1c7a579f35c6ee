import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isDeep } from '@reverie/shared/testing/depth';
import { roundTrips } from '../../app/web/features/memories/writing/sheet/testing/round-trips.ts';
import { hostileNotes, TRAP } from '../../app/web/ui/reading/testing/hostile-notes.ts';
import { rows, value } from '../pages/memories.ts';
import { saved, sheet, toEnd } from '../pages/writing.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** What a crash may take of what was typed, ms. */
const LOST_MS = 1_000;

/** Types words until `done`, each with the time at which it stood there. */
async function typeUntil(
  page: Page,
  done: (count: number) => boolean,
): Promise<{ word: string; at: number }[]> {
  const typed: { word: string; at: number }[] = [];
  for (let nth = 0; !done(nth); nth += 1) {
    const word = `word${nth}`;
    await page.keyboard.type(`${word} `, { delay: 5 });
    typed.push({ word, at: performance.now() });
  }
  return typed;
}

describe.skipIf(!hasBrowser)('what is written outlives a crash', () => {
  const stage = setStage({}, 'own-process');
  const words = async (key: string) => (await stage.stored('crash', key)).value;
  const editing = (key: string) =>
    // In a browser session of its own: others must not die with it.
    stage.signedInAt(`/memories?namespace=crash&key=${key}&mode=edit`, { locale: 'en-GB' });

  test('of the tab: the next one saves what was typed, but for the last second', async () => {
    await stage.store('crash', { tab: 'Begun. ' });
    const page = await editing('tab');
    await toEnd(page);
    const until = performance.now() + 2 * LOST_MS;
    const typed = await typeUntil(page, (count) => count > 10 && performance.now() > until);
    const killedAt = performance.now();
    const session = await page.context().newCDPSession(page);
    const crashed = page.waitForEvent('crash');
    // It is never answered.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    const next = await page.context().newPage();
    await next.goto(await stage.world.ticketAddress('/memories?namespace=crash'));
    await next.getByText(/^What you wrote last in .* is saved\.$/).waitFor();
    const kept = await words('tab');
    for (const { word, at } of typed) if (at < killedAt - LOST_MS) expect(kept).toContain(`${word} `);
    expect(kept).toMatch(/^Begun\. /);
    await next.close();
  });

  test('of the tab, with a new memory: it waits where new ones are written', async () => {
    const page = await stage.signedInAt('/memories?namespace=crash&mode=new', { locale: 'en-GB' });
    await sheet(page).waitFor();
    await page.keyboard.type('Never stored before');
    await expect
      .poll(() => page.evaluate<string>('JSON.stringify(localStorage)'))
      .toContain('Never stored before');
    const next = await page.context().newPage();
    await next.goto(await stage.world.ticketAddress('/memories?namespace=crash'));
    await page.close({ runBeforeUnload: false });
    await next.getByText('What you were writing is still here, under New memory.').waitFor();
    await next.keyboard.press('n');
    await expect.poll(() => sheet(next).innerText()).toBe('Never stored before');
    await next.keyboard.press('Control+Enter');
    await expect.poll(() => words('never-stored-before').catch(() => '')).toBe('Never stored before');
    await next.close();
  });

  test('of the daemon: writing goes on, and all of it is saved when there is one again', async () => {
    await stage.store('crash', { daemon: 'Begun. ' });
    const page = await editing('daemon');
    await toEnd(page);
    await page.keyboard.type('before ');
    await stage.world.crash(async () => {
      await page.keyboard.type('meanwhile ');
      await page.keyboard.press('Control+s');
      await page
        .getByText(/^Reverie has not answered/)
        .first()
        .waitFor();
      await page.keyboard.type('and after');
    });
    await saved(page).or(page.getByText('Kept here, saved when you pause')).waitFor();
    await page.keyboard.press('Control+s');
    await expect.poll(() => words('daemon')).toBe('Begun. before meanwhile and after');
  });
});

describe.skipIf(!hasBrowser)('any note can be written', () => {
  const stage = setStage();

  test('what somebody opens, types into and takes back is stored as it was, to the byte', async () => {
    const chosen = roundTrips
      .map((text, at) => ({ key: `note ${at}`, text }))
      .filter((_, at) => isDeep || at % 8 === 0);
    for (const { key, text } of chosen)
      await stage.world.daemon.call(setMemory, { body: { namespace: 'bytes', key, value: text } });
    const page = await stage.signedInAt('/memories?namespace=bytes');
    await rows(page).first().waitFor();
    for (const { key, text } of chosen) {
      const address = `/memories?${new URLSearchParams({ namespace: 'bytes', key, mode: 'edit' }).toString()}`;
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
      await page.getByRole('button', { name: `Copy key ${key}`, exact: true }).waitFor();
      for (const place of ['Control+Home', 'Control+End']) {
        await sheet(page).focus();
        await page.keyboard.press(place);
        await page.keyboard.type('x');
        await page.keyboard.press('Control+s');
        await saved(page).waitFor();
        expect((await stage.stored('bytes', key)).value).toHaveLength(text.length + 1);
        await page.keyboard.press('Backspace');
        await page.keyboard.press('Control+s');
        await expect.poll(async () => (await stage.stored('bytes', key)).value === text).toBe(true);
        await saved(page).waitFor();
      }
      await page.keyboard.press('Escape');
      // One of spaces alone has nothing to see.
      await value(page).waitFor({ state: 'attached' });
    }
  });

  test('nothing of a hostile note runs, asks, leads away or fetches anything while it is written', async () => {
    const stored = hostileNotes
      .filter((_, at) => isDeep || at % 6 === 0)
      .map(({ name, source }) => ({ key: name, text: source.toWellFormed() }));
    for (const { key, text } of stored)
      await stage.world.daemon.call(setMemory, { body: { namespace: 'hostile', key, value: text } });
    const page = await stage.signedInAt('/memories?namespace=hostile');
    await rows(page).first().waitFor();
    const seen: string[] = [];
    const { origin } = stage.world.daemon;
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) seen.push(request.url());
    });
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => seen.push(`window: ${popup.url()}`));
    for (const { key, text } of stored) {
      const address = `/memories?${new URLSearchParams({ namespace: 'hostile', key, mode: 'edit' }).toString()}`;
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
      await page.getByRole('button', { name: `Copy key ${key}`, exact: true }).waitFor();
      await toEnd(page);
      await page.keyboard.type(' x');
      await sheet(page).click({ position: { x: 30, y: 8 } });
      const left = await page.evaluate<unknown[]>(
        `[typeof window.${TRAP}, typeof document.getElementById, document.cookie, document.querySelectorAll(
          '.cm-content :is(a, img:not(.cm-widgetBuffer), svg, math, iframe, object, embed, form, base, meta, link, style, script, video, audio, input, [onerror], [onload], [style*="fixed"], [href], [src]):not(.cm-facts *)',
        ).length, location.origin]`,
      );
      expect([key, ...left, ...seen]).toEqual([key, 'undefined', 'function', '', 0, origin]);
      expect(stage.world.complaints).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(async () => (await stage.stored('hostile', key)).value).toBe(`${text} x`);
    }
  });
});
