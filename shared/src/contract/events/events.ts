import { z } from 'zod';
import { Author } from '../author.ts';
import { DateTime, inQuery, limitOf, Namespace, WholeFromZero } from '../fields.ts';
import { route } from '../route.ts';

/** Every kind of event. The family is what stands before the full stop. */
export const eventTypes = [
  'memory.write',
  'memory.update',
  'memory.delete',
  'memory.merge',
  'memory.clear',
  'dream.started',
  'dream.step',
  'dream.insight',
  'dream.winner',
  'dream.completed',
  'dream.failed',
  'insight.generated',
  'insight.accepted',
  'insight.rejected',
  'channel.publish',
  'channel.subscribe',
  'channel.message',
  'session.entry',
] as const;
export const EventType = z.enum(eventTypes);
export type EventType = z.infer<typeof EventType>;

export const eventFamilies = ['memory', 'dream', 'insight', 'channel', 'session'] as const;

export const actorKinds = ['key', 'device', 'job', 'system'] as const;
export const Actor = z.object({ kind: z.enum(actorKinds), id: z.string() });
export type Actor = z.infer<typeof Actor>;

export const Event = z
  .object({
    id: z.string().describe('`evt_` and a ULID'),
    seq: z.int().describe('Grows by at least 1 with each event; never used twice within one log'),
    type: EventType,
    namespace: z.string(),
    created_at: DateTime,
    actor: Actor,
    author: Author.optional().describe('Who did it, where it was done on another device'),
    data: z.object({
      before: z
        .looseObject({
          author: Author.nullish().describe('Who wrote a version that lost against another one'),
        })
        .nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    }),
  })
  .meta({ id: 'Event' });
export type Event = z.infer<typeof Event>;

export const listEvents = route({
  id: 'events',
  method: 'GET',
  weight: 'heavy',
  path: '/events',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag: 'events',
  summary: 'The event log, newest last',
  description:
    'Without `since` the newest `limit` events. With it, the first `limit` events after that `seq`; `next` is the cursor to go on from. `reset` is true where `since` is older than the log (or `log_id` names another log), so that events were missed.',
  query: z.strictObject({
    family: z.enum(eventFamilies).optional(),
    type: EventType.optional(),
    namespace: Namespace.optional(),
    actor_kind: z.enum(actorKinds).optional(),
    actor_id: z.string().min(1).max(64).optional().describe('Such as the id of a key'),
    since: inQuery(WholeFromZero.optional()),
    log_id: z.string().optional(),
    limit: inQuery(limitOf(1000, 100)),
  }),
  status: 200,
  response: z.object({
    log_id: z.string(),
    oldest_seq: z.int(),
    newest_seq: z.int(),
    reset: z.boolean(),
    next: z.int(),
    events: z.array(Event),
  }),
  problems: [],
});
