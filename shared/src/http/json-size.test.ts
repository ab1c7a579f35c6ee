import pino from 'pino';
import { expect, test } from 'vitest';
import { tooLargeToParse } from './json-size.ts';
import { createServer } from './server.ts';

const nested = (levels: number, of = '[]') => (of[0] ?? '').repeat(levels) + (of[1] ?? '').repeat(levels);
const sizeOf = (text: string) => tooLargeToParse(Buffer.from(text));

test.each([
  ['lists in lists', nested(20_000)],
  ['that do not end', '['.repeat(40_000)],
  ['objects in objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['behind a text with brackets', `["${']'.repeat(5_000)}",${nested(20_000)}]`],
  ['behind an escaped quotation mark', `["\\"","\\\\",${nested(20_000)}]`],
])('levels: %s', (_, text) => expect(sizeOf(text)).toBe('is nested deeper than 1000 levels'));

test.each([
  ['numbers', `[${'1,'.repeat(600_000)}1]`],
  ['empty lists', `[${'[],'.repeat(300_000)}1]`],
])('values: %s', (_, text) => expect(sizeOf(text)).toBe('has more than 250000 values'));

const fields = (count: number) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join();

test.each([
  ['of the whole', `{${fields(20_000)}}`],
  ['within others', `[{"a":[{${fields(20_000)}}]}]`],
  ['with lists and objects between them', `{${'"a":[1,2],"b":{"c":1},'.repeat(6_000)}"d":1}`],
  ['that do not end', `{${fields(20_000)}`],
])('fields: %s', (_, text) => expect(sizeOf(text)).toBe('has an object of more than 10000 fields'));

test.each([
  ['a long text', `{"value":"${'x'.repeat(900_000)}"}`],
  ['a text of brackets and commas', JSON.stringify({ value: '[{,'.repeat(300_000) })],
  ['a text of quotation marks', JSON.stringify({ value: '"[\\'.repeat(100_000) })],
  ['many lists beside each other', `[${'[1],'.repeat(100_000)}1]`],
  ['many objects beside each other', `[${`{${fields(9)}},`.repeat(10_000)}1]`],
  ['an object of as many fields as metadata may have', `{${fields(9_000)}}`],
  ['what is no JSON', `"${'['.repeat(50_000)}`],
])('%s is not too large', (_, text) => expect(sizeOf(text)).toBeUndefined());

test('a body that would take long to parse is refused before it is', async () => {
  const app = createServer({ log: pino({ level: 'silent' }), earlyHeaders: () => ({}) });
  app.post('/', () => 'read');
  const ask = (payload: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
  const refused = await ask(nested(300_000));
  expect([refused.statusCode, refused.json<object>()]).toEqual([
    400,
    expect.objectContaining({
      code: 'invalid_request',
      errors: [{ path: '', message: 'is nested deeper than 1000 levels' }],
    }),
  ]);
  expect((await ask(nested(900))).body).toBe('read');
  await app.close();
});
