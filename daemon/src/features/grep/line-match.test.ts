import { grepLimits } from '@reverie/shared/contract/search/grep';
import { expect, test } from 'vitest';
import { compile, matchText } from './line-match.ts';

const plain = { regex: false, ignoreCase: false };
const all = { context: 0, most: 1_000 };
const linesOf = (text: string, pattern: Parameters<typeof compile>[0]) =>
  matchText(text, compile(pattern), all).lines.map(({ line, text: shown }) => `${line}:${shown}`);

test('a pattern is looked for letter by letter unless it is a regular expression', () => {
  const text = 'a.c\nabc\nA.C\n(a+)+$';
  expect(linesOf(text, { ...plain, pattern: 'a.c' })).toEqual(['1:a.c']);
  expect(linesOf(text, { ...plain, pattern: 'a.c', ignoreCase: true })).toEqual(['1:a.c', '3:A.C']);
  expect(linesOf(text, { ...plain, pattern: '(a+)+$', ignoreCase: true })).toEqual(['4:(a+)+$']);
  expect(linesOf(text, { pattern: '^a.c$', regex: true, ignoreCase: false })).toEqual(['1:a.c', '2:abc']);
});

test('a regular expression knows letters of all languages, and forgives a needless backslash', () => {
  expect(linesOf('Ähre\n123', { pattern: String.raw`^\p{Lu}`, regex: true, ignoreCase: false })).toEqual([
    '1:Ähre',
  ]);
  expect(linesOf('a-b\na"b', { pattern: String.raw`a[\-\"]b`, regex: true, ignoreCase: false })).toEqual([
    '1:a-b',
    '2:a"b',
  ]);
  expect(() => compile({ pattern: '(', regex: true, ignoreCase: false })).toThrow(SyntaxError);
});

test('lines end as they do on every system, and a NUL is a letter like others', () => {
  expect(linesOf('one\r\ntwo\r\n', { pattern: 'e$', regex: true, ignoreCase: false })).toEqual(['1:one']);
  expect(linesOf('a\u0000b\nc', { ...plain, pattern: '\u0000' })).toEqual(['1:a\u0000b']);
});

test('what stands around a line comes with it, and lines beyond those wanted are counted', () => {
  const text = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join('\n');
  const one = matchText(text, compile({ ...plain, pattern: 'line 5' }), { context: 2, most: 9 });
  expect(one).toEqual({
    count: 1,
    lines: [{ line: 5, text: 'line 5', before: ['line 3', 'line 4'], after: ['line 6', 'line 7'] }],
  });
  const first = matchText(text, compile({ ...plain, pattern: 'line' }), { context: 1, most: 1 });
  expect(first.count).toBe(9);
  expect(first.lines).toEqual([{ line: 1, text: 'line 1', before: [], after: ['line 2'] }]);
});

test('of a line of a megabyte is shown what stands around the place', () => {
  const half = 'x'.repeat(500_000);
  const [found] = matchText(`${half}needle${half}`, compile({ ...plain, pattern: 'needle' }), all).lines;
  expect(found?.text).toHaveLength(grepLimits.line);
  expect(found?.text).toMatch(/^…x+needlex+…$/);
  const [emoji] = matchText(`${'😀'.repeat(500)}needle`, compile({ ...plain, pattern: 'needle' }), all).lines;
  expect(emoji?.text.isWellFormed()).toBe(true);
});
