import { getMemory, listMemories, storeBatch } from '@reverie/shared/contract/memories/memories';
import { seconds } from '@reverie/shared/testing/patience';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { closeVisit } from './browser.ts';
import { openWorld, type Running, type Settings, type World } from './world.ts';

/** A world for the tests of one file, and what most of them begin with. */
export interface Stage {
  readonly world: World;
  visit: World['visit'];
  /** A browser that is signed in as the owner and looks at `path`. */
  signedInAt(path: string, ...options: Parameters<World['visit']>): Promise<Page>;
  /** The same at the memories of a namespace. */
  signedIn(namespace: string, ...options: Parameters<World['visit']>): Promise<Page>;
  store(namespace: string, memories: Record<string, string>): Promise<unknown>;
  stored(namespace: string, key: string): Promise<{ value: string }>;
  count(namespace: string): Promise<number>;
}

/**
 * Opens a world before the tests of a `describe`, and closes it after them. After each test its pages are closed,
 * and no script error and nothing that the strict CSP had to block may have come up in them.
 */
export function setStage(settings: Settings = {}, running: Running = 'in-process'): Stage {
  let world: World | undefined;
  const pages: Page[] = [];
  const opened = () => {
    if (!world) throw new Error('There is a world only inside of tests');
    return world;
  };
  beforeAll(async () => {
    world = await openWorld(settings, running);
  });
  afterAll(async () => world?.close());
  afterEach(async ({ task }) => {
    const open = pages.splice(0);
    const shown = task.result?.state === 'fail' ? await Promise.all(open.map(shownBy)) : [];
    await Promise.all([...new Set(open.map((page) => page.context()))].map(closeVisit));
    const complaints = world?.complaints.splice(0) ?? [];
    // Told as one more error: the log of a run elsewhere is all that one has of it.
    if (shown.length > 0) throw new Error([...shown, ...complaints].join('\n\n'));
    expect(complaints).toEqual([]);
  });

  const visit = async (...options: Parameters<World['visit']>) => {
    const page = await opened().visit(...options);
    pages.push(page);
    return page;
  };
  const signedInAt = async (path: string, ...options: Parameters<World['visit']>) => {
    const page = await visit(...options);
    await signIn(page, await opened().ticketAddress(path));
    return page;
  };
  return {
    get world() {
      return opened();
    },
    visit,
    signedInAt,
    signedIn: (namespace, ...options) =>
      signedInAt(`/memories?namespace=${encodeURIComponent(namespace)}`, ...options),
    store: (namespace, memories) =>
      opened().daemon.call(storeBatch, {
        body: { items: Object.entries(memories).map(([key, text]) => ({ key, value: text, namespace })) },
      }),
    stored: (namespace, key) => opened().daemon.call(getMemory, { body: { namespace, key } }),
    count: async (namespace) =>
      (await opened().daemon.call(listMemories, { body: { namespace, limit: 1 } })).total,
  };
}

/** Opens an address that carries a ticket, until its session is kept: who reloads before that has no session. */
export async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const kept = () => page.evaluate<string | null>(`sessionStorage.getItem('${SESSION_PLACE}')`);
  await expect.poll(kept).not.toBeNull();
}

/** Where the page keeps the session of a tab. */
const SESSION_PLACE = 'reverie.session';

/** As much of a page as tells why a test failed at it, characters. */
const TOLD = 3_000;

/** What a page shows, as a screen reader would meet it. */
async function shownBy(page: Page): Promise<string> {
  const body = await page
    .locator('body')
    .ariaSnapshot({ timeout: seconds(5) })
    .catch((error: unknown) => String(error));
  return `${page.url().replace(/#.*/, '')} showed:\n${body.slice(0, TOLD)}`;
}

/** How wide the page is, which must not be wider than its window. */
export function pageWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
