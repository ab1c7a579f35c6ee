import { storeBatch } from '@reverie/shared/contract/memories/memories';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cases } from '@reverie/shared/testing/depth';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose, detail } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

// Each asks what those before it stored.
describe.skipIf(!hasBrowser)('asking in the page', { shuffle: false }, () => {
  const stage = setStage();

  test('a question is answered in the words of a memory, which says why it was found', async () => {
    await stage.store('home', {
      passport: 'Anna’s passport expires on 3 May 2027. It is in the blue folder.',
      boiler: 'The boiler was serviced by Herr Okafor in March.',
      bread: 'Sourdough needs twelve hours in the fridge.',
    });
    const page = await stage.signedInAt('/ask?namespace=home');
    const question = page.getByRole('textbox', { name: 'Question' });
    await question.fill('When does Anna’s passport expire?');
    await question.press('Enter');
    const answer = page.getByRole('region', { name: 'Found in your notes' });
    await answer.getByText('It is in the blue folder.').waitFor();
    // It is a sentence or two: said once, without a title.
    expect((await answer.innerText()).match(/blue folder/gu)).toHaveLength(1);
    const first = answer.getByRole('listitem').filter({ hasText: 'blue folder' });
    await first.getByText('Why this one').click();
    expect(await first.getByText(/^It says/u).innerText()).toMatch(/passport/u);
    expect(await first.getByText('Found by').isVisible()).toBe(false);
    await first.getByText('The figures').click();
    await first.getByText('Found by').waitFor();
    await page.getByText('How it was answered').click();
    await page.getByRole('rowheader', { name: 'Words', exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await first.getByRole('link', { name: /^Open .*passport expires/u }).click();
    await detail(page, 'passport').waitFor();
  });

  test('what nothing answers is said to be not in memory, in a narrow window too', async () => {
    await stage.store('thin', { bread: 'Sourdough needs twelve hours in the fridge.' });
    const page = await stage.signedInAt('/ask?namespace=thin', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    const question = page.getByRole('textbox', { name: 'Question' });
    await question.fill('What is the licence plate of the van?');
    await button(page, 'Ask').click();
    await page.getByText(/^Nothing in memory in the namespace “thin” answers this\./u).waitFor();
    expect(await page.getByRole('blockquote').count()).toBe(0);
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('every namespace is asked unless one is chosen, and a refusal says where it looked', async () => {
    await stage.store('papers', { passport: 'The passport of Ines is in the drawer of the hall.' });
    await stage.store('garden', { hedge: 'Cut the hedge before the end of February.' });
    const page = await stage.signedInAt('/ask');
    const question = page.getByRole('textbox', { name: 'Question' });
    await question.fill('Where is the passport of Ines?');
    await question.press('Enter');
    await page.getByText('in the drawer of the hall').first().waitFor();
    await page.getByRole('combobox', { name: 'In the namespace' }).selectOption('garden');
    await button(page, 'Ask').click();
    await page.getByText('Looked in garden only').waitFor();
    await page.getByRole('link', { name: 'ask all namespaces' }).click();
    await page.getByText('in the drawer of the hall').first().waitFor();
    await question.fill('What is the licence plate of the van?');
    await question.press('Enter');
    await page.getByText('Looked in all namespaces.').waitFor();
  });

  /** Notes of a person, those of one thing that changed with their days. */
  const NOTES = [
    ['gym', 'The gym costs 29 euro a month.', '2026-03-01'],
    ['gym-august', 'The gym costs 34 euro a month.', '2026-08-12'],
    ['berlin', 'In 2023 I lived in Berlin, in Weserstrasse.\nThe flat was on the fourth floor.', undefined],
    ['clara', 'Clara lives in Lyon and works as a nurse.', undefined],
    ['deploys', '# Deploys\n\n| Env | Window |\n| --- | --- |\n| prod | Thursday |\n', undefined],
  ] as const;
  const asked = [
    ['unsure', 'How much does the gym cost?', 'Found in your notes'],
    ['none', 'What is the licence plate of the van?', 'No answer'],
  ] as const;
  const LOOKS = [
    { width: 1440, colorScheme: 'light' },
    { width: 390, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
    { width: 390, colorScheme: 'dark' },
  ] as const;
  const answerOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test.each(asked)('what is %s is told so in words and form', async (certainty, question, name) => {
    const items = NOTES.map(([key, value, date]) => ({
      key,
      value,
      namespace: 'life',
      ...(date !== undefined && { metadata: { date } }),
    }));
    await stage.world.daemon.call(storeBatch, { body: { items } });
    for (const { colorScheme, width } of cases(LOOKS)) {
      const viewport = { width, height: 900 };
      const page = await stage.signedInAt(`/ask?namespace=life&q=${encodeURIComponent(question)}`, {
        viewport,
        colorScheme,
      });
      const answer = answerOf(page, name);
      await answer.waitFor();
      const said = (await answer.textContent()) ?? '';
      expect(await answer.getByRole('button').count()).toBe(0);
      if (certainty === 'unsure') {
        expect(said).toMatch(/^ ?Found in your notes No answer, only what comes closest/u);
        expect(said).not.toContain('"');
        const older = answer.getByRole('listitem').filter({ hasText: 'Until 12 August 2026' });
        expect(await older.getByRole('blockquote').innerText()).toBe('The gym costs 29 euro a month.');
        expect(await answer.getByRole('blockquote').first().innerText()).toContain('34 euro');
      }
      if (certainty === 'none')
        expect(said).toContain('Nothing in memory in the namespace “life” answers this.');
      // What is no answer is not set in the letters of one.
      const size = await page.evaluate<string>(
        'getComputedStyle(document.querySelector(\'[data-certainty] [dir="auto"]\')).fontSize',
      );
      expect(size).toBe('16px');
      expect(await pageWidth(page)).toBe(width);
      expect(await axeFindings(page)).toEqual([]);
      const folder = process.env['REVERIE_TEST_SHOTS'];
      if (folder !== undefined)
        await page.screenshot({
          path: `${folder}/ask-${certainty}-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
  });

  test('a row of a table is cited with its head', async () => {
    const page = await stage.signedInAt(
      `/ask?namespace=life&q=${encodeURIComponent('When is the window of prod?')}`,
    );
    await page
      .getByRole('region', { name: 'Found in your notes' })
      .getByText('Env: prod · Window: Thursday', { exact: true })
      .waitFor();
  });

  test('the menu leads to it, and an empty memory is said to be so', async () => {
    const page = await stage.signedInAt('/');
    await choose(page, 'Ask');
    await page.getByRole('heading', { name: 'Ask your memory' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
