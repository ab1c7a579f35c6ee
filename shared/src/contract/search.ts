import { z } from 'zod';
import {
  DateTime,
  inQuery,
  limitOf,
  limits,
  Namespace,
  NamespaceOrDefault,
  Query,
  Threshold,
  WholeFromOne,
} from './fields.ts';
import { Filters, Memory } from './memories.ts';
import { operatorKinds } from './operators.ts';
import { route } from './route.ts';

const tag = 'memory';

const Why = z
  .object({
    streams: z
      .array(z.object({ name: z.string(), rank: z.int().min(1) }))
      .readonly()
      .describe('What found it, and at which place'),
    boosts: z
      .array(z.object({ name: z.string(), points: z.number() }))
      .readonly()
      .describe('What its score is made of: what each feature adds to the log odds'),
  })
  .meta({ id: 'Why' });
export type Why = z.infer<typeof Why>;

export const SearchHit = Memory.extend({
  score: z.number().min(0).max(1).describe('Calibrated relevance: the same meaning in every query'),
  why: Why.optional().describe('With `explain`: why it was found and stands where it does'),
}).meta({ id: 'SearchHit' });
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchMemories = z
  .strictObject({
    query: Query,
    namespace: NamespaceOrDefault,
    limit: limitOf(limits.searchMax, limits.searchDefault),
    threshold: Threshold.default(0),
    explain: z.boolean().default(false).describe('Say of each hit why it was found'),
    ...Filters,
  })
  .meta({ id: 'SearchMemories' });

/** How a query was read. */
export const UnderstoodQuery = z
  .object({
    text: z
      .string()
      .describe('What was looked for by words and meaning; empty where the query has operators alone'),
    filters: z
      .array(z.object({ kind: z.enum(operatorKinds), value: z.string() }))
      .readonly()
      .describe('Its operators; whatever is not named here was plain words'),
  })
  .meta({ id: 'UnderstoodQuery' });

const SearchResults = z.object({
  results: z.array(SearchHit),
  count: z.int(),
  understood: UnderstoodQuery.optional().describe('With `explain`: how the query was read'),
  cut: z
    .object({ terms: z.int(), of: z.int() })
    .optional()
    .describe(
      'With `explain`, where the query has more terms than are looked for (64), or some that are too frequent to be looked for without keeping others waiting: how many were, and of how many',
    ),
});

const searchRoute = {
  method: 'POST',
  scope: 'read',
  tag,
  summary: 'Search by meaning and words; best first',
  body: SearchMemories,
  status: 200,
  response: SearchResults,
  problems: [],
  costs: 'recall',
} as const;

export const searchMemories = route({ ...searchRoute, id: 'memory_search', path: '/memory-search' });
export const searchMemoriesShort = route({
  ...searchRoute,
  id: 'memory_search_short',
  path: '/memory/search',
});

export const searchMemoriesGet = route({
  id: 'memory_search_get',
  method: 'GET',
  path: '/memory-search',
  scope: 'read',
  tag,
  summary: 'Search with a query string; `q=*` lists everything, newest first',
  description:
    'With `q=*` every memory is listed (of every namespace, unless one is given), all of them when no limit is given. Any other text is searched for in `namespace`, or in `default`.',
  query: z.strictObject({
    q: Query,
    namespace: Namespace.optional(),
    limit: inQuery(WholeFromOne.optional()),
    threshold: inQuery(Threshold.default(0)),
  }),
  status: 200,
  response: z.object({
    memories: z.array(
      z.object({
        key: z.string(),
        value: z.string(),
        score: z.number(),
        namespace: z.string(),
        created_at: DateTime,
      }),
    ),
  }),
  problems: [],
  costs: 'recall',
});
