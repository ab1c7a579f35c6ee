import type { McpServer } from '@modelcontextprotocol/server';
import {
  type CodingSession,
  getSession,
  handOver,
  listSessions,
} from '@reverie/shared/contract/sessions/sessions';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import { z } from 'zod';
import { answered, limit, MAX_TOKENS, max_tokens, namespace, READS, type ToolDeps } from './answering.ts';
import { LEAST_TOKENS, type QuotedText } from '../reply.ts';

/** Sessions where a call does not say how many. */
const SESSIONS = 10;

/** Tools about coding sessions, which `?tools=all` adds: find one, and go on where it stands. */
export function registerSessionTools(server: McpServer, deps: ToolDeps): void {
  const { client } = deps;
  server.registerTool(
    'session_list',
    {
      title: 'List coding sessions',
      description: 'Sessions of coding agents, the last one written to first.',
      inputSchema: nullsLeftOut(
        z.object({
          namespace,
          query: z.string().optional().describe('Words of a title or of what was said'),
          limit,
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'List coding sessions' },
    },
    ({ namespace: within, query: q, limit: most = SESSIONS, max_tokens: tokens }) =>
      answered({ ...deps, within, tokens }, async (place) => {
        const query = { namespace: place, limit: most, ...(q !== undefined && { q }) };
        const { sessions, next } = await client(listSessions, { query });
        return {
          head: `${sessions.length} sessions${next === null ? '' : ', and older ones'}, the last one written to first.`,
          quoted: sessions.map(listedAs),
          more: 'list with a smaller limit',
          ...(sessions.length > 0 && { tail: 'session_handover tells what was done in one.' }),
        };
      }),
  );
  server.registerTool(
    'session_handover',
    {
      title: 'Hand over a session',
      description: 'What to know to go on with a session: asked, decided, done, failed, files, open.',
      inputSchema: nullsLeftOut(z.object({ id: z.string(), max_tokens })),
      annotations: { ...READS, title: 'Hand over a session' },
    },
    ({ id, max_tokens: tokens = MAX_TOKENS }) =>
      answered({ ...deps, within: undefined, tokens }, async () => {
        const [{ agent, namespace: place }, told] = await Promise.all([
          client(getSession, { params: { id } }),
          client(handOver, {
            params: { id },
            query: { max_tokens: Math.max(LEAST_TOKENS, tokens - AROUND_TOKENS) },
          }),
        ]);
        const secrets = told.redactions > 0 ? ` Secrets taken out of it: ${told.redactions}.` : '';
        return {
          head: `A hand-over by rules, of what was said; ${told.left_out} entries are not quoted.${secrets}`,
          quoted: [{ of: { session: told.id, agent, namespace: place }, text: told.markdown }],
          more: 'ask with more max_tokens',
        };
      }),
  );
}

/** What a reply says around a hand-over: its scope, its head and the marks, with the longest name that a namespace has. */
const AROUND_TOKENS = 180;

function listedAs({
  id,
  title,
  agent,
  namespace,
  status,
  branch,
  entries,
  updated_at,
}: CodingSession): QuotedText {
  return {
    of: {
      session: id,
      agent,
      namespace,
      status,
      entries,
      branch: branch ?? undefined,
      date: updated_at.slice(0, 10),
    },
    text: title,
  };
}
