import { describe, expect, test } from 'vitest';
import { aliveIn, hlcOfText, joinPatches, patchBetween } from './patch.ts';
import { readSlot, slotText } from './register.ts';

const content = { value: 'v', metadata: '{}', created_at: 1, updated_at: 2, expires_at: null };
const slot = 'key\0dev\0inc';
const at = (hlc: number) => slotText(hlc, content);

describe('a slot', () => {
  test('is read as it was written, with its stamp', () => {
    expect(readSlot(slot, at(7))).toEqual({
      key: 'key',
      device: 'dev',
      incarnation: 'inc',
      hlc: 7,
      content,
    });
    expect(hlcOfText(at(7))).toBe(7);
  });

  test.each([
    ['no stamp', ['7', 'v', '{}', 1, 2, null]],
    ['a stamp before all time', [-1, 'v', '{}', 1, 2, null]],
    ['a stamp that is no whole number', [7.5, 'v', '{}', 1, 2, null]],
    ['no text', [7, '', '{}', 1, 2, null]],
    ['no metadata', [7, 'v', null, 1, 2, null]],
    ['no time of making', [7, 'v', '{}', null, 2, null]],
    ['no time of change', [7, 'v', '{}', 1, 'x', null]],
    ['an end that is no time', [7, 'v', '{}', 1, 2, 'x']],
  ])('with %s is of no version', (_, parts) => {
    expect(readSlot(slot, JSON.stringify(parts))).toBeUndefined();
  });

  test('of no writer, or that is no JSON, is of no version', () => {
    for (const name of ['key', 'key\0dev', '\0dev\0inc']) expect(readSlot(name, at(7))).toBeUndefined();
    for (const text of ['{', '{}', 7]) expect(readSlot(slot, text)).toBeUndefined();
  });
});

test('a clear covers what was written up to it, and nothing later; what has no stamp stays', () => {
  const patch = {
    add: [
      ['a', at(6)],
      ['b', at(7)],
      ['c', at(8)],
      ['d', 'no stamp'],
    ] as const,
    remove: [['e', 5]] as const,
  };
  const alive = aliveIn(patch, 7);
  expect(alive.add.map(([name]) => name)).toEqual(['c', 'd']);
  expect(alive.remove).toEqual(patch.remove);
});

test('what is between two documents, joined, does what both do in their order', () => {
  const slots = (entries: Record<string, string>) => ({ slots: () => Object.entries(entries) });
  const [one, two, three] = [
    slots({ a: at(1), b: at(2) }),
    slots({ a: at(3), b: at(2) }),
    slots({ b: at(2), c: at(4) }),
  ];
  const first = patchBetween(one, two);
  expect(first).toEqual({ add: [['a', at(3)]], remove: [['a', 1]] });
  const joined = joinPatches([first, patchBetween(two, three)]);
  expect(joined.add).toEqual([['c', at(4)]]);
  expect(joined.remove.toSorted((a, b) => a[1] - b[1])).toEqual([
    ['a', 1],
    ['a', 3],
  ]);
});
