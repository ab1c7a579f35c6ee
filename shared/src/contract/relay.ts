import { z } from 'zod';
import { checkEmail } from '../accounts/email.ts';
import { DateTime } from './fields.ts';
import { route } from './route.ts';

/**
 * The relay's own interface, for daemons: devices, rooms, invites and members. What is written in a room goes
 * over `/v1/sync`, a WebSocket that speaks `shared/protocol`. Keys are those of devices.
 */

/** What a member may do in a room. */
export const roomRoles = ['viewer', 'editor', 'owner'] as const;
export const RoomRole = z.enum(roomRoles);
export type RoomRole = z.infer<typeof RoomRole>;

/** Roles that an invite can give. */
const GivenRole = z.enum(['viewer', 'editor'], { error: 'must be viewer or editor' });

const Name = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .trim()
  .min(1, 'is empty')
  .max(256, 'has more than 256 characters');

const Id = z.string().regex(/^[\w-]{1,64}$/, 'is not an id');

const Email = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .transform((given, context) => {
    const checked = checkEmail(given);
    if (checked.ok) return checked.email;
    context.addIssue({ code: 'custom', message: checked.message });
    return z.NEVER;
  })
  .meta({ format: 'email', maxLength: 254 });

const tag = 'relay';

/** A device that may enter, with the key that it keeps; the key is shown this once. */
export const LinkedDevice = z
  .object({
    status: z.literal('linked'),
    account: z.string(),
    device: z.string(),
    key: z.string(),
    confirm_by: DateTime.nullable().describe('Until when the mail has to be confirmed; null where it was'),
  })
  .meta({ id: 'LinkedDevice' });
export type LinkedDevice = z.infer<typeof LinkedDevice>;

/** The e-mail address is known here: one of its devices has to let the new one in. */
export const AwaitedDevice = z
  .object({
    status: z.literal('awaits_approval'),
    request: z.string(),
    secret: z.string().describe('With it, the new device asks how things stand'),
    number: z
      .string()
      .describe('Six digits that both devices show, so that people know which one they let in'),
    expires_at: DateTime,
  })
  .meta({ id: 'AwaitedDevice' });
export type AwaitedDevice = z.infer<typeof AwaitedDevice>;

export const linkByEmail = route({
  id: 'relay_link',
  method: 'POST',
  path: '/link',
  scope: 'public',
  tag,
  summary: 'Sign up with an e-mail address, or ask to be let in where the relay knows it',
  description:
    'The first device of an address is linked at once, for 7 days unless the mail is confirmed. Where a confirmed account has the address, one of its devices has to approve: a click in a mail alone never opens an account.',
  body: z.strictObject({ email: Email, name: Name.describe('Of the device, for people') }),
  status: 201,
  response: z.discriminatedUnion('status', [LinkedDevice, AwaitedDevice]),
  problems: ['invalid_request', 'rate_limited', 'signup_closed'],
  bodyLimit: 16 * 1024,
});

export const awaitApproval = route({
  id: 'relay_link_state',
  method: 'POST',
  path: '/link/{request}',
  scope: 'public',
  tag,
  summary: 'Ask whether a device was let in; the key is answered once',
  params: z.strictObject({ request: Id }),
  body: z.strictObject({ secret: z.string().min(1).max(200) }),
  status: 200,
  response: z.discriminatedUnion('status', [
    LinkedDevice,
    z.object({ status: z.literal('awaits_approval'), expires_at: DateTime }),
    z.object({ status: z.literal('refused') }),
  ]),
  problems: ['gone', 'rate_limited'],
  bodyLimit: 16 * 1024,
});

export const makePairingCode = route({
  id: 'relay_pair',
  method: 'POST',
  path: '/pair',
  scope: 'owner',
  tag,
  summary: 'Make a code that lets one more device in: one use, 10 minutes, dead after 5 wrong tries',
  status: 201,
  response: z.object({ code: z.string().describe('Such as `K7QM-3F9Z-T2XA`'), expires_at: DateTime }),
  problems: ['rate_limited'],
});

export const claimPairingCode = route({
  id: 'relay_pair_claim',
  method: 'POST',
  path: '/pair/claim',
  scope: 'public',
  tag,
  summary: 'Join the account of a pairing code as a new device',
  body: z.strictObject({
    code: z.string().min(1).max(40).describe('Case, spaces and hyphens do not matter'),
    name: Name,
  }),
  status: 201,
  response: LinkedDevice,
  problems: ['gone', 'rate_limited'],
  bodyLimit: 16 * 1024,
});

export const RelayDevice = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: DateTime,
    last_seen: DateTime.nullable(),
    online: z.boolean(),
    current: z.boolean().describe('The device that asks'),
  })
  .meta({ id: 'RelayDevice' });
export type RelayDevice = z.infer<typeof RelayDevice>;

export const listDevices = route({
  id: 'relay_devices',
  method: 'GET',
  path: '/devices',
  scope: 'owner',
  tag,
  summary: "The account's devices, and those that ask to be let in",
  status: 200,
  response: z.object({
    devices: z.array(RelayDevice),
    requests: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        number: z.string().describe('Compare it with the one on the new device'),
        created_at: DateTime,
        expires_at: DateTime,
      }),
    ),
  }),
  problems: [],
});

export const renameDevice = route({
  id: 'relay_device_rename',
  method: 'PATCH',
  path: '/devices/{id}',
  scope: 'owner',
  tag,
  summary: 'Name a device',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ name: Name }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_found'],
});

export const revokeDevice = route({
  id: 'relay_device_revoke',
  method: 'DELETE',
  path: '/devices/{id}',
  scope: 'owner',
  tag,
  summary: 'Shut a device out at once: its key ends and its connections are closed with 4401',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_found'],
});

export const answerRequest = route({
  id: 'relay_request_answer',
  method: 'POST',
  path: '/devices/requests/{id}',
  scope: 'owner',
  tag,
  summary: 'Let a device in that asks, or refuse it',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ approve: z.boolean({ error: 'must be true or false' }) }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['gone'],
});

export const RelayRoom = z
  .object({
    id: z.string(),
    name: z.string().describe("What this account calls it: its namespace, or that text's ciphertext"),
    role: RoomRole,
    own: z.boolean().describe('Whether this account made it; it joined all others'),
    members: z.int(),
    head: z.int().describe('The newest entry of its log'),
    bytes: z.int(),
    created_at: DateTime,
  })
  .meta({ id: 'RelayRoom' });
export type RelayRoom = z.infer<typeof RelayRoom>;

export const listRooms = route({
  id: 'relay_rooms',
  method: 'GET',
  path: '/rooms',
  scope: 'owner',
  tag,
  summary: "The account's rooms",
  status: 200,
  response: z.object({ rooms: z.array(RelayRoom) }),
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

export const leaveRoom = route({
  id: 'relay_room_leave',
  method: 'DELETE',
  path: '/rooms/{id}',
  scope: 'owner',
  tag,
  summary: 'Leave a room; its owner deletes it with its log, for all members',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), deleted: z.boolean() }),
  problems: ['not_found'],
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
  response: z.object({ success: z.literal(true), id: z.string() }),
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
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_found', 'forbidden_scope', 'conflict'],
});

const DAY = 86_400;

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
    expires_in: z
      .int()
      .min(60)
      .max(30 * DAY)
      .default(7 * DAY)
      .describe('Seconds'),
    uses: z.int().min(1).max(100).default(1),
  }),
  status: 201,
  response: z.object({
    id: z.string(),
    invite: z.string().describe('A link; the secret stands in its fragment, which no server gets to see'),
    role: RoomRole,
    expires_at: DateTime,
  }),
  problems: ['not_found', 'forbidden_scope'],
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
  body: z.strictObject({ secret: z.string().min(1).max(200), name: Name }),
  status: 200,
  response: RelayRoom,
  problems: ['gone', 'conflict', 'rate_limited'],
});

export const RelayAccount = z
  .object({
    account: z.string(),
    email: z.string(),
    status: z.enum(['provisional', 'confirmed']),
    confirm_by: DateTime.nullable(),
    bytes: z.int().describe('What the logs of its own rooms take'),
    limit: z.int(),
  })
  .meta({ id: 'RelayAccount' });
export type RelayAccount = z.infer<typeof RelayAccount>;

export const getRelayAccount = route({
  id: 'relay_account',
  method: 'GET',
  path: '/account',
  scope: 'owner',
  tag,
  summary: 'The account of the device that asks',
  status: 200,
  response: RelayAccount,
  problems: [],
});

export const deleteRelayAccount = route({
  id: 'relay_account_delete',
  method: 'DELETE',
  path: '/account',
  scope: 'owner',
  tag,
  summary: 'Delete the account with its devices, and its own rooms with their logs, for good',
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: [],
});
