import { z } from 'zod';
import type { CodingAgent } from './coding-agents.ts';
import {
  DateTime,
  inQuery,
  limitOf,
  Namespace,
  NamespaceOrEvery,
  Query,
  Threshold,
  Value,
} from '../fields.ts';
import { route } from '../route.ts';
import { EntryKind, entryKinds, SessionHit } from '../search/session-hit.ts';

export { EntryKind, entryKinds, SessionHit };

const tag = 'sessions';

/** Coding agents whose own logs can be followed. */
export const sessionAgents = [
  'claude-code',
  'codex',
  'opencode',
  'copilot',
  'cursor',
  'antigravity',
  'gemini',
  'qwen',
  'pi',
  'cline',
] as const satisfies readonly CodingAgent[];
export const SessionAgent = z.enum(sessionAgents, {
  error: (issue) => `is ${JSON.stringify(issue.input)}; allowed: ${sessionAgents.join(', ')}`,
});
export type SessionAgent = z.infer<typeof SessionAgent>;

/** `live`: written to within the last two minutes. `idle`: quieter than that. `ended`: said to be over, or silent for a day. */
export const sessionStatuses = ['live', 'idle', 'ended'] as const;
export const SessionStatus = z.enum(sessionStatuses);
export type SessionStatus = z.infer<typeof SessionStatus>;

/** What one may do in a session. */
export const sessionRoles = ['owner', 'editor', 'viewer'] as const;
export const SessionRole = z.enum(sessionRoles);
export type SessionRole = z.infer<typeof SessionRole>;

const PLAIN = /^[^\u0000-\u001f\u007f-\u009f]*$/;

function plainText(max: number) {
  const allowed = `must be 1 to ${max} characters`;
  return z.string().min(1, allowed).max(max, allowed).regex(PLAIN, 'has a control character');
}

export const SessionId = z
  .string()
  .regex(/^cs_[0-9a-z]{26}$/, 'must be the id of a session, such as cs_01j…');
/** The path, below `/v1`, at which a session is followed as server-sent events: one `entry` for each, whose id is its `seq`. */
export const SESSION_STREAM_PATH = '/coding-sessions/{id}/stream';

const AnySessionId = z.strictObject({ id: z.string().min(1).max(64) });

export const Participant = z
  .object({
    id: z.string(),
    name: z.string(),
    role: SessionRole,
    online: z.boolean(),
    self: z.boolean(),
  })
  .meta({ id: 'SessionParticipant' });
export type Participant = z.infer<typeof Participant>;

export const CodingSession = z
  .object({
    id: z.string().describe('`cs_` and a ULID; the same for everybody who shares it'),
    title: z.string(),
    agent: z.string().describe('Which agent works in it, such as claude-code'),
    project: z.string().nullable().describe('The repository or folder that it is about, without its path'),
    folder: z
      .string()
      .nullable()
      .describe('The working folder; null where the session is of another machine'),
    branch: z.string().nullable(),
    namespace: z.string().describe('Where memories of its project are kept'),
    status: SessionStatus,
    participants: z.array(Participant),
    entries: z.int(),
    others: z
      .int()
      .describe('Entries among them whose kind of record is not known, in which somebody speaks'),
    unknown_records: z
      .int()
      .describe(
        'Records of its log of a kind that is not known, those among the entries too; the rest is folded away',
      ),
    unread_lines: z
      .int()
      .describe('Damaged lines of its log: what stood whole in them is there, the rest could not be read'),
    tokens: z.int().describe('Tokens that the agent reported: put in and brought out'),
    models: z.array(z.string()),
    parent: z
      .object({ id: z.string(), kind: z.enum(['subagent', 'fork', 'continuation']) })
      .nullable()
      .describe('The session that this one was begun from, where it is here'),
    started_at: DateTime,
    updated_at: DateTime,
    shared: z.boolean(),
    role: SessionRole,
  })
  .meta({ id: 'CodingSession' });
export type CodingSession = z.infer<typeof CodingSession>;

export const EntryTool = z.object({
  name: z.string(),
  call: z.string().nullable().describe('What its call and its result have in common'),
  failed: z.boolean().nullable().describe('Null where that is not known'),
});

export const SessionEntry = z
  .object({
    id: z.string(),
    seq: z.int().describe('When it came here, counted within the session: a cursor that grows'),
    at: DateTime,
    order: z
      .string()
      .describe('Where it stands in its session, which is the order of the log: compared as text'),
    author: z.object({
      id: z.string(),
      name: z.string(),
      agent: z.string().nullable().describe('Null for a person'),
    }),
    kind: EntryKind,
    text: z.string(),
    bytes: z.int().describe('What the whole text takes; `text` is cut where it is less'),
    tool: EntryTool.nullable(),
    files: z
      .array(z.string())
      .describe('Files that it names, relative to the working folder where they lie in it'),
    reply_to: z.string().nullable().describe('The entry that a note is about'),
    child: z.string().nullable().describe('The session of the subagent that this call began'),
    redactions: z.int().describe('Secrets that were taken out before it left the machine of its author'),
    source: z.object({ format: z.string(), item: z.string() }),
  })
  .meta({ id: 'SessionEntry' });
export type SessionEntry = z.infer<typeof SessionEntry>;

export const listSessions = route({
  id: 'sessions_list',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'Coding sessions, the one that was written to last first',
  description:
    'A session with an id of its agent that has neither a title nor an entry never began, and is left out.',
  query: z.strictObject({
    agent: plainText(64).optional(),
    project: plainText(256).optional(),
    namespace: NamespaceOrEvery.optional(),
    status: SessionStatus.optional(),
    q: Query.optional().describe('Only sessions whose title or entries have these words'),
    since: DateTime.optional().describe('Only sessions that were written to since'),
    subagents: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true`: sessions of subagents stand in the list, too'),
    limit: inQuery(limitOf(200, 50)),
    cursor: z.string().max(128).optional().describe('The `next` of the page before'),
  }),
  status: 200,
  response: z.object({ sessions: z.array(CodingSession), next: z.string().nullable() }),
  problems: [],
});

export const createSession = route({
  id: 'sessions_create',
  method: 'POST',
  path: '/coding-sessions',
  scope: 'write',
  reach: { can: ['set'], refused: ['body.namespace'] },
  tag,
  summary: 'Begin a session that is written through this API',
  description:
    'For agents whose logs are not followed. The same `agent` and `source_session` is the same session: it is answered as it is.',
  body: z
    .strictObject({
      title: plainText(256).optional(),
      agent: plainText(64),
      source_session: plainText(256).optional().describe("The agent's own id of it"),
      namespace: Namespace.default('default'),
      project: plainText(256).optional(),
      branch: plainText(256).optional(),
    })
    .meta({ id: 'CreateSession' }),
  status: 201,
  response: CodingSession,
  problems: ['quota_exceeded', 'storage_exceeded'],
  idempotent: true,
});

export const getSession = route({
  id: 'sessions_get',
  method: 'GET',
  path: '/coding-sessions/{id}',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary: 'One session',
  params: AnySessionId,
  status: 200,
  response: CodingSession,
  problems: ['session_not_found'],
});

export const changeSession = route({
  id: 'sessions_change',
  method: 'PATCH',
  path: '/coding-sessions/{id}',
  scope: 'write',
  reach: { can: ['set'], absent: ['session'], refused: ['body.namespace'] },
  tag,
  summary: 'Give a session another title or namespace',
  params: AnySessionId,
  body: z
    .strictObject({ title: plainText(256).optional(), namespace: Namespace.optional() })
    .meta({ id: 'ChangeSession' }),
  status: 200,
  response: CodingSession,
  problems: ['session_not_found', 'forbidden_role'],
});

export const deleteSession = route({
  id: 'sessions_delete',
  method: 'DELETE',
  path: '/coding-sessions/{id}',
  scope: 'write',
  reach: { can: ['delete'], absent: ['session'] },
  tag,
  summary: 'Delete our copy of a session for good; the log of its agent stays, and is not read again',
  params: AnySessionId,
  status: 200,
  response: z.object({ success: z.literal(true), id: z.string(), entries: z.int() }),
  problems: ['session_not_found', 'conflict'],
});

export const listEntries = route({
  id: 'sessions_entries',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/{id}/entries',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary: 'What was said and done in a session, in order',
  description:
    'In the order of the session. `around` begins shortly before an entry; `before` and `after` are cursors of pages; `since` answers what came here behind a `seq`, in that order, for who follows a session. A page ends early where its entries have a million characters together. `GET /coding-sessions/{id}/stream` tells the same as server-sent events (`event: entry`, `id` its `seq`, goes on from `Last-Event-ID`).',
  params: AnySessionId,
  query: z.strictObject({
    kinds: z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(',').filter((one) => one !== '') : given),
        z.array(EntryKind).min(1),
      )
      .optional()
      .describe('Only these, with commas'),
    failed: z.enum(['true']).optional().describe('Only calls and results of tools that failed'),
    after: z.string().max(128).optional(),
    before: z.string().max(128).optional(),
    around: z.string().max(64).optional().describe('The id of an entry'),
    since: inQuery(z.int().min(0).optional()),
    offset: inQuery(z.int().min(0).optional()).describe('Without so many of the first ones'),
    redacted: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        '`true`: secrets are taken out, as of a hand-over, and of each text 65,536 characters are read; the first time a session is looked through as a whole',
      ),
    text: z
      .enum(['whole', 'start'])
      .default('start')
      .describe('`start`: at most 4,000 characters of each; `whole`: all of it'),
    limit: inQuery(limitOf(500, 100)),
  }),
  status: 200,
  response: z.object({
    entries: z.array(SessionEntry),
    total: z.int().describe('How many there are that the filters let through'),
    before: z.string().nullable().describe('Cursor of the page before; null at the first entry'),
    after: z.string().nullable().describe('Cursor of the page behind; null at the last entry'),
    seq: z.int().describe('The newest `seq` of the session: `since` for who follows from here'),
  }),
  problems: ['session_not_found', 'entry_not_found'],
});

export const addEntries = route({
  id: 'sessions_add_entries',
  method: 'POST',
  weight: 'heavy',
  path: '/coding-sessions/{id}/entries',
  scope: 'write',
  reach: { can: ['set'], absent: ['session'] },
  tag,
  summary: 'Write into a session: what an agent did, or a note about it',
  description:
    'An entry with an `item` that is there is replaced. In a session that somebody else shares, editors write notes, 600 an hour and 10,000 in all; what they write is theirs by name. An `at` from before 1970 or more than 10 minutes ahead is clamped.',
  params: AnySessionId,
  body: z
    .strictObject({
      entries: z
        .array(
          z.strictObject({
            kind: EntryKind,
            text: Value,
            item: plainText(256).optional().describe("The agent's own id of it; made where omitted"),
            at: DateTime.optional(),
            reply_to: z
              .string()
              .min(1)
              .max(64)
              .optional()
              .describe('The id of the entry that a note is about'),
            tool: z
              .strictObject({
                name: plainText(256),
                call: plainText(256).optional(),
                failed: z.boolean().optional(),
              })
              .optional(),
            files: z.array(z.string().min(1).max(1024)).max(256).optional(),
            agent: plainText(64).nullable().optional().describe('Null for what a person wrote'),
          }),
        )
        .min(1)
        .max(500),
    })
    .meta({ id: 'AddEntries' }),
  status: 201,
  response: z.object({ success: z.literal(true), ids: z.array(z.string()), seq: z.int() }),
  problems: ['session_not_found', 'entry_not_found', 'forbidden_role', 'storage_exceeded', 'conflict'],
  idempotent: true,
  bodyLimit: 16 * 1024 * 1024,
});

export const endSession = route({
  id: 'sessions_end_one',
  method: 'POST',
  path: '/coding-sessions/{id}/end',
  scope: 'write',
  reach: { can: ['set'], absent: ['session'] },
  tag,
  summary: 'Say that a session is over; what is written to it later opens it again',
  params: AnySessionId,
  status: 200,
  response: CodingSession,
  problems: ['session_not_found', 'forbidden_role'],
});

export const Handover = z
  .object({
    id: z.string(),
    title: z.string(),
    markdown: z.string(),
    tokens: z.int().describe('What it takes, in bytes / 4'),
    left_out: z.int().describe('Entries that it does not quote'),
    redactions: z.int().describe('Secrets that were taken out of it'),
  })
  .meta({ id: 'SessionHandover' });
export type Handover = z.infer<typeof Handover>;

export const handOver = route({
  id: 'sessions_handover',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/{id}/handover',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary:
    'What another agent or a colleague needs to go on: asked, decided, done, failed, files, what is open',
  description:
    'Markdown within a limit, made by rules from the entries, each line with the entry that it stands in. Secrets are taken out.',
  params: AnySessionId,
  query: z.strictObject({
    max_tokens: inQuery(z.int().min(200).max(32_000).default(2_000)).describe('In bytes / 4'),
  }),
  status: 200,
  response: Handover,
  problems: ['session_not_found'],
});

export const searchSessions = route({
  id: 'sessions_search',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/search',
  scope: 'read',
  reach: { can: ['read'], absent: ['query.namespace'], filtered: true },
  tag,
  summary: 'Find what was said or done in sessions',
  query: z.strictObject({
    q: Query,
    session: SessionId.optional().describe('Only inside this one'),
    namespace: NamespaceOrEvery.optional(),
    agent: plainText(64).optional(),
    threshold: inQuery(Threshold.default(0)),
    limit: inQuery(limitOf(100, 10)),
  }),
  status: 200,
  response: z.object({ hits: z.array(SessionHit), count: z.int() }),
  problems: [],
  costs: 'recall',
});
