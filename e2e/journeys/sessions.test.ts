import { addEntries, createSession, listEntries } from '@reverie/shared/contract/sessions/sessions';
import { describe, expect, test } from 'vitest';
import { setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('coding sessions, through a daemon', () => {
  const stage = setStage();
  const call = () => stage.world.daemon.call;

  /** A session that an agent writes through the API, with a turn that failed once. */
  async function written(title: string): Promise<string> {
    const { id } = await call()(createSession, {
      body: {
        title,
        agent: 'aider',
        source_session: title,
        namespace: 'work',
        project: 'halden',
        branch: 'main',
      },
    });
    const tool = { name: 'Bash', call: 'call-1' };
    await call()(addEntries, {
      params: { id },
      body: {
        entries: [
          { kind: 'prompt', text: 'Why is every webhook sent twice?', item: '1', agent: null },
          { kind: 'tool_call', text: '{"command":"npm test"}', item: '2', tool },
          { kind: 'tool_result', text: 'expected 1, received 2', item: '3', tool: { ...tool, failed: true } },
          { kind: 'answer', text: 'The retry **began too early**.', item: '4' },
          { kind: 'prompt', text: 'Then wait longer.', item: '5', agent: null },
        ],
      },
    });
    return id;
  }

  test('one is listed, found, read, followed and written a note about', async () => {
    const id = await written('Webhooks that are sent twice');
    const page = await stage.signedInAt('/sessions');
    await page.getByRole('link', { name: /Webhooks that are sent twice/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search in sessions' }).fill('retry began');
    await page.getByRole('list', { name: 'Found in sessions' }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks that are sent twice' }).waitFor();
    await page.locator('strong', { hasText: 'began too early' }).waitFor();
    await page.getByRole('button', { name: 'End the search' }).click();
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await page.locator('[data-current="true"]').getByText('expected 1, received 2').waitFor();
    await page.keyboard.press('End');
    const entries = [{ kind: 'answer' as const, text: 'It waits 15 seconds now.', item: '6' }];
    await call()(addEntries, { params: { id }, body: { entries } });
    const came = page.getByRole('article').filter({ hasText: 'It waits 15 seconds now.' });
    await came.waitFor();
    await came.hover();
    await came.getByRole('button', { name: 'Write a note about this' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Mira says 12 are enough.');
    await page.getByRole('button', { name: 'Keep the note' }).click();
    await came.getByRole('note').getByText('Mira says 12 are enough.').waitFor();
    const { entries: kept } = await call()(listEntries, { params: { id }, query: { kinds: 'note' } });
    expect(kept.map(({ text, author }) => [text, author.agent])).toEqual([
      ['Mira says 12 are enough.', null],
    ]);
  });

  test('one is handed over, renamed and deleted', async () => {
    const id = await written('Another one');
    const page = await stage.signedInAt(`/sessions/${id}`);
    await page.getByText('Then wait longer.').first().waitFor();
    await page.keyboard.press('h');
    await page.locator('dialog[open]').getByText('Why is every webhook sent twice?').waitFor();
    await page.keyboard.press('Escape');
    const menu = async (name: string) => {
      await page.getByRole('button', { name: 'More about this session' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await menu('Rename…');
    await page.getByLabel('Title').fill('Called otherwise');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Called otherwise' }).waitFor();
    await menu('Delete…');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /Called otherwise/ }).count()).toBe(0);
  });

  test('agents are shown before anything of them is read', async () => {
    const page = await stage.signedInAt('/sessions/sources');
    const switches = page.getByRole('switch');
    await switches.first().waitFor();
    for (const one of await switches.all()) expect(await one.isChecked()).toBe(false);
  });
});
