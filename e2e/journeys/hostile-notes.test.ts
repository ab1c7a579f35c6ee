import { setMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cases, deepTest, isDeep, runs } from '@reverie/shared/testing/depth';
import { seconds } from '@reverie/shared/testing/patience';
import { ELSEWHERE, hostileNotes, TRAP } from '../../app/web/ui/reading/testing/hostile-notes.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { button, detail, openMemory, rows, search, value } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** Waits until a note is laid out and drawn to its end. */
async function read(page: Page): Promise<void> {
  await value(page).locator('[data-print]').waitFor();
  await expect.poll(() => value(page).locator('[aria-busy=true]').count()).toBe(0);
}

describe.skipIf(!hasBrowser)('notes that somebody else wrote', () => {
  const stage = setStage();

  test('nothing of a hostile note runs, asks, leads away or fetches anything', async () => {
    // One of each kind, and all of them in the deep suite: they stand by kind.
    const stored = hostileNotes
      .filter((_, at) => isDeep || at % 6 === 0)
      .map(({ name, source }) => ({ key: name, value: source.toWellFormed() }));
    for (const { key, value: text } of stored)
      await stage.world.daemon.call(setMemory, { body: { namespace: 'hostile', key, value: text } });
    const page = await stage.signedIn('hostile');
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
    page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith(origin)) seen.push(`frame: ${frame.url()}`);
    });
    await rows(page).first().waitFor();
    for (const { key } of stored) {
      // One after the other in the same page, as a person reads them: loading it for each takes four times as long.
      const address = `/memories?${new URLSearchParams({ namespace: 'hostile', key }).toString()}`;
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
      await detail(page, key).waitFor();
      await read(page);
      // What runs only when it is touched: the pointer goes over all of it, and each link is in focus once.
      await value(page).hover();
      const links = value(page).locator('a');
      const count = Math.min(await links.count(), 12);
      for (let at = 0; at < count; at += 1) await links.nth(at).focus();
      const left = await page.evaluate<unknown[]>(
        `[typeof window.${TRAP}, typeof document.getElementById, document.cookie, document.querySelectorAll(
          'iframe, object, embed, form[action], base, meta[http-equiv], link[href*="elsewhere"], [onerror], [onload], [style*="fixed"]',
        ).length, location.origin]`,
      );
      expect([key, ...left, ...seen]).toEqual([key, 'undefined', 'function', '', 0, origin]);
      expect(stage.world.complaints).toEqual([]);
    }
  });

  test('what looks like a link goes where it says, in a window of its own, or is none', async () => {
    await stage.store('links', {
      rich: `[out](${ELSEWHERE}/a) [script](javascript:alert(1)) [[other]] [[elsewhere/plan|the plan]] ![x](${ELSEWHERE}/x.png)`,
      other: 'The other one',
    });
    await stage.store('elsewhere', { plan: 'The plan itself' });
    const page = await stage.signedIn('links');
    await openMemory(page, 'rich');
    const out = value(page).getByRole('link', { name: 'out' });
    expect(await out.getAttribute('href')).toBe(`${ELSEWHERE}/a`);
    expect(await out.getAttribute('target')).toBe('_blank');
    expect(await out.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await value(page).getByRole('link').allInnerTexts()).toEqual(['out', 'other', 'the plan', 'x']);
    expect(await value(page).locator('img').count()).toBe(0);
    await value(page).getByRole('link', { name: 'other' }).click();
    await value(page).filter({ hasText: 'The other one' }).waitFor();
    await page.goBack();
    await value(page).getByRole('link', { name: 'the plan' }).click();
    await value(page).filter({ hasText: 'The plan itself' }).waitFor();
    expect(new URL(page.url()).searchParams.get('namespace')).toBe('elsewhere');
  });
});

const RICH = `---
title: Rotate
---
# Rotate the signing key

Rotate every **90 days**[^1].

## Steps

1. Freeze deploys
2. Make the key

\`\`\`ts
const key = hsm.key('release');
\`\`\`

| Environment | Command | Expected | A wide column | Another wide column |
| --- | --- | --- | --- | --- |
| staging | verify | OK | ${'words '.repeat(20)} | ${'words '.repeat(20)} |

- [x] Revoke
- [ ] Tell

#### Background

The key never leaves the boiler room.

## Later

${'A paragraph that takes room.\n\n'.repeat(40)}

[^1]: With the auditors.
`;

describe.skipIf(!hasBrowser)('notes that are read', () => {
  const stage = setStage();

  test('Markdown is laid out, its source is one key away, and its outline leads through it', async () => {
    await stage.store('rich', { rich: RICH, other: 'nothing' });
    const page = await stage.signedIn('rich');
    await openMemory(page, 'rich');
    await read(page);
    const headings = value(page).getByRole('heading');
    expect(await headings.allInnerTexts()).toEqual([
      'Rotate the signing key',
      'Steps',
      'Background',
      'Later',
    ]);
    for (const [at, level] of [3, 4, 5, 4].entries())
      expect(await value(page).getByRole('heading', { level }).allInnerTexts()).toContain(
        await headings.nth(at).innerText(),
      );
    expect(await value(page).innerText()).not.toContain('title: Rotate');
    await value(page).locator('.hljs-keyword').first().waitFor();
    expect(await value(page).getByRole('img', { name: 'Done:' }).count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Outline').click();
    const outline = page.getByRole('navigation', { name: 'Outline' });
    await outline.getByRole('link', { name: 'Later' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Later');
    await outline.locator('[aria-current]').filter({ hasText: 'Later' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await value(page).getByRole('link', { name: 'Footnote 1' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('With the auditors');
    await page.keyboard.press('s');
    await value(page).filter({ hasText: 'title: Rotate' }).waitFor();
    await page.keyboard.press('s');
    await headings.first().waitFor();

    await search(page).fill('boiler room');
    await rows(page, 'boiler').click();
    await expect.poll(() => value(page).locator('mark').allInnerTexts()).toEqual(['boiler', 'room']);
  });

  deepTest('a narrow window scrolls a wide table and code by themselves, in both themes', async () => {
    await stage.store('narrow', { rich: RICH });
    for (const colorScheme of cases(['light', 'dark'] as const)) {
      const page = await stage.signedIn('narrow', { viewport: { width: 380, height: 560 }, colorScheme });
      await openMemory(page, 'rich');
      await read(page);
      await value(page).locator('.hljs-keyword').first().waitFor();
      expect(await pageWidth(page)).toBe(380);
      expect(await axeFindings(page)).toEqual([]);
    }
  });

  test('JSON, logs and text are shown as what they are', async () => {
    await stage.store('kinds', {
      json: '{"limits":{"rps":900},"id":12345678901234567890}',
      log: '2026-05-01T10:00:00 INFO started\n2026-05-01T10:00:01 WARN slow\n2026-05-01T10:00:02 ERROR gone',
      text: 'Herr Kern\nAm Markt 4\n20095 Hamburg',
    });
    const page = await stage.signedIn('kinds');
    await openMemory(page, 'json');
    expect(await value(page).locator('pre').innerText()).toBe(
      '{\n  "limits": {\n    "rps": 900\n  },\n  "id": 12345678901234567890\n}',
    );
    await openMemory(page, 'log');
    await value(page).locator('[data-mono=true]').waitFor();
    await openMemory(page, 'text');
    await expect.poll(() => value(page).innerText()).toBe('Herr Kern\nAm Markt 4\n20095 Hamburg');
  });

  deepTest(
    'a long note of Markdown holds up nothing, and is drawn to its end',
    async () => {
      const PARTS = runs(3_000, 9_000);
      const part =
        '## A part\n\nSome *prose* with `code`, [a link](https://x.test) and a list:\n\n- one\n- two\n\n';
      await stage.store('long', { rich: `${part.repeat(PARTS)}\n\nthe end` });
      const page = await stage.signedIn('long');
      await openMemory(page, 'rich');
      await read(page);
      await button(page, 'Show all').click();
      // 40,000 elements are drawn, in seconds where nobody else wants the processor.
      await value(page)
        .filter({ hasText: 'the end' })
        .waitFor({ timeout: seconds(40) });
      await read(page);
      // The first heading is the title of the memory, which stands above its text.
      expect(await value(page).locator('h3').count()).toBe(PARTS - 1);
    },
    seconds(90),
  );
});
