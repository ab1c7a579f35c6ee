import { z } from 'zod';
import { eventFamilies, EventType, eventTypes } from './events.ts';
import { byteLength, DateTime } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'webhooks';

/** What a webhook may ask for: exact kinds, families, or everything. */
export const eventPatterns = [
  '*',
  ...eventFamilies.map((family) => `${family}.*` as const),
  ...eventTypes,
] as const;
export const EventPattern = z.enum(eventPatterns, {
  error: (issue) => `is ${JSON.stringify(issue.input)}; allowed: ${eventPatterns.join(', ')}`,
});
export type EventPattern = z.infer<typeof EventPattern>;

const Events = z
  .array(EventPattern, { error: 'must be a list of kinds of event' })
  .min(1, 'must name at least one kind of event')
  .max(eventPatterns.length)
  .transform((given) => [...new Set(given)])
  .describe('Exact kinds (`memory.write`), families (`memory.*`) or `*`');

/** A URL that deliveries may go to; which addresses are allowed is decided by who registers it. */
const TargetUrl = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .max(2048, 'has more than 2048 characters')
  .superRefine((given, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (!URL.canParse(given)) return refuse('is not a URL; allowed: http and https URLs');
    const { protocol, username, password } = new URL(given);
    if (protocol !== 'http:' && protocol !== 'https:')
      return refuse(`has the scheme ${protocol.slice(0, -1)}; allowed: http and https`);
    if (username !== '' || password !== '')
      refuse('holds a user name or a password; leave them out, deliveries are signed');
  })
  .meta({ format: 'uri' });

const MIN_SECRET = 8;
const MAX_SECRET = 512;

const Secret = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .superRefine((given, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (!given.isWellFormed()) return refuse('has a lone surrogate, which UTF-8 cannot hold');
    const encoded = /^whsec_(.*)$/s.exec(given)?.[1];
    if (
      encoded !== undefined &&
      !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)
    )
      return refuse('begins with whsec_, but what follows is not base64 with padding');
    const bytes = encoded === undefined ? byteLength(given) : atob(encoded).length;
    if (bytes < MIN_SECRET || bytes > MAX_SECRET)
      refuse(
        `has ${bytes} bytes; allowed: ${MIN_SECRET} to ${MAX_SECRET}, and 24 random ones are a good choice`,
      );
  })
  .meta({
    description:
      'Signs deliveries as Standard Webhooks says: base64 after `whsec_`, any other text as its raw bytes; 8 to 512 bytes. It is never shown again',
    minLength: MIN_SECRET,
  });

const Rate = z
  .int({ error: 'must be a whole number from 1 to 1000' })
  .min(1, 'must be a whole number from 1 to 1000')
  .max(1000, 'must be a whole number from 1 to 1000');
const Description = z.string().max(500, 'has more than 500 characters');

const fields = {
  url: TargetUrl,
  events: Events,
  secret: Secret,
  description: Description.optional(),
  ordered: z
    .boolean()
    .optional()
    .describe(
      'Each delivery waits until the one before was delivered or became a dead letter; false where omitted',
    ),
  origins: z
    .enum(['local', 'all'])
    .optional()
    .describe('`local` (the default): changes made on this machine; `all`: those of other devices, too'),
  rate_per_s: Rate.optional().describe(
    'Deliveries in a second at most, 50 where omitted; beyond it they wait',
  ),
  allow_private_network: z
    .boolean()
    .optional()
    .describe('Deliver to addresses of private networks, too; only an owner key may say so'),
};

const Id = z.strictObject({ id: z.string().min(1).max(64) });

export const webhookStatuses = ['active', 'paused', 'disabled'] as const;

export const Webhook = z
  .object({
    id: z.string().describe('`whk_` and a ULID'),
    url: z.string(),
    events: z.array(z.enum(eventPatterns)),
    description: z.string(),
    ordered: z.boolean(),
    origins: z.enum(['local', 'all']),
    rate_per_s: z.int(),
    allow_private_network: z.boolean(),
    status: z.enum(webhookStatuses),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('`gone`: the receiver answered 410; `failing`: nothing was delivered for five days'),
    disabled_at: DateTime.nullable(),
    failing_since: DateTime.nullable().describe('The first failure since something was delivered last'),
    last_delivery_at: DateTime.nullable(),
    pending: z.int().describe('Deliveries that wait or are under way'),
    oldest_pending: z
      .object({
        since: DateTime.describe('When it was to be delivered first'),
        attempts: z.int(),
        next_attempt_at: DateTime.nullable().describe('Null while it is due'),
        last_error: z.string().nullable(),
      })
      .nullable()
      .describe(
        'The delivery that waits longest: whether a webhook works shows in this one, not in the last answer',
      ),
    dead_letters: z.int(),
    created_at: DateTime,
    updated_at: DateTime,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

/** Webhooks of the machine's own account need an owner key; those of other accounts one of scope `write`. */
const scope = 'write';
/** They tell of every namespace. */
const reach = { can: ['read', 'set'] } as const;
/** Said of each of their routes. */
export const OWNER = "In the machine's own account an owner key is needed.";

export const registerWebhook = route({
  id: 'webhooks_register',
  method: 'POST',
  path: '/webhooks/register',
  scope,
  reach,
  tag,
  summary: 'Deliver events to a URL',
  description: `${OWNER} Each delivery is a POST of \`{id, seq, type, timestamp, namespace, created_at, actor, data}\`, signed as Standard Webhooks says; its \`webhook-id\` is the event's \`id\`. Any 2xx is success; otherwise it is tried 5 times more within about an hour and a half, and then is a dead letter. Redirects are not followed.`,
  body: z.strictObject(fields),
  status: 201,
  response: z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(eventPatterns)),
    status: z.literal('active'),
    created_at: DateTime,
  }),
  problems: ['forbidden_scope', 'conflict'],
  idempotent: true,
});

export const listWebhooks = route({
  id: 'webhooks_list',
  method: 'GET',
  path: '/webhooks',
  scope,
  reach,
  tag,
  summary: 'The webhooks of the account and their health, oldest first',
  description: OWNER,
  status: 200,
  response: z.object({ webhooks: z.array(Webhook) }),
  problems: ['forbidden_scope'],
});

export const getWebhook = route({
  id: 'webhooks_get',
  method: 'GET',
  path: '/webhooks/{id}',
  scope,
  reach,
  tag,
  summary: 'A webhook and its health',
  description: OWNER,
  params: Id,
  status: 200,
  response: Webhook,
  problems: ['forbidden_scope', 'webhook_not_found'],
});

export const updateWebhook = route({
  id: 'webhooks_update',
  method: 'PATCH',
  path: '/webhooks/{id}',
  scope,
  reach,
  tag,
  summary: 'Change, pause or resume a webhook',
  description: `${OWNER} \`active\` also turns on one that was disabled; what happened meanwhile is delivered then.`,
  params: Id,
  body: z
    .strictObject({
      ...fields,
      url: TargetUrl.optional(),
      events: Events.optional(),
      secret: Secret.optional(),
      status: z.enum(['active', 'paused']).optional(),
    })
    .refine((given) => Object.keys(given).length > 0, 'must name at least one field to change'),
  status: 200,
  response: Webhook,
  problems: ['forbidden_scope', 'webhook_not_found'],
});

export const deleteWebhook = route({
  id: 'webhooks_delete',
  method: 'DELETE',
  path: '/webhooks/{id}',
  scope,
  reach,
  tag,
  summary: 'Delete a webhook; what it still had to deliver is cancelled',
  description: OWNER,
  params: Id,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['forbidden_scope', 'webhook_not_found'],
});

/** The kind of a test; it is no event of the log. */
export const WEBHOOK_TEST = 'webhook.test';

/** The body of a delivery: the event, and what Standard Webhooks asks for beside it. */
export const WebhookBody = z.object({
  id: z.string(),
  seq: z.int().nullable(),
  type: z.union([EventType, z.literal(WEBHOOK_TEST)]),
  timestamp: DateTime,
  namespace: z.string(),
  created_at: DateTime,
  actor: z.object({ kind: z.string(), id: z.string() }),
  data: z.record(z.string(), z.unknown()),
});
export type WebhookBody = z.infer<typeof WebhookBody>;
