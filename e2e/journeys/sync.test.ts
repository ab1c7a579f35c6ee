import { describe, expect, test } from 'vitest';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';
import { hasBrowser } from '../chromium.ts';

describe.skipIf(!hasBrowser)('sync in the page', () => {
  const stage = setStage();

  test('a machine that is not linked says so, and a relay that does not answer is told of', async () => {
    const page = await stage.signedInAt('/sync', {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    });
    await page.getByText('Your memories are on this machine only.').waitFor();
    expect(await pageWidth(page)).toBe(360);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByLabel('Address of the relay').fill('http://127.0.0.1:9');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByText('It was not linked:').waitFor();
    await page.getByText('not linked', { exact: true }).waitFor();
  });
});
