import { expect, test } from 'vitest';
import { z } from 'zod';
import { Author, PersonAddress } from '../contract/author.ts';
import { namesOnlyIn } from './names-only.ts';

const author = { id: 'dev_1', person: 'bob@example.org', device: 'desk', self: false };
const named = { ...author, person: 'bob' };

test('addresses of people become names wherever the schema has them, and nothing else changes', () => {
  const schema = z.object({
    author: Author.optional(),
    all: z.array(z.object({ by: Author.nullable(), key: z.string() }).meta({ id: 'Row' })),
    either: z.union([z.object({ email: PersonAddress.nullable() }), z.string()]),
    metadata: z.record(z.string(), z.unknown()),
  });
  const told = namesOnlyIn(schema);
  const metadata = { author, email: 'bob@example.org' };
  expect(
    told?.({
      author,
      all: [
        { by: author, key: 'a' },
        { by: null, key: 'b' },
      ],
      either: { email: null },
      metadata,
    }),
  ).toEqual({
    author: named,
    all: [
      { by: named, key: 'a' },
      { by: null, key: 'b' },
    ],
    either: { email: null },
    metadata,
  });
  expect(told?.({ all: [], either: 'bob@example.org', metadata })).toEqual({
    all: [],
    either: 'bob@example.org',
    metadata,
  });
  expect(namesOnlyIn(z.object({ key: z.string(), all: z.array(z.string()) }))).toBeUndefined();
});
