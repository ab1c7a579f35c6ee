/**
 * Packs the four files of a table (meta.json, vocab.txt, scales.f32, table.i8) into one, so that the daemon reads once.
 *
 *   node scripts/data/static-embedding/pack.ts FOLDER_OF_THE_FOUR [OUTPUT]
 *
 * Layout, little endian: "RVT1", u32 length of the header, header (JSON, padded with blanks so that the data begin at a
 * multiple of 64), then the sections at the offsets that the header names, each at a multiple of 64.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MODEL = 'static-d128-v3';
const SECTIONS = { vocab: 'vocab.txt', scales: 'scales.f32', table: 'table.i8' } as const;
const aligned = (n: number): number => Math.ceil(n / 64) * 64;

function pack(folder: string): Buffer {
  const meta: unknown = JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8'));
  const parts = Object.entries(SECTIONS).map(([name, file]) => ({
    name,
    bytes: readFileSync(join(folder, file)),
  }));
  let offset = 0;
  const sections: Record<string, { offset: number; length: number; sha256: string }> = {};
  for (const { name, bytes } of parts) {
    sections[name] = {
      offset,
      length: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
    offset = aligned(offset + bytes.length);
  }
  const json = JSON.stringify({ model: MODEL, meta, sections });
  const start = aligned(8 + Buffer.byteLength(json));
  const out = Buffer.alloc(start + offset);
  out.write('RVT1', 0, 'latin1');
  out.writeUInt32LE(start - 8, 4);
  out.fill(0x20, 8, start);
  out.write(json, 8, 'utf8');
  for (const { name, bytes } of parts) bytes.copy(out, start + (sections[name]?.offset ?? 0));
  return out;
}

const [folder, output = join(import.meta.dirname, '../../../daemon/data/static-embedding/table.bin')] =
  process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node pack.ts FOLDER [OUTPUT]');
const bytes = pack(folder);
writeFileSync(output, bytes);
const sum = createHash('sha256').update(bytes).digest('hex');
process.stdout.write(`${output}  ${bytes.length} bytes  sha256 ${sum}\n`);
