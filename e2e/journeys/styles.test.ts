import { sendMessage } from '@reverie/shared/contract/inbox';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../world.ts';

const VIEWS = [
  '/',
  '/memories?namespace=work',
  '/memories?namespace=work&key=runbooks%2Fdeploy',
  '/memories?namespace=work&key=runbooks%2Fdeploy&mode=edit',
  '/memories?namespace=work&q=deploy',
  '/ask?namespace=work&q=When%20do%20we%20deploy%3F',
  '/map?namespace=work',
  '/dreams?namespace=work',
  '/inbox',
  '/sync',
  '/folders',
  '/agents',
  '/webhooks',
  '/events',
  '/models',
  '/keys',
  '/accounts',
  '/status',
  '/tray',
];

/** The sizes of the page, in pixels (docs/decisions/0037). A note has its own, which follow its text; code follows its line. */
const SCALE = [12, 13, 14, 16, 20, 28];
/** No text anywhere is smaller than this. */
const SMALLEST = 12;
/** The smallest target of a pointer (WCAG 2.2, 2.5.8), and of a finger (2.5.5). */
const TARGET = { pointer: 24, touch: 44 };

const NOTE = `# Deploy

We deploy on **Thursdays** at 14:00, never on Fridays; see [[runbooks/rotate]] and \`deploy --canary\`. The canary holds at five percent, \
and whoever deploys watches the queue of refunds until it is empty again.

## Steps

1. Announce in #release
2. Wait

> Call Mira if it fails.

| Where | Command |
| --- | --- |
| staging | \`verify\` |
`;

interface Found {
  /** What is wrong, with the words that it is about. */
  sizes: string[];
  controls: string[];
  reading: { size: number; line: number; characters: number }[];
}

/** Runs in the page: every text that is seen with its computed size, every control with its height, and the paragraphs of a note. */
const LOOK = `((scale, smallest, tall) => {
  const isSeen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = { sizes: [], controls: [], reading: [] };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    const words = text.data.trim();
    if (words === '' || !isSeen(one) || one.closest('.sr-only, script, style, option')) continue;
    const { width, height } = one.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    const hasOwn = one.closest('code, pre, kbd, [data-print]') !== null;
    if (hasOwn ? size < smallest - 0.05 : !scale.some((step) => Math.abs(step - size) < 0.05))
      found.sizes.push(size.toFixed(1) + ' px: ' + words.slice(0, 40));
  }
  const controls = 'button, select, textarea, input:not([type=checkbox], [type=radio], [type=range]), [role=tab]';
  for (const one of document.querySelectorAll(controls)) {
    if (!isSeen(one) || one.closest('.sr-only')) continue;
    const { width, height } = one.getBoundingClientRect();
    // What stands inside a line or another control is pressed there.
    if (width <= 1 || getComputedStyle(one).display === 'inline') continue;
    if (height < tall - 0.5) found.controls.push(height.toFixed(0) + ' px: ' + (one.getAttribute('aria-label') ?? one.innerText ?? one.name).slice(0, 40));
  }
  for (const one of document.querySelectorAll('[data-print] p')) {
    const style = getComputedStyle(one);
    const size = parseFloat(style.fontSize);
    const probe = document.createElement('span');
    probe.textContent = '0';
    one.append(probe);
    const characters = one.getBoundingClientRect().width / probe.getBoundingClientRect().width;
    probe.remove();
    found.reading.push({ size, line: parseFloat(style.lineHeight), characters });
  }
  return found;
})`;

describe.skipIf(!hasBrowser)('type, controls and contrast, as they are drawn', () => {
  const stage = setStage();

  beforeAll(async () => {
    await stage.store('work', {
      'runbooks/deploy': NOTE,
      'payments-1': 'The payments API listens on port 8443.',
      'payments-2': 'The payments API listens on port 9443.',
    });
    await stage.world.daemon.call(sendMessage, {
      params: { namespace: 'work' },
      body: { from: 'Grace', kind: 'note', payload: { text: 'Halden asked again.' } },
    });
    await stage.world.reverie('dream', '--namespace', 'work');
  });

  const look = (page: Page, tall: number) =>
    page.evaluate<Found>(`${LOOK}(${JSON.stringify(SCALE)}, ${SMALLEST}, ${tall})`);

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(`${stage.world.daemon.origin}${path}`);
    await page.getByRole('heading').first().waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    if (path.includes('key=') && !path.includes('mode'))
      await page.locator('[data-print] p').first().waitFor();
    await page.evaluate('document.fonts.ready');
  }

  test.each([
    { width: 1440, height: 900, colorScheme: 'light', hasTouch: false },
    { width: 1440, height: 900, colorScheme: 'dark', hasTouch: false },
    { width: 390, height: 844, colorScheme: 'light', hasTouch: true },
    { width: 380, height: 560, colorScheme: 'dark', hasTouch: false },
  ] as const)(
    'hold on every view at $width × $height, $colorScheme, touch: $hasTouch',
    async ({ width, height, colorScheme, hasTouch }) => {
      const page = await stage.signedInAt('/', { viewport: { width, height }, colorScheme, hasTouch });
      await page.getByRole('heading').first().waitFor();
      for (const path of VIEWS) {
        await open(page, path);
        const { sizes, controls, reading } = await look(page, hasTouch ? TARGET.touch : TARGET.pointer);
        expect.soft([path, sizes]).toEqual([path, []]);
        expect.soft([path, controls]).toEqual([path, []]);
        for (const paragraph of reading) {
          expect.soft(paragraph.size).toBeGreaterThanOrEqual(16);
          expect.soft(paragraph.line / paragraph.size).toBeGreaterThanOrEqual(1.6);
          expect.soft(paragraph.characters).toBeLessThanOrEqual(68.5);
        }
        // Its rules compose backgrounds and measure contrast: 4.5, and 3 for large text.
        expect.soft([path, await axeFindings(page)]).toEqual([path, []]);
      }
    },
  );

  test('are seen where they do not hold', async () => {
    const page = await stage.signedInAt('/memories?namespace=work&key=runbooks%2Fdeploy');
    await page.getByRole('heading', { name: 'Steps' }).waitFor();
    await page.evaluate(`(() => {
      const note = document.querySelector('[data-print] p');
      note.style.fontSize = '11px';
      note.style.color = 'rgb(200 200 200)';
      document.querySelector('button').style.cssText = 'height: 20px; min-block-size: 0; padding: 0';
    })()`);
    // Without motion a change of style still takes a frame.
    await expect
      .poll(async () => (await look(page, TARGET.pointer)).sizes)
      .toContainEqual(expect.stringContaining('11.0 px: We deploy on'));
    const { controls, reading } = await look(page, TARGET.pointer);
    expect(controls).not.toEqual([]);
    expect(reading[0]?.size).toBe(11);
    expect(await axeFindings(page)).toContainEqual(expect.stringContaining('color-contrast'));
  });
});
