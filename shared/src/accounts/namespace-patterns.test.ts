import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namespacesOf } from './namespace-patterns.ts';

const matches = (pattern: string, namespace: string) => namespacesOf([pattern])(namespace);

describe('a pattern', () => {
  test.each([
    ['work', 'work', true],
    ['work', 'workshop', false],
    ['work', 'Work', false],
    ['project/*', 'project/', true],
    ['project/*', 'project/a/b', true],
    ['project/*', 'project', false],
    ['project/*', 'my project/a', false],
    ['*', 'anything', true],
    ['*/notes', '/notes', true],
    ['*/notes', 'a/b/notes', true],
    ['*/notes', 'a/notes/b', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'a b c b c', true],
    ['a*b*c', 'acb', false],
    ['a*bc*c', 'abc', false],
    ['**', 'x', true],
    ['a.c', 'abc', false],
    ['a?c', 'abc', false],
    ['[ab]', 'a', false],
    ['*\u{1f600}', 'smile \u{1f600}', true],
  ])('%j of %j is %s', (pattern, namespace, expected) => {
    expect(matches(pattern, namespace)).toBe(expected);
  });

  test('property: it is what the regular expression with `.*` says', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, namespace) => {
        const parts = pattern.split('*').map((part) => part.replaceAll('/', '\\/'));
        expect(matches(pattern, namespace)).toBe(new RegExp(`^${parts.join('.*')}$`, 's').test(namespace));
      }),
    );
  });

  test('a hostile one is looked for once, piece by piece', () => {
    let looked = 0;
    // `indexOf` is all that looks into the middle of a text.
    const counting = Object.assign(Object('a'.repeat(128)) as string, {
      indexOf(piece: string, from: number) {
        looked += 1;
        return 'a'.repeat(128).indexOf(piece, from);
      },
    });
    expect(matches(`${'*a'.repeat(63)}*`, counting)).toBe(true);
    expect(looked).toBe(62 + 1);
    expect(matches(`${'*a'.repeat(63)}*b*`, counting)).toBe(false);
    expect(looked).toBe(63 + 64);
  });

  test('null names all, and no pattern none', () => {
    expect([namespacesOf(null)('x'), namespacesOf([])('x')]).toEqual([true, false]);
  });
});
