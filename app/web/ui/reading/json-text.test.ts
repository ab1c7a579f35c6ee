import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsJson, isJson, jsonLine, prettyJson } from './json-text.ts';

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

test('JSON reads as a line of words, also where its end is cut off', () => {
  const json =
    '{"api": {"per_minute": 900, "burst": 2}, "regions": ["north", "we\\"st"], "on": true, "of": {}}';
  expect(jsonLine(json)).toBe('api.per_minute 900, api.burst 2, regions north, we"st, on true');
  expect(jsonLine(json.slice(0, 57))).toBe('api.per_minute 900, api.burst 2, regions nor');
  expect(jsonLine('["a", 1, [null]]')).toBe('a, 1, null');
});

test('what begins as JSON is told from notes that begin with a bracket', () => {
  expect(['{"a": {"b', '[{"a": 1, "b', '["a", "b'].map((cut) => beginsJson(cut, true))).toEqual([
    true,
    true,
    true,
  ]);
  expect(['{"a": {"b', '[1] is'].map((text) => beginsJson(text, false))).toEqual([false, false]);
  expect(
    ['[[link]] and', '{curly} words', '["quoted] words', '[x] "'].map((cut) => beginsJson(cut, true)),
  ).toEqual([false, false, false, false]);
});
