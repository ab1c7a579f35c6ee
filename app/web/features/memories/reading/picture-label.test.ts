import { expect, test } from 'vitest';
import { labelOf } from './picture-label.ts';

test.each<[string, ReturnType<typeof labelOf>]>([
  ['', { alt: 'a.png', width: undefined, height: undefined }],
  ['300', { alt: 'a.png', width: 300, height: undefined }],
  ['300x200', { alt: 'a.png', width: 300, height: 200 }],
  ['A map|300', { alt: 'A map', width: 300, height: undefined }],
  ['The plan of 1900', { alt: 'The plan of 1900', width: undefined, height: undefined }],
  ['12345', { alt: '12345', width: undefined, height: undefined }],
  [' a | b ', { alt: 'a | b', width: undefined, height: undefined }],
])('%j is %j', (label, read) => {
  expect(labelOf(label, 'a.png')).toEqual(read);
});
