import { deepTest } from '@reverie/shared/testing/depth';
import { callHook, type HookEvent } from '@reverie/shared/contract/agents/hooks';
import { createKey } from '@reverie/shared/contract/accounts/keys';
import { listMessages, sendMessage } from '@reverie/shared/contract/events/inbox';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose } from '../pages/memories.ts';
import { pasteKey } from '../pages/session.ts';
import { passTime, stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Told in order: the inbox is empty for the first only.
describe.skipIf(!hasBrowser)('the inbox in the page', { shuffle: false }, () => {
  const stage = setStage();
  const send = (namespace: string, kind: string, payload: Record<string, string | number>) =>
    stage.world.daemon.call(sendMessage, { params: { namespace }, body: { from: 'ci', kind, payload } });
  const unread = async (namespace: string) =>
    (await stage.world.daemon.call(listMessages, { params: { namespace }, query: {} })).unread;
  /** The rows of messages that others left. */
  const messages = (page: Page, text: string) =>
    page.getByRole('region', { name: 'Inbox', exact: true }).getByRole('listitem').filter({ hasText: text });
  const opened = (page: Page) => page.getByRole('region', { name: 'Open message' });

  test('an empty inbox says how one gets there; a message comes in by itself, is read and done with', async () => {
    const page = await stage.signedInAt('/');
    await choose(page, 'Inbox');
    await page.getByRole('heading', { name: 'No messages' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await stage.world.reverie(
      ...['inbox', 'default', '--send', '{"text": "the **build** is red"}', '--kind', 'build'],
    );
    await messages(page, 'the build is red').waitFor();
    // The first one lies open, as text.
    await opened(page).locator('strong').getByText('build').waitFor();
    await send('default', 'report', { failures: 3 });
    await messages(page, 'Failures: 3').waitFor();
    await page.getByText('2 unread messages').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await stopTime(page);
    await button(page, 'Done e').click();
    await page.getByText('1 unread message', { exact: true }).waitFor();
    // The next one is open; z brings the last one back.
    await opened(page).getByText('Failures', { exact: true }).waitFor();
    await page.keyboard.press('z');
    await opened(page).locator('strong').getByText('build').waitFor();
    await page.getByText('2 unread messages').waitFor();
    await passTime(page);
    expect(await unread('default')).toBe(2);
    await page.keyboard.press('e');
    await passTime(page);
    await expect.poll(() => unread('default')).toBe(1);
    await page.getByRole('list', { name: 'Read', exact: true }).getByText('the build is red').waitFor();
    await page.keyboard.press('s');
    await opened(page).getByText('"failures": 3').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('keys lead to their memories; it is answered where its sender finds that, and kept as a memory', async () => {
    await stage.store('talk', { 'runbooks/deploy': 'We deploy on Tuesdays.' });
    const text = 'Is `runbooks/deploy` right, and no/such/key?';
    const { id } = await stage.world.daemon.call(sendMessage, {
      params: { namespace: 'talk' },
      body: { from: 'ci', kind: 'question', payload: { text } },
    });
    const page = await stage.signedInAt('/inbox?namespace=talk');
    await opened(page).getByRole('link', { name: 'runbooks/deploy' }).waitFor();
    await expect.poll(() => opened(page).getByRole('link').count()).toBe(1);
    await page.keyboard.press('r');
    await page.getByLabel('Reply to ci', { exact: true }).fill('Yes, **since May**.');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    const reply = opened(page).getByRole('region', { name: 'Your reply' });
    await reply.getByText('not read yet').waitFor();
    await reply.locator('strong').getByText('since May').waitFor();
    const { messages: all } = await stage.world.daemon.call(listMessages, {
      params: { namespace: 'talk' },
      query: {},
    });
    expect(all.find(({ from }) => from === 'person')).toMatchObject({
      kind: 'reply',
      in_reply_to: id,
      payload: { text: 'Yes, **since May**.' },
    });
    // One's own answer is not unread, and who answers has read the message.
    await page.getByText('You have read it all').waitFor();
    await page.keyboard.press('m');
    await button(page, 'Open').click();
    await page.getByTestId('value').filter({ hasText: 'no/such/key' }).waitFor();
  });

  test('what was said to last in a session is proposed, and one key keeps it', async () => {
    const hook = (event: HookEvent, prompt = '') =>
      stage.world.daemon.call(callHook, {
        body: {
          agent: 'codex',
          event,
          namespace: 'said',
          input: JSON.stringify({ session_id: 's', prompt }),
        },
      });
    const value = 'From now on we write dates as year, month, day.';
    await hook('prompt', `Fix the report, please. ${value}`);
    await hook('end');
    const page = await stage.signedInAt('/inbox?namespace=said', { viewport: { width: 1440, height: 900 } });
    await opened(page).getByText('to remember?').waitFor();
    await opened(page).getByText(value, { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('m');
    await button(page, 'Open').waitFor();
    const key = 'rule-we-write-dates-as-year-month';
    expect((await stage.world.daemon.call(getMemory, { body: { namespace: 'said', key } })).value).toBe(
      value,
    );
    await page.getByText('You have read it all').waitFor();
  });

  const sendSecond = () => send('elsewhere', 'second', { text: 'שלום' });

  deepTest(
    'all inboxes stand together, also of namespaces without memories, and fit a narrow window',
    async () => {
      await send('elsewhere', 'k'.repeat(128), { long: 'w'.repeat(4_000) });
      await sendSecond();
      const page = await stage.signedInAt('/inbox?namespace=default', {
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
      });
      const chooser = page.getByRole('combobox', { name: 'Inbox of' });
      await page.getByRole('option', { name: 'elsewhere' }).waitFor({ state: 'attached' });
      await chooser.selectOption('*');
      await messages(page, 'שלום').filter({ hasText: 'elsewhere' }).waitFor();
      await messages(page, 'Failures: 3').filter({ hasText: 'default' }).waitFor();
      expect(await pageWidth(page)).toBe(360);
      expect(await axeFindings(page)).toEqual([]);
      await messages(page, 'wwww').click();
      await button(page, 'Done e').waitFor();
      expect(await pageWidth(page)).toBe(360);
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'Back to the list').click();
      await messages(page, 'שלום').waitFor();
    },
  );

  test('a key that may only read can read, and nothing else', async () => {
    const { key } = await stage.world.daemon.call(createKey, { body: { name: 'reader', scope: 'read' } });
    await sendSecond();
    const page = await stage.visit();
    await page.goto(`${stage.world.daemon.origin}/inbox?namespace=elsewhere`);
    await pasteKey(page, key);
    await messages(page, 'שלום').first().click();
    await button(page, 'As sent s').waitFor();
    expect(await page.getByRole('button', { name: /^(Done|Reply|Keep)/ }).count()).toBe(0);
  });
});
