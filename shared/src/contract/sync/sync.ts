import { z } from 'zod';
import { PersonAddress } from '../author.ts';
import { DateTime, Namespace } from '../fields.ts';
import { LostNamespace } from './lost.ts';
import { route } from '../route.ts';
import { SharingEnded } from '../sessions/sharing-ended.ts';
import { Role } from './role.ts';

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

const Progress = z.object({
  done: z.int(),
  total: z.int(),
  percent: z.int().describe('0 to 99: it is null once all is through'),
  seconds_left: z
    .int()
    .nullable()
    .describe('About how long the rest takes at the rate of the last 10 s; null while there is none'),
});
export type SyncProgress = z.infer<typeof Progress>;

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

/** The public key of a relay. */
const RelayKey = z.string().regex(/^[\w-]{43}$/, 'must be the 43 letters and digits of a relay’s key');

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
      .array(
        z.object({ id: z.string(), name: z.string(), last_seen: DateTime.nullable(), online: z.boolean() }),
      )
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
    relay_key: z
      .string()
      .nullable()
      .describe('The public key by which this machine knows its relay, for `reverie link --relay-key`'),
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
    upload: Progress.nullable().describe(
      'Memories of this home that are sent for the first time: those that the relay confirmed',
    ),
    download: Progress.nullable().describe('Entries of the relay that are read for the first time'),
    quarantined: z.int().describe('Entries of the relay that could not be read, and were put aside'),
    conflicts: z
      .int()
      .describe('Versions that lost against another device, about which one can decide here and nobody has'),
    conflicts_of_others: z
      .int()
      .describe('Those in namespaces that may only be read here: who writes there decides'),
    namespaces: z.array(SyncedNamespace),
    recovered: z
      .array(z.object({ email: PersonAddress, at: DateTime }))
      .describe('People you share with whose devices were all replaced by recovery within 30 days'),
    handed_over: z
      .array(z.object({ namespace: z.string(), email: PersonAddress.nullable(), at: DateTime }))
      .describe(
        'Namespaces that others made this account the owner of within 30 days, and who: what they take on the relay takes its space',
      ),
    sessions_ended: z
      .array(SharingEnded.extend({ session: z.string(), title: z.string().nullable() }))
      .describe('Coding sessions whose sharing ended within 7 days, and nobody here ended it'),
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

/** Certificates of authorities, as they stand in a file. */
const Pem = z
  .string()
  .max(256 * 1024, 'has more than 262,144 characters')
  .refine(
    (text) => /-----BEGIN CERTIFICATE-----[A-Za-z0-9+\/=\s]+-----END CERTIFICATE-----/.test(text),
    'must be certificates in PEM: lines from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`',
  );

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
      recover: z
        .string()
        .trim()
        .min(8)
        .max(64)
        .optional()
        .describe(
          'With `email`: the code of the mail that `POST /sync/recover` had sent, or of who runs the relay. All other devices of the account are removed',
        ),
      anew: z
        .boolean()
        .optional()
        .describe(
          'Leaves the relay that this machine is linked to. What belongs to other people stays here and is not sent: see `lost` of the status',
        ),
      name: DeviceName.optional().describe(
        "What other devices call this one; the machine's name where omitted",
      ),
      ca: Pem.optional().describe(
        "Authorities that the relay's certificate may come from, beside those of this machine; alone, for a relay that this machine is linked to",
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
    .refine(
      ({ email, code, ca }) =>
        email === undefined ? code !== undefined || ca !== undefined : code === undefined,
      { path: ['email'], error: 'give either an e-mail or a code' },
    )
    .refine(({ email, recover }) => recover === undefined || email !== undefined, {
      path: ['recover'],
      error: 'goes with the e-mail of the account',
    }),
  status: 200,
  response: SyncStatus,
  problems: ['already_linked', 'not_linked', 'relay_unreachable', 'relay_refused', 'pairing_failed'],
});

export const recoverAccount = route({
  id: 'sync_recover',
  method: 'POST',
  path: '/sync/recover',
  scope: 'owner',
  tag,
  summary: 'Have a code sent to the e-mail of an account whose devices are all lost',
  description:
    'The relay mails one code an hour, to an address that an account there has confirmed; it does not say whether there is one. The code goes into `recover` of `POST /sync/link` on this machine; asked again within the hour, the last mail is good. The relay first proves its key: the one that is given, else the one that this machine still keeps of it. Where neither is known, whoever answers at the address is trusted (`relay_known` is false).',
  body: z.strictObject({
    relay: Relay,
    email: z.email().max(254),
    name: DeviceName.optional(),
    ca: Pem.optional().describe('As in `POST /sync/link`'),
    relay_key: RelayKey.optional().describe('The key of the relay, as its status on another machine says it'),
  }),
  status: 201,
  response: z.object({
    expires_at: DateTime,
    relay_key: z.string().nullable().describe('What the relay proved; null of one that is too old'),
    relay_known: z.boolean().describe('Whether that is a key that was given, or kept here'),
  }),
  problems: ['relay_unreachable', 'relay_refused'],
});

export const moveRelay = route({
  id: 'sync_move',
  method: 'POST',
  path: '/sync/move',
  scope: 'owner',
  tag,
  summary: 'Go on with the same relay at another address',
  description:
    'The relay there has to prove that it is the same one: by its key, and by what this machine has read of its log. Only the address changes, nothing is sent again. `restored`: it has the key and another log, so it was restored from a backup; devices read it from the start, and send what it lacks.',
  body: z.strictObject({ relay: Relay }),
  status: 200,
  response: z.object({ success: z.literal(true), relay: z.string(), restored: z.boolean() }),
  problems: ['not_linked', 'conflict', 'relay_unreachable', 'relay_refused'],
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
