import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { takeFolderAttachments } from '@reverie/shared/contract/memories/folders';
import { searchMemories } from '@reverie/shared/contract/search/search';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lines, pdfOf } from '../../daemon/src/features/attachments/texts/testing/pdf.ts';
import { axeFindings } from '../pages/accessibility.ts';
import { pageWidth, setStage } from '../stage.ts';

/** A picture of some pixels, which the browser of this test draws. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="top.document.title='ran'">
  <script>top.document.title = 'ran';</script>
  <image href="https://elsewhere.invalid/pixel.png"/>
  <rect width="40" height="30" fill="teal"/>
</svg>`;
const NOTE = `# Pictures
Before ![[pic.png|300]] and behind.

![A plan|120x80](assets/plan%20two.png)

![[dot.svg]]

![[gone.png]]

![elsewhere](https://elsewhere.invalid/a.png)

![[paper.pdf]] and [the paper](paper.pdf).
`;

describe('pictures of a note', () => {
  const stage = setStage();
  let vault = '';
  beforeEach(() => {
    vault = fs.mkdtempSync(path.join(os.tmpdir(), 'reverie-vault-'));
    fs.mkdirSync(path.join(vault, 'assets'));
    fs.writeFileSync(path.join(vault, 'pic.png'), PICTURE);
    fs.writeFileSync(path.join(vault, 'assets', 'plan two.png'), PICTURE);
    fs.writeFileSync(path.join(vault, 'dot.svg'), HOSTILE);
    fs.writeFileSync(path.join(vault, 'paper.pdf'), '%PDF-1.7 a paper');
  });
  afterEach(() => fs.rmSync(vault, { recursive: true }));

  test('are shown as wide as it says, run nothing, and fetch nothing elsewhere', async () => {
    await stage.store('vault', { 'a.md': NOTE });
    await stage.world.daemon.call(takeFolderAttachments, { body: { path: vault, namespace: 'vault' } });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const page = await stage.signedInAt('/memories?namespace=vault&key=a.md', {
          viewport: { width, height: 1600 },
          colorScheme,
        });
        const elsewhere: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('elsewhere')) elsewhere.push(request.url());
        });
        const text = page.getByTestId('value');
        const picture = text.getByRole('img', { name: 'pic.png' });
        await picture.waitFor();
        const plan = text.getByRole('img', { name: 'A plan' });
        await plan.waitFor();
        expect(await plan.boundingBox()).toMatchObject({ width: 120, height: 80 });
        expect(await picture.boundingBox()).toMatchObject({ width: 300 });
        const svg = text.getByRole('img', { name: 'dot.svg' });
        await expect.poll(() => svg.boundingBox()).toMatchObject({ width: 40, height: 30 });
        expect(await page.title()).not.toContain('ran');
        await text.getByText('gone.png (not stored)').waitFor();
        await text.getByRole('link', { name: 'elsewhere' }).waitFor();
        expect(elsewhere).toEqual([]);
        expect(await pageWidth(page)).toBe(width);
        expect(await axeFindings(page)).toEqual([]);
        const shots = process.env['REVERIE_SHOTS'];
        if (shots !== undefined) await page.screenshot({ path: `${shots}/${colorScheme}-${width}.png` });
        const saved = page.waitForEvent('download');
        await text.getByRole('button', { name: /the paper/u }).click();
        const download = await saved;
        expect(download.suggestedFilename()).toBe('paper.pdf');
        expect(fs.readFileSync(await download.path(), 'utf8')).toBe('%PDF-1.7 a paper');
      }
  });

  test('what a PDF says is found with its page, and leads to the note that names it', async () => {
    const pages = [lines('About hives.'), lines('The quagga is an extinct zebra.')];
    fs.writeFileSync(path.join(vault, 'paper.pdf'), pdfOf(pages));
    await stage.store('papers', { 'a.md': NOTE, 'b.md': '# Zebras\nStripes of an extinct zebra.' });
    await stage.world.daemon.call(takeFolderAttachments, { body: { path: vault, namespace: 'papers' } });
    const body = { query: 'quagga', namespace: 'papers' };
    await expect
      .poll(async () => (await stage.world.daemon.call(searchMemories, { body })).files?.length)
      .toBe(1);
    for (const [query, width] of [
      ['quagga', 1440],
      ['extinct zebra', 390],
    ] as const) {
      const page = await stage.signedInAt(`/memories?namespace=papers&q=${encodeURIComponent(query)}`, {
        viewport: { width, height: 900 },
      });
      const hit = page.getByRole('region', { name: 'In PDFs' }).getByRole('button', { name: /paper\.pdf/u });
      await hit.waitFor();
      expect(await hit.textContent()).toContain('page 2');
      expect(await hit.textContent()).toContain('The quagga is an extinct zebra.');
      expect(await pageWidth(page)).toBe(width);
      expect(await axeFindings(page)).toEqual([]);
      const shots = process.env['REVERIE_SHOTS'];
      if (shots !== undefined) await page.screenshot({ path: `${shots}/pdf-${width}.png` });
      await hit.click();
      await page.getByRole('heading', { name: 'Pictures' }).waitFor();
    }
  });
});
