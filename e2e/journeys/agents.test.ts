import { setMemory } from '@reverie/shared/contract/memories/memories';
import { listRecalls, recordRecall } from '@reverie/shared/contract/agents/recalls';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('what agents were shown', () => {
  const stage = setStage();

  test('is listed with its reason, judged in place, and looked for again', async () => {
    const { call } = stage.world.daemon;
    const set = (value: string) => call(setMemory, { body: { key: 'note', value, namespace: 'shop' } });
    await set('The proxy listens on port 8443.');
    const page = await stage.signedInAt('/agents', { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: 'No helper has looked here yet' }).waitFor();
    await call(recordRecall, {
      body: {
        way: 'search',
        agent: 'codex',
        namespace: 'shop',
        tokens: 40,
        query: 'which port has the proxy',
        memories: [{ key: 'note', namespace: 'shop', reason: 'fits the search', score: 0.91 }],
      },
    });
    await page.reload();
    const item = page.getByRole('listitem').filter({ hasText: 'codex searched' });
    await item.getByText('which port has the proxy').waitFor();
    await item.getByText('fits the search').and(item.getByTitle('Score 0.91')).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await pageWidth(page)).toBeLessThanOrEqual(390);

    const verdict = async () => (await call(listRecalls, { query: {} })).recalls[0]?.memories[0]?.verdict;
    const helped = item.getByRole('radio', { name: 'Helped' });
    await helped.click();
    await expect.poll(verdict).toBe('helped');
    await page.getByText('You rated 1 memory; not checked again yet.').waitFor();
    await button(page, 'Look again').click();
    await page.getByText('Of 1 memory that you rated, 1 is still found as you want').waitFor();
    await set('Green tea steeps for two minutes.');
    await button(page, 'Look again').click();
    await page.getByText('1 memory that you rated is harder to find than the time before.').waitFor();
    await page.getByText('Worse than before: 1').click();
    await page.getByText('it helped; now', { exact: false }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await helped.click();
    await expect.poll(verdict).toBeNull();
  });
});
