import { createKey } from '@reverie/shared/contract/keys';
import { listMessages, sendMessage } from '@reverie/shared/contract/inbox';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose } from '../pages/memories.ts';
import { pasteKey } from '../pages/session.ts';
import { passTime, stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../world.ts';

describe.skipIf(!hasBrowser)('the inbox in the page', () => {
  const stage = setStage();
  const send = (namespace: string, kind: string, payload: Record<string, string | number>) =>
    stage.world.daemon.call(sendMessage, { params: { namespace }, body: { from: 'ci', kind, payload } });
  const unread = async (namespace: string) =>
    (await stage.world.daemon.call(listMessages, { params: { namespace }, query: {} })).unread;
  const messages = (page: Page) =>
    page.getByRole('list', { name: 'Messages', exact: true }).getByRole('listitem');

  test('an empty inbox says how one gets there; a message comes in by itself and is acknowledged', async () => {
    const page = await stage.signedInAt('/');
    await choose(page, 'Inbox');
    await page.getByRole('heading', { name: 'No messages' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await stage.world.reverie(
      'inbox',
      'default',
      '--send',
      '{"text": "the build is red"}',
      '--kind',
      'build',
    );
    await messages(page).filter({ hasText: 'the build is red' }).waitFor();
    await send('default', 'report', { failures: 3 });
    await messages(page).filter({ hasText: '"failures": 3' }).waitFor();
    await page.getByText('2 unread messages').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await stopTime(page);
    const red = messages(page).filter({ hasText: 'the build is red' });
    await red.getByRole('button', { name: 'Acknowledge' }).click();
    await red.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 unread messages').waitFor();
    await passTime(page);
    expect(await unread('default')).toBe(2);
    await red.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('1 unread message.').waitFor();
    await passTime(page);
    await expect.poll(() => unread('default')).toBe(1);
    // Unread first.
    await messages(page).first().filter({ hasText: 'report' }).waitFor();
    await expect.poll(() => button(page, 'Acknowledge').count()).toBe(1);
  });

  test('it begins where something is unread, knows namespaces without memories, and fits a narrow window', async () => {
    await send('elsewhere', 'k'.repeat(128), { long: 'w'.repeat(4_000) });
    await send('elsewhere', 'second', { text: 'שלום' });
    const page = await stage.signedInAt('/inbox?namespace=default', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    const chooser = page.getByRole('combobox', { name: 'Inbox of' });
    await page.getByRole('option', { name: 'elsewhere (2 unread)' }).waitFor({ state: 'attached' });
    await chooser.selectOption('elsewhere');
    await messages(page).filter({ hasText: 'שלום' }).waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a key that may only read acknowledges nothing', async () => {
    const { key } = await stage.world.daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    const page = await stage.visit();
    await page.goto(`${stage.world.daemon.origin}/inbox?namespace=elsewhere`);
    await pasteKey(page, key);
    await messages(page).filter({ hasText: 'שלום' }).waitFor();
    await expect.poll(() => button(page, 'Acknowledge').count()).toBe(0);
  });
});
