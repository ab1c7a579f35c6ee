import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addFolder } from '@reverie/shared/contract/memories/folders';
import { memoryHistory } from '@reverie/shared/contract/memories/history';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { deleteMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { seconds } from '@reverie/shared/testing/patience';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, detail, openMemory, rows, value, write } from '../pages/memories.ts';
import { pasteKey, waitForSessionScreen } from '../pages/session.ts';
import { offered, rewrite, saved, sheet, toEnd } from '../pages/writing.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const NOTE = `# Deploy days

We **ship** on Thursdays, with care.

## Steps

- Freeze deploys
- Make the key
- [ ] Tell everybody

The end.
`;

// Without Chromium there is nothing to drive; the pure parts are tested beside their files.
describe.skipIf(!hasBrowser)('a memory is written where it is read', () => {
  const stage = setStage();
  const words = async (namespace: string, key: string) => (await stage.stored(namespace, key)).value;
  const editing = (namespace: string, key: string) =>
    stage.signedInAt(`/memories?${new URLSearchParams({ namespace, key, mode: 'edit' }).toString()}`);
  /** The same page once more, in the session of the first. */
  const nextTab = async (page: Page) => {
    const other = await page.context().newPage();
    await other.goto(
      await stage.world.ticketAddress(new URL(page.url()).pathname + new URL(page.url()).search),
    );
    return other;
  };

  test('a click writes at that place, nothing moves, and it is saved by itself as one version', async () => {
    await stage.store('place', { deploy: NOTE });
    const page = await stage.signedIn('place');
    await openMemory(page, 'deploy');
    // Laid out: its source, which may stand there before, is no list.
    const read = value(page).getByRole('listitem').filter({ hasText: 'Freeze deploys' });
    const before = await read.boundingBox();
    await read.click({ position: { x: 20, y: 8 } });
    await sheet(page).waitFor();
    const written = page.locator('.cm-line', { hasText: 'Freeze deploys' });
    // What is clicked stays where it is: a line has some room around its letters.
    await expect
      .poll(async () => Math.abs(((await written.boundingBox())?.y ?? 0) - (before?.y ?? 0)))
      .toBeLessThan(6);
    await page.keyboard.press('End');
    await page.keyboard.type(' first');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Second');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await value(page).getByText('Freeze deploys first').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('ARTICLE');
    await expect
      .poll(() => words('place', 'deploy'))
      .toBe(NOTE.replace('- Freeze deploys', '- Freeze deploys first\n- Second'));
    const query = { namespace: 'place', key: 'deploy' };
    expect((await stage.world.daemon.call(memoryHistory, { query })).versions).toHaveLength(2);
    // Enter on what is read goes on writing; nothing that was typed is left behind in the browser.
    await page.keyboard.press('Enter');
    await sheet(page).waitFor();
    expect(await page.evaluate(`Object.keys(localStorage).filter((key) => key.includes('draft'))`)).toEqual(
      [],
    );
  });

  test('keys make what people expect of them, links and blocks are offered, and Tab is no trap', async () => {
    await stage.store('keys', { one: 'A note', 'plans/boiler': '# The boiler\n\nServiced in May.' });
    const page = await editing('keys', 'one');
    await rewrite(page, 'bold');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+i');
    await page.keyboard.press('Control+i');
    await toEnd(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('- [ ] one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two [[boil');
    await offered(page, /The boiler/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/q');
    await offered(page, /Quote/).waitFor();
    // What is offered is taken also where Enter follows at once.
    await page.keyboard.type('uo');
    await page.keyboard.press('Enter');
    await page.keyboard.type('said ');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('so');
    const text = '**bold**\n- [ ] one\n- [ ] two [[plans/boiler]]\n> said [so]()';
    await page.keyboard.press('Control+s');
    await saved(page).waitFor();
    expect(await words('keys', 'one')).toBe(text);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Done');
    await page.keyboard.press('Enter');
    await value(page)
      .getByRole('link', { name: /boiler/ })
      .waitFor();
    await page.keyboard.press('e');
    await page.locator('.cm-box').first().click();
    await saved(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Escape');
    await expect.poll(() => words('keys', 'one')).toContain('- [x] one');
  });

  test('two tabs and a file editor write in one note, and no word of anybody is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reverie-written-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'plan.md');
    const begun = '# Plan\n\nThe first part.\n\nThe second part.\n\nThe third part.\n';
    writeFileSync(file, begun);
    await stage.world.daemon.call(addFolder, {
      body: { path: folder, namespace: 'shared-note', sync: 'both' },
    });
    await expect.poll(() => stage.count('shared-note')).toBe(1);
    const one = await editing('shared-note', 'plan.md');
    await sheet(one).waitFor();
    const two = await nextTab(one);
    await sheet(two).waitFor();
    const typeAt = async (page: Page, line: string, text: string) => {
      await page.bringToFront();
      await page.locator('.cm-line', { hasText: line }).click();
      await page.keyboard.press('End');
      await page.keyboard.type(text);
    };
    await typeAt(one, 'The first', ' ONE');
    await typeAt(two, 'The third', ' TWO');
    await two.keyboard.press('Control+s');
    await saved(two).waitFor();
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('TWO');
    writeFileSync(file, readFileSync(file, 'utf8').replace('The second part.', 'The second part. FILE'));
    await expect.poll(() => words('shared-note', 'plan.md')).toContain('FILE');
    await one.bringToFront();
    await typeAt(one, 'The first', ' MORE');
    // Where it went to another line, that is what failed, and not what two texts are made into.
    expect(await sheet(one).innerText()).toContain('The first part. ONE MORE');
    await one.keyboard.press('Control+s');
    await saved(one).waitFor();
    const all = begun
      .replace('first part.', 'first part. ONE MORE')
      .replace('second part.', 'second part. FILE')
      .replace('third part.', 'third part. TWO');
    await expect.poll(() => words('shared-note', 'plan.md')).toBe(all);
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(all);
    await expect.poll(() => sheet(one).innerText()).toContain('TWO');
    await two.bringToFront();
    await expect.poll(() => sheet(two).innerText()).toContain('ONE MORE');
  });

  test('what was changed elsewhere in the same place is a choice, and both can be kept', async () => {
    await stage.store('clash', { both: 'old', mine: 'old', theirs: 'old', gone: 'old' });
    for (const [key, answer, left] of [
      ['both', 'Keep both', 'my words\ntheir words'],
      ['mine', 'Keep mine', 'my words'],
      ['theirs', 'Take theirs', 'their words'],
      ['gone', 'Store mine again', 'my words'],
    ] as const) {
      const page = await editing('clash', key);
      await sheet(page).waitFor();
      await rewrite(page, 'my words');
      const at = { namespace: 'clash', key };
      if (key === 'gone') await stage.world.daemon.call(deleteMemory, { body: at });
      else await stage.world.daemon.call(setMemory, { body: { ...at, value: 'their words' } });
      await page.getByText('Not saved: choose above').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await button(page, answer).click();
      await saved(page).waitFor();
      await expect.poll(() => words('clash', key)).toBe(left);
      await expect.poll(() => sheet(page).innerText()).toBe(left);
    }
  });

  test('a new memory begins with its text; it is stored when one leaves it, and can be thrown away', async () => {
    await stage.store('capture', { other: 'Another note' });
    const page = await stage.signedIn('capture');
    await rows(page, 'Another note').waitFor();
    await page.keyboard.press('n');
    await sheet(page).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Text');
    await page.keyboard.type('The boiler wants water');
    await expect
      .poll(() => page.getByLabel('Key', { exact: true }).getAttribute('placeholder'))
      .toBe('the-boiler-wants-water');
    expect(await axeFindings(page)).toEqual([]);
    await openMemory(page, 'other');
    await expect
      .poll(() => words('capture', 'the-boiler-wants-water').catch(() => ''))
      .toBe('The boiler wants water');
    await rows(page, 'The boiler wants water').waitFor();

    await page.keyboard.press('n');
    await sheet(page).waitFor();
    await page.keyboard.type('Not this one');
    await button(page, 'Throw away').click();
    await button(page, 'Undo').click();
    await page.keyboard.press('n');
    await expect.poll(() => sheet(page).innerText()).toBe('Not this one');
    await page.getByLabel('Key', { exact: true }).fill('other');
    await write(page, {});
    await page.getByText('A memory with this key exists already').waitFor();
    expect(await words('capture', 'other')).toBe('Another note');
    await write(page, { key: 'kept' });
    await detail(page, 'kept').waitFor();
    expect(await stage.count('capture')).toBe(3);
    await page.keyboard.press('n');
    await sheet(page).waitFor();
    await page.keyboard.press('Escape');
    await sheet(page).waitFor({ state: 'detached' });
    expect(await stage.count('capture')).toBe(3);
  });

  test('a renamed note takes along what is written in it, and signing out throws away only what one lets go', async () => {
    await stage.store('leaving', { draft: 'old', clash: 'old' });
    const page = await editing('leaving', 'draft');
    await sheet(page).waitFor();
    await rewrite(page, 'Written and not stored yet');
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('dialog', { name: 'Rename this memory' }).getByLabel('Key').fill('plan');
    await page.keyboard.press('Enter');
    await detail(page, 'plan').waitFor();
    expect(await words('leaving', 'plan')).toBe('Written and not stored yet');

    // The list moves until the renamed note leads it: a click would meet another row.
    await expect.poll(() => rows(page).first().getAttribute('title')).toBe('plan');
    await openMemory(page, 'clash');
    await page.keyboard.press('e');
    // A slow hand would have saved before the others wrote.
    const theirs = Promise.withResolvers<void>();
    await page.route('**/v1/memory-set', async (route) => {
      await theirs.promise;
      await route.continue();
    });
    await rewrite(page, 'my words');
    const body = { namespace: 'leaving', key: 'clash', value: 'their words' };
    await stage.world.daemon.call(setMemory, { body });
    theirs.resolve();
    await page.getByText('Not saved: choose above').waitFor();
    await page.unrouteAll();
    await choose(page, 'Sign out');
    await page.getByText('You are still signed in').waitFor();
    expect(await sheet(page).innerText()).toBe('my words');
    await button(page, 'Sign out all the same').click();
    await waitForSessionScreen(page);
    expect(
      await page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.includes('draft'))`),
    ).toEqual([]);
    expect(await words('leaving', 'clash')).toBe('their words');
  });

  test('a new memory that is left while it is stored, and cannot be, says so and waits', async () => {
    await stage.store('refused', { other: 'Another note' });
    const page = await stage.signedIn('refused');
    await rows(page, 'Another note').waitFor();
    await page.keyboard.press('n');
    await sheet(page).waitFor();
    await page.keyboard.type('The boiler');
    let refuse = () => undefined as void;
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/v1/memory-set', async (route) => {
      await refused;
      const problem = { status: 400, code: 'invalid_request', title: 'Refused', detail: 'it was refused' };
      await route.fulfill({ status: 400, contentType: 'application/problem+json', json: problem });
    });
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type(' wants water');
    await openMemory(page, 'other');
    refuse();
    await page.getByText('What you wrote waits under New memory').waitFor();
    await page.unrouteAll();
    await page.keyboard.press('n');
    await expect.poll(() => sheet(page).innerText()).toBe('The boiler wants water');
  });

  test('what may only be read says so', async () => {
    await stage.store('read-only', { one: 'Only read' });
    const made = await stage.world.daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    const page = await stage.visit();
    await page.goto(`${stage.world.daemon.origin}/memories?namespace=read-only&key=one&mode=edit`);
    await waitForSessionScreen(page);
    await pasteKey(page, made.key);
    await page.getByText('the key that you signed in with allows no more').waitFor();
    expect(await sheet(page).count()).toBe(0);

    const folder = mkdtempSync(join(tmpdir(), 'reverie-read-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'a.md'), 'A file');
    await stage.world.daemon.call(addFolder, { body: { path: folder, namespace: 'files' } });
    await expect.poll(() => stage.count('files')).toBe(1);
    const other = await editing('files', 'a.md');
    await other.getByText(/which Reverie only reads/).waitFor();
    await value(other).getByText('A file').click();
    expect(await sheet(other).count()).toBe(0);
    expect(await axeFindings(other)).toEqual([]);
  });

  test('a finger writes at 390 px, and the line below covers nothing', async () => {
    const long = Array.from({ length: 60 }, (_, at) => `Line ${at} of a note.`).join('\n\n');
    await stage.store('narrow', { long, json: '{"a": [1, 2]}', log: 'x'.repeat(200_000) });
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await stage.signedInAt('/memories?namespace=narrow&key=long&mode=edit', {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        colorScheme,
      });
      await toEnd(page);
      await page.keyboard.type('!');
      const line = await button(page, 'Done').boundingBox();
      expect((line?.height ?? 0) >= 44).toBe(true);
      // The sheet scrolls to what was typed with the next frames.
      await expect
        .poll(() =>
          page.evaluate<number>(
            'getSelection().getRangeAt(0).getClientRects()[0]?.bottom ?? document.activeElement.getBoundingClientRect().bottom',
          ),
        )
        .toBeLessThanOrEqual(line?.y ?? 0);
      expect(await pageWidth(page)).toBe(390);
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'Done').tap();
      await value(page).waitFor();
    }
  });

  test(
    'JSON, code and a whole mebibyte open as what they are',
    async () => {
      const huge = `${'A line that is written, and goes on. '.repeat(28)}\n`.repeat(900);
      await stage.store('kinds', { json: '{"a":  [1, 2]}', endless: 'word '.repeat(60_000), huge });
      for (const key of ['json', 'endless', 'huge']) {
        const page = await editing('kinds', key);
        const before = await words('kinds', key);
        await toEnd(page);
        await page.keyboard.type(' ');
        await page.keyboard.press('Control+s');
        await saved(page).waitFor();
        expect(await words('kinds', key)).toBe(`${before} `);
        await page.keyboard.press('Backspace');
        await page.keyboard.press('Escape');
        await expect.poll(() => words('kinds', key)).toBe(before);
      }
    },
    seconds(60),
  );
});
