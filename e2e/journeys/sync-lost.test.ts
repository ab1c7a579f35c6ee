import { createClient, type Client } from '@reverie/shared/client';
import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { claimPairingCode } from '@reverie/shared/contract/relay/relay';
import { leaveRoom, listRooms, openRoom } from '@reverie/shared/contract/relay/relay-rooms';
import { linkDevice, syncStatus } from '@reverie/shared/contract/sync/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { seconds } from '@reverie/shared/testing/patience';
import { type RelayProcess, spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** As long as a name may be, without a place to break it. */
const LONG = `n${'a'.repeat(127)}`;

// Told in order: the last decides about what the others look at.
describe.skipIf(!hasBrowser)('namespaces that left sync, in the page', { shuffle: false }, () => {
  const stage = setStage();
  const { home, remove } = temporaryHome();
  let relay: RelayProcess;
  /** The relay as another device of the account sees it. */
  let phone: Client;

  const told = (isSo: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: seconds(60), interval: 50 });

  beforeAll(async () => {
    relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn' });
    const origin = await relay.ready;
    const { call } = stage.world.daemon;
    for (const name of ['diary', 'team', LONG]) await stage.store(name, { [`note of ${name}`]: 'Mine' });
    await call(linkDevice, { body: { relay: origin, email: 'ada@example.org', name: 'laptop' } });
    await told(async () => (await call(syncStatus, {})).state === 'live');
    const { code } = await call(pairDevice, {});
    const claimed = await createClient({ origin, key: () => undefined })(claimPairingCode, {
      body: { code, name: 'phone' },
    });
    phone = createClient({ origin, key: () => claimed.key });
    const { rooms } = await phone(listRooms, {});
    for (const { id } of rooms) await phone(leaveRoom, { params: { id }, query: {} });
    await told(async () => (await call(syncStatus, {})).lost.length === 3);
  });
  afterAll(async () => {
    relay.child.kill('SIGTERM');
    await relay.ended;
    remove();
  });

  const lost = (page: Page, name?: string) => {
    const all = page.getByRole('list', { name: 'Namespaces that left sync' }).getByRole('listitem');
    return name === undefined ? all : all.filter({ has: page.getByText(name, { exact: true }) });
  };
  const press = (page: Page, name: string, what: string) =>
    lost(page, name).getByRole('button', { name: what }).click();

  test.each(
    cases([
      ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
      ['wide and dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
      ['narrow and light', { viewport: { width: 360, height: 740 }, colorScheme: 'light' }],
      ['narrow and dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ] as const),
  )('each is told with its reason and what can be done: %s', async (_look, options) => {
    const page = await stage.signedInAt('/sync', options);
    await expect.poll(() => lost(page).count()).toBe(3);
    await lost(page, 'diary').getByText('This account deleted it on the relay').waitFor();
    await lost(page, LONG).getByText('Its memories are still here').waitFor();
    await page.getByText('3 namespaces are not synced any more').waitFor();
    expect(await pageWidth(page)).toBe(options.viewport.width);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('one is kept, one is synced again, and what was kept is still there when nothing is linked, where it is undone', async () => {
    const page = await stage.signedInAt('/sync', { viewport: { width: 360, height: 740 } });
    await press(page, 'diary', 'Keep here only');
    await lost(page, 'diary').getByText('kept here').waitFor();
    await expect.poll(() => lost(page, 'diary').getByRole('button').count()).toBe(1);

    // Another device syncs one of its name again: that one waits.
    await phone(openRoom, { body: { name: 'team' } });
    await lost(page, 'team').getByText('Another device of yours').waitFor();
    await press(page, 'team', 'Sync as my own');
    await expect.poll(() => lost(page, 'team').count()).toBe(0);
    const names = async () => (await phone(listRooms, {})).rooms.map(({ name }) => name);
    await expect.poll(names).toContain('team');

    await page.getByRole('button', { name: 'Unlink…' }).click();
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByText('Your memories are on this machine only.').waitFor();
    await lost(page, 'diary').getByText('kept here').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await press(page, 'diary', 'Sync once linked');
    await page.getByText('It is synced with the others once this machine is linked.').waitFor();
    await expect.poll(() => lost(page, 'diary').count()).toBe(0);
    expect(await names()).not.toContain('diary');
    expect(await stage.count('diary')).toBe(1);
  });
});
