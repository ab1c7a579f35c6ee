import type { McpServer } from '@modelcontextprotocol/server';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams/dreams';
import { listMessages, sendMessage } from '@reverie/shared/contract/events/inbox';
import { listMemories } from '@reverie/shared/contract/memories/memories';
import { judgeRecall, Verdict } from '@reverie/shared/contract/agents/recalls';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import { z } from 'zod';
import {
  answered,
  LIMIT,
  limit,
  max_tokens,
  namespace,
  oneNamespace,
  READS,
  type ToolDeps,
  WRITES,
} from './answering.ts';
import { SHOWN_IN_APP } from './app-tools.ts';
import { registerInsightTool } from './insight-tool.ts';

/** What `?tools=all` adds. */
export function registerOtherTools(server: McpServer, deps: ToolDeps): void {
  const { client, agent } = deps;
  server.registerTool(
    'memory_list',
    {
      title: 'List memories',
      description: 'Titles and keys, newest change first.',
      inputSchema: nullsLeftOut(
        z.object({
          namespace,
          tag: z.string().optional(),
          where: z.array(z.string()).optional().describe('Properties: status=open, due<2026-12-01'),
          limit,
          offset: z.int().min(0).optional(),
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'List memories' },
    },
    ({ namespace: within, tag, where, limit: most = 20, offset = 0, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const body = {
          namespace: place,
          limit: most,
          offset,
          values: false,
          order: 'updated' as const,
          ...(tag !== undefined && { tags: [tag] }),
          ...(where !== undefined && { where }),
        };
        const { memories, total } = await client(listMemories, { body });
        return {
          head: `${memories.length} of ${total}, from ${offset}.`,
          quoted: memories.map(({ key, namespace: where, title, updated_at, noted_at }) => ({
            of: { key, namespace: where, date: noted_at ?? updated_at.slice(0, 10) },
            text: title,
          })),
          more: 'list with a smaller limit and an offset',
        };
      }),
  );
  server.registerTool(
    'dream_start',
    {
      title: 'Start a dream',
      description: 'Look through a namespace for duplicates, contradictions, what recurs and what is due.',
      inputSchema: nullsLeftOut(z.object({ namespace: oneNamespace })),
      annotations: { ...WRITES, title: 'Start a dream' },
    },
    ({ namespace: within }) =>
      answered({ ...deps, within: within, tokens: undefined }, async (place) => {
        const { id } = await client(startDream, { body: { namespace: place } });
        return {
          head: `The dream ${id} began. It changes nothing: it proposes; the user decides. Follow it with dream_status.`,
        };
      }),
  );
  server.registerTool(
    'dream_status',
    {
      title: 'Look at a dream',
      description: 'How far a dream is.',
      inputSchema: nullsLeftOut(z.object({ id: z.string() })),
      annotations: { ...READS, title: 'Look at a dream' },
      ...(deps.showsApps && SHOWN_IN_APP),
    },
    ({ id }) =>
      answered({ ...deps, within: undefined, tokens: undefined }, async () => {
        const { status, insights, error, namespace: where } = await client(dreamStatus, { params: { id } });
        const why = error === null ? '' : `: ${error.message}`;
        return {
          head: `The dream of ${JSON.stringify(where)} is ${status}${why}, with ${insights} insights for the user to decide on.`,
        };
      }),
  );
  registerInsightTool(server, deps);
  server.registerTool(
    'inbox_send',
    {
      title: 'Leave a message',
      description: 'Leave a message for whoever works in a namespace next: the user, or another agent.',
      inputSchema: nullsLeftOut(
        z.object({
          text: z.string(),
          kind: z.string().optional().describe('Such as handover'),
          namespace: oneNamespace,
          in_reply_to: z.string().optional(),
        }),
      ),
      annotations: { ...WRITES, title: 'Leave a message' },
    },
    ({ text, kind = 'note', namespace: within, in_reply_to }) =>
      answered({ ...deps, within: within, tokens: undefined }, async (place) => {
        const body = {
          from: agent,
          kind,
          payload: { text },
          ...(in_reply_to !== undefined && { in_reply_to }),
        };
        const { id } = await client(sendMessage, { params: { namespace: place }, body });
        return { head: `Left as ${id}.` };
      }),
  );
  server.registerTool(
    'inbox_read',
    {
      title: 'Read messages',
      description: 'Messages that wait in a namespace. Reading does not mark them as read.',
      inputSchema: nullsLeftOut(z.object({ namespace: oneNamespace, limit, max_tokens })),
      annotations: { ...READS, title: 'Read messages' },
    },
    ({ namespace: within, limit: most = LIMIT, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const query = { unread: 'true', limit: most, not_from: agent } as const;
        const { messages, unread } = await client(listMessages, { params: { namespace: place }, query });
        return {
          head: `${unread} unread.`,
          quoted: messages.map(({ id, from, kind, created_at, payload }) => ({
            of: { id, from, kind, date: created_at.slice(0, 10) },
            text: typeof payload['text'] === 'string' ? payload['text'] : JSON.stringify(payload),
          })),
          more: 'read with a smaller limit',
        };
      }),
  );
  server.registerTool(
    'memory_feedback',
    {
      title: 'Say what came of a memory',
      description:
        'Say whether recalled memories helped or misled, by the recall that a reply names. It is what searching is tested with.',
      inputSchema: nullsLeftOut(
        z.object({
          recall: z.string(),
          verdict: Verdict,
          key: z.string().optional().describe('Only this one of its memories'),
        }),
      ),
      annotations: { ...WRITES, idempotentHint: true, title: 'Say what came of a memory' },
    },
    ({ recall: id, verdict, key }) =>
      answered({ ...deps, within: undefined, tokens: undefined }, async () => {
        const body = { verdict, ...(key !== undefined && { key }) };
        const { memories } = await client(judgeRecall, { params: { id }, body });
        const meant = memories.filter((memory) => key === undefined || memory.key === key);
        return {
          head: `Noted of ${meant.map((memory) => JSON.stringify(memory.key)).join(', ')}: ${verdict}.`,
        };
      }),
  );
}
