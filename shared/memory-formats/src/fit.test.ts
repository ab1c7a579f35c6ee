import { describe, expect, test } from 'vitest';
import { fitKey, fitMetadata, fitNamespace, tagsOf } from './fit.ts';
import { plainJson } from './json/plain-json.ts';

describe('a value of somebody else’s file', () => {
  test('becomes plain JSON', () => {
    const day = new Date('2026-11-20T10:00:00Z');
    expect(plainJson({ a: [1n, NaN, day, undefined, new Date(NaN)], b: undefined, c: '\ud800' }, 5)).toEqual({
      a: ['1', null, '2026-11-20T10:00:00.000Z', null, null],
      c: '\ufffd',
    });
  });

  test('names no prototype', () => {
    const given: unknown = JSON.parse('{"a": 1, "__proto__": {"isOwner": true}, "in": {"__proto__": [1]}}');
    const plain = plainJson(given, 5) as Record<string, unknown>;
    expect(JSON.stringify(plain)).toBe('{"a":1,"in":{}}');
    expect(plain['isOwner']).toBeUndefined();
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(plain['in'])).toBe(Object.prototype);
  });

  test('is refused where it is too deep, at whatever place', () => {
    expect(plainJson([[1]], 2)).toEqual([[1]]);
    expect(plainJson([[[1]]], 2)).toBeUndefined();
    expect(plainJson({ a: 1, b: { c: { d: 1 } } }, 2)).toBeUndefined();
  });

  test('is metadata as far as it fits', () => {
    expect(fitMetadata({ a: 'x' })).toEqual({ metadata: { a: 'x' } });
    expect(fitMetadata({ a: 'x'.repeat(100_000) })).toMatchObject({
      problem: expect.stringContaining('allowed') as string,
    });
  });
});

describe('a name', () => {
  test('that fits stays; a longer one is cut, with a mark of the whole', () => {
    expect(fitKey('plan')).toBe('plan');
    const [one, other] = [fitKey(`${'é'.repeat(2000)}a`), fitKey(`${'é'.repeat(2000)}b`)];
    expect(one).toMatch(/^é+~[0-9a-f]{12}$/u);
    expect(one).not.toBe(other);
    expect(Buffer.byteLength(fitKey('é'.repeat(2000), '#2'))).toBeLessThanOrEqual(Buffer.byteLength(one));
    expect(fitKey('é'.repeat(2000), '#2')).toMatch(/#2$/);
    expect(fitNamespace('a\u0000b')).toMatch(/^a_b~[0-9a-f]{12}$/);
  });
});

test.each([
  ['a, #b; c', ['a', 'b', 'c']],
  ['#a #b', ['a', 'b']],
  [
    ['a', 7, '#a', ' ', null, {}],
    ['a', '7'],
  ],
  [undefined, []],
])('the tags of %j', (given, tags) => expect(tagsOf(given)).toEqual(tags));
