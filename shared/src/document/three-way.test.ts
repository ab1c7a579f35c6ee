import { describe, expect, test } from 'vitest';
import { mergeSaid, mergeText } from './three-way.ts';

describe('lines', () => {
  test.each([
    ['that only one changed', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC'],
    ['that both changed alike', 'a\nb\nc', 'A\nb\nC', 'A\nb\nc', 'A\nb\nC'],
    ['added at both ends', 'a\nb', '0\na\nb', 'a\nb\nc\n', '0\na\nb\nc\n'],
    ['taken away by one, beside ones that stay', 'a\nb\nc\nd', 'a\nc\nd', 'a\nb\nc\nD', 'a\nc\nD'],
    [
      'that end as Windows has it',
      'a\r\nb\r\nc\r\n',
      'A\r\nb\r\nc\r\n',
      'a\r\nb\r\nC\r\n',
      'A\r\nb\r\nC\r\n',
    ],
    ['and a last one that got its end', 'a\nb\nc', 'A\nb\nc', 'a\nb\nc\n', 'A\nb\nc\n'],
    ['of one text that nobody else changed', 'a', 'b', 'a', 'b'],
  ])('%s', (_, ...[base, first, second, merged]) => {
    expect(mergeText(base, first, second)).toBe(merged);
    expect(mergeText(base, second, first)).toBe(merged);
  });

  test.each([
    ['the same one', 'a\nb\nc', 'A\nb\nc', 'x\nb\nc'],
    ['side by side', 'a\nb\nc', 'A\nb\nc', 'a\nB\nc'],
    ['added in one place', 'a', 'a\nb', 'a\nc'],
    ['one taken away, and changed', 'a\nb\nc', 'a\nc', 'a\nB\nc'],
    ['all of them with other ends, and one changed', 'a\nb\nc', 'a\r\nb\r\nc', 'a\nb\nC'],
    ['of one line', 'a', 'b', 'c'],
  ])('that both changed: %s', (_, ...[base, first, second]) => {
    expect(mergeText(base, first, second)).toBeUndefined();
    expect(mergeText(base, second, first)).toBeUndefined();
  });

  test('of 1 MiB merge where they are far apart, and too many that differ do not', () => {
    const lines = Array.from({ length: 400_000 }, (_, n): string => (n % 3 === 0 ? '' : 'x'));
    const base = lines.join('\n');
    const [first, second] = [lines.with(10, 'first'), lines.with(20, 'second')];
    expect(mergeText(base, first.join('\n'), second.join('\n'))).toBe(first.with(20, 'second').join('\n'));
    const ends = [lines.with(1, 'first').with(399_000, 'first'), lines.with(200_000, 'second')] as const;
    expect(mergeText(base, ends[0].join('\n'), ends[1].join('\n'))).toBeUndefined();
  });
});

test('tags are a set whatever their case, other metadata goes key by key', () => {
  const said = (metadata: object) => ({ value: 'v', metadata: JSON.stringify(metadata) });
  const merged = (base: object, first: object, second: object) => {
    const found = mergeSaid(said(base), said(first), said(second));
    return found && (JSON.parse(found.metadata) as unknown);
  };
  expect(merged({ tags: ['a', 'b'] }, { tags: ['b', 'Ü'] }, { tags: ['a', 'b', 'u', 'c'] })).toEqual({
    tags: ['b', 'Ü', 'c'],
  });
  expect(merged({ tags: ['a'] }, {}, { tags: ['a', 'b'] })).toEqual({ tags: ['b'] });
  expect(merged({ a: 1, b: [1] }, { a: 2, b: [1] }, { b: [1], c: {} })).toBeUndefined();
  expect(merged({ a: 1, b: [1] }, { a: 1, b: [2] }, { b: [1], c: {} })).toEqual({ b: [2], c: {} });
  expect(merged({ tags: 'a,b' }, { tags: 'a' }, { tags: 'b' })).toBeUndefined();
  expect(merged({}, { ['__proto__x']: 1 }, JSON.parse('{"__proto__": {"x": 1}}') as object)).toEqual(
    JSON.parse('{"__proto__x": 1, "__proto__": {"x": 1}}'),
  );
});
