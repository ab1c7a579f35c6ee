import { z } from 'zod';
import { Email } from '../email-field.ts';
import { DateTime, Namespace } from '../fields.ts';
import { route } from '../route.ts';

/** `machine` is the account of this home; the others are of agents that signed up. */
export const tiers = ['free', 'pro', 'enterprise', 'machine'] as const;
export const Tier = z.enum(tiers);
export type Tier = z.infer<typeof Tier>;

export const accountKinds = ['machine', 'bot', 'sandbox'] as const;

/** `provisional` until its e-mail is confirmed; `expired` 7 days later, and deleted 7 days after that. */
export const accountStatuses = ['active', 'provisional', 'confirmed', 'expired'] as const;

const Token = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .min(1, 'is empty; open the link of the e-mail')
  .max(200, 'is not a token; open the link of the e-mail')
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'is not a token; open the link of the e-mail')
  .describe('From the e-mail');

export const SignedUp = z
  .object({
    api_key: z.string().describe('Works at once; shown this once'),
    status: z.literal('provisional'),
    expires_in: z.string(),
    expires_at: DateTime,
    confirm_url: z.url().describe('Where the person confirms; the token stands in the e-mail only'),
    limits: z.object({
      max_recalls: z.int().describe('Calls of get, search, list and ask in a calendar month (UTC)'),
      max_stores: z.int().describe('Memories written in a calendar month (UTC)'),
      tier: z.literal('free'),
    }),
    message: z.string(),
  })
  .meta({ id: 'SignedUp' });
export type SignedUp = z.infer<typeof SignedUp>;

export const Confirmed = z
  .object({
    status: z.enum(['confirmed', 'already_confirmed']),
    message: z.string(),
    key_prefix: z.string(),
    email: z.string(),
    tier: Tier,
  })
  .meta({ id: 'Confirmed' });
export type Confirmed = z.infer<typeof Confirmed>;

const auth = 'auth';

export const botSignup = route({
  id: 'auth_bot_signup',
  method: 'POST',
  path: '/auth/bot-signup',
  scope: 'public',
  tag: auth,
  summary: 'Get a provisional key for an e-mail address; it works at once and for 7 days unless confirmed',
  description:
    'Each signup makes a new account. At most 3 a day (UTC) for an e-mail address and 10 an hour from an IP address. The answer is the same whether or not the address is known.',
  body: z.strictObject({ email: Email }),
  status: 201,
  response: SignedUp,
  problems: ['invalid_request', 'rate_limited', 'signup_closed'],
  bodyLimit: 16 * 1024,
});

export const confirmEmail = route({
  id: 'auth_confirm',
  method: 'GET',
  path: '/auth/confirm',
  scope: 'public',
  tag: auth,
  summary: 'Confirm an e-mail address with the token of the mail; the key becomes permanent',
  description:
    'A browser (`Accept: text/html`) gets a page with a button and confirms nothing by opening it, since programs that scan mail open links, too.',
  query: z.strictObject({ token: Token }),
  status: 200,
  response: Confirmed,
  problems: ['token_not_found', 'token_expired'],
});

export const confirmEmailByButton = route({
  id: 'auth_confirm_button',
  method: 'POST',
  path: '/auth/confirm',
  scope: 'public',
  tag: auth,
  summary: 'What the button of the confirmation page sends, as a form; JSON is taken, too',
  body: z.strictObject({ token: Token }),
  status: 200,
  response: Confirmed,
  problems: ['token_not_found', 'token_expired'],
  bodyLimit: 16 * 1024,
});

const Quota = z.object({
  limit: z.int().nullable().describe('Null where there is none'),
  used: z.int(),
  remaining: z.int().nullable(),
  resets_at: DateTime,
});
export type Quota = z.infer<typeof Quota>;

export const Usage = z
  .object({
    account: z.string(),
    kind: z.enum(accountKinds),
    tier: Tier,
    status: z.enum(accountStatuses),
    expires_at: DateTime.nullable().describe('When the keys of a provisional account stop'),
    requests: Quota.describe('Of the UTC day'),
    recalls: Quota.describe('Calls of get, search, list and ask in the calendar month, UTC'),
    stores: Quota.describe('Memories written in the calendar month, UTC'),
    storage: z.object({
      bytes: z.int().describe('Bytes of values and metadata, earlier versions and messages included'),
      limit: z.int().nullable(),
    }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof Usage>;

const tag = 'accounts';

export const usage = route({
  id: 'usage',
  method: 'GET',
  path: '/usage',
  scope: 'read',
  reach: 'nothing',
  tag,
  summary: "The account's quotas and what is used of them",
  status: 200,
  response: Usage,
  problems: [],
});

export const Account = z
  .object({
    id: z.string().describe('`acc_` and a ULID; what `X-Reverie-Account` takes'),
    kind: z.enum(accountKinds),
    tier: Tier,
    status: z.enum(accountStatuses),
    email: z.string().nullable(),
    created_at: DateTime,
    confirmed_at: DateTime.nullable(),
    expires_at: DateTime.nullable().describe('When the keys of a provisional account stop'),
    deleted_at: DateTime.nullable().describe('When an account that is not confirmed is deleted'),
    last_used_at: DateTime.nullable(),
    keys: z.int().describe('Keys that work'),
    memories: z.int(),
    namespaces: z.int(),
    bytes: z.int().describe('Bytes of UTF-8 of all values'),
    usage: z.object({
      requests: z.int().describe('Today, UTC'),
      recalls: z.int().describe('This month, UTC'),
      stores: z.int().describe('This month, UTC'),
    }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

const AccountId = z.strictObject({ id: z.string().min(1).max(64) });
const MACHINE_ONLY = 'For an owner key of this machine only.';

export const listAccounts = route({
  id: 'accounts_list',
  method: 'GET',
  path: '/accounts',
  scope: 'owner',
  tag,
  summary: 'The accounts of this machine, newest first, its own one at the end',
  description: MACHINE_ONLY,
  status: 200,
  response: z.object({ accounts: z.array(Account) }),
  problems: ['forbidden_scope'],
});

export const getAccount = route({
  id: 'accounts_get',
  method: 'GET',
  path: '/accounts/{id}',
  scope: 'owner',
  tag,
  summary: 'An account: who, since when, and what it holds',
  description: MACHINE_ONLY,
  params: AccountId,
  status: 200,
  response: Account,
  problems: ['forbidden_scope', 'account_not_found'],
});

export const updateAccount = route({
  id: 'accounts_update',
  method: 'PATCH',
  path: '/accounts/{id}',
  scope: 'owner',
  tag,
  summary: 'Set the tier of an account; it counts from the next request on',
  description: MACHINE_ONLY,
  params: AccountId,
  body: z.strictObject({
    tier: z.enum(['free', 'pro', 'enterprise'], { error: 'must be free, pro or enterprise' }),
  }),
  status: 200,
  response: Account,
  problems: ['forbidden_scope', 'account_not_found', 'conflict'],
});

export const deleteAccount = route({
  id: 'accounts_delete',
  method: 'DELETE',
  path: '/accounts/{id}',
  scope: 'owner',
  tag,
  summary: 'Delete an account with everything it holds, for good; its keys stop at once',
  description: MACHINE_ONLY,
  params: AccountId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['forbidden_scope', 'account_not_found', 'conflict'],
});

/** Conflicts that one answer names at most; `conflicts` counts all. */
export const MAX_TOLD_CONFLICTS = 200;

export const adoptMemories = route({
  id: 'accounts_adopt',
  method: 'POST',
  path: '/accounts/{id}/adopt',
  scope: 'owner',
  tag,
  summary: "Copy an account's memories into this machine's own account; nothing is ever overwritten",
  description: `${MACHINE_ONLY} Each memory that is copied is the event \`memory.merge\`. What says something else under the same key here is a conflict: skipped, or stored under its key with the account's id after it. It is done in steps of 100; calling it again goes on where it ended.`,
  params: AccountId,
  body: z.strictObject({
    namespace: Namespace.optional().describe('Only this namespace of theirs; all where omitted'),
    into: Namespace.optional().describe(
      'Into this namespace here; where omitted, each into that of its name',
    ),
    on_conflict: z.enum(['skip', 'suffix']).default('skip'),
    dry_run: z.boolean().default(false).describe('Only tell what would be done'),
  }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    dry_run: z.boolean(),
    adopted: z.int().describe('Copied, or to be copied; those with a suffix included'),
    unchanged: z.int().describe('Here already with the same words'),
    conflicts: z.int().describe('Something else stands here under their key'),
    named: z
      .array(
        z.object({
          namespace: z.string().describe('Here'),
          key: z.string().describe('Theirs'),
          stored_as: z.string().nullable().describe('Null where it is skipped'),
        }),
      )
      .describe(`The first ${MAX_TOLD_CONFLICTS} conflicts`),
  }),
  problems: ['forbidden_scope', 'account_not_found', 'conflict'],
});

export const Mail = z
  .object({
    id: z.string(),
    account: z.string(),
    to: z.string(),
    subject: z.string(),
    created_at: DateTime,
    attempts: z.int().describe('Tries to send it since the start; 0 while no mail server is set'),
    last_error: z.string().nullable(),
    next_attempt_at: DateTime.nullable(),
    file: z.string().describe('Absolute path on this machine'),
  })
  .meta({ id: 'Mail' });
export type Mail = z.infer<typeof Mail>;

export const listOutbox = route({
  id: 'outbox_list',
  method: 'GET',
  path: '/outbox',
  scope: 'owner',
  tag,
  summary: 'E-mails that were not sent: no mail server is set, or it does not take them',
  description: MACHINE_ONLY,
  status: 200,
  response: z.object({
    transport: z.enum(['smtp', 'files']).describe('`files`: no mail server is set, and mails stay here'),
    mails: z.array(Mail),
  }),
  problems: ['forbidden_scope'],
});

export const getMail = route({
  id: 'outbox_get',
  method: 'GET',
  path: '/outbox/{id}',
  scope: 'owner',
  tag,
  summary: 'An e-mail that was not sent, whole, with the link that confirms',
  description: MACHINE_ONLY,
  params: z.strictObject({ id: z.string().min(1).max(100) }),
  status: 200,
  response: Mail.extend({ eml: z.string(), link: z.string().nullable() }),
  problems: ['forbidden_scope', 'mail_not_found'],
});
