import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, limitOf, limits, Namespace, WholeFromZero } from '../fields.ts';
import { Address, Memory, Preview } from './memories.ts';
import { route } from '../route.ts';

const tag = 'trash';

const ItemsOf = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1, 'must have 1 to 1000 items').max(limits.batchItems, 'must have 1 to 1000 items');

/** One memory in the trash. */
const TrashAddress = Address.extend({
  trashed_at: DateTimeInput.optional().describe(
    'Which one, where several of this key are in the trash; the last one where omitted',
  ),
});

export const TrashedMemory = Memory.extend({
  trashed_at: DateTime,
  ends_at: DateTime.describe('When it is deleted for good, at the latest'),
}).meta({ id: 'TrashedMemory' });
export type TrashedMemory = z.infer<typeof TrashedMemory>;

export const trashMemories = route({
  id: 'memory_trash',
  method: 'POST',
  path: '/memory/trash',
  scope: 'write',
  reach: { can: ['delete'], absent: ['body.items[].namespace'] },
  tag,
  summary: 'Move memories to the trash, all or nothing',
  description:
    'They are found by nothing until they are restored, and deleted for good after `trash.days` (30). Their keys are free: what is stored there meanwhile is another memory. `memory.update` tells of it, with `trashed_at`. `memory-delete` and `memory/clear` delete for good, at once.',
  body: z
    .strictObject({
      items: ItemsOf(
        Address.extend({
          if_updated_at: DateTimeInput.optional().describe(
            'Only if the memory was last changed at exactly this time; else 409',
          ),
        }),
      ),
    })
    .meta({ id: 'TrashMemories' }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    trashed: z
      .array(z.object({ key: z.string(), namespace: z.string(), trashed_at: DateTime, ends_at: DateTime }))
      .describe('In the order of `items`'),
  }),
  problems: ['memory_not_found', 'conflict'],
  idempotent: true,
});

export const listTrash = route({
  id: 'memory_trash_list',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/trash',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'What is in the trash, the last one first',
  query: z.strictObject({
    namespace: Namespace.optional(),
    limit: inQuery(limitOf(limits.listMax, limits.listDefault)),
    offset: inQuery(WholeFromZero.default(0)),
    preview: inQuery(Preview.optional()),
  }),
  status: 200,
  response: z.object({
    memories: z.array(TrashedMemory),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    days: z.int().describe('How long a memory stays in the trash (`trash.days`)'),
  }),
  problems: [],
});

export const restoreTrash = route({
  id: 'memory_trash_restore',
  method: 'POST',
  path: '/memory/trash/restore',
  scope: 'write',
  reach: { can: ['set'], absent: ['body.items[].namespace'] },
  tag,
  summary: 'Bring memories back from the trash, all or nothing',
  description:
    'Each is as it was, with its history, end, tags and what it was imported from; that costs no store. 409 where another memory has its key meanwhile: rename that one first.',
  body: z.strictObject({ items: ItemsOf(TrashAddress) }).meta({ id: 'RestoreTrash' }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    restored: z.array(z.object({ key: z.string(), namespace: z.string() })),
  }),
  problems: ['memory_not_found', 'conflict'],
  idempotent: true,
});

export const emptyTrash = route({
  id: 'memory_trash_empty',
  method: 'POST',
  path: '/memory/trash/empty',
  scope: 'write',
  reach: { can: ['clear'], absent: ['body.items[].namespace'], refused: ['body.namespace'] },
  tag,
  summary: 'Delete what is in the trash, for good',
  description: 'All of it, or that of one namespace, or the named memories only.',
  body: z
    .strictObject({ namespace: Namespace.optional(), items: ItemsOf(TrashAddress).optional() })
    .refine(({ namespace, items }) => namespace === undefined || items === undefined, {
      path: ['items'],
      error: 'name their namespaces themselves; leave `namespace` out',
    })
    .meta({ id: 'EmptyTrash' }),
  status: 200,
  response: z.object({ success: z.literal(true), deleted: z.int() }),
  problems: ['memory_not_found'],
});
