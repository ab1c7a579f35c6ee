import { expect, it } from 'vitest';
import { expectLinear } from '@reverie/shared/testing/linear';
import { withoutMarks } from './marks.ts';

it.each([
  ['The rent [1] is 940 euro [2, 3].', 'The rent is 940 euro.'],
  ['The rent is 940 euro. [1][2]', 'The rent is 940 euro.'],
  ['[1] The rent is 940 euro【2†source】 .', 'The rent is 940 euro.'],
  ['The rent is 940 euro[1] [note 2] [Notes 1-3]!', 'The rent is 940 euro!'],
])('marks of the model’s own are taken out: %s', (text, expected) => {
  expect(withoutMarks(text)).toBe(expected);
});

it('an index of a list that a note has is no mark', () => {
  const notes = ['The token is in args[0] of the call.'];
  expect(withoutMarks('It is in args[0] of the call [1].', notes)).toBe('It is in args[0] of the call.');
});

it('long runs of blanks take time by their length', async () => {
  await expectLinear(
    (length) => expect(withoutMarks(`a${' '.repeat(length)}b`)).toHaveLength(length + 2),
    480_000,
  );
});
