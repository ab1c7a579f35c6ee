import { expect, test } from 'vitest';
import { z } from 'zod';
import { nullsLeftOut } from './nulls-left-out.ts';

const Place = z.object({ name: z.string(), floor: z.int().optional() });
const schema = nullsLeftOut(
  z.object({
    query: z.string(),
    limit: z.int().optional(),
    order: z.enum(['new', 'old']).default('new'),
    owner: z.string().nullable().optional(),
    anything: z.unknown().optional(),
    place: Place.optional(),
    places: z.array(Place).max(3).optional(),
    floors: z.record(z.string(), Place).optional(),
    where: z.union([z.strictObject({ near: z.string(), far: z.string().optional() }), Place]).optional(),
    later: z.preprocess((given) => given, Place.partial()).optional(),
  }),
);

test.each([
  [
    { query: 'x', limit: null, order: null },
    { query: 'x', order: 'new' },
  ],
  [{ query: 'x', place: null, places: null, floors: null, where: null, later: null }, { query: 'x' }],
  [
    { query: 'x', place: { name: 'a', floor: null } },
    { query: 'x', place: { name: 'a' } },
  ],
  [
    { query: 'x', places: [{ name: 'a', floor: null }] },
    { query: 'x', places: [{ name: 'a' }] },
  ],
  [
    { query: 'x', floors: { a: { name: 'a', floor: null } } },
    { query: 'x', floors: { a: { name: 'a' } } },
  ],
  [
    { query: 'x', where: { near: 'a', far: null } },
    { query: 'x', where: { near: 'a' } },
  ],
  [
    { query: 'x', where: { name: 'a', floor: null } },
    { query: 'x', where: { name: 'a' } },
  ],
  [
    { query: 'x', later: { name: null, floor: 2 } },
    { query: 'x', later: { floor: 2 } },
  ],
  // What null means something for.
  [
    { query: 'x', owner: null, anything: null },
    { query: 'x', owner: null, anything: null },
  ],
  [
    { query: 'x', anything: { a: null } },
    { query: 'x', anything: { a: null } },
  ],
])('%j is read as %j', (given, read) => expect(schema.parse(given)).toEqual({ order: 'new', ...read }));

test.each([
  [{ query: null }, 'query'],
  [{ query: 'x', place: { name: null } }, 'place.name'],
  [{ query: 'x', places: [null] }, 'places.0'],
  [{ query: 'x', floors: { a: null } }, 'floors.a'],
  [null, ''],
])('%j is refused at %s', (given, at) => {
  expect(schema.safeParse(given).error?.issues.map(({ path }) => path.join('.'))).toEqual([at]);
});
