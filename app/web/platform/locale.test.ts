import { expect, test } from 'vitest';
import { englishFor } from './locale.ts';

test.each([
  ['en-US', 'en-US'],
  ['en-AU', 'en-AU'],
  ['en', 'en'],
  ['de-DE', 'en-GB'],
  ['fr', 'en-GB'],
  ['es-US', 'en-US'],
  ['hi-IN', 'en-GB-u-hc-h12'],
])('a browser of %s gets the English of %s', (browser, english) => {
  expect(englishFor(browser)).toBe(english);
});
