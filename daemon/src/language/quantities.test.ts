import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuantities } from './quantities.ts';

const read = (text: string) =>
  findQuantities(text).map(({ text: said, kind, norm }) => `${said}: ${kind} ${norm}`);

describe('quantities', () => {
  it.each([
    ['75 mg twice', ['75 mg: number 75 mg']],
    ['1,900 euro a month', ['1,900 euro: money 1900 EUR']],
    ['costs €419.50', ['€419.50: money 419.5 EUR']],
    ['$2k', ['$2k: money 2000 USD']],
    ['a timeout of 20s, then 500 ms', ['20s: number 20 s', '500 ms: number 500 ms']],
    ['18 % of 3 apples', ['18 %: number 18 %', '3: number 3']],
    ['port 5433', ['5433: number 5433']],
    ['upgrade to v5.0.1 or 22.13.1', ['v5.0.1: version v5.0.1', '22.13.1: version v22.13.1']],
    ['16 GB', ['16 GB: number 16 GB']],
    ['-5.0 degrees', ['-5.0 degrees: number -5 °C']],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected));

  it('are not parts of dates, addresses, identifiers and times', () => {
    expect(read('2026-05-03, 10.0.0.1/24, db-tm-01, E1043, x86_64, 10:30, a/2/b')).toEqual([]);
  });

  it('stand where they say, in order', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789.,-v €$kmg%/:x \n'.split('')), maxLength: 40 }),
        (text) => {
          let last = 0;
          for (const { text: said, start, end } of findQuantities(text)) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(text.slice(start, end)).toBe(said);
            last = end;
          }
        },
      ),
    );
  });
});
