import { getInsight, listInsights } from '@reverie/shared/contract/dreams/dreams';
import { deleteMemory, getMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { propose, twice } from '../pages/dreams.ts';
import { button } from '../pages/memories.ts';
import { stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Told in order: proposals are decided on one after the other.
describe.skipIf(!hasBrowser)(
  'desk: seven, more, group, snooze, undo, done for today',
  { shuffle: false },
  () => {
    const stage = setStage();
    const call = () => stage.world.daemon.call;
    const DOUBLES = Array.from({ length: 8 }, (_, at) =>
      twice(`room-${at}`, `Room ${at} is painted in the colour number ${500 + at}.`),
    );
    const OLD = 'Write it down before you forget that you forgot.';
    let ids: string[] = [];
    let isSet = false;

    beforeEach(async () => {
      if (isSet) return;
      isSet = true;
      const at = '2024-03-02T09:00:00Z';
      const items = [{ namespace: 'desk', key: 'saying', value: OLD, created_at: at, updated_at: at }];
      await call()(importMemories, { body: { items } });
      for (const { notes } of DOUBLES) await stage.store('desk', notes);
      await stage.store('desk', {
        'port/a': 'The ledger listens on port 5433.',
        'port/b': 'The ledger listens on port 5437.',
      });
      ids = await propose(stage, 'desk', [
        ...DOUBLES.map(({ finding }) => finding),
        {
          kind: 'disagree',
          title: 'The ledger: port 5433 or 5437?',
          why: 'They name two ports.',
          evidence: [
            { key: 'port/a', quote: 'The ledger listens on port 5433.' },
            { key: 'port/b', quote: 'The ledger listens on port 5437.' },
          ],
        },
      ]);
    });

    const waiting = async () => (await call()(listInsights, { query: { limit: 1 } })).waiting;
    const status = async (id: string) => (await call()(getInsight, { params: { id } })).status;
    const today = (page: Page) => page.getByRole('list', { name: 'For today' }).getByRole('listitem');
    const rows = (page: Page) =>
      page.getByRole('region', { name: 'Insights' }).getByRole('listitem').getByRole('button');
    const desk = (page: Page) => page.getByRole('region', { name: 'Open insight' });

    test('one number everywhere, seven for the day, the rest folded', async () => {
      for (const width of [1440, 768, 390, 380]) {
        const page = await stage.signedInAt('/', { viewport: { width, height: 844 } });
        await today(page).first().waitFor();
        expect(await today(page).count()).toBe(7);
        await page.getByRole('heading', { level: 1, name: /Nine things to decide\.$/ }).waitFor();
        expect(await page.title()).toBe('(9) Today · Reverie');
        const nav = page.getByRole('navigation', { name: width < 1024 ? 'Tabs' : 'Views' });
        await nav.getByRole('link', { name: /9 waiting/ }).waitFor();
        await page.getByRole('link', { name: /Review all 9/ }).waitFor();
        await button(page, 'More (2)').click();
        const more = page.getByRole('list', { name: 'More' }).getByRole('listitem');
        await expect.poll(() => more.count()).toBe(2);
        expect(await axeFindings(page)).toEqual([]);
        expect(await pageWidth(page)).toBe(width);
      }
      const tray = await stage.signedInAt('/tray', { viewport: { width: 380, height: 560 } });
      await tray.getByRole('tab', { name: /Review 9/ }).waitFor();
      await tray.getByText('1 of 9').waitFor();
    });

    test('a proposal is put off until a day, found again, and brought back', async () => {
      const page = await stage.signedInAt('/dreams?namespace=*');
      await desk(page).getByText('These two disagree').waitFor();
      await stopTime(page);
      await page.keyboard.press('s');
      await page.getByRole('dialog', { name: 'Decide later' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByText(/^Put off until /).waitFor();
      expect(await waiting()).toBe(8);
      // The next one lies on the desk, and the last step is taken back.
      await desk(page).getByText('Same note twice').waitFor();
      await page.keyboard.press('z');
      await page.getByText('It waits for a decision again.').waitFor();
      // What was said before is not said beside it.
      expect(await page.getByText(/^Put off until /).count()).toBe(0);
      expect(await waiting()).toBe(9);
      await desk(page).getByText('These two disagree').waitFor();

      await button(page, 'Later s').click();
      await page.getByRole('dialog').getByLabel('Or on a day').fill('2099-01-05');
      await button(page, 'Put off until then').click();
      await expect.poll(waiting).toBe(8);
      await page.getByRole('radio', { name: 'Later' }).click();
      await rows(page).getByText('until January 5, 2099').waitFor();
      await desk(page).getByText('These two disagree').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'Bring it back z').click();
      await page.getByRole('heading', { name: 'Nothing is put off' }).waitFor();
      expect(await waiting()).toBe(9);
    });

    test('all of a kind is decided on at once, what is refused is named, and all of it is taken back', async () => {
      const page = await stage.signedInAt('/dreams?namespace=*');
      await page.getByRole('heading', { name: 'Same note twice · 8' }).waitFor();
      // Seven of a kind are seen, the rest is folded.
      expect(await page.getByRole('list', { name: 'Same note twice' }).getByRole('listitem').count()).toBe(7);
      await page.getByRole('button', { name: 'More of Same note twice (1)' }).click();
      expect(await page.getByRole('list', { name: 'Same note twice' }).getByRole('listitem').count()).toBe(8);
      const before = await call()(getMemory, { body: { namespace: 'desk', key: 'room-3/a' } });
      await page.getByRole('button', { name: 'Decide on all at once: Same note twice' }).click();
      const dialog = page.getByRole('dialog', { name: 'Same note twice · 8' });
      expect(await dialog.getByRole('listitem').allInnerTexts()).toHaveLength(8);
      await dialog.getByText(/room-3\/. stays, room-3\/. hidden/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await stopTime(page);
      await dialog.getByRole('button', { name: 'Keep one of each' }).click();
      await page.getByText('8 proposals accepted.').waitFor();
      expect(await waiting()).toBe(1);
      await page.keyboard.press('z');
      await page.getByText('Taken back: 8 proposals wait again.').waitFor();
      expect(await waiting()).toBe(9);
      expect(await call()(getMemory, { body: { namespace: 'desk', key: 'room-3/a' } })).toEqual(before);

      // One of them is gone by the time they are decided on: the others are not kept by that.
      await page.getByRole('heading', { name: 'Same note twice · 8' }).waitFor();
      await page.getByRole('button', { name: 'Decide on all at once: Same note twice' }).click();
      await dialog.getByText(/room-7\/. stays/).waitFor();
      await call()(deleteMemory, { body: { namespace: 'desk', key: 'room-7/b' } });
      await dialog.getByRole('button', { name: 'Keep one of each' }).click();
      const refused = page.getByRole('list', { name: 'Refused' });
      await refused.getByText('Room 7 is painted').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'Close').last().click();
      await button(page, 'Undo').click();
      await page.getByText('Taken back: 7 proposals wait again.').waitFor();
      expect(await status(ids[0] ?? '')).toBe('proposed');
    });

    test('seven decisions end the day, with an old note; the rest stays folded', async () => {
      const page = await stage.signedInAt('/dreams?namespace=*');
      const before = await waiting();
      await desk(page).getByText('These two disagree').waitFor();
      const open = () => new URL(page.url()).searchParams.get('insight');
      for (let done = 1; done <= 7; done += 1) {
        const was = open();
        await page.keyboard.press('r');
        await expect.poll(waiting).toBe(before - done);
        // The next one is there before it is decided on.
        await expect.poll(open).not.toBe(was);
        await page.getByRole('button', { name: / r$/, disabled: false }).waitFor();
      }
      for (const width of [1440, 390]) {
        const view = await stage.signedInAt('/', { viewport: { width, height: 844 }, colorScheme: 'dark' });
        await view.getByRole('heading', { level: 1, name: /Done for today\.$/ }).waitFor();
        expect(await today(view).count()).toBe(0);
        await button(view, `More (${before - 7})`).waitFor();
        const old = view.getByRole('region', { name: 'Worth reading again' });
        await old.getByText(OLD).waitFor();
        expect(await axeFindings(view)).toEqual([]);
        expect(await pageWidth(view)).toBe(width);
        await old.getByRole('link').click();
        await view.waitForURL(/key=saying/);
      }
      // A decision that is taken back opens the day again.
      await page.keyboard.press('z');
      await expect.poll(waiting).toBe(before - 6);
      await page.goto(`${stage.world.daemon.origin}/`);
      await expect.poll(() => today(page).count()).toBe(1);
    });

    test('the list follows what lies on the desk, and one message says what is so', async () => {
      const many = Array.from({ length: 40 }, (_, at) =>
        twice(`shelf-${at}`, `Shelf ${at} holds the jars of the year ${1900 + at}.`),
      );
      for (const { notes } of many) await stage.store('long', notes);
      const shelves = await propose(
        stage,
        'long',
        many.map(({ finding }) => finding),
      );
      const page = await stage.signedInAt('/dreams?namespace=long');
      await rows(page).first().waitFor();
      const placed = page.getByRole('region', { name: 'Insights' }).getByText(/^\d+ of \d+$/);
      await placed.waitFor();
      const isSeen = () =>
        page.evaluate<boolean>(`(() => {
        const row = document.querySelector('section[aria-label="Insights"] [aria-current]');
        let list = row;
        while (list && getComputedStyle(list).overflowY !== 'auto') list = list.parentElement;
        list = list?.getBoundingClientRect();
        const box = row?.getBoundingClientRect();
        return box !== undefined && box.top >= list.top && box.bottom <= list.bottom;
      })()`);
      // The 33rd of 40, as a link names it.
      await page.getByRole('button', { name: /^More of Same note twice/ }).click();
      await rows(page).nth(32).click();
      await expect.poll(() => placed.innerText()).toBe('33 of 40');
      const id = new URL(page.url()).searchParams.get('insight') ?? '';
      expect(shelves).toContain(id);
      await page.goto(`${stage.world.daemon.origin}/dreams?namespace=long&insight=${id}`);
      await expect.poll(() => placed.innerText()).toBe('33 of 40');
      await expect.poll(isSeen).toBe(true);
      for (let at = 34; at <= 40; at += 1) {
        await page.keyboard.press('j');
        await expect.poll(() => placed.innerText()).toBe(`${at} of 40`);
        await expect.poll(isSeen).toBe(true);
      }
      await stopTime(page);
      await button(page, 'Not the same r').click();
      const told = page.getByRole('region', { name: 'Messages' }).getByRole('listitem');
      await told.getByText('Rejected').waitFor();
      await expect.poll(() => placed.innerText()).toBe('39 of 39');
      await page.keyboard.press('z');
      await told.getByText('Taken back').waitFor();
      expect(await told.count()).toBe(1);
      await expect.poll(() => placed.innerText()).toBe('40 of 40');
      await button(page, 'Not the same r').click();
      await told.getByText('Rejected').waitFor();
      // The same by the button of the message itself.
      await told.getByRole('button', { name: 'Undo' }).click();
      await told.getByText('Taken back').waitFor();
      expect(await told.count()).toBe(1);
    });

    test('where nothing was ever looked through it is not done, but a first step', async () => {
      const fresh = await stage.signedInAt('/');
      await fresh.route('**/v1/memory/dream/*', (route) =>
        route.fulfill({ json: { insights: [], jobs: [], next: null, waiting: 0 } }),
      );
      await fresh.route('**/v1/today?*', async (route) => {
        const response = await route.fetch();
        const none = { insights: [], count: 0, more: false, dreamt: false };
        const told = (await response.json()) as object;
        await route.fulfill({ response, json: { ...told, to_decide: none, coming_up: none, decided: none } });
      });
      await fresh.reload();
      await fresh.getByRole('link', { name: 'Start a first dream' }).waitFor();
      expect(await fresh.getByText('Done for today').count()).toBe(0);
      expect(await axeFindings(fresh)).toEqual([]);
      await fresh.getByRole('link', { name: 'Start a first dream' }).click();
      await fresh.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
    });
  },
);
