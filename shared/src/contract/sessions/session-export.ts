import { z } from 'zod';
import type { CodingAgent } from './coding-agents.ts';
import { inQuery } from '../fields.ts';
import { route } from '../route.ts';

const tag = 'sessions';

const Id = z.strictObject({ id: z.string().min(1).max(64) });

/** What a session can be written as. */
export const exportFormats = ['md', 'html'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Agents in which a session can be gone on with. */
export const resumingAgents = [
  'claude-code',
  'codex',
  'opencode',
  'copilot',
  'gemini',
  'qwen',
  'pi',
  'cline',
] as const satisfies readonly CodingAgent[];
export type ResumingAgent = (typeof resumingAgents)[number];

export const exportSession = route({
  id: 'sessions_export',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/{id}/export',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary: 'A whole session as a file to read: Markdown, or HTML that stands alone',
  description:
    'A text, not JSON. Secrets, and places of this machine, are taken out; what could not be looked through, and records that are not known, are left out. Its last line is a comment that says how many of each: `<!-- reverie: entries=12 redactions=3 left_out=0 -->`.',
  params: Id,
  query: z.strictObject({
    format: z.enum(exportFormats).default('md'),
    secrets: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        "`true`: all of it as it was said, secrets too; with the owner key of this machine's account",
      ),
  }),
  status: 200,
  response: z.string(),
  problems: ['session_not_found', 'forbidden_scope'],
});

/** What an export says of itself in its last line. */
export interface ExportCounts {
  entries: number;
  /** Secrets that were taken out. */
  redactions: number;
  /** Entries that are not in it: they could not be looked through, or hold a record that is not known. */
  leftOut: number;
}

/** The last line of an export. */
export function exportEnd({ entries, redactions, leftOut }: ExportCounts): string {
  return `<!-- reverie: entries=${entries} redactions=${redactions} left_out=${leftOut} -->\n`;
}

/** What the last line of an export says; undefined where that line is missing, for then it is not whole. */
export function readExportEnd(document: string): ExportCounts | undefined {
  const [, entries, redactions, leftOut] =
    /\n<!-- reverie: entries=(\d+) redactions=(\d+) left_out=(\d+) -->\n$/.exec(document.slice(-200)) ?? [];
  if (entries === undefined) return undefined;
  return { entries: Number(entries), redactions: Number(redactions), leftOut: Number(leftOut) };
}

export const SessionResume = z
  .object({
    how: z
      .enum(['own', 'handover'])
      .describe(
        '`own`: the agent opens its own log. `handover`: it is given a hand-over as its first prompt',
      ),
    agent: z.enum(resumingAgents),
    command: z.array(z.string()).describe('The program and its arguments; never to be put through a shell'),
    folder: z.string().nullable().describe('Where to run it; null where the session is of another machine'),
    redactions: z.int().describe('Secrets that were taken out of the hand-over'),
  })
  .meta({ id: 'SessionResume' });
export type SessionResume = z.infer<typeof SessionResume>;

export const resumeSession = route({
  id: 'sessions_resume',
  method: 'GET',
  weight: 'heavy',
  path: '/coding-sessions/{id}/resume',
  scope: 'read',
  reach: { can: ['read'], absent: ['session'] },
  tag,
  summary: 'What to run to go on with a session in an agent; nothing is run',
  params: Id,
  query: z.strictObject({
    in: z.enum(resumingAgents),
    max_tokens: inQuery(z.int().min(200).max(7_000).default(2_000)).describe(
      'Of the hand-over, in bytes / 4: a command line has a limit',
    ),
  }),
  status: 200,
  response: SessionResume,
  problems: ['session_not_found'],
});
