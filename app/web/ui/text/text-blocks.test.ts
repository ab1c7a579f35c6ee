import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, hasEndlessLine, headOf } from './text-blocks.ts';

test('blocks join to the text, hold at most four sizes, and cut no character in half', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '👩🏽', 'ش', ' '), maxLength: 400 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (given, size) => {
      const blocks = blocksOf(given, size);
      expect(blocks.join('')).toBe(given);
      for (const block of blocks) {
        expect(block.length).toBeLessThanOrEqual(size * 4);
        expect(block.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('text with line ends is cut at them', () => {
  expect(blocksOf('aaaa\nbb\ncc\n', 3)).toEqual(['aaaa\n', 'bb\ncc\n']);
});

test('a head never ends in half a character', () => {
  expect(headOf('a👍b', 2)).toBe('a');
  expect(headOf('a👍b', 3)).toBe('a👍');
  expect(headOf('ab', 5)).toBe('ab');
});

test('a line is endless from 20,000 characters on, however long the text', () => {
  expect(hasEndlessLine('x'.repeat(20_000))).toBe(true);
  expect(hasEndlessLine(`short\n${'x'.repeat(1_000_000)}`)).toBe(true);
  expect(hasEndlessLine('')).toBe(false);
  expect(hasEndlessLine(`${'x'.repeat(19_999)}\n`.repeat(50))).toBe(false);
});
