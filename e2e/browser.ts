import { seconds } from '@reverie/shared/testing/patience';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { CHROMIUM } from './chromium.ts';

/** How long something may take to show up in a page, ms: as long as what is polled. */
const PATIENCE = seconds(13);

/** Browser sessions of one world. */
export interface Visits {
  /** Opens a page in a browser session that knows nothing of those before it. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

let launched: Promise<Browser> | undefined;

/** The browser of this test process, which ends with it. */
export async function theBrowser(): Promise<Browser> {
  if (launched && !(await launched).isConnected()) launched = undefined;
  return (launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--process-per-site'],
  }));
}

/** What can be changed in a context that is there; with other options it has to be a new one. */
type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme'>;

/**
 * The context that one visit after the other has, emptied between them: a page of a new context fetches and compiles all of its code again,
 * which takes three times as long as to open it.
 */
let kept: BrowserContext | undefined;
let isTaken = false;
/** Stays open, so that the process of the site, which has compiled the page's code, outlives a visit. */
let parked: Page | undefined;

/** Opens visits, each with `listen` on its page. */
export function openVisits(listen: (page: Page) => void): Visits {
  const contexts = new Set<BrowserContext>();
  return {
    visit: async ({ viewport, colorScheme, ...rest } = {}) => {
      const look: Look = { ...(viewport !== undefined && { viewport }), ...(colorScheme && { colorScheme }) };
      const page = await (isTaken || Object.keys(rest).length > 0
        ? newPage({ ...rest, ...look })
        : nextPage(look));
      contexts.add(page.context());
      listen(page);
      return page;
    },
    close: async () => {
      await Promise.all([...contexts].map(closeVisit));
    },
  };
}

/** Ends a visit: the next one finds nothing that it stored. */
export async function closeVisit(context: BrowserContext): Promise<void> {
  if (context !== kept) return context.close();
  if (!isTaken) return;
  const pages = context.pages().filter((page) => page !== parked);
  const origins = new Set(pages.flatMap((page) => /^https?:\/\/[^/]+/.exec(page.url()) ?? []));
  // Before its pages are gone: with the last one of a site its process would end.
  const [first] = origins;
  if (first !== undefined) parked ??= await park(context, first);
  await Promise.all(pages.map((page) => page.close()));
  if (parked) for (const origin of origins) await emptyStorage(parked, origin);
  await context.clearCookies();
  await context.clearPermissions();
  isTaken = false;
}

async function park(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage();
  // Where no server is any more the page says so, and is one of the site all the same.
  await page.goto(`${origin}/healthz`).catch(() => undefined);
  return page;
}

/** Empties what an origin has stored, however its pages stand: some are on their way elsewhere, some have no server any more. */
async function emptyStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  });
  await session.detach();
}

async function nextPage({ viewport, colorScheme = 'light' }: Look): Promise<Page> {
  isTaken = true;
  if (!kept || !kept.browser()?.isConnected()) kept = await newContext({});
  const page = await kept.newPage();
  await page.emulateMedia({ colorScheme });
  if (viewport) await page.setViewportSize(viewport);
  return page;
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  return (await newContext(options)).newPage();
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const browser = await theBrowser();
  // Without motion nothing is half faded in when it is looked at.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE);
  context.on('close', () => {
    if (context === kept) [kept, isTaken, parked] = [undefined, false, undefined];
  });
  return context;
}
