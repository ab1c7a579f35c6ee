import fc from 'fast-check';
import { expect, test } from 'vitest';
import { caretAfter, changeOf } from './text-change.ts';

const apply = (text: string, change: ReturnType<typeof changeOf>) =>
  change ? text.slice(0, change.at) + change.inserted + text.slice(change.at + change.removed) : text;

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', '😁', 'é'), maxLength: 12 });

test('whatever changed, the change makes one text of the other and halves no character', () => {
  fc.assert(
    fc.property(text, text, fc.nat({ max: 20 }), (before, after, caret) => {
      const change = changeOf(before, after, caret);
      expect(apply(before, change)).toBe(after);
      if (!change) return;
      const { at, removed, inserted } = change;
      for (const part of [
        before.slice(0, at),
        before.slice(at, at + removed),
        inserted,
        before.slice(at + removed),
      ])
        expect(part.isWellFormed()).toBe(true);
    }),
  );
});

test('of two equal letters the one before the cursor was typed', () => {
  expect(changeOf('aa', 'aaa', 1)).toEqual({ at: 0, removed: 0, inserted: 'a' });
  expect(changeOf('aa', 'aaa', 3)).toEqual({ at: 2, removed: 0, inserted: 'a' });
  expect(changeOf('same', 'same')).toBe(undefined);
});

test('a cursor stays at its words when somebody else writes', () => {
  const change = { at: 2, removed: 1, inserted: 'xyz' };
  expect([1, 2, 3, 5].map((caret) => caretAfter(caret, change))).toEqual([1, 2, 5, 7]);
});
