import { z } from 'zod';
import {
  DateTimeInput,
  inQuery,
  Key,
  limitOf,
  limits,
  Metadata,
  NamespaceOrDefault,
  Value,
} from '../fields.ts';
import { expires_at } from './memories.ts';
import { route } from '../route.ts';

const tag = 'memory';

const SourceId = z.string().min(1).max(4096);

/** A memory as `export` writes it and `import` reads it. */
export const PortableMemory = z
  .strictObject({
    key: Key,
    value: Value,
    namespace: NamespaceOrDefault,
    metadata: Metadata.optional(),
    created_at: DateTimeInput.optional(),
    updated_at: DateTimeInput.optional().describe('Of a new memory as `created_at` where omitted'),
    expires_at,
    source: z
      .strictObject({
        id: SourceId.describe('What it was made from, such as the path of a file'),
        hash: z.string().min(1).max(128).describe('Changes when the source changes'),
      })
      .optional()
      .describe(
        'With it, an unchanged source is skipped, what was edited on both sides is kept, and what was deleted here stays so',
      ),
  })
  .meta({ id: 'PortableMemory' });
export type PortableMemory = z.infer<typeof PortableMemory>;

/**
 * What an import did with one item. `kept`: edited here since the last import, so the source's change was left out. `deleted_here`: its
 * memory was deleted, so nothing was written. `restored`: it is here again, from the trash where it was there.
 */
export const importOutcomes = [
  'created',
  'updated',
  'unchanged',
  'kept',
  'deleted_here',
  'restored',
] as const;

export const importMemories = route({
  id: 'import',
  method: 'POST',
  weight: 'heavy',
  path: '/import',
  scope: 'owner',
  tag,
  summary: 'Import memories with their times, as `export` writes them',
  description:
    'Emits events and delivers no webhooks. Running it twice changes nothing. What an item with a `source` brought here before and was deleted or put into the trash since is answered `deleted_here`, unless `restore`; what an import put there (`POST /import/prune`) comes back by itself.',
  body: z.strictObject({
    items: z.array(PortableMemory).min(1).max(limits.batchItems),
    dry_run: z.boolean().default(false).describe('Answer what would be done, and do nothing'),
    restore: z
      .boolean()
      .default(false)
      .describe(
        'Bring back what was deleted here: as the source says, and out of the trash where it is there',
      ),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    kept: z.int(),
    deleted_here: z.int(),
    restored: z.int(),
    outcomes: z.array(z.enum(importOutcomes)).describe('One for each item, in order'),
  }),
  problems: [],
  idempotent: true,
  bodyLimit: 100 * 1024 * 1024,
  costs: 'store',
});

export const listImportSources = route({
  id: 'import_sources',
  method: 'GET',
  path: '/import/sources',
  scope: 'owner',
  tag,
  summary: 'The sources that memories here came from',
  description:
    'By their bytes; without those that were pruned, and those whose memories were deleted. Who prunes asks for them before it reads its source: what they name and the source does not have has vanished. `next` is the `after` of the page that follows; null on the last one.',
  query: z.strictObject({
    root: SourceId.refine((given) => !/[/#]$/.test(given), {
      error: 'ends in "/" or "#"; allowed: the id without it',
    }).describe('Only the source of this id, and those whose ids go on with `/` or `#` after it'),
    after: SourceId.optional().describe('Only sources that stand after this one'),
    limit: inQuery(limitOf(limits.keysMax, limits.listMax)),
  }),
  status: 200,
  response: z.object({ sources: z.array(z.string()), next: z.string().nullable() }),
  problems: [],
});

const FromSource = z.object({ source: z.string(), namespace: z.string(), key: z.string() });

export const pruneImported = route({
  id: 'import_prune',
  method: 'POST',
  path: '/import/prune',
  scope: 'owner',
  tag,
  summary: 'Move to the trash what came from sources that are gone',
  description:
    'Only of the sources that are named, so that an import that breaks off prunes nothing. A memory that came from another source, too, stays while that one is there. One that was edited or renamed here since stays, and is named in `kept`. A source that brings its memory again later brings it back from the trash.',
  body: z.strictObject({
    sources: z
      .array(SourceId)
      .min(1, 'must have 1 to 1000 ids of sources')
      .max(limits.batchItems, 'must have 1 to 1000 ids of sources'),
    dry_run: z.boolean().default(false).describe('Answer what would be done, and do nothing'),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    pruned: z.array(FromSource),
    kept: z.array(FromSource),
  }),
  problems: [],
  idempotent: true,
});
