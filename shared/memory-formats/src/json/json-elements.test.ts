import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf, JsonStreamError } from './json-elements.ts';

async function elements(text: string | Buffer, names: readonly string[], size = 7) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: { array: string; value: unknown }[] = [];
  for await (const { array, json } of elementsOf(chunks(), names))
    found.push({ array, value: JSON.parse(json.toString()) as unknown });
  return found;
}

const chunkSize = fc.integer({ min: 1, max: 40 });

test('gives the elements of any array as they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.constantFrom(0, 2),
      chunkSize,
      async (list, indent, size) => {
        const found = await elements(JSON.stringify(list, undefined, indent), [], size);
        expect(found).toEqual(JSON.parse(JSON.stringify(list.map((value) => ({ array: '', value })))));
      },
    ),
  );
});

test('gives the elements of the named arrays of an object, and of no array further down', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        results: fc.array(fc.jsonValue()),
        other: fc.jsonValue(),
        memories: fc.array(fc.jsonValue()),
      }),
      chunkSize,
      async (document, size) => {
        const found = await elements(
          JSON.stringify({ nested: { results: [1, 2] }, ...document }),
          ['results', 'memories'],
          size,
        );
        const expected = [
          ...document.results.map((value) => ({ array: 'results', value })),
          ...document.memories.map((value) => ({ array: 'memories', value })),
        ];
        expect(found).toEqual(JSON.parse(JSON.stringify(expected)));
      },
    ),
  );
});

test.each(['[1, 2', '{"results": ["a', '[{"a": "]"}', '{"results": [1]'])(
  '%s ends in the middle',
  async (text) => {
    await expect(elements(text, ['results'])).rejects.toThrow(JsonStreamError);
  },
);

test('more closing brackets than opening ones are refused', async () => {
  await expect(elements('[1]]', [])).rejects.toThrow('closing brackets');
});

test('nesting of a million levels is one element', async () => {
  async function* deep() {
    yield Buffer.from(`[${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}]`);
  }
  let count = 0;
  for await (const { json } of elementsOf(deep(), [])) count += json.length;
  expect(count).toBe(2_000_000);
});
