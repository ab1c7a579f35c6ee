import { expect, test } from 'vitest';
import { z } from 'zod';
import { inPlainWords } from './plain-words.ts';
import { routes } from './routes.ts';

const said = (schema: z.ZodType, given: unknown) =>
  schema.safeParse(given, { error: inPlainWords }).error?.issues.map(({ message }) => message);

test.each<[string, z.ZodType, unknown, string]>([
  ['what is missing', z.object({ a: z.string() }), {}, 'is required'],
  ['a text', z.string(), 7, 'must be a string'],
  ['a number', z.number(), 'x', 'must be a number'],
  ['a whole number', z.int(), 1.5, 'must be a whole number'],
  ['a switch', z.boolean(), 'yes', 'must be true or false'],
  ['a list', z.array(z.string()), 7, 'must be a list'],
  ['an object', z.object({}), [], 'must be an object'],
  ['a free object', z.record(z.string(), z.unknown()), 7, 'must be an object'],
  ['a choice', z.enum(['a', 'b']), 'c', 'must be one of: a, b'],
  ['an empty text', z.string().min(1), '', 'must not be empty'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ['a short text', z.string().min(8), 'a', 'must have at least 8 characters'],
  ['a long text', z.string().max(2), 'abc', 'must have at most 2 characters'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 items'],
  ['a small number', z.number().min(1), 0, 'must be at least 1'],
  ['a large number', z.int().max(10), 11, 'must be at most 10'],
  ['an address', z.email(), 'x', 'is not an e-mail address'],
  ['a form', z.string().regex(/^a/), 'b', 'has another form than it must have'],
  ['one of several schemas', z.union([z.enum(['a']), z.literal('b')]), 'c', 'must be one of: a'],
  ['a schema with words of its own', z.string('must be a name'), 7, 'must be a name'],
])('%s is told in plain words', (...[, schema, given, words]) =>
  expect(said(schema, given)).toContain(words),
);

test('no field of the contract answers a wrong value with the words of zod', () => {
  const wrong = [null, 7, -1, 1.5, true, '', 'x'.repeat(10_000), [], [7], {}, { a: [] }, undefined];
  const told = routes.flatMap(({ params, query, body }) =>
    [params, query, body].flatMap((schema) =>
      wrong.flatMap((value) => [
        ...(schema ? (said(schema, value) ?? []) : []),
        ...Object.entries(schema instanceof z.ZodObject ? schema.shape : {}).flatMap(([, field]) =>
          wrong.flatMap((one) => said(field as z.ZodType, one) ?? []),
        ),
      ]),
    ),
  );
  expect(told.length).toBeGreaterThan(1000);
  expect([...new Set(told)].filter((one) => /^(Invalid|Too)\b|expected \w+ to/.test(one))).toEqual([]);
});
