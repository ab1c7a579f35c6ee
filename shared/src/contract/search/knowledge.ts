import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, Key, limitOf, NamespaceOrDefault } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'knowledge';

export const Fact = z
  .object({
    id: z.string().describe('`fact_` and a number; a memory that is written again has new facts'),
    namespace: z.string(),
    key: z.string().describe('The memory that states it'),
    path: z
      .array(z.string())
      .describe('Headings that it stands under, the outermost first; the first cell of its row last'),
    subject: z.string().describe('The last of `path`, else the key'),
    predicate: z.string().describe('`said` as it is compared: folded, in small letters'),
    said: z.string().describe('Label of the line, head of the column, or name of the property, as written'),
    object: z.string().describe('As written'),
    sentence: z
      .string()
      .describe('The line or the row, word for word from the memory; empty for a fact out of its metadata'),
    origin: z.enum(['property', 'table', 'line', 'metadata']),
    observed_at: DateTime.describe(
      'When it was said: `timestamp` of the metadata, else when the memory changed',
    ),
  })
  .meta({ id: 'Fact' });
export type Fact = z.infer<typeof Fact>;

export const listFacts = route({
  id: 'knowledge_facts',
  method: 'GET',
  weight: 'heavy',
  path: '/knowledge/facts',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag,
  summary:
    'What stands in the structure of the memories of a namespace: properties, tables, lines with a label',
  description:
    'Front matter, cells of tables, `key: value` lines and some fields of metadata, each below its headings, with its line and memory; nothing is concluded from prose. The newest kept first.',
  query: z.strictObject({
    namespace: NamespaceOrDefault,
    subject: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The heading or first cell that it stands under, else the key; compared without case and accents',
      ),
    predicate: z.string().min(1).max(100).optional().describe('The label; compared likewise'),
    key: Key.optional().describe('Only facts that this memory says'),
    as_of: DateTimeInput.optional().describe('Only what was said until then'),
    limit: inQuery(limitOf(1000, 50)),
    cursor: z
      .string()
      .regex(/^f\.\d{1,15}$/, 'must be the `next` of a page before')
      .optional(),
  }),
  status: 200,
  response: z.object({ facts: z.array(Fact), next: z.string().nullable() }),
  problems: [],
});
