import fs from 'node:fs';
import path from 'node:path';
import { seconds } from '@reverie/shared/testing/patience';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing.ts';
import { createPdfReader, LIMITS, type PdfReader } from './pdf-reader.ts';
import { bombOf, lines, lockedPdf, pdfOf } from './testing/pdf.ts';

let temporary: { folder: string; remove: () => void };
let reader: PdfReader;
beforeEach(() => {
  temporary = temporaryFolder();
  reader = createPdfReader({ ...LIMITS, time: seconds(60) });
});
afterEach(() => {
  reader.rest();
  temporary.remove();
});

function fileOf(bytes: Buffer | string): string {
  const file = path.join(temporary.folder, 'file.pdf');
  fs.writeFileSync(file, bytes);
  return file;
}
const read = (bytes: Buffer | string) => reader.read(fileOf(bytes));

test('pages are read line by line, words parted at the end of a line are whole, empty pages are passed over', async () => {
  expect(
    await read(pdfOf([lines('The inter-', 'national Treaty-', 'Organisation'), '', lines('second')])),
  ).toEqual({
    pages: [
      { page: 1, text: 'The international Treaty-\nOrganisation' },
      { page: 3, text: 'second' },
    ],
    left_out: null,
  });
});

test('what cannot be read says why, and the next file is read', async () => {
  expect(await read('%PDF-1.7 text')).toEqual({ pages: [], left_out: 'broken' });
  expect(await read(lockedPdf())).toEqual({ pages: [], left_out: 'encrypted' });
  expect(await read(pdfOf(['']))).toEqual({ pages: [], left_out: 'empty' });
  expect(await reader.read(path.join(temporary.folder, 'gone.pdf'))).toMatchObject({ left_out: 'broken' });
  const whole = pdfOf([lines('one'), lines('two')]);
  // Without its end: what is there is read.
  expect((await read(whole.subarray(0, whole.length - 12))).pages).toHaveLength(2);
  expect((await read(pdfOf([lines('fine')]))).pages).toEqual([{ page: 1, text: 'fine' }]);
});

test('of 10,000 pages, and of a page without end, as much is read as may be', async () => {
  reader = createPdfReader({ ...LIMITS, pages: 20, characters: 1_000 });
  const many = await read(pdfOf(Array.from({ length: 10_000 }, (_, at) => lines(`page ${at + 1}`))));
  expect(many.left_out).toBe('limit');
  expect(many.pages).toHaveLength(20);
  const long = await read(
    pdfOf([lines(...Array.from({ length: 40 }, () => 'thirty letters and more a line')), lines('more')]),
  );
  expect(long.left_out).toBe('limit');
  expect(long.pages.map(({ text }) => text.length)).toEqual([1_000]);
});

test('what unpacks to more than may be ends with its thread, and the next file is read', async () => {
  reader = createPdfReader({ ...LIMITS, memory: 96 * 1024 * 1024, time: seconds(60) });
  expect(await read(bombOf(256))).toEqual({ pages: [], left_out: 'limit' });
  expect((await read(pdfOf([lines('fine')]))).pages).toEqual([{ page: 1, text: 'fine' }]);
});

test('what takes longer than a file may, ends with what was read by then', async () => {
  reader = createPdfReader({ ...LIMITS, time: 1 });
  expect((await read(pdfOf([lines('late')]))).left_out).toBe('limit');
});

test('a reader that is stopped says so', async () => {
  const reading = reader.read(fileOf(pdfOf([lines('never')])));
  reader.rest();
  await expect(reading).rejects.toThrow('stopped');
});
