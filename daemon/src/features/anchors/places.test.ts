import { describe, expect, test } from 'vitest';
import { namedIn, readPlace } from './places.ts';

describe('a place', () => {
  test.each([
    ['src/x.ts', { path: 'src/x.ts' }],
    ['./src/x.ts:40-58', { path: 'src/x.ts', lines: { from: 40, to: 58 } }],
    ['src/x.ts:7', { path: 'src/x.ts', lines: { from: 7, to: 7 } }],
    ['src/x.ts#Retry.policy', { path: 'src/x.ts', symbol: 'Retry.policy' }],
    ['src/a b.ts', { path: 'src/a b.ts' }],
  ])('%s', (text, place) => {
    expect(readPlace(text)).toEqual(place);
  });

  test.each([
    '',
    '/etc/passwd',
    '../x.ts',
    'a/../../x',
    'a//b',
    '.git/config',
    'a/.GIT/config',
    'a\\b',
    'a\u0000b',
    'a/',
  ])('%j is none', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });
});

test('files and symbols are found in what a memory says', () => {
  const { places, symbols } = namedIn(
    'Retries live in `src/billing/retry.ts` (see src/x.ts:4-5, and docs/adr/0007.md.). `retryPolicy()` of it waits, e.g. twice; ' +
      'https://example.com/a/b.ts is not ours, `npm run check` no symbol and `Retry.policy` one.',
  );
  expect(places).toEqual([
    { path: 'src/billing/retry.ts' },
    { path: 'src/x.ts', lines: { from: 4, to: 5 } },
    { path: 'docs/adr/0007.md' },
    { path: 'e.g' },
    { path: 'Retry.policy' },
  ]);
  expect(symbols).toEqual(['retryPolicy', 'Retry.policy']);
});
