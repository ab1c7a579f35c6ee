import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../testing/linear.ts';
import { obsidianMarks, withoutComments, withoutHighlights } from './obsidian-marks.ts';

const plain = (text: string) => withoutHighlights(withoutComments(text));

test.each([
  ['Say ==this== and ==that==.', 'Say this and that.'],
  ['==see https://x.test/a?b=c== now', 'see https://x.test/a?b=c now'],
  ['(==a `x==y` b==)', '(a `x==y` b)'],
  ['这是==重点==内容', '这是重点内容'],
  ['Shown %%not\nthis%% so', 'Shown  so'],
  ['%%\n\nhidden\n\n%%\nText', '\nText'],
  ['%%https://x.test%% so', ' so'],
  ['| a %%b%% | ==c== |', '| a  | c |'],
])('%j is shown as %j', (text, shown) => {
  expect(plain(text)).toBe(shown);
});

test.each([
  'a == b, c == d, a==b && c==d, ?a==1&b==2, === c ===',
  '==a\n\nb==',
  '`%%a%%` and `` ==b` == ``, $a ==b== c$ $$ %% x %% $$',
  '```sh\n==a== %%b%%\n```\n\n  ~~~\n==a==\n  ~~~',
  ' ```\n==a==\n ```',
  '5%% now, 10%% later; for %%i in (*) do echo %%i',
  'so %% is\n\nand %% is',
  'so %% is\r\n\r\nand %% is',
  '%% is\n\n10%% later',
  '| so %% | and %% |',
  '<https://x.test/%%20a> and https://x.test/%%20b, [[c==d]] [[e==f]]',
  '\\==a== \\%%b%%',
])('%j is kept as it is', (text) => {
  expect(plain(text)).toBe(text);
});

test('parts stand in their order and do not overlap, whatever a text holds', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      ' ',
      '\n',
      '`',
      '``',
      '~~~',
      '|',
      '==',
      '%%',
      '$',
      '$$',
      '\\',
      '5',
      'https://x.test/',
      '[[',
      ']]',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const { literals, comments, highlights } = obsidianMarks(text);
      for (const spans of [literals, comments, highlights]) {
        let done = 0;
        for (const { from, to } of spans) {
          expect(from).toBeGreaterThanOrEqual(done);
          expect(to).toBeGreaterThan(from);
          done = to;
        }
        expect(done).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

test.each([
  '`',
  '`a',
  '``a`',
  '```\n',
  '~~~ ',
  '==a',
  '==a== ',
  '%%a ',
  '%%\n\n',
  '$a',
  '$$',
  '[[',
  'a://',
  'a.',
  'https://x=',
  '\n ',
  '| ',
  '|\n|',
  '\\',
])('many %j take time by their number', (piece) =>
  expectLinear((length) => plain(`==%%${piece.repeat(length / piece.length)}`), 200_000),
);
