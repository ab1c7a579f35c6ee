import fc from 'fast-check';
import { expect, it } from 'vitest';

import { BORDER, createKnownWords, type KnownWord } from './known-words.ts';

/** Words by their letters, so that what comes out can be read. */
function reader() {
  const seen = new Map<string, number>();
  const names: string[] = [];
  const made: string[] = [];
  const words = createKnownWords((word): KnownWord => {
    made.push(word);
    let row = seen.get(word);
    if (row === undefined) {
      seen.set(word, (row = names.length));
      names.push(word);
    }
    return { key: row, row, isStop: word === 'the', isPassedOver: false };
  });
  return {
    made,
    cut(text: string): string[] {
      const { count, rows, kinds } = words.cut(text);
      return Array.from({ length: count }, (_, at) =>
        kinds[at] === BORDER ? '|' : (names[rows[at] ?? -1] ?? '?'),
      );
    },
  };
}

it('cuts words and ends of sentences', () => {
  const { cut } = reader();
  expect(cut('The cat sat. v1.2 it\'s\n"Why?" No… So')).toEqual([
    ...['the', 'cat', 'sat', '|', 'v1', '2', 'it', 's', '|', 'why', 'no', '|', 'so'],
  ]);
  expect(cut('東京です。Next')).toEqual(['東京です', '|', 'next']);
  expect(cut('')).toEqual([]);
});

it('asks about a word once', () => {
  const { cut, made } = reader();
  cut('Cats and cats and CATS');
  cut('cats');
  expect(made).toEqual(['cats', 'and']);
});

it('cuts the same with and without letters beyond ASCII', () => {
  const { cut } = reader();
  const piece = fc.constantFrom('word', 'Two', 'a1', '. ', ', ', '\n', ' — ', '“', '! ', '…', '.x', '€', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const long = cut(`${text} é`);
      expect(long.slice(0, -1)).toEqual(cut(`${text} `));
      expect(long.at(-1)).toBe('é');
    }),
  );
});
