import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepBoth, mergeApart } from './merging.ts';

const words = (text: string) => text.match(/[^\s]+/gu) ?? [];

test('edits in places apart are both made, also within a line', () => {
  const base = 'We ship on Monday, with Marta.\n\nThe end.';
  expect(
    mergeApart({
      base,
      mine: 'We ship on Tuesday, with Marta.\n\nThe end.',
      theirs: 'We ship on Monday, with Jonas.\n\nThe very end.',
    }),
  ).toBe('We ship on Tuesday, with Jonas.\n\nThe very end.');
  expect(mergeApart({ base, mine: `${base} Mine.`, theirs: `Theirs. ${base}` })).toBe(
    `Theirs. ${base} Mine.`,
  );
  expect(mergeApart({ base, mine: 'The same.', theirs: 'The same.' })).toBe('The same.');
});

test('edits of one place are told apart, and both are kept where that is wanted', () => {
  const base = 'One.\nTwo.\nThree.';
  const touching = { base, mine: 'One.\nTwo, mine.\nThree.', theirs: 'One.\nTwo, theirs.\nThree.' };
  expect(mergeApart(touching)).toBeUndefined();
  expect(keepBoth(touching)).toBe('One.\nTwo, mine.\nTwo, theirs.\nThree.');
  const appended = { base, mine: `${base}\nMine.`, theirs: `${base}\nTheirs.` };
  expect(mergeApart(appended)).toBeUndefined();
  expect(words(keepBoth(appended))).toEqual(expect.arrayContaining(['Mine.', 'Theirs.']));
  expect(mergeApart({ base, mine: 'One.\nThree.', theirs: 'One.\nTwo, theirs.\nThree.' })).toBeUndefined();
});

/** A text, and another one that has words of its own put in, or taken out. */
const changed = (base: readonly string[], name: string) =>
  fc
    .array(fc.tuple(fc.nat(base.length), fc.boolean()), { maxLength: 4 })
    .map((edits) =>
      edits.reduce(
        (now, [at, isAdded], nth) =>
          isAdded ? now.toSpliced(at, 0, `${name}${nth} `) : now.toSpliced(Math.min(at, now.length - 1), 1),
        [...base],
      ),
    );

test('no word that somebody put in is ever lost, and none comes twice by merging', () => {
  const text = fc.array(fc.constantFrom('a ', 'b ', 'c\n', 'd. ', '\n'), { minLength: 1, maxLength: 30 });
  const sides = text.chain((base) =>
    fc.tuple(fc.constant(base), changed(base, 'mine'), changed(base, 'theirs')),
  );
  fc.assert(
    fc.property(sides, (given) => {
      const [base = '', mine = '', theirs = ''] = given.map((one) => one.join(''));
      const own = words(`${mine} ${theirs}`).filter((word) => /mine|theirs/.test(word));
      for (const merged of [mergeApart({ base, mine, theirs }), keepBoth({ base, mine, theirs })])
        if (merged !== undefined)
          expect(
            words(merged)
              .filter((word) => /mine|theirs/.test(word))
              .sort(),
          ).toEqual(own.sort());
      expect(mergeApart({ base, mine, theirs: base })).toBe(mine);
      expect(mergeApart({ base, mine: base, theirs })).toBe(theirs);
    }),
  );
});
