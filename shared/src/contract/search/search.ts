import { z } from 'zod';
import {
  DateTime,
  inQuery,
  limitOf,
  limits,
  EVERY_NAMESPACE,
  NamespaceOrEvery,
  NotedAt,
  Query,
  Threshold,
  WholeFromOne,
  Wordings,
} from '../fields.ts';
import { FileHit } from './file-hit.ts';
import { Filters, ListedMemory } from '../memories/memories.ts';
import { operatorKinds, understandQuery } from './operators.ts';
import { Passage } from './passage.ts';
import { RecallSources } from './recall-sources.ts';
import { route } from '../route.ts';
import { SessionHit } from './session-hit.ts';

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

/** Hits with a lower score are most likely about something else: 95 % of what has nothing to do with a query is below it. */
export const WEAKER = 0.2;

export const SearchHit = ListedMemory.extend({
  score: z.number().min(0).max(1).describe('Calibrated relevance: the same meaning in every query'),
  weaker: z
    .literal(true)
    .optional()
    .describe(
      `Set where the score is below ${WEAKER}: it fills the page rather than answers. Such hits stand behind the others`,
    ),
  passage: Passage.optional().describe(
    'What of `value` fits the query best: sentences, a list item, a row of a table or code, with what stands around it in its paragraph. Missing where the value has nothing but headings, front matter, badges and rules',
  ),
  wording: z
    .string()
    .optional()
    .describe('The one of `queries` that found it best; missing where that is the query itself'),
  why: Why.optional().describe('With `explain`: why it was found and stands where it does'),
}).meta({ id: 'SearchHit' });
export type SearchHit = z.infer<typeof SearchHit>;

const SearchQuery = Query.superRefine((query, context) => {
  const { wrong } = understandQuery(query, EVERY_NAMESPACE);
  if (wrong.length > 0)
    context.addIssue({
      code: 'custom',
      message: `has ${wrong.map((piece) => `\`${piece}\``).join(', ')}, which is no day of the calendar; allowed: a year, a month or a day such as before:2026, after:2026-03, before:2026-03-05. In quotation marks it is plain words`,
    });
}).describe(
  '1 to 8192 bytes of UTF-8: words, and operators: `tag:adr`, `class:error`, `before:2026-03`, `after:2026-03-05` (of then: by `noted_at`, else created, UTC), `in:work` (with `namespace` `*`), `"exact words"`, `-word`, `-"exact words"`. Operators alone list what passes them, newest first, with score 1',
);

export const SearchMemories = z
  .strictObject({
    query: SearchQuery,
    queries: Wordings.describe(
      'At most 7 more wordings of the same question, in any language: best in words that the memories themselves may use. Each is looked for as the query is, all in one pass; a memory has the best of its scores, those by further wordings times 0.95. Plain words: operators stand in `query` alone and narrow all wordings. Blank and repeated ones are passed over. Sessions are searched by `query` alone',
    ),
    namespace: NamespaceOrEvery.default('default'),
    limit: limitOf(limits.searchMax, limits.searchDefault),
    threshold: Threshold.default(0),
    explain: z.boolean().default(false).describe('Say of each hit why it was found'),
    sources: RecallSources.describe(
      '`sessions` also finds what was said and done in coding sessions of the namespace, up to `limit`, in a list of their own',
    ),
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
    corrected: z
      .array(z.object({ word: z.string(), read_as: z.array(z.string()).readonly() }))
      .readonly()
      .optional()
      .describe(
        'Words that no memory looked at has, and those of memories, spelt alike, that were looked for instead; such hits score less',
      ),
  })
  .meta({ id: 'UnderstoodQuery' });
export type UnderstoodQuery = z.infer<typeof UnderstoodQuery>;

/** A namespace that answers better than the one that was asked for. */
export const Elsewhere = z
  .object({
    namespace: z.string(),
    count: z.int().min(1).describe('Memories there that answer so well, of the ten that were read'),
    best: z.number().min(0).max(1).describe('The score of the best of them'),
  })
  .meta({ id: 'Elsewhere' });
export type Elsewhere = z.infer<typeof Elsewhere>;

const SearchResults = z.object({
  results: z.array(SearchHit),
  count: z.int(),
  elsewhere: z
    .array(Elsewhere)
    .optional()
    .describe(
      'Where little is found in the namespace (the best below 0.35) and others have what is likely to answer (0.5): at most three, best first. They are looked at by words alone; `namespace: "*"` searches them all',
    ),
  sessions: z
    .array(SessionHit)
    .optional()
    .describe('Where `sources` names `sessions`: the best first, scored as memories are'),
  files: z
    .array(FileHit)
    .optional()
    .describe(
      `Where PDFs that memories name say something that fits (a score of ${WEAKER} and more): the best page of each, best first, by words and scored as memories are; filters are those of a memory that names it, \`"exact words"\` and \`-word\` of the PDF. Not among \`results\` and \`count\``,
    ),
  understood: UnderstoodQuery.optional().describe('With `explain`: how the query was read'),
  cut: z
    .object({ terms: z.int(), of: z.int() })
    .optional()
    .describe(
      'With `explain`, where not all terms of the query were looked for (64 at most, none that keeps others waiting): how many were, and of how many',
    ),
});

const searchRoute = {
  method: 'POST',
  weight: 'heavy',
  scope: 'read',
  reach: { can: ['read'], absent: ['body.namespace'], filtered: true },
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
  weight: 'heavy',
  path: '/memory-search',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'Search with a query string; `q=*` lists everything, newest first',
  description:
    'With `q=*` every memory is listed (of every namespace, unless one is given), all of them when no limit is given. Any other text is searched for in `namespace`, or in `default`.',
  query: z.strictObject({
    q: SearchQuery,
    namespace: NamespaceOrEvery.optional(),
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
        noted_at: NotedAt,
      }),
    ),
  }),
  problems: [],
  costs: 'recall',
});
