import { z } from 'zod';
import { DateTimeInput, Key, limits, Metadata, NamespaceOrDefault, Value } from './fields.ts';
import { expires_at } from './memories.ts';
import { route } from './route.ts';

const tag = 'memory';

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
