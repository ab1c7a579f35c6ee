import { z } from 'zod';
import { inQuery, Key, limitOf, limits, NamespaceOrDefault } from '../fields.ts';
import { Prefix } from './memories.ts';
import { route } from '../route.ts';

export const memoryKeys = route({
  id: 'memory_keys',
  method: 'GET',
  path: '/memory/keys',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag: 'memory',
  summary: 'The keys of a namespace alone, by their bytes',
  description:
    'Hidden memories are left out. `next` is the `after` of the page that follows; null on the last one.',
  query: z
    .strictObject({
      namespace: NamespaceOrDefault,
      prefix: Prefix.optional(),
      after: Key.optional().describe('Only keys that stand after this one'),
      among: z
        .preprocess(
          (given) => (typeof given === 'string' ? [given] : given),
          z.array(Key).max(100).optional(),
        )
        .describe('Only those of these keys: which of them are there; not together with a `delimiter`'),
      delimiter: z
        .string()
        .length(1, { error: 'must be one character, such as /' })
        .optional()
        .describe(
          'What ends the name of a folder: keys that have it behind the `prefix` are told as their folder, once, and not as keys',
        ),
      limit: inQuery(limitOf(limits.keysMax, limits.listMax)).describe('Of keys and folders together'),
    })
    .refine(({ among, delimiter }) => among === undefined || delimiter === undefined, {
      path: ['delimiter'],
      error: 'must be left out where `among` is given',
    }),
  status: 200,
  response: z.object({
    keys: z.array(z.string()),
    folders: z
      .array(z.string())
      .optional()
      .describe('With a `delimiter`: beginnings of keys that end in it, to be asked for as a `prefix`'),
    next: z.string().nullable(),
  }),
  problems: [],
  costs: 'recall',
});
