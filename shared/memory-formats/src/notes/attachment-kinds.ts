import { extname } from 'node:path/posix';

/** What is shown in a note, and what is a document beside it. */
const attachmentTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'application/pdf',
] as const;
export type AttachmentType = (typeof attachmentTypes)[number];

/** Bytes at the beginning of a file that say what it is. */
export const HEAD_BYTES = 4_096;

const ENDINGS: ReadonlySet<string> = new Set([
  ...['.png', '.jpg', '.jpeg', '.jfif', '.gif', '.webp', '.avif', '.svg', '.pdf'],
]);

/** Tells whether the name of a file is one of a picture or a PDF. */
export function isAttachmentName(path: string): boolean {
  return ENDINGS.has(extname(path).toLowerCase());
}

/** Of what type a file is by how it begins, whatever it is called; undefined for what is no picture and no PDF. */
export function typeOf(head: Buffer): AttachmentType | undefined {
  const text = head.toString('latin1', 0, 32);
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/u.test(text)) return 'image/gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.slice(4, 8) === 'ftyp' && brandsOf(head).some((brand) => /^avi[fs]$/u.test(brand)))
    return 'image/avif';
  if (text.startsWith('%PDF-')) return 'application/pdf';
  return isSvg(head.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** The brands that a file of boxes says it is of: its own, and those it is compatible with. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.length >= 4 ? head.readUInt32BE(0) : 0, head.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}

/** Tells whether the first element of a text is an SVG, behind what XML may begin with. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/u, '').trimStart();
  for (;;) {
    const [, close] = [
      ['<?', '?>'],
      ['<!--', '-->'],
      ['<!DOCTYPE', '>'],
    ].find(([open = '']) => rest.startsWith(open)) ?? ['', undefined];
    if (close === undefined) return /^<svg[\s>/]/u.test(rest);
    const end = rest.indexOf(close);
    if (end === -1) return false;
    rest = rest.slice(end + close.length).trimStart();
  }
}
