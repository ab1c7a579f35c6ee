import { z } from 'zod';
import { Email } from '../email-field.ts';
import { DateTime } from '../fields.ts';
import { Id, Name, textOf } from './relay-fields.ts';
import { route } from '../route.ts';

/**
 * The relay's own interface, for daemons: linking and devices; rooms stand in `relay-rooms.ts`. What is written in a room goes
 * over `/v1/sync`, a WebSocket that speaks `shared/protocol`. Keys are those of devices.
 */

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

export const proveIdentity = route({
  id: 'relay_identity',
  method: 'POST',
  path: '/identity',
  scope: 'public',
  tag,
  summary: 'Prove which relay this is, before a device sends its key',
  description:
    'The Ed25519 key is made once and kept in the database: nodes share it, and it travels with backups. `signature` is over `proofText` of `shared/src/protocol/relay-proof.ts`.',
  body: z.strictObject({
    challenge: z.string().regex(/^[\w-]{43}$/, 'must be 32 random bytes in base64url'),
  }),
  status: 200,
  response: z.object({
    key: z.string().regex(/^[\w-]{43}$/),
    log_id: z.string().max(100),
    addresses: z
      .array(z.string().max(2048))
      .max(20)
      .describe('Where devices reach it, the first one before the others; empty where nobody said'),
    signature: z.string().regex(/^[\w-]{86}$/),
  }),
  problems: ['rate_limited'],
  bodyLimit: 1024,
});

/** Why a relay does not let the key of a device in. */
export const standings = ['linked', 'removed', 'recovered', 'unknown'] as const;

export const askStanding = route({
  id: 'relay_standing',
  method: 'POST',
  path: '/standing',
  scope: 'public',
  tag,
  summary: 'Ask how a key stands that is not let in',
  body: z.strictObject({ key: textOf(200) }),
  status: 200,
  response: z.object({
    standing: z
      .enum(standings)
      .describe(
        '`removed` by the account, `recovered`: it was replaced when the account was recovered; `unknown`: there is no such key, or its account ended',
      ),
    at: DateTime.nullable().describe('When it was removed'),
  }),
  problems: ['rate_limited'],
  bodyLimit: 1024,
});

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
  problems: ['invalid_request', 'rate_limited', 'signup_closed', 'account_disabled'],
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
  body: z.strictObject({ secret: textOf(200) }),
  status: 200,
  response: z.discriminatedUnion('status', [
    LinkedDevice,
    z.object({ status: z.literal('awaits_approval'), expires_at: DateTime }),
    z.object({ status: z.literal('refused') }),
  ]),
  problems: ['gone', 'rate_limited', 'account_disabled'],
  bodyLimit: 16 * 1024,
});

export const askRecovery = route({
  id: 'relay_recover',
  method: 'POST',
  path: '/recover',
  scope: 'public',
  tag,
  summary: 'Ask for a code by mail, where all devices of a confirmed account are lost',
  description:
    'One code an hour is mailed, to a confirmed address alone, and the answer is the same for every other address. It works once, with the `secret` that is answered here, for an hour, five tries; who asks again within an hour types the code of the last mail. Nobody is let in who clicks somewhere in a mail.',
  body: z.strictObject({ email: Email, name: Name.describe('Of the device, for people') }),
  status: 201,
  response: z.object({ secret: z.string(), expires_at: DateTime }),
  problems: ['invalid_request', 'rate_limited'],
  bodyLimit: 16 * 1024,
});

export const claimRecovery = route({
  id: 'relay_recover_claim',
  method: 'POST',
  path: '/recover/claim',
  scope: 'public',
  tag,
  summary:
    'Enter an account by a code of its mail, or of who runs the relay; all its other devices are removed',
  body: z.strictObject({
    email: Email,
    secret: textOf(200),
    code: textOf(40).describe('Case, spaces and hyphens do not matter'),
    name: Name,
  }),
  status: 201,
  response: LinkedDevice,
  problems: ['gone', 'rate_limited', 'account_disabled'],
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
    code: textOf(40).describe('Case, spaces and hyphens do not matter'),
    name: Name,
  }),
  status: 201,
  response: LinkedDevice,
  problems: ['gone', 'rate_limited', 'account_disabled'],
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
  description:
    'It may know links of invites: those to own rooms by which whoever has the link joins become void, but not where a device leaves by itself. Invites for an e-mail address stay.',
  params: z.strictObject({ id: Id }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    id: z.string(),
    invites_ended: z.int().optional().describe('How many of them still worked; missing of an earlier relay'),
  }),
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
  description:
    'Refused with 409 while it owns rooms that others are in: hand them over first, or say `shared=end`, which ends them for all.',
  query: z.strictObject({ shared: z.enum(['end'], { error: 'must be end' }).optional() }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['conflict'],
});
