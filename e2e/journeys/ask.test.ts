import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { button, choose } from '../pages/memories.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../world.ts';

describe.skipIf(!hasBrowser)('asking in the page', () => {
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
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('passport expires on 3 May 2027').waitFor();
    const citations = page.getByRole('region', { name: 'Citations' });
    await citations.getByText('Why this result').first().click();
    await citations.getByText('Found by').first().waitFor();
    await page.getByText('How it was answered').click();
    await page.getByRole('rowheader', { name: 'Words' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await citations.getByRole('link', { name: 'passport' }).click();
    await page.getByRole('heading', { name: 'passport', exact: true }).waitFor();
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
    await page.getByText('Not in memory', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Citations' }).count()).toBe(0);
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('the menu leads to it, and an empty memory is said to be so', async () => {
    const page = await stage.signedInAt('/');
    await choose(page, 'Ask');
    await page.getByRole('heading', { name: 'Ask your memory' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
