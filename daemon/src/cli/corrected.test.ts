import { expect, test } from 'vitest';
import { sayCorrected } from './corrected.ts';

test.each([
  ['nothing was asked to be explained', undefined, []],
  ['every word is there', {}, []],
  [
    'several words were read as others, one of them as three',
    {
      corrected: [
        { word: 'boilr', read_as: ['boiler'] },
        { word: 'brids', read_as: ['birds', 'brides', 'braids'] },
      ],
    },
    [
      'Nothing says "boilr"; looked for "boiler".',
      'Nothing says "brids"; looked for "birds", "brides" or "braids".',
    ],
  ],
])('where %s', (_, understood, lines) => {
  expect(sayCorrected(understood)).toEqual(lines);
});
