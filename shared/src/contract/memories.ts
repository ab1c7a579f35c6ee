import { z } from 'zod';
import {
  byteLength,
  DateTime,
  DateTimeInput,
  inQuery,
  Key,
  limitOf,
  limits,
  Metadata,
  Namespace,
  NamespaceOrDefault,
  Query,
  Threshold,
  TOO_LARGE,
  Value,
  WholeFromOne,
  WholeFromZero,
} from './fields.ts';
import { route } from './route.ts';

/** What a memory is, by the prefix of its key (`error:…`, `dream:…`, `skill:…`, `note:…`); `note` without one. */
export const memoryClasses = ['note', 'error', 'dream', 'skill'] as const;
export const MemoryClass = z.enum(memoryClasses);
export type MemoryClass = z.infer<typeof MemoryClass>;

export const Memory = z
  .object({
    key: z.string(),
    value: z.string(),
    namespace: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    class: MemoryClass,
    created_at: DateTime,
    updated_at: DateTime,
    expires_at: DateTime.optional(),
    merged_into: z.string().optional().describe('Set where it is hidden behind this key'),
    archived_at: DateTime.optional().describe('Set where it was archived, and is hidden since'),
    truncated: z
      .literal(true)
      .optional()
      .describe('Set where `preview` cut the value; get the memory for the whole of it'),
  })
  .meta({ id: 'Memory' });
export type Memory = z.infer<typeof Memory>;

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

const Tags = z
  .array(z.string().min(1))
  .max(50)
  .describe('Only memories whose metadata.tags has all of these');
const Preview = z
  .int()
  .min(1)
  .max(10_000)
  .describe('Values longer than this many characters are cut to it and marked `truncated`');

/** Memories that are hidden unless they are asked for. */
export const hiddenKinds = ['merged', 'archived'] as const;
export type HiddenKind = (typeof hiddenKinds)[number];
const Include = z
  .array(z.enum(hiddenKinds))
  .max(hiddenKinds.length)
  .describe('Hidden memories that are wanted, too: `merged` into another one, `archived`');

const Filters = {
  class: MemoryClass.optional(),
  tags: Tags.optional(),
  preview: Preview.optional(),
  include: Include.optional(),
};

const expires_at = DateTimeInput.optional().describe('The memory is deleted at this time');
const if_updated_at = DateTimeInput.optional().describe(
  'Only if the memory was last changed at exactly this time; else 409',
);

export const Address = z.strictObject({ key: Key, namespace: NamespaceOrDefault });

export const SetMemory = z
  .strictObject({
    key: Key,
    value: Value,
    namespace: NamespaceOrDefault,
    metadata: Metadata.optional(),
    expires_at,
    if_updated_at,
  })
  .meta({ id: 'SetMemory' });

const BatchItem = z.strictObject(
  {
    value: Value,
    key: Key.optional(),
    namespace: NamespaceOrDefault,
    metadata: Metadata.optional(),
    expires_at,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' && issue.keys?.some((name) => name === 'content' || name === 'text')
        ? `has ${issue.keys.map((name) => `\`${name}\``).join(', ')}; put the text into \`value\``
        : undefined,
  },
);

export const StoreBatch = z
  .strictObject({
    items: z
      .array(BatchItem)
      .min(1, 'must have 1 to 1000 items')
      .max(limits.batchItems, 'must have 1 to 1000 items')
      .refine((items) => items.reduce((sum, item) => sum + byteLength(item.value), 0) <= limits.batchBytes, {
        error: 'has more than 16 MiB of values in all',
        params: TOO_LARGE,
      }),
  })
  .meta({ id: 'StoreBatch' });

export const ListMemories = z
  .strictObject({
    namespace: NamespaceOrDefault,
    limit: limitOf(limits.listMax, limits.listDefault),
    offset: WholeFromZero.default(0),
    order: z
      .enum(['created', 'updated'])
      .default('created')
      .describe('`created`: oldest first, then by key; `updated`: last changed first'),
    ...Filters,
  })
  .meta({ id: 'ListMemories' });

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

const MemoryList = z.object({
  memories: z.array(Memory),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

const SearchResults = z.object({ results: z.array(SearchHit), count: z.int() });
const Stored = z.object({ success: z.literal(true), key: z.string() });

const tag = 'memory';

const setRoute = {
  method: 'POST',
  scope: 'write',
  tag,
  summary: 'Store a memory; an existing key is overwritten',
  body: SetMemory,
  status: 200,
  response: Stored,
  problems: ['conflict'],
  idempotent: true,
  costs: 'store',
} as const;

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

export const setMemory = route({ ...setRoute, id: 'memory_set', path: '/memory-set' });
export const setMemoryShort = route({ ...setRoute, id: 'memory_set_short', path: '/memory' });

export const storeBatch = route({
  id: 'memory_store_batch',
  method: 'POST',
  path: '/memory/store-batch',
  scope: 'write',
  tag,
  summary: 'Store up to 1,000 memories, all or nothing',
  description: 'Items are applied in order: of two with one key the last wins. Keys are made where omitted.',
  body: StoreBatch,
  status: 200,
  response: z.object({ success: z.literal(true), count: z.int(), ids: z.array(z.string()) }),
  problems: [],
  idempotent: true,
  bodyLimit: 100 * 1024 * 1024,
  costs: 'store',
});

export const getMemory = route({
  id: 'memory_get',
  method: 'POST',
  path: '/memory-get',
  scope: 'read',
  tag,
  summary: 'Get a memory by its key',
  body: Address,
  status: 200,
  response: Memory,
  problems: ['memory_not_found'],
  costs: 'recall',
});

export const deleteMemory = route({
  id: 'memory_delete',
  method: 'POST',
  path: '/memory-delete',
  scope: 'write',
  tag,
  summary: 'Forget a memory, for good',
  description: 'Its value also leaves the indexes, its versions and earlier events.',
  body: Address.extend({ if_updated_at }),
  status: 200,
  response: z.object({ success: z.literal(true), deleted: z.string() }),
  problems: ['memory_not_found', 'conflict'],
});

export const listMemories = route({
  id: 'memory_list',
  method: 'POST',
  path: '/memory-list',
  scope: 'read',
  tag,
  summary: 'List the memories of a namespace',
  body: ListMemories,
  status: 200,
  response: MemoryList,
  problems: [],
  costs: 'recall',
});

/** A list in a query string: `tags=a,b` or `tags=a&tags=b`. */
function listInQuery<T extends z.ZodType>(items: T) {
  return z.preprocess((given) => {
    if (typeof given === 'string') return given.split(',');
    return given;
  }, items);
}

export const listMemoriesShort = route({
  id: 'memory_list_short',
  method: 'GET',
  path: '/memory/list',
  scope: 'read',
  tag,
  summary: 'List the memories of a namespace',
  query: ListMemories.extend({
    tags: listInQuery(Tags).optional(),
    include: listInQuery(Include).optional(),
    limit: inQuery(limitOf(limits.listMax, limits.listDefault)),
    offset: inQuery(WholeFromZero.default(0)),
    preview: inQuery(Preview.optional()),
  }),
  status: 200,
  response: MemoryList,
  problems: [],
  costs: 'recall',
});

export const clearNamespace = route({
  id: 'memory_clear',
  method: 'POST',
  path: '/memory/clear',
  scope: 'write',
  tag,
  summary: 'Forget every memory of a namespace, for good',
  body: z.strictObject({ namespace: Namespace }),
  status: 200,
  response: z.object({ success: z.literal(true), namespace: z.string(), deleted: z.int() }),
  problems: [],
});

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

export const listNamespaces = route({
  id: 'namespaces',
  method: 'GET',
  path: '/namespaces',
  scope: 'read',
  tag,
  summary: 'The namespaces that hold memories, with their counts',
  status: 200,
  response: z.object({
    namespaces: z.array(
      z.object({ namespace: z.string(), count: z.int(), bytes: z.int(), updated_at: DateTime }),
    ),
  }),
  problems: [],
});

export const Version = z
  .object({
    version: z.int().describe('1 is the oldest; the greatest is what is stored now'),
    value: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    updated_at: DateTime,
    current: z.boolean(),
  })
  .meta({ id: 'Version' });
export type Version = z.infer<typeof Version>;

export const memoryHistory = route({
  id: 'memory_history',
  method: 'GET',
  path: '/memory/history',
  scope: 'read',
  tag,
  summary: 'What a memory said before, newest first',
  query: Address,
  status: 200,
  response: z.object({ key: z.string(), namespace: z.string(), versions: z.array(Version) }),
  problems: ['memory_not_found'],
});

export const restoreVersion = route({
  id: 'memory_history_restore',
  method: 'POST',
  path: '/memory/history/restore',
  scope: 'write',
  tag,
  summary: 'Store an earlier version again, as the newest',
  body: Address.extend({ version: z.int().min(1), if_updated_at }),
  status: 200,
  response: Stored.extend({ version: z.int().describe('The number of the new version') }),
  problems: ['memory_not_found', 'version_not_found', 'conflict'],
  idempotent: true,
  costs: 'store',
});

/** A memory as `export` writes it and `import` reads it. */
export const PortableMemory = z
  .strictObject({
    key: Key,
    value: Value,
    namespace: NamespaceOrDefault,
    metadata: Metadata.optional(),
    created_at: DateTimeInput.optional(),
    updated_at: DateTimeInput.optional(),
    expires_at,
    source: z
      .strictObject({
        id: z.string().min(1).max(4096).describe('What it was made from, such as the path of a file'),
        hash: z.string().min(1).max(128).describe('Changes when the source changes'),
      })
      .optional()
      .describe('With it, an unchanged source is skipped, and what was edited on both sides is kept'),
  })
  .meta({ id: 'PortableMemory' });
export type PortableMemory = z.infer<typeof PortableMemory>;

/** What an import did with one item. `kept`: edited here since the last import, so the source's change was left out. */
export const importOutcomes = ['created', 'updated', 'unchanged', 'kept'] as const;

export const importMemories = route({
  id: 'import',
  method: 'POST',
  path: '/import',
  scope: 'owner',
  tag,
  summary: 'Import memories with their times, as `export` writes them',
  description: 'Emits events and delivers no webhooks. Running it twice changes nothing.',
  body: z.strictObject({
    items: z.array(PortableMemory).min(1).max(limits.batchItems),
    dry_run: z.boolean().default(false).describe('Answer what would be done, and do nothing'),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    kept: z.int(),
    outcomes: z.array(z.enum(importOutcomes)).describe('One for each item, in order'),
  }),
  problems: [],
  idempotent: true,
  bodyLimit: 100 * 1024 * 1024,
  costs: 'store',
});
