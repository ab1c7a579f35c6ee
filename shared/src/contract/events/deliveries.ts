import { z } from 'zod';
import { DateTime, DateTimeInput, inQuery, limitOf } from '../fields.ts';
import { route } from '../route.ts';
import { EventPattern, OWNER } from './webhooks.ts';

const tag = 'webhooks';
/** As of webhooks: those of the machine's own account need an owner key. */
const scope = 'write';
/** They tell of every namespace. */
const reach = { can: ['read', 'set'] } as const;

const Id = z.strictObject({ id: z.string().min(1).max(64) });

export const deliveryStatuses = ['pending', 'delivered', 'dead', 'cancelled'] as const;

export const Delivery = z
  .object({
    id: z.string().describe('`dlv_` and a ULID'),
    webhook_id: z.string(),
    event_id: z.string().describe('The `webhook-id` of each attempt'),
    seq: z.int().nullable().describe('The event in the log; null for a test'),
    event: z.string().describe('The kind of the event; `webhook.test` for a test'),
    namespace: z.string(),
    status: z
      .enum(deliveryStatuses)
      .describe('`dead`: every attempt failed; `cancelled`: its webhook was deleted before'),
    test: z.boolean(),
    attempts: z.int(),
    next_attempt_at: DateTime.nullable(),
    last_status: z.int().nullable().describe('HTTP status of the last attempt'),
    last_error: z.string().nullable(),
    created_at: DateTime,
    ended_at: DateTime.nullable(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryAttempt = z
  .object({
    number: z.int(),
    started_at: DateTime,
    status: z.int().nullable().describe('HTTP status; null where no answer came'),
    latency_ms: z.int(),
    response: z.string().nullable().describe('The first KiB of the answer'),
    error: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryDetail = Delivery.extend({ log: z.array(DeliveryAttempt) }).meta({
  id: 'DeliveryDetail',
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

export const testWebhook = route({
  id: 'webhooks_test',
  method: 'POST',
  path: '/webhooks/{id}/test',
  scope,
  reach,
  tag,
  summary: 'Send a signed event of the kind `webhook.test` once, at once, and say what came back',
  description: OWNER,
  params: Id,
  status: 200,
  response: DeliveryDetail,
  problems: ['forbidden_scope', 'webhook_not_found'],
});

const Cursor = z.string().regex(/^dlv_[0-9a-z]{26}$/, 'must be the `next` of a page before');
const page = { limit: inQuery(limitOf(1000, 50)), cursor: Cursor.optional() };

export const listDeliveries = route({
  id: 'deliveries_list',
  method: 'GET',
  path: '/webhooks/deliveries',
  scope,
  reach,
  tag,
  summary: 'The delivery log, newest first',
  description: OWNER,
  query: z.strictObject({
    webhook_id: z.string().min(1).max(64).optional(),
    status: z.enum(deliveryStatuses).optional(),
    event: z.union([EventPattern, z.literal('webhook.test')]).optional(),
    since: DateTimeInput.optional(),
    ...page,
  }),
  status: 200,
  response: z.object({ deliveries: z.array(Delivery), next: z.string().nullable() }),
  problems: ['forbidden_scope'],
});

export const getDelivery = route({
  id: 'deliveries_get',
  method: 'GET',
  path: '/webhooks/deliveries/{id}',
  scope,
  reach,
  tag,
  summary: 'A delivery with every attempt',
  description: OWNER,
  params: Id,
  status: 200,
  response: DeliveryDetail,
  problems: ['forbidden_scope', 'delivery_not_found'],
});

export const replayDelivery = route({
  id: 'deliveries_replay',
  method: 'POST',
  path: '/webhooks/deliveries/{id}/replay',
  scope,
  reach,
  tag,
  summary: 'Deliver an event again, with the same `webhook-id`',
  description: OWNER,
  params: Id,
  status: 202,
  response: Delivery,
  problems: ['forbidden_scope', 'delivery_not_found', 'webhook_not_found', 'conflict', 'gone'],
});

export const listDeadLetters = route({
  id: 'dead_letters_list',
  method: 'GET',
  path: '/webhooks/dead-letters',
  scope,
  reach,
  tag,
  summary: 'What could not be delivered, newest first',
  description: OWNER,
  query: z.strictObject({ webhook_id: z.string().min(1).max(64).optional(), ...page }),
  status: 200,
  response: z.object({ dead_letters: z.array(Delivery), next: z.string().nullable() }),
  problems: ['forbidden_scope'],
});

export const replayDeadLetters = route({
  id: 'dead_letters_replay',
  method: 'POST',
  path: '/webhooks/dead-letters/replay',
  scope,
  reach,
  tag,
  summary: 'Deliver dead letters again: those named by `ids`, or all whose event came at or after `since`',
  description: `${OWNER} Those whose webhook was deleted, or whose event is no longer in the log, are left as they are and counted in \`skipped\`.`,
  body: z
    .strictObject({
      ids: z.array(z.string().min(1).max(64)).min(1).max(1000).optional(),
      since: DateTimeInput.optional(),
      webhook_id: z.string().min(1).max(64).optional(),
    })
    .refine(
      ({ ids, since }) => (ids === undefined) !== (since === undefined),
      'must have either `ids` or `since`',
    ),
  status: 202,
  response: z.object({ success: z.literal(true), replayed: z.int(), skipped: z.int() }),
  problems: ['forbidden_scope'],
});
