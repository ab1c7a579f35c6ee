import { listConflicts } from '@reverie/shared/contract/sync/conflicts';
import { getMemory, setMemory } from '@reverie/shared/contract/memories/memories';
import { joinNamespace, shareNamespace } from '@reverie/shared/contract/sync/sharing';
import { linkDevice, pauseSync, syncStatus } from '@reverie/shared/contract/sync/sync';
import { cases } from '@reverie/shared/testing/depth';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RelayProcess, spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { startTestDaemon, type TestDaemon } from '../../daemon/src/testing.ts';
import { hasBrowser } from '../chromium.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

// The conflict that is looked at first is settled by the last one.
describe.skipIf(!hasBrowser)('who wrote what, in the page', { shuffle: false }, () => {
  const stage = setStage();
  const { home, remove } = temporaryHome();
  let relay: RelayProcess;
  let ben: TestDaemon;

  const team = { namespace: 'team' };
  const told = (isSo: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: seconds(60), interval: 50 });
  const saysHere = async (key: string, value: string) =>
    (await stage.world.daemon.call(getMemory, { body: { ...team, key } })).value === value;

  beforeAll(async () => {
    relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn' });
    const origin = await relay.ready;
    ben = await startTestDaemon();
    const { call } = stage.world.daemon;
    // Daemons of one process each have a clock of their own: that of the test stands at a time of its own.
    ben.clock.advance(Date.now() - ben.clock.now());
    await stage.store('team', { plan: 'We walk.', fork: 'We begin.' });
    await call(linkDevice, { body: { relay: origin, email: 'ada@example.org', name: 'laptop' } });
    await ben.call(linkDevice, { body: { relay: origin, email: 'ben@example.org', name: 'desk' } });
    await told(async () => (await call(syncStatus, {})).state === 'live');
    const { invite } = await call(shareNamespace, { body: { ...team, role: 'editor' } });
    await ben.call(joinNamespace, { body: { ...team, invite } });
    await told(async () => (await ben.call(getMemory, { body: { ...team, key: 'fork' } })).value !== '');
    ben.clock.advance(1_000);
    await ben.call(setMemory, { body: { ...team, key: 'plan', value: 'We run.' } });
    await told(() => saysHere('plan', 'We run.'));
    await call(pauseSync, { body: { paused: true } });
    await call(setMemory, { body: { ...team, key: 'fork', value: 'We turn left.' } });
    ben.clock.advance(60_000);
    await ben.call(setMemory, { body: { ...team, key: 'fork', value: 'We turn right.' } });
    await call(pauseSync, { body: { paused: false } });
    await told(async () => (await call(listConflicts, { query: {} })).total === 1);
    await told(() => saysHere('fork', 'We turn right.'));
  });
  afterAll(async () => {
    await ben.stop();
    relay.child.kill('SIGTERM');
    await relay.ended;
    remove();
  });

  const looks = cases([
    ['wide and light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
    ['narrow and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ] as const);

  test.each(looks)(
    'a memory and its history say who wrote them, and events who did it: %s',
    async (_look, options) => {
      const page = await stage.signedInAt('/memories?namespace=team&key=plan', options);
      await page.getByText('by ben@example.org on desk').first().waitFor();
      expect(await pageWidth(page)).toBe(options.viewport.width);
      await page.getByRole('button', { name: '2 versions' }).click();
      await page.getByText('by you on laptop').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.goto(new URL('/events', page.url()).href);
      await page.getByText('ben@example.org on desk').first().waitFor();
      expect(await pageWidth(page)).toBe(options.viewport.width);
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test.each(looks)(
    'a conflict says who wrote both, and strikes through what lost: %s',
    async (_look, options) => {
      const page = await stage.signedInAt('/sync', options);
      const conflicts = page.getByRole('region', { name: 'Conflicts' });
      await conflicts.getByText('what stands is by ben@example.org on desk').waitFor();
      await conflicts.getByText('you on laptop').waitFor();
      expect(await conflicts.locator('del').allTextContents()).toEqual(['left']);
      expect(await conflicts.locator('ins').allTextContents()).toEqual(['right']);
      const devices = page.getByRole('region', { name: 'Devices' });
      await devices.getByText('online', { exact: true }).waitFor();
      expect(await devices.getByText('last seen').count()).toBe(0);
      expect(await pageWidth(page)).toBe(options.viewport.width);
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test('it is settled by one of them, for both: what lost stands again', async () => {
    const page = await stage.signedInAt('/sync', { viewport: { width: 1440, height: 900 } });
    const conflicts = page.getByRole('region', { name: 'Conflicts' });
    await conflicts.getByRole('heading', { name: '1 conflict', exact: true }).waitFor();
    await conflicts.getByRole('button', { name: 'Take this version' }).click();
    await page.getByText('It stands again; the other version is in the history.').waitFor();
    await conflicts.waitFor({ state: 'detached' });
    expect(await saysHere('fork', 'We turn left.')).toBe(true);
    await told(async () => (await ben.call(listConflicts, { query: {} })).total === 0);
    await told(
      async () => (await ben.call(getMemory, { body: { ...team, key: 'fork' } })).value === 'We turn left.',
    );
  });
});
