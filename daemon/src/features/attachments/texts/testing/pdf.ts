import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** A content stream that shows lines of text. */
export function lines(...shown: readonly string[]): string {
  return `BT /F1 12 Tf 72 720 Td 14 TL ${shown.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
}

/** A PDF of pages with these content streams; bytes are packed ones. `trailer` is more of its trailer. */
export function pdfOf(pages: readonly (string | Buffer)[], trailer = ''): Buffer {
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects: (readonly (string | Buffer)[])[] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    [`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`],
    ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  ];
  for (const [at, content] of pages.entries()) {
    const bytes = Buffer.from(content);
    const filter = Buffer.isBuffer(content) ? ' /Filter /FlateDecode' : '';
    objects.push(
      [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      ],
      [`<< /Length ${bytes.length}${filter} >>\nstream\n`, bytes, '\nendstream'],
    );
  }
  const pieces = [Buffer.from('%PDF-1.7\n')];
  let size = 9;
  const starts = objects.map((object, at) => {
    const start = size;
    const bytes = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      ...object.map((piece) => Buffer.from(piece)),
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(bytes);
    size += bytes.length;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${starts.join('')}`;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${size}\n%%EOF`;
  return Buffer.concat([...pieces, Buffer.from(table + end)]);
}

/** A PDF that unpacks to so many MiB of text. */
export function bombOf(mebibytes: number): Buffer {
  return pdfOf([deflateSync(Buffer.alloc(mebibytes * 1024 * 1024, ' '), { level: 9 })]);
}

/** A PDF that opens with a password alone (the standard handler, revision 2, RC4 of 40 bits). */
export function lockedPdf(): Buffer {
  const md5 = (...parts: readonly Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const password = Buffer.concat([Buffer.from('secret'), padding]).subarray(0, 32);
  const id = Buffer.alloc(16, 7);
  const owner = rc4(md5(password).subarray(0, 5), password);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const user = rc4(md5(password, owner, permissions, id).subarray(0, 5), padding);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return pdfOf(
    [lines('hidden')],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P -4 >> /ID [${hex(id)} ${hex(id)}]`,
  );
}

function rc4(key: Buffer, text: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (place: number) => state[place & 255] ?? 0;
  const swap = (a: number, b: number) => {
    [state[a & 255], state[b & 255]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j += at(i) + (key[i % key.length] ?? 0);
    swap(i, j);
  }
  let j = 0;
  return Buffer.from(
    text.map((byte, n) => {
      j += at(n + 1);
      swap(n + 1, j);
      return byte ^ at(at(n + 1) + at(j));
    }),
  );
}
