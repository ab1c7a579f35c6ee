import {
  handOverNamespace,
  joinNamespace,
  listMembers,
  type Member,
  shareNamespace,
} from '@reverie/shared/contract/sync/sharing';
import { linkDevice, syncStatus } from '@reverie/shared/contract/sync/sync';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { seconds } from '@reverie/shared/testing/patience';
import { call as ask } from '../../cloud/src/testing/device.ts';
import { type RelayProcess, spawnRelay, temporaryHome } from '../../cloud/src/testing/process.ts';
import { mailedLinks } from '../../cloud/src/testing/relay.ts';
import { startTestDaemon, type TestDaemon } from '../../daemon/src/testing.ts';
import { hasBrowser } from '../chromium.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

// Told in order: one goes on from what the one before it left.
describe.skipIf(!hasBrowser)('people of a namespace, in the page', { shuffle: false }, () => {
  const stage = setStage();
  const { home, remove } = temporaryHome();
  let relay: RelayProcess;
  let origin: string;
  let ben: TestDaemon;

  const team = { namespace: 'team' };
  const wide = { viewport: { width: 1440, height: 900 } };

  beforeAll(async () => {
    relay = spawnRelay(home, { RELAY_LOG_LEVEL: 'warn' });
    origin = await relay.ready;
    ben = await startTestDaemon();
    const { call } = stage.world.daemon;
    await stage.store('team', { plan: 'walk' });
    await stage.store('mine', { diary: 'private' });
    await call(linkDevice, { body: { relay: origin, email: 'ada@example.org', name: 'laptop' } });
    await ben.call(linkDevice, { body: { relay: origin, email: 'ben@example.org', name: 'ben' } });
    for (const link of mailedLinks(home))
      await ask(origin, {
        method: 'POST',
        path: '/auth/confirm',
        body: { token: new URL(link).searchParams.get('token') },
      });
    await vi.waitFor(async () => expect((await call(syncStatus, {})).state).toBe('live'), {
      timeout: seconds(60),
    });
  });
  afterAll(async () => {
    await ben.stop();
    relay.child.kill('SIGTERM');
    await relay.ended;
    remove();
  });

  const item = (page: Page, name: string) =>
    page
      .getByRole('list', { name: 'Synced namespaces' })
      .locator('> li')
      .filter({ has: page.getByText(name, { exact: true }) });
  const press = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const roleOfBen = async () => {
    const { members } = await stage.world.daemon.call(listMembers, { query: team });
    return members.find(({ self }) => !self)?.role;
  };
  const shot = async (page: Page, name: string) => {
    const folder = process.env['REVERIE_TEST_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/people-${name}.png` });
  };

  test('one is invited by e-mail, another invite is withdrawn: nothing moves below the click', async () => {
    const page = await stage.signedInAt('/sync', wide);
    await stage.world.daemon.call(shareNamespace, { body: { ...team, role: 'editor' } });
    await stage.world.daemon.call(shareNamespace, { body: { ...team, role: 'viewer' } });
    await item(page, 'team').getByRole('button', { name: 'Invite…' }).click();
    const open = page.getByRole('region', { name: 'Open invites' });
    await expect.poll(() => open.getByRole('listitem').count()).toBe(2);
    await shot(page, 'invite');
    const first = open.getByRole('button').first();
    await first.click();
    await open.getByText('Withdrawn').waitFor();
    expect(await open.getByRole('listitem').count()).toBe(2);
    expect(await first.isDisabled()).toBe(true);
    await page.getByLabel('Only for this e-mail address').fill('ben@example.org');
    await press(page, 'Make an invite');
    await page.getByText('Only who has confirmed ben@example.org').waitFor();
    const link = await page.getByText(/\/join\/inv_/).innerText();
    await press(page, 'Close');
    await item(page, 'team').getByRole('button', { name: 'Invite…' }).click();
    await expect.poll(() => open.getByRole('listitem').count()).toBe(2);
    await open.getByText('ben@example.org').waitFor();
    await press(page, 'Cancel');
    await ben.call(joinNamespace, { body: { ...team, invite: link.trim() } });
  });

  test('a role is changed, and what that comes to is said', async () => {
    const page = await stage.signedInAt('/sync', wide);
    await item(page, 'team').getByRole('button', { name: 'Role of ben@example.org' }).click();
    expect(await page.getByRole('button', { name: 'Change', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('In team they').selectOption('editor');
    await shot(page, 'role');
    await press(page, 'Change');
    await page.getByText('ben@example.org is editor of team now.').waitFor();
    expect(await roleOfBen()).toBe('editor');
    await item(page, 'team').getByText('editor', { exact: true }).waitFor();
  });

  test.each(
    cases([
      ['wide and light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
      ['narrow and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
      ['narrow and light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
      ['wide and dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
    ] as const),
  )('the list and the way out fit: %s', async (look, options) => {
    const page = await stage.signedInAt('/sync', options);
    await item(page, 'team').getByText('ben@example.org').waitFor();
    await shot(page, `list-${look.replaceAll(' ', '-')}`);
    expect(await pageWidth(page)).toBe(options.viewport.width);
    expect(await axeFindings(page)).toEqual([]);
    expect(await item(page, 'mine').getByRole('button', { name: 'Leave…' }).count()).toBe(0);
    await item(page, 'team').getByRole('button', { name: 'Leave…' }).click();
    await page.getByLabel('You own it').waitFor();
    // Nothing is chosen for its owner.
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).isDisabled()).toBe(true);
    await page.getByLabel('You own it').selectOption({ label: 'Hand it to ben@example.org' });
    await shot(page, `leave-${look.replaceAll(' ', '-')}`);
    expect(await axeFindings(page)).toEqual([]);
    await press(page, 'Stay');
  });

  test('an owner hands it over as they stay, then leaves; the memories are still here', async () => {
    const page = await stage.signedInAt('/sync', wide);
    await item(page, 'team').getByRole('button', { name: 'Role of ben@example.org' }).click();
    await page.getByLabel('In team they').selectOption('owner');
    await page.getByText('only they can give it back').waitFor();
    await press(page, 'Make owner');
    await page.getByText('ben@example.org is owner of team now.').waitFor();
    await expect.poll(() => item(page, 'team').getByRole('button', { name: 'Invite…' }).count()).toBe(0);
    // Handed back unasked, it says so, and by whom.
    const handOver = async (by: Pick<TestDaemon, 'call'>, isTo: (member: Member) => boolean) => {
      const member = (await by.call(listMembers, { query: team })).members.find(isTo)?.id ?? 'nobody';
      await by.call(handOverNamespace, { body: { ...team, member } });
    };
    await handOver(ben, ({ self }) => !self);
    const told = page.getByText('made you the owner of team on');
    await told.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await shot(page, 'handed-over');
    await handOver(stage.world.daemon, ({ self }) => !self);
    await told.waitFor({ state: 'detached' });
    await expect.poll(() => item(page, 'team').getByRole('button', { name: 'Invite…' }).count()).toBe(0);
    await item(page, 'team').getByRole('button', { name: 'Leave…' }).click();
    expect(await page.getByLabel('You own it').count()).toBe(0);
    await press(page, 'Leave');
    await page.getByText('You left team; its memories stay here.').waitFor();
    await expect.poll(() => item(page, 'team').count()).toBe(0);
    expect(await stage.stored('team', 'plan')).toMatchObject({ value: 'walk' });
    const { members } = await ben.call(listMembers, { query: team });
    expect(members.map(({ email, role }) => [email, role])).toEqual([['ben@example.org', 'owner']]);
  });
});
