import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';

import { encodeMixed, quantise } from './embedder.ts';
import { loadStaticTable } from './static-table.ts';

const data = join(import.meta.dirname, '../../data/static-embedding');
const table = loadStaticTable();
const folder = mkdtempSync(join(tmpdir(), 'reverie-table-'));
afterAll(() => rmSync(folder, { recursive: true }));

const length = (vector: Float32Array): number => Math.hypot(...vector);
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

describe('the packed table', () => {
  it('is the one whose provenance the notice tells', () => {
    for (const line of readFileSync(join(data, 'SHA256SUMS'), 'utf8').trim().split('\n')) {
      const [sum, file = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(readFileSync(join(data, file)))
          .digest('hex'),
        file,
      ).toBe(sum);
    }
  });

  it('names its model and dimensions', () => {
    expect(table.model).toBe('static-d128-v3');
    expect(table.dimensions).toBe(128);
  });

  it('is refused where it is cut short or something else', () => {
    const bytes = readFileSync(join(data, 'table.bin'));
    for (const broken of [
      bytes.subarray(0, 5),
      bytes.subarray(0, bytes.length >> 1),
      Buffer.from('something else altogether'),
    ]) {
      writeFileSync(join(folder, 'broken.bin'), broken);
      expect(() => loadStaticTable(join(folder, 'broken.bin'))).toThrow(
        /not a packed embedding table|cut short/,
      );
    }
  });
});

describe('encoding', () => {
  const references = JSON.parse(readFileSync(join(data, 'reference-vectors.json'), 'utf8')) as {
    text: string;
    vector: number[];
  }[];

  it('has references to be compared with', () => expect(references).toHaveLength(12));

  it.each(references)('equals the reference encoder: $text', ({ text, vector }) => {
    const own = table.encode(text);
    const difference = Math.max(...vector.map((x, i) => Math.abs(x - (own[i] ?? Infinity))));
    expect(difference).toBeLessThan(1e-5);
  });

  it('gives a unit vector or a zero vector for any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const size = length(table.encode(text));
        expect(size === 0 || Math.abs(size - 1) < 1e-5).toBe(true);
      }),
    );
  });

  it('says the tokens that it adds up, and weighs them', () => {
    expect(table.tokens("What's getUserById's naïve vehicle?")).toEqual([
      'what',
      'get',
      'user',
      'by',
      'id',
      'naive',
      'vehicle',
    ]);
    const only = table.encode('the red vehicle', (token) => (token === 'vehicle' ? 1 : 0));
    expect(cosine(only, table.encode('vehicle'))).toBeCloseTo(1, 5);
    expect(length(table.encode('the red vehicle', () => 0))).toBe(0);
  });

  it('reads forms of a letter as that letter', () => {
    // A ligature, full width, a circled figure, an accent of its own and one of two marks: NFD would leave the first three.
    for (const [form, plain] of [
      ['ﬁle', 'file'],
      ['ｄｅｐｌｏｙ', 'deploy'],
      ['port ②', 'port 2'],
      ['caf\u0065\u0301', 'cafe'],
      ['Ngu\u0065\u0302\u0303n', 'Nguen'],
      ['Straße', 'Strasse'],
      ['Łódź', 'Lodz'],
      ['what’s', 'what'],
    ] as const)
      expect([form, table.tokens(form)]).toEqual([form, table.tokens(plain)]);
  });

  it('reads no more than sixteen marks of a letter, for sorting them would take minutes', () => {
    const marks = '\u0323\u0301'.repeat(40_000);
    const normalised: number[] = [];
    const normalize = Object.getOwnPropertyDescriptor(String.prototype, 'normalize')?.value as (
      form?: string,
    ) => string;
    const spy = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
      normalised.push(this.length);
      return normalize.call(this, form);
    });
    const tokens = table.tokens(`cafe${marks} au lait`);
    spy.mockRestore();
    expect(tokens).toEqual(table.tokens('cafe au lait'));
    expect(normalised).toEqual(['cafe au lait'.length + 16]);
  });

  it('puts a paraphrase nearer than another text', () => {
    const query = table.encode('what car does she drive');
    expect(cosine(query, table.encode('Anna bought a red vehicle'))).toBeGreaterThan(
      cosine(query, table.encode('the soup needs more salt')) + 0.2,
    );
  });
});

describe('mixing and quantising', () => {
  it('leans a text towards its context without leaving it', () => {
    const own = table.encode('She loved it.');
    const context = table.encode('We went to the opera in Vienna');
    const mixed = encodeMixed(table, [
      { text: 'She loved it.', weight: 1 },
      { text: 'We went to the opera in Vienna', weight: 0.3 },
    ]);
    expect(length(mixed)).toBeCloseTo(1, 5);
    expect(cosine(mixed, context)).toBeGreaterThan(cosine(own, context) + 0.1);
    expect(cosine(mixed, own)).toBeGreaterThan(0.9);
    expect(length(encodeMixed(table, []))).toBe(0);
  });

  it('keeps the direction within a hundredth', () => {
    const vector = table.encode('deploy the payments service to eu-west-1');
    const { data: bytes, scale } = quantise(vector);
    expect(Math.max(...vector.map((x, i) => Math.abs(x - (bytes[i] ?? 0) * scale)))).toBeLessThan(0.01);
    expect(quantise(new Float32Array(4))).toEqual({ data: new Int8Array(4), scale: 0 });
  });
});
