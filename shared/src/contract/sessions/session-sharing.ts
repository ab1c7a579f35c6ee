import { z } from 'zod';
import { DateTime, inQuery, InviteSeconds, limitOf, Namespace } from '../fields.ts';
import { route } from '../route.ts';
import { CodingSession, EntryKind, SessionRole } from './sessions.ts';
import { SharingEnded } from './sharing-ended.ts';

const tag = 'sessions';

const Id = z.strictObject({ id: z.string().min(1).max(64) });

/** What would leave the machine, with secrets taken out. */
export const SharePreview = z
  .object({
    entries: z.int().describe('Entries that would leave'),
    bytes: z.int(),
    redactions: z.int().describe('Secrets that were taken out of them'),
    by_rule: z.array(z.object({ rule: z.string(), count: z.int(), is_new: z.boolean() })),
    withheld: z
      .int()
      .describe(
        'Entries that stay here: attachments, records that are not known, and what could not be checked',
      ),
    approved: z.boolean().describe('Whether all kinds of secrets among them were shown before'),
    token: z.string().describe('Says with `POST …/share` that exactly this was shown'),
    session: z
      .object({
        title: z.string(),
        project: z.string().nullable(),
        branch: z.string().nullable(),
        agent: z.string(),
        models: z.array(z.string()),
      })
      .describe('What would be told of the session itself'),
    sample: z.array(
      z.object({
        id: z.string(),
        at: DateTime,
        kind: EntryKind,
        author: z.object({ id: z.string(), name: z.string(), agent: z.string().nullable() }),
        tool: z.string().nullable(),
        files: z.array(z.string()),
        text: z.string(),
        redactions: z.int(),
      }),
    ),
    next: z.string().nullable(),
  })
  .meta({ id: 'SharePreview' });
export type SharePreview = z.infer<typeof SharePreview>;

export const previewSession = route({
  id: 'sessions_preview',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/{id}/preview',
  scope: 'owner',
  tag,
  summary: 'Exactly what would leave this machine, were the session shared',
  params: Id,
  query: z.strictObject({
    from: z.enum(['start', 'now']).default('start'),
    redacted: z.enum(['true', 'false']).default('false').describe('`true`: only entries that had secrets'),
    limit: inQuery(limitOf(200, 50)),
    cursor: z.string().max(128).optional(),
  }),
  status: 200,
  response: SharePreview,
  problems: ['forbidden_scope', 'session_not_found', 'forbidden_role'],
});

export const shareSession = route({
  id: 'sessions_share',
  method: 'POST',
  path: '/coding-sessions/{id}/share',
  scope: 'owner',
  tag,
  summary: 'Make an invite to a session, live through the relay',
  description:
    'Needs the `token` of a preview: without it, or when another kind of secret was found since, it answers 409 and nothing leaves. Later entries follow by themselves as long as no new kind of secret is found in them; then they wait until it was shown.',
  params: Id,
  body: z
    .strictObject({
      from: z.enum(['start', 'now']),
      role: z.enum(['viewer', 'editor']).default('viewer'),
      expires_in: InviteSeconds.describe('Seconds until the link expires'),
      token: z.string().min(1).max(256),
    })
    .meta({ id: 'ShareSession' }),
  status: 201,
  response: z.object({
    invite: z.string().describe('A link; its secret stands behind the `#`. Whoever has it may join'),
    role: SessionRole,
    expires_at: DateTime,
    preview: SharePreview,
  }),
  problems: [
    'forbidden_scope',
    'session_not_found',
    'not_linked',
    'conflict',
    'forbidden_role',
    'relay_unreachable',
    'relay_refused',
  ],
});

export const SessionInvite = z.object({
  id: z.string(),
  role: SessionRole,
  created_at: DateTime,
  expires_at: DateTime,
});

export const getShare = route({
  id: 'sessions_shared',
  method: 'GET',
  path: '/coding-sessions/{id}/share',
  scope: 'owner',
  tag,
  summary: 'How a session is shared: its open links, and what waits to be shown before it leaves',
  params: Id,
  status: 200,
  response: z.object({
    shared: z.boolean(),
    ended: SharingEnded.nullable().describe(
      'That its sharing ended, and nobody here ended it; null where it is shared, or was ended here',
    ),
    from: z.enum(['start', 'now']).nullable(),
    invites: z.array(SessionInvite),
    pending: z.int().describe('Entries that the relay has not confirmed as stored'),
    waiting: z.int().describe('Entries that wait, for a new kind of secret was found: `preview` shows it'),
  }),
  problems: ['forbidden_scope', 'session_not_found', 'relay_unreachable', 'relay_refused', 'not_linked'],
});

export const approveShare = route({
  id: 'sessions_share_approve',
  method: 'PUT',
  path: '/coding-sessions/{id}/share',
  scope: 'owner',
  tag,
  summary: 'Let go on what waits in a shared session, once it was shown',
  description:
    'Needs the `token` of a preview that was looked at. Makes no link: who is in the session already reads on.',
  params: Id,
  body: z.strictObject({ token: z.string().min(1).max(256) }).meta({ id: 'ApproveShare' }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: ['forbidden_scope', 'session_not_found', 'not_linked', 'conflict', 'forbidden_role'],
});

export const unshareSession = route({
  id: 'sessions_unshare',
  method: 'DELETE',
  path: '/coding-sessions/{id}/share',
  scope: 'owner',
  tag,
  summary: 'End sharing: the relay deletes its log for all, and every link is void',
  params: Id,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: [
    'forbidden_scope',
    'session_not_found',
    'not_linked',
    'forbidden_role',
    'relay_unreachable',
    'relay_refused',
  ],
});

export const revokeSessionInvite = route({
  id: 'sessions_invite_revoke',
  method: 'DELETE',
  path: '/coding-sessions/{id}/share/{invite}',
  scope: 'owner',
  tag,
  summary: 'Make one link void; who joined by it stays',
  params: z.strictObject({ id: z.string().min(1).max(64), invite: z.string().min(1).max(64) }),
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string() }),
  problems: [
    'forbidden_scope',
    'session_not_found',
    'invite_invalid',
    'not_linked',
    'forbidden_role',
    'relay_unreachable',
    'relay_refused',
  ],
});

export const removeParticipant = route({
  id: 'sessions_participant_remove',
  method: 'DELETE',
  path: '/coding-sessions/{id}/participants/{participant}',
  scope: 'owner',
  tag,
  summary: 'End what a participant may read, at once; or leave a session',
  params: z.strictObject({ id: z.string().min(1).max(64), participant: z.string().min(1).max(64) }),
  status: 200,
  response: z.object({
    success: z.literal(true),
    id: z.string(),
    invites_ended: z.int().describe('How many open links became void with it'),
  }),
  problems: [
    'forbidden_scope',
    'session_not_found',
    'member_not_found',
    'not_linked',
    'forbidden_role',
    'relay_unreachable',
    'relay_refused',
  ],
});

export const joinSession = route({
  id: 'sessions_join',
  method: 'POST',
  path: '/coding-sessions/join',
  scope: 'owner',
  tag,
  summary: 'Join a session that somebody shares',
  body: z.strictObject({
    invite: z.string().trim().min(8).max(4096),
    namespace: Namespace.optional().describe('Where it belongs here; that of its project where omitted'),
  }),
  status: 200,
  response: CodingSession,
  problems: [
    'forbidden_scope',
    'not_linked',
    'conflict',
    'invite_invalid',
    'relay_unreachable',
    'relay_refused',
  ],
});

/**
 * The path below which the shared notes of each session have their WebSocket, by the session's id; with our own origin before it, it is the
 * first argument of `WebsocketProvider`.
 */
export const NOTES_PATH = '/v1/coding-sessions/y';

/** In the desktop app, where notes go over `fetch`: which socket a message is for, by the name that the app gave it. */
export const NOTES_SOCKET_HEADER = 'x-reverie-socket';

export const sessionNotes = route({
  id: 'sessions_notes',
  method: 'GET',
  path: '/coding-sessions/{id}/notes',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary:
    'The shared notes of a session, and who is there: a Yjs document that y-websocket’s provider opens',
  description:
    'At `path` of this server, with the subprotocols of `/stream` (`reverie.v1`, `bearer.<key>`): `new WebsocketProvider(address + path, room, doc, { protocols })`. This server passes it on to the relay.',
  params: Id,
  status: 200,
  response: z.object({
    path: z.string(),
    room: z.string(),
    name: z.string().describe('How this person is called in it'),
    role: SessionRole,
  }),
  problems: ['forbidden_scope', 'session_not_found', 'not_linked'],
});
