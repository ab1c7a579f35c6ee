import { z } from 'zod';
import { Author } from '../author.ts';
import { DateTime, DateTimeInput, inQuery, limitOf, Namespace } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'sync';

/** Why a version is not the one that stands in the memory. */
export const conflictReasons = ['lost', 'refused', 'downgraded'] as const;

export const Conflict = z
  .object({
    id: z.string(),
    namespace: z.string(),
    key: z.string(),
    value: z.string().describe('What this version said'),
    metadata: z.record(z.string(), z.unknown()),
    device: z.object({ id: z.string(), name: z.string().nullable() }).describe('Where it was written'),
    author: Author.describe('Who wrote it'),
    reason: z
      .enum(conflictReasons)
      .describe(
        '`lost`: another device wrote later; `refused` by the relay; `downgraded`: no longer an editor',
      ),
    written_at: DateTime,
    found_at: DateTime,
    current: z.string().nullable().describe('What the memory says now; null where it is deleted'),
    current_author: Author.optional().describe('Who wrote what it says now; missing where that was not kept'),
    can_settle: z
      .boolean()
      .describe('False where the namespace may only be read: those who write there decide'),
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof Conflict>;

export const listConflicts = route({
  id: 'sync_conflicts',
  method: 'GET',
  path: '/sync/conflicts',
  scope: 'read',
  reach: { can: ['read'] },
  tag,
  summary: 'Versions that lost against another device, newest first',
  query: z.strictObject({
    namespace: Namespace.optional(),
    before: DateTimeInput.optional().describe('`next` of the page before'),
    limit: inQuery(limitOf(200, 50)),
  }),
  status: 200,
  response: z.object({ total: z.int(), conflicts: z.array(Conflict), next: DateTime.nullable() }),
  problems: [],
});

const ConflictId = z.strictObject({ id: z.string().min(1).max(64) });

export const restoreConflict = route({
  id: 'sync_conflicts_restore',
  method: 'POST',
  path: '/sync/conflicts/{id}/restore',
  scope: 'write',
  reach: { can: ['set'] },
  tag,
  summary:
    'Store the version that lost as the newest one, and settle the conflict for all devices; the other stays in the history',
  params: ConflictId,
  status: 200,
  response: z.object({ success: z.literal(true), namespace: z.string(), key: z.string() }),
  problems: ['conflict_not_found', 'forbidden_role'],
  costs: 'store',
});

export const dismissConflict = route({
  id: 'sync_conflicts_dismiss',
  method: 'DELETE',
  path: '/sync/conflicts/{id}',
  scope: 'write',
  reach: { can: ['delete'] },
  tag,
  summary: 'Drop the version that lost, for good and on all devices',
  params: ConflictId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['conflict_not_found', 'forbidden_role'],
});
