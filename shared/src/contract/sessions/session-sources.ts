import { z } from 'zod';
import { DateTime, TrueOrFalse } from '../fields.ts';
import { route } from '../route.ts';
import { folderFormats } from '../memories/folders.ts';
import { SessionAgent } from './sessions.ts';

const tag = 'sessions';

/** How far the logs of an agent have been read. */
const SourceState = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('off').describe('Nothing is read: nobody agreed to it') }),
    z.object({ kind: z.literal('reading'), done: z.int().describe('Bytes'), of: z.int() }),
    z.object({ kind: z.literal('following') }),
    z.object({ kind: z.literal('absent').describe('Its folder is not there; looked for each minute') }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
  ])
  .meta({ id: 'SessionSourceState' });
export type SourceState = z.infer<typeof SourceState>;

export const SessionSource = z
  .object({
    agent: SessionAgent,
    name: z.string().describe('As people call it'),
    root: z.string().describe('The folder of its logs'),
    found: z.boolean().describe('Whether that folder is there'),
    sessions: z.int().describe('Files of sessions in it, by their names alone'),
    bytes: z.int().describe('What those files take'),
    unread_lines: z.int().describe('Damaged lines of them, of which not all could be read'),
    sample: z.array(z.string()).describe('Some of them, relative to `root`: what would be read'),
    enabled: z.boolean(),
    enabled_at: DateTime.nullable(),
    state: SourceState,
    memory: z
      .array(
        z.object({
          path: z.string(),
          what: z.string(),
          follow: z
            .object({ path: z.string(), format: z.enum(folderFormats), namespace: z.string() })
            .nullable()
            .describe(
              'The folder that `POST /folders` follows to have it here, too; null where there is none',
            ),
          followed: z.boolean().describe('Whether it is followed now'),
        }),
      )
      .describe("The agent's own files of memory that were found, which may say something else than Reverie"),
  })
  .meta({ id: 'SessionSource' });
export type SessionSource = z.infer<typeof SessionSource>;

export const listSources = route({
  id: 'sessions_sources',
  method: 'GET',
  path: '/coding-sessions/sources',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag,
  summary: "Coding agents' logs on this machine; looks at names and sizes, and reads nothing",
  status: 200,
  response: z.object({ sources: z.array(SessionSource) }),
  problems: [],
});

export const setSource = route({
  id: 'sessions_source_set',
  method: 'PUT',
  path: '/coding-sessions/sources/{agent}',
  scope: 'owner',
  tag,
  summary: "Agree that an agent's logs are read and followed, or end that",
  description:
    "With the owner key of this machine's account. Ending it keeps the sessions that were read; each can be deleted.",
  params: z.strictObject({ agent: SessionAgent }),
  body: z
    .strictObject({
      enabled: TrueOrFalse,
      root: z
        .string()
        .min(1, 'is empty; must be the absolute path of a folder')
        .max(4096, 'is longer than 4096 characters')
        .refine((path) => !path.includes('\0'), 'has a NUL character, which no path has')
        .optional()
        .describe('Where its logs lie; where the agent keeps them by itself if omitted'),
    })
    .meta({ id: 'SetSessionSource' }),
  status: 200,
  response: SessionSource,
  problems: ['forbidden_scope', 'conflict'],
});

export const listFormats = route({
  id: 'sessions_formats',
  method: 'GET',
  path: '/coding-sessions/formats',
  scope: 'read',
  reach: { can: ['read'], filtered: true },
  tag,
  summary:
    'Kinds of records that were met in the logs, by version of the agent, and which of them are not known',
  description: 'Of each agent 500 at most: those that are not known first, then those that were met most.',
  status: 200,
  response: z.object({
    formats: z.array(
      z
        .object({
          agent: z.string(),
          version: z.string().nullable(),
          record: z.string(),
          known: z.boolean(),
          count: z.int(),
          first_at: DateTime,
          last_at: DateTime,
        })
        .meta({ id: 'SessionFormat' }),
    ),
    malformed: z
      .array(z.object({ agent: z.string(), lines: z.int() }))
      .describe('Lines of which not all could be read'),
  }),
  problems: [],
});
