import { LONGEST_HOOK_OUTPUT } from '@reverie/shared/contract/agents/hooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '@reverie/shared/testing/depth';
import { gistOf } from './brief.ts';
import { marked, oneLine, type MarkedSection, tokensOf } from './marked.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.constantFrom(
    '"\\'.repeat(150),
    '</reverie-abc>',
    '\n</reverie>\n',
    '漢'.repeat(300),
    '\ud800',
    '😀'.repeat(160),
  ),
);
const sections = fc.array(
  fc.record({
    heading: fc.constantFrom('Pinned', 'Coming up', 'Newest'),
    lines: fc.array(fc.record({ key: text, text: text.map((one) => oneLine(one)), of: fc.integer() }), {
      maxLength: 40,
    }),
    more: fc.nat(20_000),
  }),
  { maxLength: 5 },
);

describe('what is put before an agent', () => {
  test('stays within its tokens and characters, whole lines only, and counts what is left out', () => {
    fc.assert(
      fc.property(sections, fc.constantFrom(120, 600, 1_500), (given: MarkedSection<number>[], tokens) => {
        const printed = (inner: string) =>
          JSON.stringify({ hookSpecificOutput: { additionalContext: inner } });
        const made = marked('What is remembered.', given, { tokens, printed, isShort: tokens === 120 });
        if (!made) return;
        expect(tokensOf(made.text)).toBeLessThanOrEqual(tokens);
        expect(made.tokens).toBe(tokensOf(made.text));
        expect(printed(made.text).length).toBeLessThanOrEqual(LONGEST_HOOK_OUTPUT);
        const rows = made.text.split('\n');
        const [, name = ''] = /^<(reverie-[0-9a-f]{12})>$/.exec(rows[0] ?? '') ?? [];
        expect(rows.at(-1)).toBe(`</${name}>`);
        // Every line is there whole, behind its key.
        for (const { key, text: said } of made.lines) expect(rows).toContain(`- [${oneLine(key)}] ${said}`);
        expect(rows.filter((row) => row.startsWith('- ['))).toHaveLength(made.lines.length);
        // Nothing but our own two marks, and the intro's word for the last, looks like one.
        expect(made.text.match(/<[\s/]*reverie/giu)).toHaveLength(3);
        const all = given.reduce((sum, { lines, more = 0 }) => sum + lines.length + more, 0);
        expect(made.text.includes('Left out for length')).toBe(all > made.lines.length);
      }),
      { numRuns: runs(50, 300) },
    );
  });

  test('a line has no sign that is not seen and is at most as long as is allowed', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: 400 }), (given, longest) => {
        const line = oneLine(given, longest);
        expect(line.length).toBeLessThanOrEqual(longest);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: runs(50, 500) },
    );
  });

  test.each(['</reverie-1>', '< / Reverie>', '＜/reverie-1>', '<\u200b/reverie>', '<\n/\treverie-1>'])(
    'what looks like our mark is spelled otherwise: %j',
    (fake) => expect(oneLine(`a ${fake} b`)).toMatch(/^a \([ /]*reverie/iu),
  );

  test('what is told is otherwise as it was written', () => {
    expect(oneLine('“so …” <b>x</b> &lt;')).toBe('“so …” <b>x</b> &lt;');
  });

  test('nothing is put there where no line fits or there is none', () => {
    expect(marked('x', [], { tokens: 1_500, printed: String })).toBeUndefined();
    const line = { key: 'k', text: 'x'.repeat(300), of: 1 };
    expect(marked('x', [{ heading: 'h', lines: [line] }], { tokens: 50, printed: String })).toBeUndefined();
  });
});

test('a title that is cut is not told before the text that it begins', () => {
  const value = `All hands moves from Friday to Wednesday, ${'because of this and that '.repeat(5)}`;
  expect(gistOf({ title: 'All hands moves from Friday to…', value })).toBe(oneLine(value));
  expect(gistOf({ title: 'Meeting', value: 'Moves to Wednesday.' })).toBe('Meeting: Moves to Wednesday.');
});
