import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/**
 * What the first view may weigh on its way, in bytes (gzip), and in how many requests it may come; data is not counted. 150,000 are
 * aimed at with fonts and all: react-dom alone takes 60,000 of it, the two fonts 106,000.
 */
const MOST_TEXT = 222_000;
const MOST_FONTS = 110_000;
const MOST_REQUESTS = 8;

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
    return responses.filter((response) => !new URL(response.url()).pathname.startsWith('/v1/'));
  }

  test('it comes in few requests, compressed, and weighs little', async () => {
    await stage.store('work', { deploy: '# Deploy days\n\nWe deploy on Thursdays.' });
    const page = await stage.visit();
    const parts = await Promise.all(
      (await firstView(page)).map(async (response) => {
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
    expect(parts.length, told).toBeLessThanOrEqual(MOST_REQUESTS);
    const weigh = (fonts: boolean) =>
      parts.filter(({ isFont }) => isFont === fonts).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(weigh(false), told).toBeLessThanOrEqual(MOST_TEXT);
    expect(weigh(true), told).toBeLessThanOrEqual(MOST_FONTS);
  });
});
