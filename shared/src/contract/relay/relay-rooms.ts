import { z } from 'zod';
import { DateTime, InviteSeconds } from '../fields.ts';
import { Email } from '../email-field.ts';
import { Id, Name, textOf } from './relay-fields.ts';
import { route } from '../route.ts';

const tag = 'relay';

/** What a member may do in a room. */
export const roomRoles = ['viewer', 'editor', 'owner'] as const;
export const RoomRole = z.enum(roomRoles);
export type RoomRole = z.infer<typeof RoomRole>;

/** Roles that an invite can give. */
const GivenRole = z.enum(['viewer', 'editor'], { error: 'must be viewer or editor' });

const InvitesEnded = z.int().describe('How many invites that still worked became void with it');

export const RelayRoom = z
  .object({
    id: z.string(),
    name: z.string().describe("What this account calls it: its namespace, or that text's ciphertext"),
    role: RoomRole,
    own: z.boolean().describe('Whether this account made it; it joined all others'),
    owner: z.string().nullable().optional().describe('The e-mail address of who made it'),
    members: z.int(),
    head: z.int().describe('The newest entry of its log'),
    bytes: z.int(),
    files: z
      .int()
      .optional()
      .describe('How often the files that its notes name changed; missing of a relay that keeps none'),
    created_at: DateTime,
  })
  .meta({ id: 'RelayRoom' });
export type RelayRoom = z.infer<typeof RelayRoom>;

/** Who wrote in a room: an account, and all the devices that it ever had, since what these wrote stays. */
export const RelayPerson = z
  .object({
    id: z.string().describe('The account'),
    email: z.string().nullable(),
    you: z.boolean(),
    devices: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'RelayPerson' });
export type RelayPerson = z.infer<typeof RelayPerson>;

export const listRooms = route({
  id: 'relay_rooms',
  method: 'GET',
  path: '/rooms',
  scope: 'owner',
  tag,
  summary: "The account's rooms",
  status: 200,
  response: z.object({
    rooms: z.array(RelayRoom),
    recovered: z
      .array(z.object({ email: z.string(), at: DateTime }))
      .optional()
      .describe('Members of them whose devices were replaced by recovery within 30 days'),
    handed_over: z
      .array(z.object({ room: z.string(), email: z.string().nullable(), at: DateTime }))
      .optional()
      .describe(
        'Rooms that others made this account the owner of within 30 days, and who; null where that account is gone',
      ),
    people: z
      .array(RelayPerson)
      .optional()
      .describe('This account and the members of its rooms, with the names of their devices'),
  }),
  problems: [],
});

export const openRoom = route({
  id: 'relay_room_open',
  method: 'POST',
  path: '/rooms',
  scope: 'owner',
  tag,
  summary: 'The room of a name of this account; it is made where there is none',
  body: z.strictObject({ name: Name }),
  status: 200,
  response: RelayRoom,
  problems: ['quota_exceeded'],
  bodyLimit: 16 * 1024,
});

export const entryHash = route({
  id: 'relay_room_entry_hash',
  method: 'GET',
  path: '/rooms/{id}/entries/{seq}/hash',
  scope: 'owner',
  tag,
  summary: 'The hash of an entry of the log of a room, by which a device knows its history again',
  params: z.strictObject({ id: Id, seq: z.coerce.number().int().min(0) }),
  status: 200,
  response: z.object({
    hash: z.string().nullable().describe('SHA-256, in hex; null where there never was such an entry'),
  }),
  problems: ['not_found'],
});

export const leaveRoom = route({
  id: 'relay_room_leave',
  method: 'DELETE',
  path: '/rooms/{id}',
  scope: 'owner',
  tag,
  summary: 'Leave a room; its owner deletes it with its log, for all members',
  description:
    'With `as=member` an owner is refused with 409, and nothing is deleted: the room may have been handed over to who leaves just now.',
  params: z.strictObject({ id: Id }),
  query: z.strictObject({ as: z.enum(['member'], { error: 'must be member' }).optional() }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), deleted: z.boolean() }),
  problems: ['not_found', 'conflict'],
});

export const RelayMember = z
  .object({
    id: z.string().describe('The account'),
    email: z.string().nullable(),
    role: RoomRole,
    joined_at: DateTime,
    you: z.boolean(),
  })
  .meta({ id: 'RelayMember' });
export type RelayMember = z.infer<typeof RelayMember>;

export const listMembers = route({
  id: 'relay_members',
  method: 'GET',
  path: '/rooms/{id}/members',
  scope: 'owner',
  tag,
  summary: 'Who shares a room',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({ members: z.array(RelayMember) }),
  problems: ['not_found'],
});

export const setMember = route({
  id: 'relay_member_set',
  method: 'PATCH',
  path: '/rooms/{id}/members/{member}',
  scope: 'owner',
  tag,
  summary: 'Give a member another role; for owners of the room',
  params: z.strictObject({ id: Id, member: Id }),
  body: z.strictObject({ role: GivenRole }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), invites_ended: InvitesEnded }),
  problems: ['not_found', 'forbidden_scope', 'conflict'],
});

export const removeMember = route({
  id: 'relay_member_remove',
  method: 'DELETE',
  path: '/rooms/{id}/members/{member}',
  scope: 'owner',
  tag,
  summary: 'Remove a member, who reads and writes nothing more from then on; for owners of the room',
  params: z.strictObject({ id: Id, member: Id }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), invites_ended: InvitesEnded }),
  problems: ['not_found', 'forbidden_scope', 'conflict'],
});

export const handOverRoom = route({
  id: 'relay_room_owner',
  method: 'PUT',
  path: '/rooms/{id}/owner',
  scope: 'owner',
  tag,
  summary:
    'Make a member the owner of a room, whose space it takes from then on; who owned it stays as an editor, or leaves',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ member: Id, then: z.enum(['stay', 'leave']).default('stay') }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), invites_ended: InvitesEnded }),
  problems: ['not_found', 'forbidden_scope', 'conflict', 'quota_exceeded', 'gone'],
});

export const createInvite = route({
  id: 'relay_invite',
  method: 'POST',
  path: '/rooms/{id}/invites',
  scope: 'owner',
  tag,
  summary: 'Make an invite to a room; for its owners',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({
    role: GivenRole,
    expires_in: InviteSeconds.describe('Seconds'),
    uses: z.int().min(1).max(100).default(1),
    since: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'Who comes by it reads the log behind this entry only: the last one before the epoch that began last with what there was then alone. 0 for the whole log, as far as who makes it may read',
      ),
    email: Email.optional().describe('Only the account that has confirmed this address may use it'),
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    invite: z.string().describe('A link; the secret stands in its fragment, which no server gets to see'),
    role: RoomRole,
    expires_at: DateTime,
  }),
  problems: ['not_found', 'forbidden_scope', 'conflict'],
});

export const listInvites = route({
  id: 'relay_invites',
  method: 'GET',
  path: '/rooms/{id}/invites',
  scope: 'owner',
  tag,
  summary: 'The invites of a room that still work; for its owners',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({
    invites: z.array(
      z.object({
        id: z.string(),
        role: RoomRole,
        uses_left: z.int(),
        email: z
          .string()
          .nullable()
          .describe('Whom alone it lets in; null where whoever has the link may join'),
        created_at: DateTime,
        expires_at: DateTime,
      }),
    ),
  }),
  problems: ['not_found', 'forbidden_scope'],
});

export const revokeInvite = route({
  id: 'relay_invite_revoke',
  method: 'DELETE',
  path: '/rooms/{id}/invites/{invite}',
  scope: 'owner',
  tag,
  summary: 'Make an invite void; for owners of the room',
  params: z.strictObject({ id: Id, invite: Id }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_found', 'forbidden_scope'],
});

export const acceptInvite = route({
  id: 'relay_invite_accept',
  method: 'POST',
  path: '/invites/{invite}/accept',
  scope: 'owner',
  tag,
  summary: 'Join the room of an invite under a name of one’s own',
  params: z.strictObject({ invite: Id }),
  body: z.strictObject({ secret: textOf(200), name: Name }),
  status: 200,
  response: RelayRoom,
  problems: ['gone', 'forbidden_scope', 'conflict', 'rate_limited'],
});
