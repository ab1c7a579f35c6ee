import { expect, test } from 'vitest';
import { z } from 'zod';
import { objectIn, valueIn } from './json-column.ts';

test('an object comes out as it was written, with every name it has', () => {
  const column = '{"b":1,"a":[null,{"c":"é"}],"__proto__":{"x":1}}';
  expect(JSON.stringify(objectIn(column))).toBe(column);
});

test('a column that holds no object is refused', () => {
  for (const column of ['[]', 'null', '"text"', '7']) expect(() => objectIn(column)).toThrow('JSON object');
  expect(() => objectIn('{')).toThrow(SyntaxError);
});

test('a value is held against its schema', () => {
  const Keys = z.array(z.string());
  expect(valueIn(Keys, '["a","b"]')).toEqual(['a', 'b']);
  expect(() => valueIn(Keys, '["a",1]')).toThrow(z.ZodError);
});
