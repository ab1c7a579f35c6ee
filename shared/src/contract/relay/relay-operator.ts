import { z } from 'zod';
import { DateTime } from '../fields.ts';
import { Id } from './relay-fields.ts';
import { route } from '../route.ts';

/** What who runs a relay sees and does, by `npm run relay -- admin` or over HTTP with an operator's key. */

/** All that stands in a relay's audit log; `*.failed` are callers who were refused. */
export const auditKinds = [
  'account.signed_up',
  'account.confirmed',
  'account.deleted',
  /** Nobody confirmed it. */
  'account.expired',
  'account.disabled',
  'account.enabled',
  /** A code that replaces all devices was mailed, or made by who runs the relay. */
  'account.recovery_asked',
  'account.recovered',
  /** A device asks to be let in. */
  'device.asked',
  'device.approved',
  'device.refused',
  'device.linked',
  'device.revoked',
  'pairing.code_made',
  'invite.made',
  'invite.used',
  'invite.revoked',
  'member.joined',
  'member.role_changed',
  'member.left',
  'member.removed',
  'room.handed_over',
  'room.deleted',
  'operator.key_made',
  'operator.key_revoked',
  /** The link in a mail that waits was shown to who runs the relay. */
  'operator.mail_read',
  /** A key that is unknown, revoked, expired, or of a disabled account. */
  'login.failed',
  'pairing.failed',
  'operator.failed',
] as const;
export type AuditKind = (typeof auditKinds)[number];

const tag = 'relay operator';

/** How an account stands on a relay. */
export const OperatorAccount = z
  .object({
    account: z.string(),
    email: z.string(),
    status: z.enum(['provisional', 'confirmed', 'expired', 'disabled']),
    created_at: DateTime,
    confirmed_at: DateTime.nullable(),
    disabled_at: DateTime.nullable(),
    last_seen: DateTime.nullable().describe('Of its devices, to about a minute'),
    devices: z.int(),
    rooms: z.int().describe('Rooms that it owns'),
    memberships: z.int().describe('Rooms of others that it is in'),
    bytes: z.int().describe('What the rooms that it owns take'),
    limit: z.int(),
  })
  .meta({ id: 'OperatorAccount' });
export type OperatorAccount = z.infer<typeof OperatorAccount>;

/** A room on a relay, without what its members call it. */
export const OperatorRoom = z
  .object({
    room: z.string(),
    owner: z.string(),
    owner_email: z.string(),
    members: z.int(),
    created_at: DateTime,
    head: z.int().describe('Entries that its log ever had'),
    epoch: z.int(),
    log_bytes: z.int(),
    file_bytes: z.int(),
    document_bytes: z.int().describe('Of the shared document'),
  })
  .meta({ id: 'OperatorRoom' });
export type OperatorRoom = z.infer<typeof OperatorRoom>;

/** An account with its devices, its rooms and those of others that it is in. */
export const OperatorAccountDetails = OperatorAccount.extend({
  all_devices: z.array(
    z.object({
      device: z.string(),
      name: z.string(),
      created_at: DateTime,
      last_seen: DateTime.nullable(),
      revoked_at: DateTime.nullable(),
    }),
  ),
  own_rooms: z.array(OperatorRoom),
  member_of: z.array(z.object({ room: z.string(), owner_email: z.string(), role: z.string() })),
}).meta({ id: 'OperatorAccountDetails' });
export type OperatorAccountDetails = z.infer<typeof OperatorAccountDetails>;

/** Something that was done on a relay. */
export const AuditEntry = z
  .object({
    id: z.int(),
    at: DateTime.describe('The last time, where it happened several times'),
    kind: z.enum(auditKinds),
    times: z.int(),
    by: z
      .object({
        account: z.string().nullable(),
        email: z.string().nullable().describe('Null where the account is gone'),
        device: z.string().nullable(),
        operator: z.string().nullable().describe('The id of an operator’s key, or `command`'),
      })
      .nullable(),
    account: z.string().nullable().describe('About whom'),
    email: z.string().nullable(),
    device: z.string().nullable(),
    room: z.string().nullable(),
    subject: z
      .string()
      .nullable()
      .describe('The id of the invite, the request or the operator’s key that it is about'),
    role: z.string().nullable(),
    address: z.string().nullable().describe('Of a caller who was refused'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Sums of what a relay stores. */
export const OperatorStorage = z
  .object({
    accounts: z.array(
      z.object({
        account: z.string(),
        email: z.string(),
        bytes: z.int(),
        limit: z.int(),
        rooms: z.array(z.object({ room: z.string(), bytes: z.int() })),
      }),
    ),
    bytes: z.int(),
    database_bytes: z.int().describe('What the database takes on its disk'),
  })
  .meta({ id: 'OperatorStorage' });
export type OperatorStorage = z.infer<typeof OperatorStorage>;

const account = z.strictObject({ account: Id });

export const listAccounts = route({
  id: 'operator_accounts',
  method: 'GET',
  path: '/admin/accounts',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'All accounts',
  status: 200,
  response: z.object({ accounts: z.array(OperatorAccount) }),
  problems: [],
});

export const getAccount = route({
  id: 'operator_account',
  method: 'GET',
  path: '/admin/accounts/{account}',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'An account with its devices and rooms',
  params: account,
  status: 200,
  response: OperatorAccountDetails,
  problems: ['account_not_found'],
});

export const changeAccount = route({
  id: 'operator_account_change',
  method: 'PATCH',
  path: '/admin/accounts/{account}',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'Disable or enable an account; what it has stays',
  params: account,
  body: z.strictObject({ disabled: z.boolean({ error: 'must be true or false' }) }),
  status: 200,
  response: OperatorAccountDetails,
  problems: ['account_not_found'],
});

export const deleteAccount = route({
  id: 'operator_account_delete',
  method: 'DELETE',
  path: '/admin/accounts/{account}',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'Delete an account with its devices and the rooms that it owns, for good',
  description: 'Without `yes=true` nothing is deleted: 409 `consent_needed` says what would go with it.',
  params: account,
  query: z.strictObject({
    yes: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .transform((given) => given === 'true'),
  }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['account_not_found', 'consent_needed'],
});

export const listAllRooms = route({
  id: 'operator_rooms',
  method: 'GET',
  path: '/admin/rooms',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'All rooms',
  status: 200,
  response: z.object({ rooms: z.array(OperatorRoom) }),
  problems: [],
});

export const getStorage = route({
  id: 'operator_storage',
  method: 'GET',
  path: '/admin/storage',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'What accounts and their rooms take, the largest first',
  status: 200,
  response: OperatorStorage,
  problems: [],
});

export const AuditQuery = z.strictObject({
  limit: z.coerce
    .number({ error: 'must be a whole number from 1 to 1000' })
    .int('must be a whole number from 1 to 1000')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  before: z.coerce
    .number({ error: 'must be the id of an entry' })
    .int('must be the id of an entry')
    .min(1, 'must be the id of an entry')
    .optional()
    .describe('Entries before the one of this id'),
  account: Id.optional().describe('What it did, and what was done about it'),
  room: Id.optional(),
  kind: z.enum(auditKinds, { error: `must be one of ${auditKinds.join(', ')}` }).optional(),
});

export const listAudit = route({
  id: 'operator_audit',
  method: 'GET',
  path: '/admin/audit',
  scope: 'owner',
  isOperators: true,
  tag,
  summary: 'What was done on the relay, the newest first',
  query: AuditQuery,
  status: 200,
  response: z.object({ entries: z.array(AuditEntry) }),
  problems: [],
});
