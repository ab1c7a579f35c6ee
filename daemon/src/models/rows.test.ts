import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASKED, type AskedVector, Rows } from './rows.ts';

const byte = fc.integer({ min: -127, max: 127 });
const number = fc.float({ min: -3, max: 3, noNaN: true });

function scan(rows: Rows, asked: AskedVector, count: number): number[] {
  const products: number[] = [];
  rows.scan([asked], count, ({ first, rows: some }, sums) => {
    for (const [i, sum] of sums.subarray(0, some).entries()) products[first + i] = sum * asked.step;
  });
  return products;
}

describe.each([1, 7, 16, 128, 384, 1536, 4096])('rows of %s numbers', (dimensions) => {
  const length = { minLength: dimensions, maxLength: dimensions };
  const product = (vector: readonly number[], row: readonly number[]) =>
    vector.reduce((sum, value, i) => sum + value * (row[i] ?? 0), 0);

  test('are multiplied as JavaScript does it, one by one and all of them', () => {
    const some = fc.array(fc.array(byte, length), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(number, length), some, (vector, all) => {
        const rows = new Rows(dimensions);
        rows.reserve(all.length);
        for (const [at, row] of all.entries()) rows.at(at).set(row);
        const asked = rows.ask(Float32Array.from(vector));
        // Each of the numbers is off by half a step at most.
        const error = (dimensions * 127 * asked.step) / 2 + 1e-3;
        const scanned = scan(rows, asked, all.length);
        for (const [at, row] of all.entries()) {
          expect(Math.abs(rows.dot(asked, at) - product(vector, row))).toBeLessThanOrEqual(error);
          expect(scanned[at]).toBe(rows.dot(asked, at));
        }
      }),
      { numRuns: dimensions > 1000 ? 5 : 40 },
    );
  });

  test('never leave 31 bits, at the largest numbers that there are', () => {
    const rows = new Rows(dimensions, 2);
    rows.at(0).fill(127);
    rows.at(1).fill(-128);
    const asked = rows.ask(new Float32Array(dimensions).fill(0.5));
    expect(rows.dot(asked, 0) / (dimensions * 0.5 * 127)).toBeCloseTo(1, 6);
    expect(rows.dot(asked, 1) / (dimensions * 0.5 * -128)).toBeCloseTo(1, 6);
  });
});

describe('rows', () => {
  test('keep what they hold when room is made, and new ones are zero', () => {
    const rows = new Rows(20, 3);
    rows.at(2).fill(5);
    const asked = rows.ask(new Float32Array(20).fill(1));
    rows.reserve(100_000);
    expect([rows.capacity >= 100_000, rows.at(2)[19], rows.at(99_999)[0]]).toEqual([true, 5, 0]);
    expect(rows.dot(asked, 2)).toBeCloseTo(100, 2);
    expect(rows.bytes).toBeGreaterThan(100_000 * 32);
  });

  test('are scanned over the borders of blocks', () => {
    const rows = new Rows(16, 3000);
    for (let at = 0; at < 3000; at++) rows.at(at)[3] = at % 100;
    const products = scan(rows, rows.ask(new Float32Array(16).fill(1)), 2500);
    expect(products).toHaveLength(2500);
    for (const [at, value] of products.entries()) expect(value).toBeCloseTo(at % 100, 3);
  });

  test('are asked with several vectors at a time, and with one whose slot another took meanwhile', () => {
    const rows = new Rows(16, 1);
    rows.at(0).fill(1);
    const many = Array.from({ length: ASKED }, (_, slot) => rows.ask(new Float32Array(16).fill(slot), slot));
    for (const [value, asked] of many.entries()) expect(rows.dot(asked, 0)).toBeCloseTo(16 * value, 3);
    const first = rows.ask(new Float32Array(16).fill(7), 2);
    const second = rows.ask(new Float32Array(16).fill(9), 2);
    expect([rows.dot(first, 0), rows.dot(second, 0)].map(Math.round)).toEqual([112, 144]);
  });

  test('of a vector of zeros are zero', () => {
    const rows = new Rows(16, 1);
    rows.at(0).fill(9);
    expect(rows.dot(rows.ask(new Float32Array(16)), 0)).toBe(0);
  });
});
