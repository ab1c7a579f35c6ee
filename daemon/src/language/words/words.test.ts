import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, WORD, wordsIn } from './words.ts';

test('the words of a text are those of the pattern, whatever it is written in', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, (given) => {
      const folded = foldText(given);
      expect(wordsIn(folded)).toEqual(folded.match(WORD) ?? []);
    }),
    { numRuns: 500 },
  );
  expect(wordsIn('a_b C3-x ünder 型')).toEqual(['a', 'b', 'C3', 'x', 'ünder', '型']);
});
