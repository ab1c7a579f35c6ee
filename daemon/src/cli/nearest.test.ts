import { expect, test } from 'vitest';
import { keyFrom } from '@reverie/shared/contract/memories/key-from';
import { changedLines } from './edit.ts';
import { nearest } from './nearest.ts';

const keys = [
  'note:lease',
  'note:boiler',
  'error:disk-full',
  'lease',
  'recipes/bread.md',
  'recipes/Beans.md',
  'x',
  'mint',
];

test.each([
  ['laese', ['lease']],
  ['Lease', ['lease', 'note:lease']],
  ['note:leas', ['note:lease']],
  ['boiler', ['note:boiler']],
  ['recipes/beens.md', ['recipes/Beans.md', 'recipes/bread.md']],
  ['disk-full', ['error:disk-full']],
  ['error:dsik', ['error:disk-full']],
  ['y', []],
  // Two neighbours that were swapped are one slip, not two.
  ['mnit', ['mint']],
  ['mnti', []],
  ['something else', []],
  ['', []],
])('the nearest of %j', (given, expected) => expect(nearest(given, keys)).toEqual(expected));

test.each([
  ['The spare key hangs behind the boiler.', 'the-spare-key-hangs-behind-the'],
  ['\n\n  # Überblick — März\nmore', 'überblick-märz'],
  ["it's 7:30", 'it-s-7-30'],
  ['😀 !', 'memory'],
  ['', 'memory'],
  [`${'a'.repeat(100)} b`, 'a'.repeat(60)],
  ['𝒂'.repeat(100), '𝒂'.repeat(60)],
])('the key of %j', (text, key) => expect(keyFrom(text)).toBe(key));

test('the lines that differ', () => {
  expect(changedLines('a\nb\nc', 'a\nx\ny\nc')).toEqual({ gone: ['b'], added: ['x', 'y'] });
  expect(changedLines('a\na', 'a\na\na')).toEqual({ gone: [], added: ['a'] });
  expect(changedLines('a', 'a')).toEqual({ gone: [], added: [] });
});
