import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { theBrowser } from '../browser.ts';
import { openWorld } from '../world.ts';
import { furnish, furnishOne } from './furnish.ts';

/**
 * Pictures of every view of the page over a home as a person has one, for a look at all of them:
 * `node e2e/pictures/pictures.ts --out DIR [--only memories,today] [--theme light|dark] [--size 1440|390|380|1024]
 * [--home full|one|empty]`.
 */
const { values: asked } = parseArgs({
  options: {
    out: { type: 'string', default: '/tmp/pictures' },
    only: { type: 'string' },
    theme: { type: 'string' },
    size: { type: 'string' },
    home: { type: 'string' },
  },
});

const SIZES = {
  '1440': { width: 1440, height: 900 },
  '1024': { width: 1024, height: 768 },
  '390': { width: 390, height: 844 },
  '380': { width: 380, height: 560 },
} as const;

/** Names of pictures and the addresses that they are of. */
const VIEWS: Readonly<Record<string, string>> = {
  today: '/',
  memories: '/memories?namespace=work',
  reading: '/memories?namespace=work&key=runbooks%2Frotate-signing-key',
  editing: '/memories?namespace=work&key=runbooks%2Fdeploy&mode=edit',
  history: '/memories?namespace=work&key=runbooks%2Fdeploy&mode=history',
  writing: '/memories?namespace=work&mode=new',
  one: '/memories?namespace=work&key=spare-key',
  search: '/memories?namespace=work&q=when%20do%20we%20deploy',
  elsewhere: '/memories?namespace=work&q=elderbery%20syrup',
  trash: '/memories?namespace=work&mode=trash',
  ask: '/ask?namespace=work&q=when%20do%20we%20deploy%3F',
  map: '/map?namespace=work',
  dreams: '/dreams?namespace=work',
  disagree: '/dreams?namespace=work&strategy=contradict',
  twice: '/dreams?namespace=*&strategy=refine',
  keeps: '/dreams?namespace=work&strategy=pattern',
  together: '/dreams?namespace=work&strategy=connect',
  decided: '/dreams?namespace=work&status=accepted',
  health: '/dreams?namespace=work&panel=health',
  inbox: '/inbox',
  connections: '/connections',
  settings: '/settings',
  devices: '/sync',
  folders: '/folders',
  agents: '/agents',
  webhooks: '/webhooks',
  events: '/events',
  models: '/models',
  keys: '/keys',
  accounts: '/accounts',
  status: '/status',
  'tray-recent': '/tray?tab=recent',
  'tray-review': '/tray?tab=review',
  'tray-inbox': '/tray?tab=inbox',
  'tray-activity': '/tray?tab=activity',
};

async function main(): Promise<void> {
  mkdirSync(asked.out, { recursive: true });
  for (const home of ['full', 'one', 'empty']) {
    if (asked.home !== undefined && asked.home !== home) continue;
    const world = await openWorld();
    try {
      if (home === 'full') await furnish(world.daemon.call);
      if (home === 'one') await furnishOne(world.daemon.call);
      for (const [size, viewport] of Object.entries(SIZES))
        for (const colorScheme of ['light', 'dark'] as const) {
          if (asked.size !== undefined ? asked.size !== size : size === '1024') continue;
          if (asked.theme !== undefined && asked.theme !== colorScheme) continue;
          const look: BrowserContextOptions = { viewport, colorScheme, hasTouch: viewport.width === 390 };
          const page = await world.visit(look);
          await page.goto(await world.ticketAddress());
          await page
            .getByRole('button', { name: /^(Menu|More)$/ })
            .first()
            .waitFor();
          for (const [name, path] of Object.entries(VIEWS)) {
            if (asked.only !== undefined && !asked.only.split(',').includes(name)) continue;
            await page.goto(`${world.daemon.origin}${path}`);
            await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
            // Fonts that were just fetched take a moment to be drawn.
            await page.waitForTimeout(400);
            await page.screenshot({ path: join(asked.out, `${name}-${size}-${colorScheme}-${home}.png`) });
          }
          await page.context().close();
        }
      for (const complaint of world.complaints) process.stdout.write(`${complaint.slice(0, 300)}\n`);
    } finally {
      await world.close();
    }
  }
  await (await theBrowser()).close();
}

if (import.meta.main) await main();
