import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, limitOf, Namespace, NamespaceOrDefault } from './fields.ts';
import { route } from './route.ts';

const tag = 'sync';

/** What the link to the relay is doing. */
export const syncStates = [
  'dormant',
  'connecting',
  'syncing',
  'live',
  'offline',
  'unauthorized',
  'error',
] as const;

export const roles = ['owner', 'editor', 'viewer'] as const;
export const Role = z.enum(roles);

const Progress = z.object({ done: z.int(), total: z.int() });

export const SyncFailure = z
  .object({
    code: z.string().describe('Stable, for programs, such as `relay_unreachable`'),
    message: z.string().describe('What went wrong, for people'),
    advice: z.string().describe('What to do about it'),
    at: DateTime,
  })
  .meta({ id: 'SyncFailure' });
export type SyncFailure = z.infer<typeof SyncFailure>;

const SyncedNamespace = z.object({
  namespace: z.string(),
  role: Role,
  shared: z.boolean().describe('Whether other people are members'),
  pending: z.int().describe('Local changes that the relay has not confirmed as stored'),
  behind: z.int().nullable().describe('Entries of the relay that are still to be read; null while unknown'),
});

export const SyncStatus = z
  .object({
    memories: z.int(),
    last_update: DateTime.nullable().describe('When a memory was changed last, here or elsewhere'),
    peers: z
      .array(z.object({ id: z.string(), name: z.string(), last_seen: DateTime.nullable() }))
      .describe('The other devices of this account'),
    daemon_live: z.boolean().describe('Whether this daemon is connected to a relay now'),
    state: z.enum(syncStates),
    pending: z
      .int()
      .describe('Local changes that the relay has not confirmed as stored; 0 only when it confirmed all'),
    last_sync_at: DateTime.nullable().describe(
      'When everything here was last confirmed, and everything there read',
    ),
    relay: z.string().nullable(),
    error: SyncFailure.optional(),
    paused: z.boolean(),
    waiting_for: z
      .enum(['approval', 'confirmation'])
      .nullable()
      .describe('`approval` of a linked device, or `confirmation` of the e-mail'),
    device: z.object({ id: z.string(), name: z.string() }).nullable(),
    email: z.string().nullable(),
    oldest_pending_at: DateTime.nullable(),
    behind: z.int().nullable().describe('Entries of the relay that are still to be read; null while unknown'),
    upload: Progress.nullable().describe('Memories of this home that are sent for the first time'),
    download: Progress.nullable().describe('Entries of the relay that are read for the first time'),
    quarantined: z.int().describe('Entries of the relay that could not be read, and were put aside'),
    conflicts: z.int().describe('Versions that lost against another device and were not looked at yet'),
    namespaces: z.array(SyncedNamespace),
  })
  .meta({ id: 'SyncStatus' });
export type SyncStatus = z.infer<typeof SyncStatus>;

export const syncStatus = route({
  id: 'sync_status',
  method: 'GET',
  path: '/sync/status',
  scope: 'read',
  tag,
  summary: 'How the memories of this machine stand to those of the other devices',
  status: 200,
  response: SyncStatus,
  problems: [],
});

export const triggerSync = route({
  id: 'sync_trigger',
  method: 'POST',
  path: '/sync/trigger',
  scope: 'write',
  tag,
  summary: 'Sync now',
  description:
    '`synced` when everything pending was confirmed within 10 s, else `sync_started`; `sync_not_active` (and `ok` false) when this daemon is not linked, or is paused.',
  status: 200,
  response: z.object({
    ok: z.boolean(),
    status: z.enum(['synced', 'sync_started', 'sync_not_active']),
  }),
  problems: [],
});

const Relay = z
  .url({ protocol: /^https?$/, error: 'must be the http or https address of a relay' })
  .max(2048)
  .transform((given) => given.replace(/\/+$/, ''));

const DeviceName = z
  .string()
  .trim()
  .min(1, 'must be 1 to 100 characters')
  .max(100, 'must be 1 to 100 characters')
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'has a control character');

export const linkDevice = route({
  id: 'sync_link',
  method: 'POST',
  path: '/sync/link',
  scope: 'owner',
  tag,
  summary: 'Link this machine to a relay, with an e-mail (first device) or a code of a linked device',
  description:
    'With `email` it signs up on the relay. An e-mail that the relay knows already needs the approval of a linked device: `waiting_for` says so. With `code` (of `POST /sync/pair`) it joins at once. The first upload goes on in the background.',
  body: z
    .strictObject({
      relay: Relay,
      email: z.email().max(254).optional(),
      code: z.string().trim().min(8).max(64).optional(),
      name: DeviceName.optional().describe(
        "What other devices call this one; the machine's name where omitted",
      ),
    })
    .refine(({ email, code }) => (email === undefined) !== (code === undefined), {
      path: ['email'],
      message: 'give either an e-mail or a code',
    }),
  status: 200,
  response: SyncStatus,
  problems: ['already_linked', 'relay_unreachable', 'relay_refused', 'pairing_failed'],
});

export const unlinkDevice = route({
  id: 'sync_unlink',
  method: 'DELETE',
  path: '/sync/link',
  scope: 'owner',
  tag,
  summary: 'Unlink this machine; every memory stays here',
  status: 200,
  response: z.object({
    success: z.literal(true),
    unsent: z.int().describe('Local changes that no other device has'),
    told_relay: z.boolean().describe('False where the relay did not answer: remove the device there later'),
  }),
  problems: ['not_linked'],
});

export const pairDevice = route({
  id: 'sync_pair',
  method: 'POST',
  path: '/sync/pair',
  scope: 'owner',
  tag,
  summary: 'A code with which one more device joins: one use, 10 minutes, dead after 5 wrong tries',
  status: 201,
  response: z.object({ code: z.string(), relay: z.string(), expires_at: DateTime }),
  problems: ['not_linked', 'relay_unreachable', 'relay_refused'],
});

export const Device = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: DateTime.nullable(),
    last_seen: DateTime.nullable(),
    online: z.boolean(),
    self: z.boolean().describe('Whether it is this machine'),
    status: z.enum(['active', 'waiting']).describe('`waiting` for the approval of a linked device'),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof Device>;

const DeviceId = z.strictObject({ id: z.string().min(1).max(64) });

export const listDevices = route({
  id: 'sync_devices',
  method: 'GET',
  path: '/sync/devices',
  scope: 'read',
  tag,
  summary: 'The devices of the account',
  status: 200,
  response: z.object({
    devices: z.array(Device),
    known_at: DateTime.nullable().describe('When the relay said so; older than now while it is out of reach'),
  }),
  problems: ['not_linked'],
});

export const approveDevice = route({
  id: 'sync_devices_approve',
  method: 'POST',
  path: '/sync/devices/{id}/approve',
  scope: 'owner',
  tag,
  summary: 'Let a device in that asked with the e-mail of the account',
  params: DeviceId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_linked', 'device_not_found', 'relay_unreachable', 'relay_refused'],
});

export const removeDevice = route({
  id: 'sync_devices_remove',
  method: 'DELETE',
  path: '/sync/devices/{id}',
  scope: 'owner',
  tag,
  summary: 'Cut a device off at once; what it holds stays on it',
  params: DeviceId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['not_linked', 'device_not_found', 'relay_unreachable', 'relay_refused'],
});

export const pauseSync = route({
  id: 'sync_pause',
  method: 'POST',
  path: '/sync/pause',
  scope: 'owner',
  tag,
  summary: 'Pause, or go on; changes are kept and sent later',
  body: z.strictObject({ paused: z.boolean() }),
  status: 200,
  response: SyncStatus,
  problems: ['not_linked'],
});

export const rebuildSync = route({
  id: 'sync_rebuild',
  method: 'POST',
  path: '/sync/rebuild',
  scope: 'owner',
  tag,
  summary: 'Make the memories anew from the synced documents',
  status: 200,
  response: z.object({
    memories: z.int(),
    differed: z.int().describe('Memories that were not as the documents say, and are now'),
  }),
  problems: ['not_linked'],
});

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
  }),
  status: 201,
  response: z.object({
    invite: z.string().describe('A link; its secret stands behind the `#`. Whoever has it may join'),
    namespace: z.string(),
    role: Role,
    expires_at: DateTime,
  }),
  problems: ['not_linked', 'forbidden_role', 'relay_unreachable', 'relay_refused'],
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
  params: DeviceId,
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
    reason: z
      .enum(conflictReasons)
      .describe(
        '`lost`: another device wrote later; `refused` by the relay; `downgraded`: no longer an editor',
      ),
    written_at: DateTime,
    found_at: DateTime,
    current: z.string().nullable().describe('What the memory says now; null where it is deleted'),
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof Conflict>;

export const listConflicts = route({
  id: 'sync_conflicts',
  method: 'GET',
  path: '/sync/conflicts',
  scope: 'read',
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
  tag,
  summary: 'Store the version that lost as the newest one; the other stays in the history',
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
  tag,
  summary: 'Drop the version that lost, for good',
  params: ConflictId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['conflict_not_found'],
});
