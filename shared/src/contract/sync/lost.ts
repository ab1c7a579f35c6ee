import { z } from 'zod';
import { DateTime, Namespace } from '../fields.ts';
import { route } from '../route.ts';
import { Role } from './role.ts';

/** Why a namespace is not synced any more. */
export const lostReasons = ['deleted', 'ended', 'left', 'restored', 'unsure', 'unlinked'] as const;
export type LostReason = (typeof lostReasons)[number];

export const LostNamespace = z
  .object({
    namespace: z.string(),
    role: Role.describe('What this account was in it'),
    reason: z
      .enum(lostReasons)
      .describe(
        '`deleted` by this account; `ended`: this account was removed, left on another device, or the owner deleted it; `left` from here; `restored`: the relay was restored from before this account joined; `unlinked`: this machine left the relay where somebody else shared it',
      ),
    owner: z.string().nullable().describe('The e-mail address of who made it; null where that is not known'),
    since: DateTime,
    unsent: z.int().describe('Changes of this machine that nobody else has got'),
    kept: z
      .boolean()
      .describe(
        'Whether somebody said that it stays on this machine only, also when it is unlinked and linked again',
      ),
    waiting: z
      .boolean()
      .describe(
        'Whether a room of its name is there again, which waits until somebody decides about this one',
      ),
    message: z.string().describe('What happened, for people'),
    advice: z.string().describe('What can be done'),
  })
  .meta({ id: 'LostNamespace' });
export type LostNamespace = z.infer<typeof LostNamespace>;

export const settleLost = route({
  id: 'sync_lost',
  method: 'POST',
  path: '/sync/lost',
  scope: 'owner',
  tag: 'sync',
  summary: 'Say what becomes of a namespace that left sync',
  description:
    '`keep`: its memories stay on this machine only, also after unlinking and linking again, and the status does not ask again; `sync` undoes it. `sync`: they go to the other devices of this account in a room of its own, which can be shared anew; while this machine is not linked, with everything else once it is. To come back into the room of others, join it by a new invite under the same name.',
  body: z.strictObject({ namespace: Namespace, then: z.enum(['keep', 'sync']) }),
  status: 200,
  response: z.object({ success: z.literal(true), namespace: z.string() }),
  problems: ['not_linked', 'not_found'],
});
