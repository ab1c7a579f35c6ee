import { z } from 'zod';
import { DateTime, inQuery, Key, limitOf, NamespaceOrDefault, NotedAt } from '../fields.ts';
import { MemoryClass } from '../memories/memories.ts';
import { route } from '../route.ts';

/** Why two memories belong together: one links to the other, near in meaning, a fact about the same thing, one session, or something that a dream found. */
export const linkKinds = ['link', 'similar', 'fact', 'session', 'insight'] as const;
export const LinkKind = z.enum(linkKinds);
export type LinkKind = z.infer<typeof LinkKind>;

export const GraphNode = z
  .object({
    key: z.string(),
    title: z.string().describe('What the memory is called: as in search'),
    excerpt: z.string().describe('The beginning of the value, at most 160 characters'),
    class: MemoryClass,
    created_at: DateTime,
    noted_at: NotedAt,
    tags: z.array(z.string()),
    hops: z
      .int()
      .optional()
      .describe('Steps from the centre; 0 for the centre itself, missing where nothing leads there from it'),
  })
  .meta({ id: 'GraphNode' });
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphLink = z
  .object({
    from: z.string().describe('Key; links have no direction'),
    to: z.string(),
    kind: LinkKind,
    why: z
      .string()
      .describe(
        'What `to` has to do with `from`, which is called `it`; for a fact what `to` says, word for word',
      ),
    weight: z.number().min(0).max(1),
  })
  .meta({ id: 'GraphLink' });
export type GraphLink = z.infer<typeof GraphLink>;

export const memoryGraph = route({
  id: 'memory_graph',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/graph',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
  tag: 'memory',
  summary: 'What hangs together around a memory, nearest first',
  description:
    'Walks outwards from `key` until `limit` memories are reached. Without it from the memory that was changed last, and, where nothing leads further, on from the next: the whole namespace, where it is no larger. It explains and shows; search does not rank by it.',
  query: z.strictObject({
    namespace: NamespaceOrDefault,
    key: Key.optional(),
    kinds: z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(',').filter((one) => one !== '') : given),
        z.array(LinkKind).min(1),
      )
      .optional()
      .describe('Only links of these kinds, with commas; all where omitted'),
    limit: inQuery(limitOf(300, 80)),
  }),
  status: 200,
  response: z.object({
    namespace: z.string(),
    center: z.string().nullable().describe('Null where the namespace is empty'),
    nodes: z.array(GraphNode),
    links: z.array(GraphLink),
  }),
  problems: ['memory_not_found'],
});
