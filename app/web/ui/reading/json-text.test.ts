import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJson, prettyJson } from './json-text.ts';

test('JSON has a line for each entry, and its numbers and texts as they were written', () => {
  expect(
    prettyJson('{"a":[1,{"b":"x, {y}"}],"c":{},"d":[ ],"n":12345678901234567890,"e":1.0e5,"a":null}'),
  ).toBe(
    [
      '{',
      '  "a": [',
      '    1,',
      '    {',
      '      "b": "x, {y}"',
      '    }',
      '  ],',
      '  "c": {},',
      '  "d": [],',
      '  "n": 12345678901234567890,',
      '  "e": 1.0e5,',
      '  "a": null',
      '}',
    ].join('\n'),
  );
});

test('whatever JSON is laid out says the same as before', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(prettyJson(json))).toEqual(JSON.parse(json));
    }),
  );
});

test('JSON is an object or an array that parses, and nothing around it', () => {
  expect(['{}', '[1]', ' {"a":1} '].map(isJson)).toEqual([true, true, true]);
  expect(['1', '"a"', '{a:1}', '[[key]]', '{} x', ''].map(isJson)).toEqual(Array(6).fill(false));
});
