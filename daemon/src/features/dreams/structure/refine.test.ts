import { describe, expect, it } from 'vitest';
import { refine } from './refine.ts';
import { saying, viewOf } from './testing.ts';

const changesOf = (...values: readonly string[]) =>
  refine(viewOf(saying(...values))).map(({ change }) => change);

describe('what is told twice', () => {
  it.each([
    ['Mrs. Petrie upstairs has our spare key.', 'mrs petrie upstairs has our  spare key'],
    ['`verify` must run before a card is formatted.', 'verify must run before a card is formatted!'],
    ['Bulk finds are washed with toothbrushes.', 'Bulk finds get washed with the toothbrushes.'],
    ['Never use tap water, always deionised.', 'never use tap water – always deionised'],
  ])('%s | %s', (one, other) => {
    expect(changesOf(one, other)).toMatchObject([{ kind: 'merge' }]);
  });

  it('keeps the fuller, else the newer one', () => {
    const short = 'The spare key of the loft is with Mrs Laurent.';
    expect(changesOf(`${short} She is at home until noon.`, short)).toEqual([
      { kind: 'merge', keep: 'n0', hide: ['n1'] },
    ]);
    expect(changesOf(short, short.toUpperCase())).toEqual([{ kind: 'merge', keep: 'n1', hide: ['n0'] }]);
  });
});

describe('what is not', () => {
  it.each([
    ['The rent of the flat is 620 euros.', 'The rent of the flat is 685 euros.'],
    ['The form has to be in by 3 May 2027.', 'The form has to be in by 4 May 2027.'],
    ['The gym opens at 7 and closes at 22.', 'The gym opens at 22 and closes at 7.'],
    ['The train leaves Oslo for Bergen in time.', 'The train leaves Bergen for Oslo in time.'],
    ['Water the ficus before the holiday.', 'Water the ficus after the holiday.'],
    ['The left window of the attic sticks.', 'The right window of the attic sticks.'],
    ['The cellar of the office is insured.', 'The cellar of the office is not insured.'],
    ['Restarted the router in the hall.', 'restarted the router in the hall'],
    ['Yes, please.', 'yes please'],
    ['| a | b |\n|--|--|\n| Attic key | red one |', '| a | b |\n|--|--|\n| Attic key | blue one |'],
  ])('%s | %s', (one, other) => {
    expect(changesOf(one, other)).toEqual([]);
  });

  it('is what a program writes into many notes', () => {
    expect(changesOf(...Array<string>(20).fill('No tasks are open for this project.'))).toEqual([]);
  });
});
