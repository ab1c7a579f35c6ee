import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { plainPassage } from './plain-passage.ts';

const marked = (text: string, word: string) => {
  const at = text.indexOf(word);
  const plain = plainPassage({ text, marks: [[at, at + word.length]] });
  return [plain.text, ...plain.marks.map(([from, to]) => plain.text.slice(from, to))];
};

test.each([
  ['**Context.** A stolen laptop', 'laptop', 'Context. A stolen laptop'],
  ['Announce in `#release` and freeze', 'release', 'Announce in #release and freeze'],
  ['- [ ] Note it in [[runbooks/deploy]]', 'deploy', 'Note it in runbooks/deploy'],
  ['> of [the repo](https://a.test/b) and more', 'more', 'of the repo and more'],
  ['a price of 5 * 3 and a|b', 'b', 'a price of 5 * 3 and a|b'],
  ['| Dentist | 4 pm |  | room 2 |', 'room', 'Dentist · 4 pm · room 2'],
  ['| a | b |\n|---|:-:|\n| 1 | a\\|c |', 'c', 'a · b\n\n1 · a|c'],
  ['| a row that is cut | in the mid', 'mid', 'a row that is cut · in the mid'],
  ['ls | grep cut', 'cut', 'ls | grep cut'],
  ['Cut within | a row | of a table', 'row', 'Cut within · a row · of a table'],
  [
    'Stop it *before* the move, _never_ after ~~a week~~',
    'move',
    'Stop it before the move, never after a week',
  ],
  ['snake_case_name and 2*3*4, a * b * c', 'b', 'snake_case_name and 2*3*4, a * b * c'],
  ['Water ==before the sun== is up', 'sun', 'Water before the sun is up'],
  ['where a == b and c==d', 'd', 'where a == b and c==d'],
  ['Use `a==b` rather than `c ==d== e`', 'd', 'Use a==b rather than c ==d== e'],
  ['for %%i in (*.txt) do echo %%i', 'echo', 'for %%i in (*.txt) do echo %%i'],
  ['```sh\na | b %% c %% d\n```', 'd', 'sh\na | b %% c %% d\n'],
  ['| `a | b` | ==c== |', 'c', 'a | b · c'],
  ['| 5 %% | b | 6 %% |', 'b', '5 %% · b · 6 %%'],
  ['[x](https://x.test/a) of $a==b$ at https://x.test/?c=`', 'at', 'x of $a==b$ at https://x.test/?c='],
  ['Shown %%and not\nthis%% to all', 'all', 'Shown  to all'],
])('%j marks %j in %j', (text, word, plain) => {
  expect(marked(text, word)).toEqual([plain, word]);
});

test('marks are always within the text, whatever it holds', () => {
  const piece = fc.constantFrom(
    '**',
    '`',
    '[',
    '](',
    ')',
    '|',
    '\n',
    '# ',
    '- ',
    'word',
    ' ',
    '[[',
    ']]',
    '==',
    '%%',
    '| ',
    '*',
    '_',
    '~~',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(60), fc.nat(20), (pieces, from, length) => {
      const text = pieces.join('');
      const start = Math.min(from, text.length);
      const plain = plainPassage({ text, marks: [[start, Math.min(text.length, start + length)]] });
      for (const [a, b] of plain.marks) expect(0 <= a && a < b && b <= plain.text.length).toBe(true);
    }),
  );
});

test.each(['`', '`a` ', '==a== ', '%%a ', '| ', '*a ', '_a', '~~', 'https://x.test/ '])(
  'a passage of many %j takes time by their number',
  (piece) =>
    expectLinear(
      (length) => plainPassage({ text: `a${piece.repeat(length / piece.length)}`, marks: [] }),
      50_000,
    ),
);
