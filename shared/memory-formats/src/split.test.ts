import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText } from './split.ts';

const text = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n\n', '\r\n\r\n', '\n', ' ', '\n \t\n', '👩‍👩‍👧‍👦', 'ä'),
  ),
  { maxLength: 200 },
);

test('parts are within the limit, not empty, and put together the text', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 64 }), (pieces, max) => {
      const whole = pieces.join('').toWellFormed();
      const parts = splitText(whole, max);
      expect(parts.join('')).toBe(whole);
      for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(max);
      if (whole !== '') expect(parts).not.toContain('');
      for (const part of parts) expect(part.isWellFormed()).toBe(true);
    }),
  );
});

test('cuts after a blank line, else a line, else a word', () => {
  expect(splitText('one two\n\nthree four\nfive', 16)).toEqual(['one two\n\n', 'three four\nfive']);
  expect(splitText('one two\nthree four', 14)).toEqual(['one two\n', 'three four']);
  expect(splitText('onetwo threefour', 12)).toEqual(['onetwo ', 'threefour']);
  expect(splitText('öööö', 5)).toEqual(['öö', 'öö']);
});
