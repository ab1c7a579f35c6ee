import { expect, test } from 'vitest';
import { isLinkTo } from './links.ts';

test.each([
  ['see [[runbooks/deploy]]', true],
  ['see [[runbooks/deploy|how we deploy]] and [[other]]', true],
  ['see [[runbooks/deploy#steps]]', true],
  ['see [[ work/runbooks/deploy ]]', true],
  ['see runbooks/deploy', false],
  ['see [[runbooks/deploys]]', false],
  ['see [[personal/runbooks/deploy]]', false],
])('%j links to it: %s', (text, is) => {
  expect(isLinkTo(text, { namespace: 'work', key: 'runbooks/deploy' })).toBe(is);
});

test('a key with a # of its own is found by all of it', () => {
  expect(isLinkTo('[[c#sharp]]', { namespace: 'n', key: 'c#sharp' })).toBe(true);
});
