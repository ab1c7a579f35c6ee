import { z } from 'zod';
import { DateTime, inQuery, limitOf, Metadata, Namespace } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'inbox';

/** A short name: who sends, and what kind of message it is. */
const Name = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })
  .min(1, 'must be 1 to 128 characters')
  .max(128, 'must be 1 to 128 characters')
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'has a control character');

const MessageId = z.string().regex(/^msg_[0-9a-z]{26}$/, 'must be the id of a message');

export const InboxMessage = z
  .object({
    id: z.string().describe('`msg_` and a ULID'),
    namespace: z.string(),
    from: z.string(),
    kind: z.string(),
    payload: z.record(z.string(), z.unknown()),
    in_reply_to: z.string().nullable().describe('The message that this one answers'),
    created_at: DateTime,
    acked_at: DateTime.nullable().describe('Null while it is unread'),
  })
  .meta({ id: 'InboxMessage' });
export type InboxMessage = z.infer<typeof InboxMessage>;

const Place = z.strictObject({ namespace: Namespace });

export const sendMessage = route({
  id: 'inbox_send',
  method: 'POST',
  path: '/inbox/{namespace}',
  scope: 'write',
  reach: { can: ['set'], refused: ['params.namespace'] },
  tag,
  summary:
    'Leave a message, or a reply to one, for whoever works in a namespace; it is also the event `channel.message`',
  params: Place,
  body: z
    .strictObject({
      from: Name,
      kind: Name,
      payload: Metadata,
      in_reply_to: MessageId.optional().describe(
        'The message that this one answers. A reply is left in the inbox of that message, where its sender looks for it',
      ),
    })
    .meta({ id: 'SendMessage' }),
  status: 202,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['conflict'],
  idempotent: true,
  bodyLimit: 1024 * 1024,
});

export const listMessages = route({
  id: 'inbox_list',
  method: 'GET',
  path: '/inbox/{namespace}',
  scope: 'read',
  reach: { can: ['read'], absent: ['params.namespace'] },
  tag,
  summary: 'The messages of a namespace: unread ones first, oldest first; then read ones, newest first',
  params: Place,
  query: z.strictObject({
    unread: z.enum(['true', 'false']).default('false').describe('`true`: only unread ones'),
    not_from: Name.optional().describe(
      'Without those of this sender, who need not read them; not counted either',
    ),
    limit: inQuery(limitOf(1000, 50)),
    cursor: z
      .string()
      .regex(/^[ur]\.msg_[0-9a-z]{26}$/, 'must be the `next` of a page before')
      .optional(),
  }),
  status: 200,
  response: z.object({
    namespace: z.string(),
    unread: z.int(),
    messages: z.array(InboxMessage),
    next: z.string().nullable(),
    elsewhere: z
      .array(z.object({ namespace: z.string(), unread: z.int() }))
      .describe('Other inboxes of the key that have unread messages: the 20 with the most of them'),
  }),
  problems: [],
});

export const ackMessage = route({
  id: 'inbox_ack',
  method: 'POST',
  path: '/inbox/{namespace}/{id}/ack',
  scope: 'write',
  reach: { can: ['set'], absent: ['params.namespace'] },
  tag,
  summary: 'Mark a message as read; read messages are kept as long as events',
  params: z.strictObject({ namespace: Namespace, id: z.string().min(1).max(64) }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), acked_at: DateTime }),
  problems: ['message_not_found'],
});
