import { createKey } from '@reverie/shared/contract/accounts/keys';
import { deleteMemory, setMemory, changeNamespace } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { choose, openMemory, rows, value } from '../pages/memories.ts';
import { pasteKey, waitForSessionScreen } from '../pages/session.ts';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** All that this browser keeps of what the page showed, as text. */
function kept(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('reverie.last-seen');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      if (!db.objectStoreNames.contains('seen')) return resolve('');
      const asking = db.transaction('seen').objectStore('seen').getAll();
      asking.onerror = () => reject(asking.error);
      asking.onsuccess = () => { db.close(); resolve(JSON.stringify(asking.result)); };
    };
  })`);
}

/** Holds back what the daemon answers to what is shown, until `release`. */
async function holdBack(page: Page): Promise<() => Promise<void>> {
  const waiting: (() => void)[] = [];
  let isOver = false;
  await page.route(/\/v1\/(today|memory-list|memory-get)/, async (route) => {
    if (!isOver) await new Promise<void>((go) => waiting.push(go));
    await route.fallback();
  });
  return async () => {
    isOver = true;
    for (const go of waiting) go();
    await page.unroute(/\/v1\/(today|memory-list|memory-get)/);
  };
}

describe.skipIf(!hasBrowser)('what was seen last', () => {
  const stage = setStage();

  test('stands there before the daemon answers, and then as it is now', async () => {
    await stage.store('home', {
      boiler: 'The boiler is serviced in May.',
      key: 'The key hangs in the hall.',
    });
    const page = await stage.signedIn('home');
    await openMemory(page, 'boiler');
    await expect.poll(() => kept(page)).toContain('hangs in the hall');
    // Nobody is told by an event what is deleted while no page is open.
    await page.goto('about:blank');
    await stage.world.daemon.call(deleteMemory, { body: { namespace: 'home', key: 'key' } });
    const release = await holdBack(page);
    await page.goto(`${stage.world.daemon.origin}/memories?namespace=home&key=boiler`);
    await rows(page, 'hangs in the hall').waitFor();
    await value(page).getByText('serviced in May').waitFor();
    await release();
    await rows(page, 'hangs in the hall').waitFor({ state: 'detached' });
    await rows(page, 'serviced in May').waitFor();
    await expect.poll(() => kept(page)).toContain('serviced in May');
    expect(await kept(page)).not.toContain('hangs in the hall');
  });

  test('is nothing of what was deleted, changed, or is kept from all models', async () => {
    const { daemon } = stage.world;
    await stage.store('work', { plan: 'The plan is cobalt.', port: 'The port is 8443.' });
    await stage.store('diary', { secret: 'The word is bergamot.' });
    await daemon.call(changeNamespace, { params: { namespace: 'diary' }, body: { models: 'none' } });
    const page = await stage.signedInAt('/memories?namespace=*');
    await rows(page, 'bergamot').waitFor();
    await page.goto(`${daemon.origin}/memories?namespace=diary&key=secret`);
    await value(page).getByText('bergamot').waitFor();
    await page.goto(`${daemon.origin}/memories?namespace=work&key=plan`);
    await value(page).getByText('cobalt').waitFor();
    await expect.poll(() => kept(page)).toMatch(/cobalt.*8443|8443.*cobalt/);
    expect(await kept(page)).not.toMatch(/bergamot|diary/);
    // Elsewhere on the page, where nothing of it is on the screen.
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Ask' }).click();
    await page.waitForURL(/\/ask/);
    await daemon.call(deleteMemory, { body: { namespace: 'work', key: 'plan' } });
    await expect.poll(() => kept(page)).not.toContain('cobalt');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Memories' }).click();
    await expect.poll(() => kept(page)).toContain('8443');
    await daemon.call(setMemory, { body: { namespace: 'work', key: 'port', value: 'The port is 9443.' } });
    await expect.poll(() => kept(page)).toContain('9443');
    expect(await kept(page)).not.toContain('8443');
    // What becomes private leaves with the next answer that says so.
    await daemon.call(changeNamespace, { params: { namespace: 'work' }, body: { models: 'none' } });
    await page.reload();
    await rows(page, '9443').waitFor();
    await expect.poll(() => kept(page)).not.toContain('9443');
  });

  test('is gone when one signs out, and where another key is used', async () => {
    await stage.store('lyon', { hotel: 'The hotel is in Rue Mercière.' });
    const first = await stage.signedIn('lyon');
    await rows(first, 'Rue Mercière').waitFor();
    await expect.poll(() => kept(first)).toContain('Rue Mercière');
    await choose(first, 'Sign out');
    await waitForSessionScreen(first);
    await expect.poll(() => kept(first)).toBe('[]');

    await first.goto(await stage.world.ticketAddress('/memories?namespace=lyon'));
    await rows(first, 'Rue Mercière').waitFor();
    await expect.poll(() => kept(first)).toContain('Rue Mercière');
    // The tab is closed without signing out: its session ends with it, and what it saw stays for the same person.
    await first.evaluate('sessionStorage.clear()');
    await first.goto(stage.world.daemon.origin);
    await waitForSessionScreen(first);
    const { key } = await stage.world.daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    await pasteKey(first, key);
    await first.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => kept(first)).toBe('[]');
    await first.goto(`${stage.world.daemon.origin}/memories?namespace=lyon`);
    await rows(first, 'Rue Mercière').waitFor();
    expect(await kept(first)).toBe('[]');
  });
});
