import { describe, expect, test } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import { hasBrowser } from '../chromium.ts';
import { setStage } from '../stage.ts';

/** A page of prose, one of commands, one with the widest table, and one with pictures. */
const PAGES = [
  '/docs/guide',
  '/docs/guide/programs',
  '/docs/guide/command-line',
  '/docs/guide/dreams',
  '/docs/relay',
];

describe.runIf(hasBrowser)('the guide in a browser', () => {
  const stage = setStage();

  test.each(
    cases([
      { width: 380, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'light' },
    ] as const),
  )('is read at $width pixels, $colorScheme, by everybody', async ({ width, colorScheme }) => {
    const page = await stage.visit({ viewport: { width, height: 800 }, colorScheme });
    for (const at of cases(PAGES, 3)) {
      await page.goto(stage.world.daemon.origin + at, { waitUntil: 'networkidle' });
      const beyond = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      const paper = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      expect([at, beyond]).toEqual([at, 0]);
      expect([at, paper]).toEqual([at, colorScheme === 'dark' ? 'rgb(18, 18, 23)' : 'rgb(246, 243, 236)']);
      expect([at, await axeFindings(page)]).toEqual([at, []]);
    }
  });

  test('leads from page to page, and to a heading of another', async () => {
    const page = await stage.visit({ viewport: { width: 380, height: 800 } });
    await page.goto(`${stage.world.daemon.origin}/docs/guide`);
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Dreams' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dreams' }).waitFor();
    await page.locator('article').getByRole('link', { name: 'models' }).click();
    await page.waitForURL('**/docs/guide/models#a-model-for-dreams-alone');
    expect(await page.locator(':target').innerText()).toBe('A model for dreams alone');
  });

  test.each(
    cases([
      { width: 390, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark' },
    ] as const),
  )('has the reference beside it, at $width pixels, $colorScheme', async ({ width, colorScheme }) => {
    const page = await stage.visit({ viewport: { width, height: 800 }, colorScheme });
    await page.goto(`${stage.world.daemon.origin}/docs`);
    await page
      .getByRole('button', { name: /memory-set/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    expect(await page.title()).toBe('API reference · Reverie');
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`,
      );
    const paper = colorScheme === 'dark' ? 'rgb(18, 18, 23)' : 'rgb(246, 243, 236)';
    expect(await styleOf('html', 'background-color')).toBe(paper);
    expect(await styleOf('.swagger-ui .info .title', 'font-family')).toMatch(/^"Newsreader/);
    expect(await styleOf('.swagger-ui .opblock.is-open', 'background-color')).toBe(
      colorScheme === 'dark' ? 'rgb(29, 29, 38)' : 'rgb(255, 255, 255)',
    );
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.waitForURL('**/docs/guide');
  });
});
