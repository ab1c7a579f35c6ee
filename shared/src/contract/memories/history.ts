import { z } from 'zod';
import { Author } from '../author.ts';
import { DateTime } from '../fields.ts';
import { Address, if_updated_at, Stored } from './memories.ts';
import { route } from '../route.ts';

const tag = 'memory';

export const Version = z
  .object({
    version: z.int().describe('1 is the oldest; the greatest is what is stored now'),
    value: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    updated_at: DateTime,
    current: z.boolean(),
    author: Author.optional().describe('Who wrote it; missing where that was not kept'),
  })
  .meta({ id: 'Version' });
export type Version = z.infer<typeof Version>;

export const memoryHistory = route({
  id: 'memory_history',
  method: 'GET',
  weight: 'heavy',
  path: '/memory/history',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'] },
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
  reach: { can: ['set'], absent: ['body.namespace'] },
  tag,
  summary: 'Store an earlier version again, as the newest',
  body: Address.extend({ version: z.int().min(1), if_updated_at }),
  status: 200,
  response: Stored.extend({ version: z.int().describe('The number of the new version') }),
  problems: ['memory_not_found', 'version_not_found', 'conflict'],
  idempotent: true,
  costs: 'store',
});
