import fs from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerQuestions } from '@reverie/shared/threads/thread';
import type { PdfPage, PdfQuestion, TextLeftOut } from './messages.ts';

// Native code that draws: nothing is drawn here, and none of it comes near a stranger's file.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@napi-rs/canvas') throw new Error('nothing is drawn');
    return next(specifier, context);
  },
});
// Names itself, so that what reads files needs no thread of its own.
await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

/** What the letters of Asian fonts are that a file names without having them; read from the disk. */
const CMAPS = `${path.dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))}/cmaps/`;

answerQuestions(read);

/** Reads a file and says its pages that have text; answers why there is none, or not all. */
async function read(
  { file, pages, characters }: PdfQuestion,
  say: (page: PdfPage) => void,
): Promise<TextLeftOut | null> {
  const loading = getDocument({
    data: new Uint8Array(fs.readFileSync(file)),
    verbosity: 0,
    cMapUrl: CMAPS,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    useWorkerFetch: false,
  });
  try {
    const document = await loading.promise;
    let left = characters;
    let isBroken = false;
    for (let number = 1; number <= Math.min(document.numPages, pages); number += 1) {
      const text = await textOf(document, number).catch(() => undefined);
      isBroken ||= text === undefined;
      if (text === undefined || text === '') continue;
      say({ page: number, text: text.slice(0, left) });
      left -= text.length;
      if (left < 0) return 'limit';
    }
    if (document.numPages > pages) return 'limit';
    if (isBroken) return 'broken';
    return left === characters ? 'empty' : null;
  } catch (cause) {
    return cause instanceof Error && cause.name === 'PasswordException' ? 'encrypted' : 'broken';
  } finally {
    await loading.destroy().catch(() => undefined);
  }
}

type Document = Awaited<ReturnType<typeof getDocument>['promise']>;

/** The text of a page, a line a line; words that were parted at the end of a line are whole again. */
async function textOf(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items
    .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
    .join('')
    .replaceAll(/(?<=\p{L})[-\u00ad\u2010]\n(?=\p{Ll})/gu, '')
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .toWellFormed()
    .trim();
}
