import { z } from 'zod';
import { PersonAddress } from '../author.ts';
import { Email } from '../email-field.ts';
import { DateTime, InviteSeconds, Namespace, NamespaceOrDefault } from '../fields.ts';
import { route } from '../route.ts';
import { Role } from './role.ts';

const tag = 'sync';

const GivenRole = z.enum(['viewer', 'editor'], {
  error: 'must be viewer or editor; a namespace gets another owner by POST /namespaces/owner',
});

const InvitesEnded = z.int().describe('How many open invites became void with it');

const inviteProblems = [
  'not_linked',
  'namespace_not_synced',
  'forbidden_role',
  'relay_unreachable',
  'relay_refused',
] as const;
const memberProblems = [...inviteProblems, 'member_not_found'] as const;

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
    expires_in: InviteSeconds.describe('Seconds'),
    with_history: z
      .boolean()
      .default(false)
      .describe(
        'Whether who joins also gets what was overwritten, trashed or lost in a conflict before, as far as the relay keeps it: since somebody was invited without; else, what there is now',
      ),
    email: Email.optional().describe('Only who has confirmed this address on the relay may use it'),
  }),
  status: 201,
  response: z.object({
    invite: z.string().describe('A link; its secret stands behind the `#`. Whoever has it may join'),
    namespace: z.string(),
    role: Role,
    expires_at: DateTime,
  }),
  problems: ['not_linked', 'not_found', 'conflict', 'forbidden_role', 'relay_unreachable', 'relay_refused'],
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
    email: PersonAddress.nullable(),
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
  description: 'Whoever is taken out may know open invites: all those of the namespace become void.',
  params: MemberId,
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), invites_ended: InvitesEnded }),
  problems: memberProblems,
});

export const changeMember = route({
  id: 'namespaces_members_change',
  method: 'PATCH',
  path: '/namespaces/members/{id}',
  scope: 'owner',
  tag,
  summary: 'Give a member of a namespace another role; for its owner',
  description:
    'It holds at once, on every device of the member. Who may only read from now on keeps what was not sent yet as conflicts, and open invites for editors become void.',
  params: MemberId,
  body: z.strictObject({ namespace: NamespaceOrDefault, role: GivenRole }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), role: Role, invites_ended: InvitesEnded }),
  problems: memberProblems,
});

export const handOverNamespace = route({
  id: 'namespaces_owner',
  method: 'POST',
  path: '/namespaces/owner',
  scope: 'owner',
  tag,
  summary: 'Make a member the owner of a namespace; who owned it stays as an editor',
  description:
    'The member is not asked. What the namespace takes on the relay takes their space from then on, and all open invites become void.',
  body: z.strictObject({ namespace: NamespaceOrDefault, member: z.string().min(1).max(64) }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), invites_ended: InvitesEnded }),
  problems: [...memberProblems, 'conflict', 'quota_exceeded'],
});

export const leaveNamespace = route({
  id: 'namespaces_leave',
  method: 'POST',
  path: '/namespaces/leave',
  scope: 'owner',
  tag,
  summary: 'Leave a shared namespace, with all devices of this account; its memories stay here',
  description:
    'Its owner says what becomes of it: `owner` hands it to a member in the same act, `end` ends it for all. Without one of them an owner is refused, and nothing changes.',
  body: z.strictObject({
    namespace: NamespaceOrDefault,
    owner: z.string().min(1).max(64).optional().describe('The member that owns it from then on'),
    end: z.literal(true, { error: 'must be true' }).optional(),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    namespace: z.string(),
    became: z.enum(['left', 'handed_over', 'ended']),
  }),
  problems: [...memberProblems, 'conflict', 'quota_exceeded'],
});

export const Invite = z
  .object({
    id: z.string(),
    role: Role,
    uses_left: z.int(),
    email: z.string().nullable().describe('Whom alone it lets in; null where whoever has the link may join'),
    created_at: DateTime,
    expires_at: DateTime,
  })
  .meta({ id: 'Invite' });
export type Invite = z.infer<typeof Invite>;

export const listInvites = route({
  id: 'namespaces_invites',
  method: 'GET',
  path: '/namespaces/invites',
  scope: 'owner',
  tag,
  summary: 'The invites to a namespace that still work; for its owner',
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ namespace: z.string(), invites: z.array(Invite) }),
  problems: inviteProblems,
});

export const revokeInvite = route({
  id: 'namespaces_invites_revoke',
  method: 'DELETE',
  path: '/namespaces/invites/{id}',
  scope: 'owner',
  tag,
  summary: 'Make an invite void; who joined by it stays',
  params: MemberId,
  query: z.strictObject({ namespace: NamespaceOrDefault }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: [...inviteProblems, 'invite_invalid'],
});
