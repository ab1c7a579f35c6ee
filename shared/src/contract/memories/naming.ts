import { z } from 'zod';
import { Key, limits, Namespace, NamespaceOfOld } from '../fields.ts';
import { Address } from './memories.ts';
import { route } from '../route.ts';

const tag = 'memory';

export const renameMemory = route({
  id: 'memory_rename',
  method: 'POST',
  path: '/memory/rename',
  scope: 'write',
  reach: { can: ['set'], absent: ['body.namespace'], refused: ['body.to.namespace'] },
  tag,
  summary: 'Give a memory another key, or put it into another namespace',
  description:
    'History, times, tags and what it was imported from stay with it; it costs no store. Links that named it are written anew in the memories that have them, each in its own form (a wiki link keeps its text and heading, a Markdown link its relative path), and so are its own relative ones, all with the renaming or not at all; renaming it back brings each text back as it was. In another namespace links do not follow. `memory.update` tells of it, with the old address in `before` and the new one in `after`; where the namespace is another one, both namespaces hear of it. 409 where a memory has the new address already. A linked device sees the new name, with the history that it has; between namespaces it sees a deletion and a new memory.',
  body: z
    .strictObject({
      key: Key,
      namespace: NamespaceOfOld.default('default').describe(
        'Also "*", where a namespace was called so: this is the way out of it',
      ),
      to: z.strictObject({
        key: Key,
        namespace: Namespace.optional().describe('Where it is now, when omitted'),
      }),
    })
    .meta({ id: 'RenameMemory' }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    key: z.string(),
    namespace: z.string(),
    mended: z.int().describe('Memories whose links were written anew'),
  }),
  problems: ['memory_not_found', 'conflict'],
  idempotent: true,
});

const Tag = z
  .string()
  .trim()
  .min(1, 'is empty; allowed: 1 to 100 characters')
  .max(100, 'is too long; allowed: 1 to 100 characters')
  .refine((text) => !text.includes(','), 'has a comma, which parts two tags; give them one by one');
const TagList = z.array(Tag).max(50).default([]);

export const tagMemories = route({
  id: 'memory_tags',
  method: 'POST',
  path: '/memory/tags',
  scope: 'write',
  reach: { can: ['read', 'set'], absent: ['body.items[].namespace'] },
  tag,
  summary: 'Add tags to memories and take others off, all or nothing',
  description:
    'The tags stand in `metadata.tags`, as a list afterwards; everything else stays. A memory that has the tags already is left as it is. Each one that changes is a new version.',
  body: z
    .strictObject({
      items: z
        .array(Address)
        .min(1, 'must have 1 to 1000 items')
        .max(limits.batchItems, 'must have 1 to 1000 items'),
      add: TagList,
      remove: TagList,
    })
    .refine(({ add, remove }) => add.length + remove.length > 0, {
      path: ['add'],
      error: 'is empty, and `remove` too; name a tag in one of them',
    })
    .meta({ id: 'TagMemories' }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    changed: z.int(),
    memories: z
      .array(z.object({ key: z.string(), namespace: z.string(), tags: z.array(z.string()) }))
      .describe('With the tags that they have now, in the order of `items`'),
  }),
  problems: ['memory_not_found'],
  idempotent: true,
  costs: 'store',
});
