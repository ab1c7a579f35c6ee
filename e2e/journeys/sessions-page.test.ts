import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cases, deepTest, isDeep } from '@reverie/shared/testing/depth';
import type { FakeHome } from '../../app/web/features/sessions/testing/fake-daemon.ts';
import { LIVE, LONG, LONG_ENTRIES, madeHome } from '../../app/web/features/sessions/testing/made-home.ts';
import { madeEntry } from '../../app/web/features/sessions/testing/made-session.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { lookAt } from '../pages/look.ts';
import { fakeSessions } from '../pages/sessions.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light', hasTouch: false },
  { width: 1440, height: 900, colorScheme: 'dark', hasTouch: false },
  { width: 390, height: 844, colorScheme: 'light', hasTouch: true },
  { width: 380, height: 560, colorScheme: 'dark', hasTouch: false },
] as const;

// The page over routes that are answered from the contract alone; `sessions.test.ts` goes through a daemon.
describe.skipIf(!hasBrowser)('the page of coding sessions', () => {
  const stage = setStage();

  async function open(path: string, given: Partial<FakeHome> = madeHome(Date.now())) {
    const page = await stage.visit();
    const home = await fakeSessions(page, given);
    await page.goto(await stage.world.ticketAddress(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, home };
  }
  const current = (page: Page) => page.locator('[data-current="true"]');
  const numberOf = (entry: string | null) => Number(entry?.slice(2));
  const dialog = (page: Page) => page.locator('dialog[open]');

  describe('the list', () => {
    test('stands by day and project, is gone through by keys, and opens', async () => {
      const { page } = await open('/sessions');
      const list = page.getByRole('list', { name: 'Sessions, the newest first' });
      await list.getByRole('heading', { name: 'Today' }).waitFor();
      expect(await list.getByRole('heading', { level: 3 }).first().innerText()).toBe('halden');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await expect
        .poll(() => page.evaluate('document.activeElement.textContent'))
        .toContain('Webhooks that are sent twice');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Webhooks that are sent twice' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/sessions/${LIVE}`);
      await page.getByRole('link', { name: 'Back to the sessions' }).click();
      await list.waitFor();
    });

    test('folds subagents, is filtered, and goes on to the oldest', async () => {
      const { page } = await open('/sessions');
      const child = page.getByRole('link', { name: /Look for other places that retry/ });
      await page.getByRole('button', { name: '2 subagents' }).click();
      await child.waitFor();
      await page.getByRole('button', { name: '2 subagents' }).click();
      await expect.poll(() => child.count()).toBe(0);
      await page.getByRole('combobox', { name: 'Agent' }).selectOption('codex');
      await expect.poll(() => page.locator('[data-session]').count()).toBe(1);
      expect(new URL(page.url()).searchParams.get('agent')).toBe('codex');
      await page.getByRole('combobox', { name: 'State' }).selectOption('live');
      await page.getByRole('button', { name: 'Show all sessions' }).click();
      await page.locator('[data-session]').nth(5).waitFor();
      // By less than what is shown at once, so that no row is passed over unseen.
      const last = page.getByRole('link', { name: /Small change number 120/ });
      await page.mouse.move(700, 500);
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, 400);
          await page.evaluate(
            'new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))',
          );
          return last.count();
        })
        .toBe(1);
    });

    test('finds what was said, and opens at it', async () => {
      const { page } = await open('/sessions');
      await page.keyboard.press('s');
      await page.keyboard.type('release note');
      const hit = page.getByRole('list', { name: 'Found in sessions' }).getByRole('link').first();
      await hit.getByText('release note', { exact: true }).waitFor();
      await hit.click();
      await current(page).getByText('Write the', { exact: false }).waitFor();
      expect(await page.locator('mark', { hasText: 'release note' }).first().isVisible()).toBe(true);
    });

    test('without a session leads to the sources', async () => {
      const { page } = await open('/sessions', {});
      await page.getByRole('link', { name: 'See what was found on this machine' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    });
  });

  test('nothing of an agent is read before the person agreed to what is shown', async () => {
    const { page, home } = await open('/sessions/sources');
    const sent = () => home.calls.filter((one) => one.startsWith('PUT'));
    const toggle = page.getByRole('switch', { name: 'Read and follow opencode' });
    await toggle.click();
    await dialog(page).getByText('opencode.db').waitFor();
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    expect([await toggle.isChecked(), sent()]).toEqual([false, []]);
    await toggle.click();
    await dialog(page).getByRole('button', { name: 'Read and follow' }).click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    expect(sent()).toEqual(['PUT /coding-sessions/sources/opencode']);
    await page.getByRole('meter', { name: 'Reading opencode' }).waitFor();
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(false);
    expect(await page.getByRole('switch', { name: 'Read and follow Cursor' }).isDisabled()).toBe(true);
    await page.getByText('Claude Code keeps memories of its own.').waitFor();
    const own = page.getByRole('list', { name: 'Memories that Claude Code keeps' });
    expect(await own.getByText('Followed', { exact: true }).count()).toBe(1);
    await own.getByRole('button', { name: 'Follow /home/ada/halden' }).click();
    await page.getByText('is in project/halden').waitFor();
    await expect.poll(() => own.getByText('Followed', { exact: true }).count()).toBe(2);
    await page.getByRole('row', { name: /queue-operation not known/ }).waitFor();
  });

  describe('the reader', () => {
    test('goes by prompts and failures, unfolds tools, and colours what changed', async () => {
      const { page } = await open(`/sessions/${LONG}`);
      await page.getByRole('article').first().waitFor();
      await page.keyboard.press('j');
      await expect.poll(() => current(page).innerText()).toContain('idempotency key, and wait');
      await page.keyboard.press('j');
      await expect.poll(() => current(page).innerText()).toContain('Write the release note');
      await page.keyboard.press('k');
      await expect.poll(() => current(page).innerText()).toContain('idempotency key, and wait');
      await page.keyboard.press('n');
      await expect.poll(() => current(page).innerText()).toContain('expected 1 delivery, received 2');
      const failed = await current(page).getAttribute('data-entry');
      await page.keyboard.press('n');
      await expect.poll(() => current(page).getAttribute('data-entry')).not.toBe(failed);
      await page.keyboard.press('N');
      await expect.poll(() => current(page).getAttribute('data-entry')).toBe(failed);
      await page.keyboard.press('Home');
      // Who scrolled away goes on from what is seen.
      await page.keyboard.press('j');
      const near = numberOf(await current(page).getAttribute('data-entry'));
      await page.getByRole('article').first().hover();
      await page.mouse.wheel(0, 12_000);
      await expect.poll(() => current(page).count()).toBe(0);
      await page.keyboard.press('j');
      await expect
        .poll(async () => numberOf(await current(page).getAttribute('data-entry')))
        .toBeGreaterThan(near + 30);
      await page.keyboard.press('Home');
      await page.getByRole('button', { name: /^Edit/ }).first().click();
      await page.locator('ins', { hasText: 'idempotency' }).or(page.locator('ins')).first().waitFor();
      await page
        .getByRole('button', { name: /Show what changed/ })
        .first()
        .click();
      await page.locator('del', { hasText: '-  await send(delivery' }).waitFor();
    });

    deepTest('opens where a link leads, also in the middle, and reads on to both sides', async () => {
      const { page } = await open(`/sessions/${LONG}?entry=e_5512`);
      await expect.poll(() => current(page).getAttribute('data-entry')).toBe('e_5512');
      await page.keyboard.press('k');
      await expect.poll(() => current(page).getAttribute('data-entry')).toBe('e_5501');
      await page.keyboard.press('End');
      await page.locator(`[data-entry="e_${LONG_ENTRIES}"]`).waitFor();
      await page.keyboard.press('Home');
      await page.locator('[data-entry="e_1"]').waitFor();
    });

    test('searches inside, one place after the other', async () => {
      const { page } = await open(`/sessions/${LONG}`);
      await page.getByRole('article').first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('dashboard counts');
      // At once, before anything was found: it goes to the first place when it is there.
      await page.keyboard.press('Enter');
      const count = page.getByRole('search').getByRole('status');
      await expect.poll(() => count.innerText()).toMatch(/^1 of \d+\+?$/);
      await expect.poll(() => current(page).innerText()).toContain('dashboard counts');
      const first = await current(page).getAttribute('data-entry');
      await page.keyboard.press('Enter');
      await expect.poll(() => current(page).getAttribute('data-entry')).not.toBe(first);
      await page.keyboard.press('Shift+Enter');
      await expect.poll(() => current(page).getAttribute('data-entry')).toBe(first);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('search').count()).toBe(0);
    });

    deepTest('of 10,000 entries scrolls to the other end without a row that is missing', async () => {
      // From the beginning in the deep suite: 1,300 frames.
      const from = isDeep ? 1 : LONG_ENTRIES - 400;
      const { page } = await open(`/sessions/${LONG}?entry=e_${from}`);
      await page.getByRole('article').first().waitFor();
      const { seen, bare, frames } = await page.evaluate<{ seen: string[]; bare: string[]; frames: number }>(
        SCROLL,
      );
      const numbers = seen.map((id) => Number(id.slice('e_'.length)));
      // A call and its result are one row, so the results have no row of their own.
      const first = Math.min(...numbers);
      expect(first).toBeLessThanOrEqual(from);
      const rows = Array.from({ length: LONG_ENTRIES }, (_, at) => at + 1).filter(
        (seq) => seq >= first && ![3, 5, 7, 9].includes((seq - 1) % 11),
      );
      expect(numbers.toSorted((a, b) => a - b)).toEqual(rows);
      expect({ bare, isScrolled: frames > (isDeep ? 300 : 12) }).toEqual({ bare: [], isScrolled: true });
    });

    test('follows what is written: stays at the end, and tells who reads further up', async () => {
      const { page, home } = await open(`/sessions/${LIVE}`);
      await page.locator('[data-entry="e_62"]').waitFor();
      const write = (seq: number, text: string) =>
        home.entries.get(LIVE)?.push(madeEntry(seq, 'answer', { text }));
      write(70, 'The first that came.');
      await page.getByText('The first that came.').waitFor();
      await expect.poll(() => page.getByText('The first that came.').isVisible()).toBe(true);
      await page.keyboard.press('Home');
      await page.locator('[data-entry="e_1"]').waitFor();
      write(71, 'The second.');
      write(72, 'The third.');
      const news = page.getByRole('button', { name: '2 new entries' });
      await news.waitFor();
      expect(await page.locator('[data-entry="e_1"]').count()).toBe(1);
      await news.click();
      await page.getByText('The third.').waitFor();
      await expect.poll(() => news.count()).toBe(0);
    });

    test('takes notes about an entry, and leads to a subagent', async () => {
      const { page, home } = await open(`/sessions/${LIVE}?entry=e_34`);
      await current(page).getByRole('button', { name: 'Write a note about this' }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('Attempts are **not** deliveries.');
      await page.getByRole('button', { name: 'Keep the note' }).click();
      await current(page).getByRole('note').getByText('not', { exact: true }).waitFor();
      expect(home.entries.get(LIVE)?.at(-1)).toMatchObject({ kind: 'note', reply_to: 'e_34' });
      await page.keyboard.press('End');
      await page.getByRole('link', { name: 'Open the subagent’s session' }).click();
      await page.getByRole('heading', { level: 1, name: 'Look for other places that retry' }).waitFor();
    });

    test('fetches the whole of a text that came cut', async () => {
      const text = `${'A line that is long enough.\n'.repeat(400)}The end of it.`;
      const { page } = await open(`/sessions/${LIVE}`, {
        ...madeHome(Date.now()),
        entries: new Map([[LIVE, [madeEntry(1, 'answer', { text })]]]),
      });
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('The end of it.').waitFor();
      expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
    });

    test('says so where a session is not here', async () => {
      const { page } = await open('/sessions');
      await page.goto(`${stage.world.daemon.origin}/sessions/cs_gone`);
      await page.getByRole('heading', { name: 'This session is not here' }).waitFor();
    });
  });

  describe('sharing', () => {
    test('shows what would leave first, makes a link of exactly that, and makes it void', async () => {
      const { page, home } = await open(`/sessions/${LONG}`);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await dialog(page).getByText('[REDACTED:jwt]').waitFor();
      await dialog(page).getByText('44 entries leave this machine, 60 KiB together.').waitFor();
      await dialog(page).getByRole('checkbox').check();
      const shown = dialog(page).getByRole('list', { name: 'Entries as others would read them' });
      await shown.waitFor();
      await expect.poll(() => shown.getByText('Why does Halden').count()).toBe(0);
      await dialog(page).getByRole('radio', { name: 'From now on' }).click();
      await dialog(page).getByLabel('They may').selectOption('editor');
      expect(home.shares.has(LONG)).toBe(false);
      await dialog(page).getByRole('button', { name: 'Make a link' }).click();
      await dialog(page).getByText('#secret-1').waitFor();
      expect(home.shares.get(LONG)).toMatchObject({ from: 'now', invites: [{ role: 'editor' }] });
      await dialog(page).getByRole('button', { name: 'End it' }).click();
      await expect.poll(() => home.shares.get(LONG)?.invites).toEqual([]);
      await dialog(page).getByRole('button', { name: 'Stop sharing…' }).click();
      await page
        .getByRole('dialog', { name: 'Stop sharing this session?' })
        .getByRole('button', { name: 'Stop sharing' })
        .click();
      await expect.poll(() => home.shares.has(LONG)).toBe(false);
    });

    deepTest('lets entries go that wait for a new kind of secret, and leaves no link behind', async () => {
      const { page, home } = await open(`/sessions/${LIVE}`);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await dialog(page).getByRole('alert').getByText('web tokens (JWT)').waitFor();
      await dialog(page).getByRole('button', { name: 'I have looked: send them' }).click();
      await expect.poll(() => dialog(page).getByRole('alert').count()).toBe(0);
      expect(home.shares.get(LIVE)).toMatchObject({ waiting: 0, invites: [{ id: 'inv_1' }] });
      await dialog(page).getByRole('button', { name: 'Remove Mira' }).click();
      await page
        .getByRole('dialog', { name: 'Remove Mira?' })
        .getByRole('button', { name: 'Remove' })
        .click();
      await expect
        .poll(() => home.sessions.find(({ id }) => id === LIVE)?.participants.map(({ name }) => name))
        .toEqual(['Ada', 'Grace Hopper']);
    });

    deepTest('says how to link where there is no relay, and still what would leave', async () => {
      const { page } = await open(`/sessions/${LONG}`, { ...madeHome(Date.now()), isLinked: false });
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await dialog(page).getByText('44 entries leave').waitFor();
      expect(await dialog(page).getByRole('button', { name: 'Make a link' }).count()).toBe(0);
      await dialog(page).getByRole('link', { name: 'Link this machine to a relay' }).click();
      await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
    });
  });

  test('a session is handed over, resumed, renamed, moved and deleted', async () => {
    const { page, home } = await open(`/sessions/${LIVE}`);
    const menu = async (name: string) => {
      await page.getByRole('button', { name: 'More about this session' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const session = () => home.sessions.find(({ id }) => id === LIVE);
    await menu('Hand over…');
    await dialog(page).getByText('## Asked').waitFor();
    await dialog(page).getByLabel('As long as').selectOption('500');
    await expect.poll(() => home.calls.filter((one) => one.endsWith('/handover')).length).toBe(2);
    await page.keyboard.press('Escape');
    await menu('Go on in an agent…');
    await dialog(page).getByLabel('Agent').selectOption('codex');
    await dialog(page).getByText(`reverie sessions resume ${LIVE} --in codex`).waitFor();
    await page.keyboard.press('Escape');
    await menu('Rename…');
    await dialog(page).getByLabel('Title').fill('Twice is once too often');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Twice is once too often' }).waitFor();
    await menu('Move to a namespace…');
    await dialog(page).getByLabel('Namespace').fill('webhooks');
    await page.keyboard.press('Enter');
    await expect.poll(() => session()?.namespace).toBe('webhooks');
    await menu('Delete…');
    await dialog(page).getByText('This cannot be undone.').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    expect(session()).toBe(undefined);
  });

  test('the library has it, by a key and in the one field', async () => {
    const { page } = await open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sessions');
    await page.getByRole('option', { name: /Sessions/ }).waitFor();
  });

  deepTest.each(cases(LOOKS))(
    'type, controls and contrast hold at $width × $height, $colorScheme',
    async (look) => {
      const { width, height, colorScheme, hasTouch } = look;
      for (const given of cases([madeHome(Date.now()), {}])) {
        const page = await stage.visit({ viewport: { width, height }, colorScheme, hasTouch });
        await fakeSessions(page, given);
        await page.goto(await stage.world.ticketAddress('/sessions'));
        const check = async (what: string) => {
          await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
          await page.evaluate('document.fonts.ready');
          const { sizes, controls } = await lookAt(page, hasTouch ? 44 : 24);
          expect.soft([what, sizes, controls]).toEqual([what, [], []]);
          expect.soft([what, await axeFindings(page)]).toEqual([what, []]);
          expect.soft([what, await pageWidth(page)]).toEqual([what, width]);
        };
        await page.getByRole('heading', { level: 1 }).waitFor();
        await check('list');
        const go = (path: string) => page.goto(`${stage.world.daemon.origin}${path}`);
        await go('/sessions/sources');
        await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
        await check('sources');
        if (!given.sessions) continue;
        await go('/sessions?q=webhook');
        await page.getByRole('list', { name: 'Found in sessions' }).waitFor();
        await check('hits');
        await go(`/sessions/${LIVE}?entry=e_7`);
        await page.getByRole('article').first().waitFor();
        await page.getByRole('button', { name: /^Edit/ }).first().click();
        await check('reader');
        await page.keyboard.press('b');
        await page.getByRole('complementary', { name: 'People and notes' }).waitFor();
        await check('beside');
        for (const [key, name] of [
          ['h', 'Hand over'],
          ['o', 'What was asked'],
        ] as const) {
          await page.keyboard.press(key);
          await page.getByRole('dialog', { name }).waitFor();
          await check(name);
          await page.keyboard.press('Escape');
        }
        await page.getByRole('button', { name: 'Share', exact: true }).click();
        await page.getByText('[REDACTED:jwt]').waitFor();
        await check('share');
      }
    },
  );
});

/**
 * Runs in the page: scrolls to the end in steps of less than a window, as fast as frames are drawn, and answers which entries were seen
 * and the frames in which a row was missing that should have been in sight. At the end of what is read it waits for more.
 */
const SCROLL = `(async () => {
  const scroller = document.querySelector('[role="feed"]').parentElement;
  const seen = new Set();
  const bare = [];
  let frames = 0, waits = 0;
  // Behind a frame stands what was drawn in it; within one, heights are still being measured.
  const frame = () => new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
  for (;;) {
    await frame();
    frames += 1;
    const room = scroller.getBoundingClientRect();
    const drawn = [...scroller.querySelectorAll('[data-index]')]
      .map((slot) => ({ slot, at: Number(slot.dataset.index), box: slot.getBoundingClientRect() }))
      .sort((a, b) => a.at - b.at);
    for (const { slot, box } of drawn)
      if (box.bottom > room.top && box.top < room.bottom)
        seen.add(slot.querySelector('[data-entry]').getAttribute('data-entry'));
    const [first, last] = [drawn[0], drawn.at(-1)];
    const isWhole = drawn.every(({ at }, index) => at === first.at + index);
    const isCovered = first && (first.at === 0 || first.box.top <= room.top);
    const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
    const isFilled = last && (last.box.bottom >= room.bottom || isAtEnd);
    if (!isWhole || !isCovered || !isFilled)
      bare.push('frame ' + frames + ': rows ' + first?.at + ' to ' + last?.at + ' of ' + drawn.length);
    if (isAtEnd) {
      waits += 1;
      if (waits > 120) break;
    } else {
      waits = 0;
      scroller.scrollTop += scroller.clientHeight * 0.8;
    }
  }
  return { seen: [...seen], bare, frames };
})()`;
