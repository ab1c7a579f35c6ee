import fs from 'node:fs';
import path from 'node:path';
import { seconds } from '@reverie/shared/testing/patience';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lines, pdfOf } from '../features/attachments/texts/testing/pdf.ts';
import { startTestDaemon, temporaryFolder, type TestDaemon } from '../testing.ts';
import { type Ended, run } from './fake-terminal.ts';

let daemon: TestDaemon;
const { folder, remove } = temporaryFolder();
const reverie = (...args: string[]): Promise<Ended> => run({ home: daemon.home.folder }, ...args);

beforeAll(async () => {
  daemon = await startTestDaemon();
  fs.writeFileSync(path.join(folder, 'note.md'), 'Read ![[paper.pdf]]');
  const pages = [lines('About hives.'), lines('The quagga is an extinct zebra.')];
  fs.writeFileSync(path.join(folder, 'paper.pdf'), pdfOf(pages));
  await reverie('import', folder, '-f', 'markdown', '-n', 'vault', '--yes');
  await vi.waitFor(async () => expect((await reverie('search', 'quagga', '-n', 'vault')).out).not.toBe(''), {
    timeout: seconds(20),
    interval: 100,
  });
});
afterAll(async () => {
  await daemon.stop();
  remove();
});

test('search says in which PDF and on which page it stands, and which memory names that', async () => {
  expect((await reverie('search', 'quagga', '-n', 'vault')).out).toMatch(
    /^0\.\d\d\tnote\.md\tpaper\.pdf, page 2\tThe quagga is an extinct zebra\.\n$/u,
  );
  expect((await reverie('search', 'quagga', '--everywhere')).out).toMatch(
    /^0\.\d\d\tvault\tnote\.md\tpaper\.pdf, /u,
  );
  const { out } = await run({ home: daemon.home.folder, typed: '' }, 'search', 'quagga', '-n', 'vault');
  expect(out).toContain('In PDFs:');
  expect(out).toMatch(/paper\.pdf, page 2 {2}note\.md\s+│?\s*The quagga/u);
  expect(JSON.parse((await reverie('search', 'quagga', '-n', 'vault', '--json')).out)).toMatchObject({
    files: [{ path: 'paper.pdf', page: 2, keys: ['note.md'] }],
  });
});
