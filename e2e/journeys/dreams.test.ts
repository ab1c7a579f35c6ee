import { deepTest } from '@reverie/shared/testing/depth';
import { type Finding, listInsights } from '@reverie/shared/contract/dreams/dreams';
import { getMemory } from '@reverie/shared/contract/memories/memories';
import { importMemories } from '@reverie/shared/contract/memories/portable';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { propose } from '../pages/dreams.ts';
import { button, choose } from '../pages/memories.ts';
import { stopTime } from '../pages/time.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

/** The rows of the list, of whatever kind. */
function insightRows(page: Page) {
  return page.getByRole('region', { name: 'Insights' }).getByRole('listitem').getByRole('button');
}

describe.skipIf(!hasBrowser)('dreams in the page', () => {
  const stage = setStage();
  const DUPLICATES = {
    'wifi/guest': 'The guest network is called Heron and its password is on the fridge.',
    'wifi/visitors': 'the guest network is called Heron, and its password is on the fridge',
    'bread/rye': 'Rye bread needs a sour dough that is three days old.',
  };
  const WIFI: Finding = {
    kind: 'twice',
    title: 'The guest network is called Heron',
    why: 'Both say where its password is.',
    evidence: [
      { key: 'wifi/guest', quote: 'The guest network is called Heron' },
      { key: 'wifi/visitors', quote: 'the guest network is called Heron' },
    ],
  };
  const read = (namespace: string, key: string) =>
    stage.world.daemon.call(getMemory, { body: { namespace, key } });
  const insights = async (namespace: string, status: 'proposed' | 'accepted') =>
    (await stage.world.daemon.call(listInsights, { query: { namespace, status } })).insights;

  test('a dream is started by keyboard, and stands among those of its namespace', async () => {
    await stage.store('home', DUPLICATES);
    const page = await stage.signedInAt('/dreams?namespace=home');
    await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('which looks', { exact: false })
      .or(dialog.getByText('Look for'))
      .first()
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start' }).click();
    // It has begun, and stands among the dreams of the namespace.
    await page.getByRole('region', { name: 'Dream jobs' }).getByRole('listitem').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('a merge is accepted and taken back by keyboard', async () => {
    await stage.store('merged', DUPLICATES);
    await propose(stage, 'merged', [WIFI]);
    const page = await stage.signedInAt('/dreams?namespace=merged');
    await page.getByRole('list', { name: 'Same note twice' }).getByRole('button').first().click();
    // Both notes side by side, and which of them stays.
    const evidence = page.getByRole('list', { name: 'Evidence' });
    await evidence.getByText('stays', { exact: true }).waitFor();
    await evidence.getByText('is hidden then').waitFor();
    await page.getByText('Accepting hides').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const merge = (await insights('merged', 'proposed')).find(({ change }) => change?.kind === 'merge');
    const hidden = merge?.change?.kind === 'merge' ? (merge.change.hide[0] ?? '') : '';
    const before = await read('merged', hidden);
    await stopTime(page);
    await page.keyboard.press('a');
    await page.getByText('One note is kept, the other one is hidden.').waitFor();
    await expect.poll(async () => (await read('merged', hidden)).merged_into).not.toBeUndefined();
    await page.getByRole('radio', { name: 'Accepted' }).click();
    await insightRows(page).first().click();
    // While the last decision is still being worked off, no other one is taken.
    await page.getByRole('button', { name: 'Undo z', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Taken back').waitFor();
    await expect.poll(() => read('merged', hidden)).toEqual(before);
  });

  deepTest(
    'the last decision is taken back by keyboard, though the list has gone on to the next insight',
    async () => {
      await stage.store('last', {
        ...DUPLICATES,
        'tram/a': 'The tram to the harbour leaves at nine from line 4.',
        'tram/b': 'the tram to the harbour leaves at nine from line 4',
      });
      await propose(stage, 'last', [
        WIFI,
        {
          kind: 'twice',
          title: 'The tram to the harbour leaves at nine',
          why: 'Both say from which line.',
          evidence: [
            { key: 'tram/a', quote: 'The tram to the harbour leaves at nine' },
            { key: 'tram/b', quote: 'the tram to the harbour leaves at nine' },
          ],
        },
      ]);
      const page = await stage.signedInAt('/dreams?namespace=last');
      // A row says what it is about, not only which keys.
      await insightRows(page)
        .getByText(/tram to the harbour|guest network/)
        .first()
        .waitFor();
      const first = insightRows(page).first();
      const title = (await first.locator('bdi').innerText()).trim();
      // The first one lies on the desk already.
      const heading = page.getByRole('region', { name: 'Open insight' }).getByRole('heading', { level: 2 });
      await expect.poll(() => heading.innerText()).toBe(title);
      await page.getByText(/^Accepting hides/).waitFor();
      await page.keyboard.press('a');
      await page.getByText('One note is kept, the other one is hidden.').waitFor();
      await expect.poll(() => heading.innerText()).not.toBe(title);
      await page.getByRole('button', { name: 'Keep one a', disabled: false }).waitFor();
      await page.keyboard.press('u');
      await page.getByText('Taken back').waitFor();
      await expect.poll(() => heading.innerText()).toBe(title);
      expect(await insights('last', 'accepted')).toEqual([]);
      // Once only: nothing is left to take back.
      await page.keyboard.press('u');
      expect(await insights('last', 'accepted')).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
    },
  );

  test('of two notes that disagree the older one is kept by a button, and the other one comes back', async () => {
    const at = (day: string) => ({ created_at: `${day}T09:00:00Z`, updated_at: `${day}T09:00:00Z` });
    const items = [
      { key: 'ledger/march', value: 'The ledger database listens on port 5433.', ...at('2026-03-02') },
      { key: 'ledger/july', value: 'The ledger database listens on port 5437.', ...at('2026-07-02') },
    ].map((item) => ({ ...item, namespace: 'odds' }));
    await stage.world.daemon.call(importMemories, { body: { items } });
    await propose(stage, 'odds', [
      {
        kind: 'disagree',
        title: 'The ledger: port 5433 or 5437?',
        why: 'They name two ports.',
        evidence: items.map(({ key, value }) => ({ key, quote: value })),
      },
    ]);
    const page = await stage.signedInAt('/dreams?namespace=odds');
    await insightRows(page).first().click();
    const evidence = page.getByRole('list', { name: 'Evidence' });
    await evidence.getByText('Older, ').waitFor();
    expect(await evidence.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('5433'),
      expect.stringContaining('5437'),
    ]);
    expect(await axeFindings(page)).toEqual([]);
    const before = await read('odds', 'ledger/july');
    await stopTime(page);
    await button(page, 'Keep the older o').click();
    await page.getByText('The older note is kept, the other one hidden.').waitFor();
    expect((await read('odds', 'ledger/july')).superseded_by).toBe('ledger/march');
    await evidence.getByText('hidden').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo z', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('Taken back').waitFor();
    await expect.poll(() => read('odds', 'ledger/july')).toEqual(before);
  });

  deepTest(
    'while a dream is under way the list says so, and what was cancelled shows no progress any more',
    async () => {
      await stage.store('busy', { only: 'The heron stands in the pond.' });
      const page = await stage.signedInAt('/dreams?namespace=busy');
      await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
      // Held up at the network: a real one of so few memories would be over at once.
      const job = (status: string, error: unknown) => ({
        id: 'dream_1',
        status,
        stages: 0,
        insights: 0,
        namespace: 'busy',
        task: null,
        trigger: 'request',
        started_at: '2026-11-20T09:00:00.000Z',
        completed_at: null,
        created_at: '2026-11-20T09:00:00.000Z',
        memories: 1,
        sampled: null,
        tokens: { used: 0, budget: 0 },
        reading: null,
        winner: null,
        error,
        strategies: [
          { strategy: 'refine', state: 'running', done: 1, total: 4, insights: 0, ms: 5 },
          { strategy: 'rem', state: 'waiting', done: 0, total: 0, insights: 0, ms: 0 },
        ],
      });
      let jobs = [job('running', null)];
      await page.route('**/v1/memory/dream/jobs?*', (route) => route.fulfill({ json: { jobs, next: null } }));
      await page.reload();
      await page.getByRole('heading', { name: 'A dream is under way' }).waitFor();
      await button(page, 'Show how far it is').click();
      const shown = page.getByRole('region', { name: 'Dream jobs' });
      await shown.getByRole('progressbar', { name: 'Progress of Twice' }).waitFor();
      await shown.getByText('waits for its turn').waitFor();
      await page.getByText('A dream is under way.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      jobs = [job('failed', { code: 'cancelled', message: 'cancelled' })];
      await shown.getByText('cancelled', { exact: true }).waitFor();
      await shown.getByText('By kind').click();
      await shown.getByText('was stopped before the end').waitFor();
      await shown.getByText('was skipped').waitFor();
      expect(await shown.getByRole('progressbar').count()).toBe(0);
      await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
    },
  );

  deepTest('health and jobs fit a narrow window; what is rejected is not proposed again', async () => {
    await stage.store('thin', DUPLICATES);
    await propose(stage, 'thin', [WIFI]);
    const page = await stage.signedInAt('/dreams?namespace=thin', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await button(page, 'How tidy it is, and past dreams').click();
    await page.getByRole('region', { name: 'Health' }).getByText('of 3 notes not asked for').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await button(page, 'Back to the list').click();
    await insightRows(page).first().click();
    await stopTime(page);
    await page.getByRole('button', { name: /^Not the same/ }).click();
    await page.getByText('Rejected: it will not be proposed again.').waitFor();
    await expect(propose(stage, 'thin', [WIFI])).rejects.toThrow('proposed');
    expect(await insights('thin', 'proposed')).toEqual([]);
  });

  test('the map is walked from memory to memory', async () => {
    await stage.store('garden', {
      tomatoes: 'The tomatoes in the greenhouse need water every evening, as the [[cucumbers]] do.',
      cucumbers: 'Cucumbers in the greenhouse want water in the evening, too.',
      server: 'The payment server listens on port 8443.',
    });
    const page = await stage.signedInAt('/');
    await choose(page, 'Map');
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('garden');
    // What nobody linked is not there, and no guess.
    const overview = page.getByRole('region', { name: 'What hangs together' });
    await overview
      .getByRole('link', { name: /Cucumbers/ })
      .first()
      .waitFor();
    expect(await overview.getByText(/payment server/).count()).toBe(0);
    await overview.getByRole('button', { name: /around The tomatoes/ }).click();
    const middle = page.getByRole('region', { name: 'In the middle' });
    const heading = middle.getByRole('heading', { level: 2 });
    await heading.filter({ hasText: 'tomatoes' }).waitFor();
    await middle.getByText('it links there as “cucumbers”').waitFor();
    await page.getByRole('checkbox', { name: 'Similar (a guess)' }).check();
    await middle.getByText('close to it in meaning').first().waitFor();
    await middle
      .getByRole('list')
      .getByRole('button', { name: /Cucumbers/ })
      .click();
    await heading.filter({ hasText: 'Cucumbers' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Whole map' }).click();
    await overview.waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // Where there is no room for a picture it is a list, and a title opens its note.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('img', { name: /^A picture of/ }).waitFor({ state: 'detached' });
    await overview
      .getByRole('link', { name: /tomatoes/ })
      .first()
      .click();
    await page.waitForURL(/\/memories\?.*key=tomatoes/);
  });

  test('a map without links says what begins one', async () => {
    await stage.store('alone', { note: 'One note alone.' });
    const page = await stage.signedInAt('/map?namespace=alone');
    await page.getByRole('heading', { name: 'Nothing is linked yet' }).waitFor();
    await page.getByRole('link', { name: 'Write a memory' }).click();
    await page.waitForURL(/mode=new/);
  });
});
