import { z } from 'zod';
import { DateTime, Namespace, NamespaceOrDefault } from './fields.ts';
import { route } from './route.ts';

const tag = 'sync';

/** What a member may do in a namespace. */
export const roles = ['owner', 'editor', 'viewer'] as const;
export const Role = z.enum(roles);

const MemberId = z.strictObject({ id: z.string().min(1).max(64) });

export const shareNamespace = route({
  id: 'namespaces_share',
  method: 'POST',
  path: '/namespaces/share',
  scope: 'owner',
  tag,
  summary: 'Make an invite to a namespace',
  body: z.strictObject({
    namespace: NamespaceOrDefault,
    role: z.enum(['viewer', 'editor']).default('viewer'),
    expires_in: z
      .int()
      .min(60)
      .max(30 * 86_400)
      .default(7 * 86_400)
      .describe('Seconds'),
    with_history: z
      .boolean()
      .default(false)
      .describe(
        'Whether who joins also gets what was overwritten, trashed or lost in a conflict before, as far as the relay keeps it: since somebody was invited without; else, what there is now',
      ),
  }),
  status: 201,
  response: z.object({
    invite: z.string().describe('A link; its secret stands behind the `#`. Whoever has it may join'),
    namespace: z.string(),
    role: Role,
    expires_at: DateTime,
  }),
  problems: ['not_linked', 'conflict', 'forbidden_role', 'relay_unreachable', 'relay_refused'],
});

export const joinNamespace = route({
  id: 'namespaces_join',
  method: 'POST',
  path: '/namespaces/join',
  scope: 'owner',
  tag,
  summary: 'Join a namespace that somebody shares',
  body: z.strictObject({
    invite: z.string().trim().min(8).max(4096),
    namespace: Namespace.optional().describe('What it is called here; `shared` where omitted'),
  }),
  status: 200,
  response: z.object({ success: z.literal(true), namespace: z.string(), role: Role }),
  problems: ['not_linked', 'conflict', 'invite_invalid', 'relay_unreachable', 'relay_refused'],
});

export const Member = z
  .object({
    id: z.string(),
    email: z.string().nullable(),
    role: Role,
    self: z.boolean(),
    joined_at: DateTime,
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const listMembers = route({
  id: 'namespaces_members',
  method: 'GET',
  path: '/namespaces/members',
  scope: 'read',
  reach: { can: ['read'] },
  tag,
  summary: 'Who can read and write a namespace',
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ namespace: z.string(), members: z.array(Member) }),
  problems: ['not_linked', 'namespace_not_synced', 'relay_unreachable', 'relay_refused'],
});

export const removeMember = route({
  id: 'namespaces_members_remove',
  method: 'DELETE',
  path: '/namespaces/members/{id}',
  scope: 'owner',
  tag,
  summary: 'Take a member out of a namespace, or leave it',
  params: MemberId,
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: [
    'not_linked',
    'namespace_not_synced',
    'member_not_found',
    'forbidden_role',
    'relay_unreachable',
    'relay_refused',
  ],
});
