import { syncStatus, unlinkDevice } from '@reverie/shared/contract/sync/sync';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startRelay } from '../../cloud/src/testing/relay.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** Pictures for who looks at them, in both schemes and widths, where a folder is named. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['REVERIE_SHOTS'];
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${folder}/sync-${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 390, height: 844 });
}

describe.skipIf(!hasBrowser)('sync in the page', () => {
  const stage = setStage();

  test('a machine that is not linked says so, and a relay that does not answer is told of', async () => {
    const page = await stage.signedInAt('/sync', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await page.getByText('Your memories are on this machine only.').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Address of the relay').fill('http://127.0.0.1:9');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByText('It was not linked:').waitFor();
    await page.getByText('not linked', { exact: true }).waitFor();
  });

  test('a person chooses what syncs before anything goes up, and keeps a namespace here later', async () => {
    const relay = await startRelay();
    try {
      await stage.store('work', { plan: 'Ship it on Monday.' });
      await stage.store('diary', { therapist: 'Is Dr. Zed.' });
      const page = await stage.signedInAt('/sync', { viewport: { width: 390, height: 844 } });
      const which = page.getByRole('group', { name: 'Which namespaces sync' });
      await which.getByText('1 memory').first().waitFor();
      await which.getByText('Who runs the relay can read what goes up.').waitFor();
      await which.getByLabel(/^diary/).uncheck();
      expect(await pageWidth(page)).toBe(390);
      expect(await axeFindings(page)).toEqual([]);
      await shot(page, 'link');
      await page.getByLabel('Address of the relay').fill(relay.origin);
      await page.getByLabel('E-mail address').fill('ada@example.org');
      await page.getByRole('button', { name: 'Link', exact: true }).click();

      const staying = page.getByRole('list', { name: 'Namespaces that stay on this device' });
      await staying.getByText('diary').waitFor();
      const synced = page.getByRole('list', { name: 'Synced namespaces' });
      await synced.getByText('work').waitFor();
      expect(await page.getByRole('switch', { name: 'Sync diary' }).isChecked()).toBe(false);
      await page.getByLabel('New namespaces').selectOption('stay');
      await shot(page, 'linked');
      expect(await axeFindings(page)).toEqual([]);

      await page.getByRole('switch', { name: 'Sync work' }).click();
      const dialog = page.getByRole('dialog', { name: 'Keep work on this device?' });
      await dialog.getByLabel('Delete what the relay has of it, too').check();
      await shot(page, 'stop');
      await dialog.getByRole('button', { name: 'Stop syncing it' }).click();
      await staying.getByText('work').waitFor();
      await expect.poll(() => relay.rows('SELECT id FROM rooms')).toEqual([]);
      await page.getByRole('switch', { name: 'Sync work' }).click();
      await synced.getByText('work').waitFor();
      await expect
        .poll(async () =>
          (await relay.rows<{ name: string }>('SELECT name FROM members')).map(({ name }) => name),
        )
        .toEqual(['work']);
      expect((await stage.world.daemon.call(syncStatus, {})).new_namespaces).toBe('stay');
      await stage.world.daemon.call(unlinkDevice, {});
    } finally {
      await relay.stop();
    }
  });
});
