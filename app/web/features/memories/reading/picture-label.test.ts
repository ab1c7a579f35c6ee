import { expect, test } from 'vitest';
import { labelOf } from './picture-label.ts';

test.each([
  ['', 'a.png', undefined, undefined],
  ['300', 'a.png', 300, undefined],
  ['300x200', 'a.png', 300, 200],
  ['A map|300', 'A map', 300, undefined],
  ['The plan of 1900', 'The plan of 1900', undefined, undefined],
  ['12345', '12345', undefined, undefined],
  [' a | b ', 'a | b', undefined, undefined],
])('%j is called %j, and is %s wide and %s high', (label, alt, width, height) => {
  expect(labelOf(label, 'a.png')).toEqual({ alt, width, height });
});
