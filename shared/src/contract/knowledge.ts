import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, Key, limitOf, NamespaceOrDefault } from './fields.ts';
import { route } from './route.ts';

const tag = 'knowledge';

export const Fact = z
  .object({
    id: z.string().describe('`fact_` and a number; a memory that is written again has new facts'),
    namespace: z.string(),
    key: z.string().describe('The memory that says it'),
    subject: z.string().describe('As written'),
    predicate: z.string().describe('Normalised, such as `lives_in` or `birthday`'),
    said: z.string().describe('The predicate as written'),
    object: z.string().describe('As written'),
    value: z
      .string()
      .describe(
        'The object as it is compared: `2026-05-03` or `--05-03`, `75 mg`, `419 EUR`, else folded text',
      ),
    kind: z.enum(['name', 'date', 'number', 'money', 'text']),
    negated: z.boolean().describe('The memory says that it is not so'),
    sentence: z.string().describe('Word for word from the memory; empty for a fact out of its metadata'),
    confidence: z.number().min(0).max(1),
    origin: z.enum(['text', 'metadata']),
    observed_at: DateTime.describe('When it was said'),
    valid_from: DateTime.describe('Since when it holds; `observed_at` where the memory does not say'),
    valid_to: DateTime.nullable().describe('When a newer fact took its place'),
    superseded: z.boolean(),
    superseded_by: z.string().nullable().describe('Key of the memory with the newer fact'),
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
  summary: 'What the memories of a namespace say of things, found in the background after each write',
  description:
    'Subject, predicate and object, each with its sentence and memory. A newer fact takes the place of an older one without deleting it. `indexing.facts_pending` of `/healthz` says how many memories are still to be read.',
  query: z.strictObject({
    namespace: NamespaceOrDefault,
    subject: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Compared without case and article; `I` is the user'),
    predicate: z.string().min(1).max(100).optional(),
    key: Key.optional().describe('Only facts that this memory says'),
    as_of: DateTimeInput.optional().describe('What was known and held at this time; now where omitted'),
    include_superseded: z.enum(['true', 'false']).default('false'),
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
