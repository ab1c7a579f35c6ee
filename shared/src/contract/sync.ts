import { z } from 'zod';
import { DateTime, Namespace } from './fields.ts';
import { LostNamespace } from './lost.ts';
import { route } from './route.ts';
import { Role } from './sharing.ts';

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

/** What becomes of a namespace that is made here, or comes to the relay, later. */
export const NewNamespaces = z.enum(['sync', 'stay'], { error: 'must be sync or stay' });
export type NewNamespaces = z.infer<typeof NewNamespaces>;

const chosen = "must be 'all', 'none', { only: [names] } or { except: [names] }";
const Names = z.array(Namespace).min(1).max(1000);

/** Which namespaces sync. */
export const ChosenNamespaces = z
  .union(
    [z.literal('all'), z.literal('none'), z.strictObject({ only: Names }), z.strictObject({ except: Names })],
    { error: chosen },
  )
  .meta({ id: 'ChosenNamespaces' });
export type ChosenNamespaces = z.infer<typeof ChosenNamespaces>;

const StayingNamespace = z
  .object({
    namespace: z.string(),
    since: DateTime,
    on_relay: z.boolean().describe('Whether the relay has it, for other devices or people'),
    role: Role.nullable().describe('Of this account in it there; null where the relay does not have it'),
    shared: z.boolean().describe('Whether other people are members there'),
  })
  .meta({ id: 'StayingNamespace' });
export type StayingNamespace = z.infer<typeof StayingNamespace>;

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
    stays: z
      .array(StayingNamespace)
      .describe('Namespaces that were chosen to stay on this device: nothing of them goes to the relay'),
    new_namespaces: NewNamespaces.describe('What becomes of namespaces that are new here'),
    lost: z
      .array(LostNamespace)
      .describe(
        'Namespaces that left sync because their room is not of this account any more; their memories stay. Also told while this machine is not linked: none of them is sent before somebody says so',
      ),
  })
  .meta({ id: 'SyncStatus' });
export type SyncStatus = z.infer<typeof SyncStatus>;

export const syncStatus = route({
  id: 'sync_status',
  method: 'GET',
  path: '/sync/status',
  scope: 'read',
  reach: { can: ['read'] },
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
  reach: { can: ['set'] },
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
    'With `email` it signs up on the relay. An e-mail that the relay knows already needs the approval of a linked device: `waiting_for` says so. With `code` (of `POST /sync/pair`) it joins at once. The first upload goes on in the background. Who runs the relay can read what is synced: `namespaces` says what that is, here and of what the relay has; what it leaves out stays where it is, with what is below it (`diary/2026` of `diary`) unless that is named itself. Where it is missing, all is synced but what was chosen to stay before.',
  body: z
    .strictObject({
      relay: Relay,
      email: z.email().max(254).optional(),
      code: z.string().trim().min(8).max(64).optional(),
      name: DeviceName.optional().describe(
        "What other devices call this one; the machine's name where omitted",
      ),
      namespaces: ChosenNamespaces.optional(),
      new_namespaces: NewNamespaces.optional().describe(
        'What becomes of namespaces that are new here later; where it is missing, `sync` with all or with all but some, else `stay`',
      ),
    })
    .refine(({ namespaces, new_namespaces }) => new_namespaces === undefined || namespaces !== undefined, {
      path: ['namespaces'],
      error: 'must be given with new_namespaces',
    })
    .refine(({ email, code }) => (email === undefined) !== (code === undefined), {
      path: ['email'],
      error: 'give either an e-mail or a code',
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

export const changeLink = route({
  id: 'sync_link_change',
  method: 'PATCH',
  path: '/sync/link',
  scope: 'owner',
  tag,
  summary: 'Say what becomes of namespaces that are new here',
  description:
    'Of those that are made here, and of those that other devices and people bring to the relay. What is there now stays as it is; a new one below one that stays here stays here, too. Single ones are chosen by `PATCH /namespaces/{namespace}`.',
  body: z.strictObject({ new_namespaces: NewNamespaces }),
  status: 200,
  response: SyncStatus,
  problems: [],
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
