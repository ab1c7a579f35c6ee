import { z } from 'zod';
import { AnchorNow } from './anchor-now.ts';
import { Author } from '../author.ts';
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
  NamespaceOrEvery,
  NotedAt,
  Query,
  TOO_LARGE,
  TrueOrFalse,
  Value,
  WholeFromZero,
} from '../fields.ts';
import { route } from '../route.ts';

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
    title: z
      .string()
      .max(80)
      .describe('Plain text: `metadata.title`, else its first heading, else its first sentence'),
    created_at: DateTime,
    updated_at: DateTime,
    noted_at: NotedAt,
    expires_at: DateTime.optional(),
    merged_into: z.string().optional().describe('Set where it was merged into this key, and is hidden since'),
    superseded_by: z
      .string()
      .optional()
      .describe('Set where the memory of this key was kept of two that disagree, and it is hidden since'),
    archived_at: DateTime.optional().describe('Set where it was archived, and is hidden since'),
    anchors: z.array(AnchorNow).optional(),
    author: Author.optional().describe('Who wrote what it says; missing where that was not kept'),
    truncated: z.literal(true).optional().describe('Set where `preview` cut the value'),
  })
  .meta({ id: 'Memory' });
export type Memory = z.infer<typeof Memory>;

/** A memory among others, where who asks may do without the values. */
export const ListedMemory = Memory.extend({
  value: z.string().optional().describe('Left out with `values: false`, and only then'),
}).meta({ id: 'ListedMemory' });
export type ListedMemory = z.infer<typeof ListedMemory>;

const Tags = z
  .array(z.string().min(1))
  .max(50)
  .describe(
    'Only memories whose metadata.tags has all of these, or tags below them: `project` has `project/acme`, whatever its case and accents',
  );
/** Read by `conditions.ts`, which the page has no need of. */
const Where = z.array(z.string());
export const Preview = z
  .int()
  .min(1)
  .max(10_000)
  .describe('Values longer than this many characters are cut to it and marked `truncated`');

export const Values = TrueOrFalse.default(true).describe(
  'With false the values are left out, for who has little room',
);

/** Memories that are hidden unless they are asked for. */
export const hiddenKinds = ['merged', 'archived', 'superseded'] as const;
export type HiddenKind = (typeof hiddenKinds)[number];
const Include = z
  .array(z.enum(hiddenKinds))
  .max(hiddenKinds.length)
  .describe(
    'Hidden memories that are wanted, too: `merged` into another one, `archived`, `superseded` by the one that was kept of two',
  );

/** What lists and searches leave out. */
export const Filters = {
  class: MemoryClass.optional(),
  tags: Tags.optional(),
  where: Where.optional(),
  preview: Preview.optional(),
  values: Values,
  include: Include.optional(),
};

export const expires_at = DateTimeInput.optional().describe('The memory is deleted at this time');
export const if_updated_at = DateTimeInput.optional().describe(
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
    if_updated_at: DateTimeInput.nullable()
      .optional()
      .describe(
        'Only if the memory was last changed at exactly this time, or, with null, only if there is none of this key yet; else 409',
      ),
    similar: TrueOrFalse.default(false).describe(
      'With true the reply to a new memory names those of its namespace that are similar, so that one of them is changed instead',
    ),
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

export const Prefix = Key.describe('Only keys that begin with this, letter by letter');

/** The orders of a list. */
export const listOrders = ['created', 'updated', 'noted'] as const;
export type ListOrder = (typeof listOrders)[number];

export const ListMemories = z
  .strictObject({
    namespace: NamespaceOrEvery.default('default'),
    query: Query.optional().describe(
      'Operators of a search: `tag:adr`, `class:error`, `before:2026-03`, `after:2026-03-05`, `in:work` (with `namespace` `*`), `"exact words"`, `-word`; other words are refused, for a list ranks nothing',
    ),
    limit: limitOf(limits.listMax, limits.listDefault),
    offset: WholeFromZero.default(0),
    order: z
      .enum(listOrders)
      .default('created')
      .describe(
        '`created`: oldest first, then by key; `updated`: last changed first; `noted`: newest first by the day that each gives itself (`noted_at`), else by when it was created',
      ),
    prefix: Prefix.optional(),
    ...Filters,
  })
  .meta({ id: 'ListMemories' });

const MemoryList = z.object({
  memories: z.array(ListedMemory),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export const Stored = z.object({ success: z.literal(true), key: z.string() });

/** A memory that says nearly the same, or something of the same subject. */
export const SimilarMemory = z
  .object({ key: z.string(), passage: z.string().describe('What of it is so') })
  .meta({ id: 'SimilarMemory' });
export type SimilarMemory = z.infer<typeof SimilarMemory>;

/** Memories that are named as similar to a new one at most. */
export const MOST_SIMILAR = 3;

const tag = 'memory';

const setRoute = {
  method: 'POST',
  scope: 'write',
  reach: { can: ['set'], refused: ['body.namespace'], ends: ['body.expires_at'] },
  tag,
  summary: 'Store a memory; an existing key is overwritten',
  body: SetMemory,
  status: 200,
  response: Stored.extend({
    findable: z
      .boolean()
      .describe('False where it is found by search a moment later: texts beyond 24 Ki characters are'),
    similar: z
      .array(SimilarMemory)
      .max(MOST_SIMILAR)
      .optional()
      .describe('For a new memory with `similar`: the most similar first, none where there are none'),
  }),
  problems: ['conflict'],
  idempotent: true,
  costs: 'store',
} as const;

export const setMemory = route({ ...setRoute, id: 'memory_set', path: '/memory-set' });
export const setMemoryShort = route({ ...setRoute, id: 'memory_set_short', path: '/memory' });

export const storeBatch = route({
  id: 'memory_store_batch',
  method: 'POST',
  weight: 'heavy',
  path: '/memory/store-batch',
  scope: 'write',
  reach: { can: ['set'], refused: ['body.items[].namespace'], ends: ['body.items[].expires_at'] },
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
  reach: { can: ['read'], absent: ['body.namespace'] },
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
  reach: { can: ['delete'], absent: ['body.namespace'] },
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
  weight: 'heavy',
  path: '/memory-list',
  scope: 'read',
  reach: { can: ['read'], absent: ['body.namespace'], filtered: true },
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

/** `true` and `false` as a query string writes them. */
function flagInQuery<T extends z.ZodType>(schema: T) {
  return z.preprocess((given) => (given === 'true' ? true : given === 'false' ? false : given), schema);
}

export const listMemoriesShort = route({
  id: 'memory_list_short',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/list',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'List the memories of a namespace',
  query: ListMemories.extend({
    tags: listInQuery(Tags).optional(),
    where: listInQuery(Where).optional(),
    include: listInQuery(Include).optional(),
    limit: inQuery(limitOf(limits.listMax, limits.listDefault)),
    offset: inQuery(WholeFromZero.default(0)),
    preview: inQuery(Preview.optional()),
    values: flagInQuery(Values),
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
  reach: { can: ['clear'], refused: ['body.namespace'] },
  tag,
  summary: 'Forget every memory of a namespace, for good',
  description: 'Also those of it that are in the trash.',
  body: z.strictObject({ namespace: Namespace }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    namespace: z.string(),
    deleted: z.int().describe('Without what was in the trash'),
    from_trash: z.int().optional().describe('How many were in the trash, besides; set where any were'),
  }),
  problems: [],
});

/** Which models may see the memories of a namespace. */
export const namespaceModels = ['any', 'local', 'none'] as const;
export const NamespaceModels = z
  .enum(namespaceModels)
  .describe(
    '`any`: whichever is in use; `local`: only one whose server is on this machine; `none`: no model, so that answers are quoted, dreams go by rules, and only what comes with Reverie makes vectors',
  )
  .meta({ id: 'NamespaceModels' });
export type NamespaceModels = z.infer<typeof NamespaceModels>;

/** Colours that tell namespaces apart, in the order in which they are given; how each looks is the page's. */
export const namespaceColours = [
  'violet',
  'amber',
  'teal',
  'pink',
  'blue',
  'olive',
  'red',
  'green',
  'orange',
  'slate',
] as const;
export const NamespaceColour = z.enum(namespaceColours).meta({ id: 'NamespaceColour' });
export type NamespaceColour = z.infer<typeof NamespaceColour>;

/** Bytes of UTF-8 that a sign may have. */
const SIGN_BYTES = 16;

/** What stands in the place of a namespace's dot. */
export const NamespaceSign = z
  .string()
  .refine(isSign, `must be one character or emoji of at most ${SIGN_BYTES} bytes`)
  .describe('One character or emoji, for where the namespace is shown small');

function isSign(text: string): boolean {
  return (
    [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length === 1 &&
    new TextEncoder().encode(text).length <= SIGN_BYTES &&
    !/^[\s\p{C}]/u.test(text)
  );
}

export const NamespaceRow = z.object({
  namespace: z.string(),
  count: z.int(),
  bytes: z.int(),
  updated_at: DateTime,
  models: NamespaceModels.optional().describe('Which models may see it; missing where any may'),
  colour: NamespaceColour.optional().describe('The chosen one, else one that few others have'),
  sign: NamespaceSign.optional().describe('Missing where none is chosen'),
});

export const listNamespaces = route({
  id: 'namespaces',
  method: 'GET',
  path: '/namespaces',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag,
  summary: 'The namespaces that hold memories, with their counts',
  status: 200,
  response: z.object({ namespaces: z.array(NamespaceRow) }),
  problems: [],
});

export const changeNamespace = route({
  id: 'namespaces_change',
  method: 'PATCH',
  path: '/namespaces/{namespace}',
  scope: 'owner',
  tag,
  summary: 'Say which models may see the memories of a namespace, whether it is synced, and how it looks',
  description:
    'What is not named stays. `models` holds for questions, dreams and vectors that a server makes, from the next one on; what left before is in `GET /models/sheets`. It outlives the memories of the namespace, and may be said before there are any; so do `colour` and `sign`, until the namespace is cleared: null takes a choice back. All are settings of this device: they are not synced. `sync` says whether this device syncs it, also before it is linked: with `false` its memories stay here and nothing of it goes to the relay any more, with `true` they go together with what the relay has of it, and where both say something else of a memory, the older one is a conflict. `remove_from_relay` deletes with it what the relay has, where it is your own and shared with nobody; other devices keep their memories. Where vectors are made by a server that may not see the namespace, its memories are found by their words alone.',
  params: z.strictObject({ namespace: Namespace }),
  body: z
    .strictObject({
      models: NamespaceModels.optional(),
      colour: NamespaceColour.nullable().optional(),
      sign: NamespaceSign.nullable().optional(),
      sync: z.boolean().optional(),
      remove_from_relay: z.literal(true).optional(),
    })
    .refine((body) => Object.keys(body).length > 0, { error: 'must name models, colour, sign or sync' })
    .refine(({ sync, remove_from_relay }) => remove_from_relay === undefined || sync === false, {
      path: ['remove_from_relay'],
      error: 'goes with sync: false only',
    })
    .meta({ id: 'NamespaceChange' }),
  status: 200,
  response: z.object({
    namespace: z.string(),
    models: NamespaceModels,
    colour: NamespaceColour.optional().describe('Missing where none is chosen'),
    sign: NamespaceSign.optional().describe('Missing where none is chosen'),
    unsent: z
      .int()
      .optional()
      .describe('With `sync: false`: changes that had not reached the relay, and stay here only'),
  }),
  problems: ['not_linked', 'relay_unreachable', 'relay_refused', 'conflict', 'forbidden_role', 'not_found'],
});
