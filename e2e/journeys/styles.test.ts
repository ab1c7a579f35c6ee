import { sendMessage } from '@reverie/shared/contract/events/inbox';
import { beforeAll, describe, expect, test } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import { lookAt } from '../pages/look.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

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
  '/connections',
  '/settings',
  '/sync',
  '/folders',
  '/agents',
  '/sessions',
  '/sessions/sources',
  '/webhooks',
  '/events',
  '/models',
  '/keys',
  '/accounts',
  '/status',
  '/tray',
];

const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light', hasTouch: false },
  { width: 1440, height: 900, colorScheme: 'dark', hasTouch: false },
  { width: 390, height: 844, colorScheme: 'light', hasTouch: true },
  { width: 380, height: 560, colorScheme: 'dark', hasTouch: false },
] as const;

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

  const drawn = LOOKS.flatMap((look) => VIEWS.map((path) => ({ path, ...look })));
  // Most views are looked at by axe in a journey of their own, too.
  test.each(cases(drawn, 8))(
    'hold on $path at $width × $height, $colorScheme, touch: $hasTouch',
    async ({ path, width, height, colorScheme, hasTouch }) => {
      const page = await stage.signedInAt(path, { viewport: { width, height }, colorScheme, hasTouch });
      await page.getByRole('heading').first().waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      if (path.includes('key=') && !path.includes('mode'))
        await page.locator('[data-print] p').first().waitFor();
      await page.evaluate('document.fonts.ready');
      const { sizes, controls, reading } = await lookAt(page, hasTouch ? TARGET.touch : TARGET.pointer);
      expect.soft(sizes).toEqual([]);
      expect.soft(controls).toEqual([]);
      for (const paragraph of reading) {
        expect.soft(paragraph.size).toBeGreaterThanOrEqual(16);
        expect.soft(paragraph.line / paragraph.size).toBeGreaterThanOrEqual(1.6);
        expect.soft(paragraph.characters).toBeLessThanOrEqual(68.5);
      }
      // Its rules compose backgrounds and measure contrast: 4.5, and 3 for large text.
      expect.soft(await axeFindings(page)).toEqual([]);
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
      .poll(async () => (await lookAt(page, TARGET.pointer)).sizes)
      .toContainEqual(expect.stringContaining('11.0 px: We deploy on'));
    const { controls, reading } = await lookAt(page, TARGET.pointer);
    expect(controls).not.toEqual([]);
    expect(reading[0]?.size).toBe(11);
    expect(await axeFindings(page)).toContainEqual(expect.stringContaining('color-contrast'));
  });
});
