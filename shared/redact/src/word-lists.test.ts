import { expect, test } from 'vitest';
import { anyOf, listed } from './word-lists.ts';

test.each(['copulas-joined', 'made-up-words', 'reference-roots'])(
  'the list %s stands in a pattern to the letter',
  (list) => {
    const pattern = new RegExp(`^${anyOf(list)}$`, 'u');
    expect(listed(list).filter((row) => !pattern.test(row))).toEqual([]);
    expect(pattern.test('zxqv')).toBe(false);
  },
);
