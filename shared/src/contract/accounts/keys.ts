import { z } from 'zod';
import { DateTime, NamespaceOfOld } from '../fields.ts';
import { abilities, abilitiesOf, route, scopes } from '../route.ts';

const Ability = z.enum(abilities);

/** The most patterns that a key may have. */
const MOST_PATTERNS = 64;

const Patterns = z
  // `*` is a pattern here, not a namespace.
  .array(NamespaceOfOld, { error: 'must be a list of namespaces, such as ["project/*"]' })
  .min(1, `must be 1 to ${MOST_PATTERNS} patterns of namespaces`)
  .max(MOST_PATTERNS, `must be 1 to ${MOST_PATTERNS} patterns of namespaces`)
  .describe(
    'The namespaces that the key has; all where omitted. `*` stands for any run of characters, `/` and none at all included: `project/*` is `project/a` and `project/a/b`, not `project`. Everything else stands for itself. Other namespaces answer as if they were empty, and take nothing',
  );

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(scopes),
    namespaces: z
      .array(z.string())
      .describe('Patterns of the namespaces that it has; `*` alone is all of them'),
    can: z.array(Ability).describe('What it may do with the memories there'),
    key_prefix: z.string().describe("The first 12 characters, to tell keys apart; empty for the page's"),
    created_at: DateTime,
    last_used_at: DateTime.nullable(),
    expires_at: DateTime.nullable(),
    revoked_at: DateTime.nullable(),
    kept_in_file: z.boolean().describe('It stands in a file of this machine: it can be rotated, not revoked'),
    open_sessions: z
      .int()
      .nullable()
      .describe(
        'How many browsers are signed in, for the key of the page: revoking it ends them all, and it is not rotated. Null for others',
      ),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

const NewKey = ApiKey.extend({ key: z.string().describe('Shown this once; only its hash is kept') });
const KeyId = z.strictObject({ id: z.string().min(1).max(64) });
const tag = 'keys';

export const createKey = route({
  id: 'keys_create',
  method: 'POST',
  path: '/keys',
  scope: 'owner',
  tag,
  summary: 'Make a key for a program or an agent',
  description:
    'A name that a key which works has already is refused, with that key. A key may be narrower than its scope: it then has the named `namespaces` only, and may do what `can` says. Such a key is refused what is about the whole account: webhooks and sync.',
  body: z
    .strictObject({
      name: z.string().trim().min(1, 'must be 1 to 100 characters').max(100, 'must be 1 to 100 characters'),
      scope: z.enum(scopes).default('write'),
      expires_in_days: z.int().min(1).max(3650).optional(),
      namespaces: Patterns.optional(),
      can: z
        .array(Ability)
        .min(1, 'must name at least one thing that the key may do')
        .max(abilities.length)
        .optional()
        .describe(
          'What the key may do; all that its scope has where omitted. `set` stores and changes, `delete` forgets single memories or moves them to the trash, `clear` forgets whole namespaces and the trash',
        ),
    })
    .superRefine(({ scope, namespaces, can }, { addIssue }) => {
      const refuse = (path: 'namespaces' | 'can', message: string) =>
        addIssue({ code: 'custom', path: [path], message });
      if (scope === 'owner') {
        for (const path of ['namespaces', 'can'] as const)
          if ((path === 'can' ? can : namespaces) !== undefined)
            refuse(
              path,
              'is only for keys of scope read or write: one of scope owner could make itself a wider one',
            );
        return;
      }
      const beyond = can?.find((ability) => !abilitiesOf(scope).includes(ability));
      if (beyond !== undefined)
        refuse('can', `has ${beyond}, which a key of scope ${scope} may not; give it the scope write`);
    }),
  status: 201,
  response: NewKey,
  problems: ['conflict'],
});

export const listKeys = route({
  id: 'keys_list',
  method: 'GET',
  path: '/keys',
  scope: 'owner',
  tag,
  summary: 'The keys of the account, newest first',
  status: 200,
  response: z.object({ keys: z.array(ApiKey) }),
  problems: [],
});

export const revokeKey = route({
  id: 'keys_revoke',
  method: 'DELETE',
  path: '/keys/{id}',
  scope: 'owner',
  tag,
  summary: 'Revoke a key at once',
  params: KeyId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['key_not_found', 'conflict'],
});

export const rotateKey = route({
  id: 'keys_rotate',
  method: 'POST',
  path: '/keys/{id}/rotate',
  scope: 'owner',
  tag,
  summary: 'Replace a key; the old one works for 24 h more, unless `immediate`',
  params: KeyId,
  body: z.strictObject({ immediate: z.boolean().default(false) }),
  status: 201,
  response: NewKey,
  problems: ['key_not_found', 'conflict'],
});

export const currentKey = route({
  id: 'keys_current',
  method: 'GET',
  path: '/keys/current',
  scope: 'read',
  reach: 'nothing',
  tag,
  summary: 'The key of this request: its name, scope and account',
  status: 200,
  response: ApiKey.extend({ account: z.string() }),
  problems: [],
});

export const createTicket = route({
  id: 'tickets_create',
  method: 'POST',
  path: '/tickets',
  scope: 'owner',
  tag,
  summary: 'A one-use ticket that opens the page, valid for 60 seconds',
  status: 201,
  response: z.object({ ticket: z.string(), expires_at: DateTime }),
  problems: [],
});

export const redeemTicket = route({
  id: 'tickets_redeem',
  method: 'POST',
  path: '/tickets/redeem',
  scope: 'public',
  tag,
  summary: 'Trade a ticket for a session token, once',
  description: 'A session is one of the key of the page, which `GET /keys` shows once, and lives for a week.',
  body: z.strictObject({ ticket: z.string().min(1).max(200) }),
  status: 201,
  response: z.object({
    token: z.string(),
    scope: z.enum(scopes),
    account: z.string().describe('The account that it is of'),
    expires_at: DateTime,
  }),
  problems: ['gone'],
});

export const endSession = route({
  id: 'sessions_end',
  method: 'DELETE',
  path: '/sessions/current',
  scope: 'owner',
  tag,
  summary: 'Sign out: end the session of the page that this request came with',
  status: 200,
  response: z.object({ success: z.literal(true) }),
  problems: ['conflict'],
});
