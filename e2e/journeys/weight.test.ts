import { gzipSync } from 'node:zlib';
import type { Locator, Page, Response } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { setStage, signIn } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/**
 * What the first view may weigh on its way, in bytes (gzip; a browser gets a seventh less, by Brotli), without fonts and data, and in how many
 * requests it may come, those to the interface and for the ticket among them: until the browser is idle, when what is likely next is fetched.
 * 200,000 are aimed at with fonts and all: react-dom alone takes 60,000 of it, the two fonts 106,000.
 */
const MOST_TEXT = 208_000;
const MOST_FONTS = 110_000;
const MOST_REQUESTS = 12;
/** What a reload may move of what was seen already, as browsers count it. */
const MOST_SHIFT = 0.01;

describe.skipIf(!hasBrowser)('the weight of the first view', () => {
  const stage = setStage();

  /** All that is fetched until the first view stands there with its fonts. */
  async function firstView(page: Page): Promise<Response[]> {
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    // What is fetched a second after the page is no part of it, and on a slow machine would come while it is still drawn.
    await page.addInitScript(
      'const later = window.setTimeout; window.setTimeout = (run, ms, ...args) => ms === 1000 ? 0 : later(run, ms, ...args);',
    );
    await page.goto(await stage.world.ticketAddress());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('document.fonts.ready');
    await page.getByRole('region', { name: 'Since yesterday' }).waitFor();
    return responses;
  }

  const isOfInterface = (response: Response) => new URL(response.url()).pathname.startsWith('/v1/');

  test('it comes in few requests, compressed, and weighs little', async () => {
    await stage.store('work', { deploy: '# Deploy days\n\nWe deploy on Thursdays.' });
    const page = await stage.visit();
    const all = await firstView(page);
    expect(all.filter(isOfInterface).map((response) => new URL(response.url()).pathname)).toEqual([
      '/v1/tickets/redeem',
      '/v1/today',
    ]);
    expect(all.length).toBeLessThanOrEqual(MOST_REQUESTS);
    const parts = await Promise.all(
      all
        .filter((response) => !isOfInterface(response))
        .map(async (response) => {
          const body = await response.body();
          const { pathname } = new URL(response.url());
          const isFont = pathname.endsWith('.woff2');
          return {
            pathname,
            encoding: response.headers()['content-encoding'],
            isFont,
            bytes: isFont ? body.length : gzipSync(body).length,
            full: body.length,
          };
        }),
    );
    const told = JSON.stringify(parts, undefined, 1);
    for (const { isFont, full, encoding } of parts)
      if (!isFont && full > 1_000) expect(encoding, told).toMatch(/^(br|gzip)$/);
    const weigh = (fonts: boolean) =>
      parts.filter(({ isFont }) => isFont === fonts).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(weigh(false), told).toBeLessThanOrEqual(MOST_TEXT);
    expect(weigh(true), told).toBeLessThanOrEqual(MOST_FONTS);
  });

  test('what is likely next comes one after the other once the browser is idle, the rest when one points at it', async () => {
    const page = await stage.signedInAt('/');
    const parts = () =>
      page.evaluate<{ name: string; from: number; to: number }[]>(
        `performance.getEntriesByType('resource').filter(({ name }) => /(Page|Field|PageMenu)-[\\w-]+\\.js$/.test(name))
          .map(({ name, startTime, responseEnd }) => ({ name: /(\\w+)-[\\w-]+\\.js$/.exec(name)[1], from: startTime, to: responseEnd }))`,
      );
    const names = async () => (await parts()).map(({ name }) => name);
    await expect.poll(names).toEqual(['MemoriesPage', 'AskPage', 'Field', 'PageMenu']);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Connections' }).hover();
    await expect.poll(names).toContain('ConnectionsPage');
  });

  test('nothing moves while it comes, in the views one is in most, the first time and again', async () => {
    await stage.store('home', {
      boiler: 'The boiler is serviced in May.',
      lease: '# The lease\n\nIt ends on 30 April.\n\nThe deposit is three rents.',
    });
    const page = await stage.visit({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(`(() => {
      window.moved = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
      }).observe({ type: 'layout-shift', buffered: true });
    })()`);
    await signIn(page, await stage.world.ticketAddress());
    const views: [path: string, shown: Locator][] = [
      ['/', page.getByRole('region', { name: 'Since yesterday' })],
      ['/memories?namespace=home', page.getByRole('option').filter({ hasText: 'boiler' })],
      ['/memories?namespace=home&key=lease', page.getByTestId('value').getByText('three rents')],
      ['/ask', page.getByRole('heading', { level: 1 })],
    ];
    for (const [path, shown] of views)
      for (const time of ['first', 'again']) {
        await page.goto(`${stage.world.daemon.origin}${path}`);
        await shown.first().waitFor();
        await page.waitForLoadState('networkidle');
        expect([path, time, await page.evaluate<number>('window.moved')]).toEqual([
          path,
          time,
          expect.toSatisfy((moved: number) => moved <= MOST_SHIFT),
        ]);
      }
  });
});
