import { pairDevice } from '@reverie/shared/contract/sync/devices';
import { storeBatch } from '@reverie/shared/contract/memories/memories';
import { linkDevice, syncStatus, triggerSync } from '@reverie/shared/contract/sync/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '@reverie/shared/testing/patience';
import { begin, run } from '../../daemon/src/cli/fake-terminal.ts';
import { hasBrowser } from '../chromium.ts';
import { settled, startSyncWorld, type SyncWorld, type TestDevice } from '../devices.ts';
import { setStage } from '../stage.ts';

// Told in order: what the first sends up is what the second downloads.
describe.skipIf(!hasBrowser)('a first sync', { shuffle: false }, () => {
  const stage = setStage();
  let world: SyncWorld;
  let a: TestDevice;

  beforeAll(async () => {
    world = await startSyncWorld({ running: 'own-process' });
    a = await world.device();
    for (let from = 0; from < 6000; from += 1000)
      await a.call(storeBatch, {
        body: {
          items: Array.from({ length: 1000 }, (_, n) => ({
            key: `note ${from + n}`,
            value: `text ${from + n}`,
          })),
        },
      });
  });
  afterAll(() => world.stop());

  test('at a terminal `link` shows how far the upload is, on one line, until it is through', async () => {
    const { code, err } = await run(
      { home: a.folder, typed: '' },
      ...['link', world.relay, '--email', 'me@example.org', '--all'],
    );
    expect(code).toBe(0);
    expect(err).toContain('6,000 memories go up in the background.');
    expect(err).toMatch(/Uploading [\d,]+ of 6,000 memories, \d+ %/);
    expect(err).toMatch(/\r\u001b\[KThe first sync is through\.\n$/);
    expect(await a.status()).toMatchObject({ pending: 0, upload: null });
  });

  test('a download says that the relay went away in the middle, and goes on where it was, in CLI and page', async () => {
    const b = stage.world.daemon;
    const { code } = await a.call(pairDevice, {});
    await b.call(linkDevice, { body: { relay: world.relay, code, name: 'b' } });
    const download = async () => (await b.call(syncStatus, {})).download;
    await expect.poll(download, { interval: 5 }).not.toBeNull();
    await world.killRelay();
    await expect.poll(async () => (await b.call(syncStatus, {})).state).toBe('offline');
    const before = await download();
    expect(before?.percent).toBeLessThan(100);
    expect(before?.seconds_left).toBeNull();
    const plain = await run({ home: stage.world.daemon.home }, 'sync');
    expect(plain.out).toContain(`First sync Downloading, ${before?.percent ?? -1} %\n`);
    expect(plain.err).toBe('');
    const page = await stage.signedInAt('/sync');
    const bar = page.getByRole('progressbar', { name: 'First download' });
    await bar.waitFor();
    await page.getByText('What the relay has is not all here yet.').waitFor();
    await page.getByText(`Downloading, ${before?.percent ?? -1} %`, { exact: true }).waitFor();
    const shots = process.env['REVERIE_TEST_SHOTS'];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/first-sync-outage.png` });
    const watched = begin({ home: stage.world.daemon.home, typed: '' }, 'sync');
    await expect.poll(watched.err).toContain('%; the relay is out of reach, it goes on by itself');

    await world.startRelay();
    await b.call(triggerSync, {});
    const after = (await download())?.percent ?? 100;
    expect(after).toBeGreaterThanOrEqual(before?.percent ?? 0);
    expect((await watched.ended).err).toContain('The first sync is through.\n');
    await settled([{ ...a, status: () => b.call(syncStatus, {}) }]);
    await expect.poll(() => bar.count(), { timeout: seconds(10) }).toBe(0);
    expect((await run({ home: stage.world.daemon.home, typed: '' }, 'sync')).err).toBe('');
  });
});
