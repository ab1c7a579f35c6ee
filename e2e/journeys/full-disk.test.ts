import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { canMount, createSmallDisks } from '@reverie/shared/testing/small-disk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, write } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

const mountable = canMount();
if (!mountable) console.warn('skipped: this machine lets no test mount a small disk (root is needed)');

describe.skipIf(!hasBrowser || !mountable)('a full disk, in the page', () => {
  const stage = setStage({}, 'own-process');
  const disks = createSmallDisks();

  /** Moves the home to a disk of a few megabytes, which has the same name. */
  beforeAll(() =>
    stage.world.restart(async () => {
      const { home } = stage.world.daemon;
      const kept = mkdtempSync(join(tmpdir(), 'reverie-e2e-kept-'));
      cpSync(home, kept, { recursive: true });
      disks.mount(home, '24m');
      for (const name of readdirSync(kept)) cpSync(join(kept, name), join(home, name), { recursive: true });
      rmSync(kept, { recursive: true });
    }),
  );
  afterAll(() => disks.unmountAll());

  test('is told on every view as soon as something is refused, and no more once there is room', async () => {
    const { daemon } = stage.world;
    await daemon.call(setMemory, { body: { key: 'kept', value: 'What was there before' } });
    const page = await stage.signedIn('default', { viewport: { width: 360, height: 740 } });
    await button(page, 'New memory').waitFor();
    const banner = page.getByRole('alert').filter({ hasText: 'The disk is full, since' });
    expect(await banner.count()).toBe(0);
    const free = disks.fill(daemon.home);
    await button(page, 'New memory').click();
    await write(page, { key: 'refused', value: 'word '.repeat(50_000) });
    await banner.waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    expect(await daemon.call(getMemory, { body: { key: 'kept' } })).toMatchObject({
      value: 'What was there before',
    });
    await page.goto(`${daemon.origin}/status`);
    await banner.waitFor();
    await page.getByText('nothing new is kept until there is room').waitFor();
    free();
    await expect.poll(() => banner.count()).toBe(0);
    await page.getByRole('navigation', { name: 'Tabs' }).getByRole('link', { name: 'Memories' }).click();
    await daemon.call(setMemory, { body: { key: 'after', value: 'There is room' } });
  });
});
