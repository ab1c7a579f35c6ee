import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { ApiError, type Client } from '@reverie/shared/client';
import { askMemory } from '@reverie/shared/contract/ask';
import { dreamStatus, startDream } from '@reverie/shared/contract/dreams';
import { listMessages, sendMessage } from '@reverie/shared/contract/inbox';
import { getMemory, listMemories, type Memory, setMemory } from '@reverie/shared/contract/memories';
import { type SearchHit, searchMemories } from '@reverie/shared/contract/search';
import { trashMemories } from '@reverie/shared/contract/trash';
import { z } from 'zod';
import { LEAST_TOKENS, type Quoted, refuse, tell, type Told } from './reply.ts';
import type { Scope } from './scope.ts';
import { storeUnderNewKey } from './storing.ts';

/** What tools work with: the daemon's own routes, with the key of who asks. */
export interface ToolDeps {
  client: Client;
  scope: Scope;
  /** Who asks, as messages name their sender. */
  agent: string;
}

const [LIMIT, MOST] = [8, 50];
const MAX_TOKENS = 2_000;

const namespace = z.string().optional().describe('Default: this project; "*" is all');
const oneNamespace = z.string().optional().describe('Default: this project');
const max_tokens = z.int().min(LEAST_TOKENS).max(20_000).optional().describe(`Default ${MAX_TOKENS}`);
const limit = z.int().min(1).max(MOST).optional();
const READS = { readOnlyHint: true, openWorldHint: false } as const;
const WRITES = { destructiveHint: false, openWorldHint: false } as const;

/** The tools that every agent gets: some 1,000 tokens of their list. */
export function registerCoreTools(server: McpServer, deps: ToolDeps): void {
  const { client } = deps;
  server.registerTool(
    'memory_search',
    {
      title: 'Search memory',
      description: 'Find what was remembered, by meaning and words. Passages, best first, with their keys.',
      inputSchema: z.object({ query: z.string(), namespace, limit, max_tokens }),
      annotations: { ...READS, title: 'Search memory' },
    },
    ({ query, namespace: within, limit: most = LIMIT, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const body = { query, namespace: place, limit: most, values: false };
        const { results, elsewhere = [] } = await client(searchMemories, { body });
        const strong = results.filter(({ weaker }) => !weaker);
        const shown = strong.length > 0 ? strong : results.slice(0, 3);
        const better = elsewhere.map((one) => `${JSON.stringify(one.namespace)} (${one.count})`).join(', ');
        return {
          head:
            strong.length > 0
              ? `${strong.length} found, best first.`
              : shown.length > 0
                ? 'Nothing fits well; the nearest, which may be about something else:'
                : 'Nothing found.',
          quoted: shown.map(hitOf),
          more: 'ask with more max_tokens, or get a key with memory_get',
          ...(better !== '' && { tail: `Other namespaces answer better: ${better}.` }),
        };
      }),
  );
  server.registerTool(
    'memory_ask',
    {
      title: 'Ask memory',
      description: 'Answer a question from memory, with quotes. Says how sure; invents nothing.',
      inputSchema: z.object({ question: z.string(), namespace, max_tokens }),
      annotations: { ...READS, title: 'Ask memory' },
    },
    ({ question, namespace: within, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const reply = await client(askMemory, { body: { question, namespace: place } });
        return {
          head: `certainty: ${reply.certainty}. ${SURE[reply.certainty]}`,
          quoted: [
            { of: { is: 'the answer, in the words of memories' }, text: reply.answer },
            ...reply.citations.map((citation) => ({
              of: {
                key: citation.key,
                namespace: citation.namespace,
                score: citation.score.toFixed(2),
                date: (citation.date ?? citation.updated_at).slice(0, 10),
              },
              text: citation.passage?.text ?? citation.quote,
            })),
          ],
          more: 'ask with more max_tokens',
        };
      }),
  );
  server.registerTool(
    'memory_set',
    {
      title: 'Remember',
      description:
        'Remember something for later sessions. The same key again changes it; without a key one is made.',
      inputSchema: z.object({
        value: z.string().describe('One thing, in Markdown'),
        key: z.string().optional(),
        namespace: oneNamespace,
        tags: z.array(z.string()).optional(),
      }),
      annotations: { ...WRITES, idempotentHint: true, title: 'Remember' },
    },
    ({ value, key, namespace: within, tags }) =>
      answered({ ...deps, within: within, tokens: undefined }, async (place) => {
        const body = { value, namespace: place, ...(tags && { metadata: { tags } }) };
        const stored =
          key === undefined
            ? await storeUnderNewKey(client, body)
            : (await client(setMemory, { body: { ...body, key } })).key;
        return { head: `Saved, on disk, under the key ${JSON.stringify(stored)}.` };
      }),
  );
  server.registerTool(
    'memory_get',
    {
      title: 'Read a memory',
      description: 'The whole text of one memory.',
      inputSchema: z.object({
        key: z.string(),
        namespace: oneNamespace,
        offset: z.int().min(0).optional().describe('Go on from this character'),
        max_tokens,
      }),
      annotations: { ...READS, title: 'Read a memory' },
    },
    ({ key, namespace: within, offset = 0, max_tokens: tokens = MAX_TOKENS }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const memory = await client(getMemory, { body: { key, namespace: place } });
        // What is left behind the mark and the words around it.
        const rest = memory.value.slice(offset, offset + Math.max(0, tokens - LEAST_TOKENS / 2) * 3);
        const end = offset + rest.length;
        const isCut = end < memory.value.length;
        return {
          head: `${memory.value.length} characters, changed ${memory.updated_at.slice(0, 10)}.`,
          quoted: [
            {
              of: { key, namespace: place, hidden: hiddenOf(memory), tags: tagsOf(memory.metadata) },
              text: rest,
            },
          ],
          ...(isCut && { tail: `It goes on: offset ${end}.` }),
        };
      }),
  );
  server.registerTool(
    'memory_delete',
    {
      title: 'Move a memory to the trash',
      description: 'Move a wrong or outdated memory to the trash. The user can take it back.',
      inputSchema: z.object({ key: z.string(), namespace: oneNamespace }),
      annotations: {
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
        title: 'Move to the trash',
      },
    },
    ({ key, namespace: within }) =>
      answered({ ...deps, within: within, tokens: undefined }, async (place) => {
        const { trashed } = await client(trashMemories, { body: { items: [{ key, namespace: place }] } });
        const until = trashed[0]?.ends_at.slice(0, 10) ?? '';
        return {
          head: `Moved to the trash until ${until}. \`reverie undelete ${key}\` or the page brings it back.`,
        };
      }),
  );
}

/** What `?tools=all` adds. */
export function registerOtherTools(server: McpServer, deps: ToolDeps): void {
  const { client, agent } = deps;
  server.registerTool(
    'memory_list',
    {
      title: 'List memories',
      description: 'Titles and keys, newest change first.',
      inputSchema: z.object({
        namespace,
        tag: z.string().optional(),
        limit,
        offset: z.int().min(0).optional(),
        max_tokens,
      }),
      annotations: { ...READS, title: 'List memories' },
    },
    ({ namespace: within, tag, limit: most = 20, offset = 0, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const body = {
          ...{ namespace: place, limit: most, offset, values: false, order: 'updated' as const },
          ...(tag !== undefined && { tags: [tag] }),
        };
        const { memories, total } = await client(listMemories, { body });
        return {
          head: `${memories.length} of ${total}, from ${offset}.`,
          quoted: memories.map(({ key, namespace: where, title, updated_at }) => ({
            of: { key, namespace: where, date: updated_at.slice(0, 10) },
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
      inputSchema: z.object({ namespace: oneNamespace }),
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
      inputSchema: z.object({ id: z.string() }),
      annotations: { ...READS, title: 'Look at a dream' },
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
  server.registerTool(
    'inbox_send',
    {
      title: 'Leave a message',
      description: 'Leave a message for whoever works in a namespace next: the user, or another agent.',
      inputSchema: z.object({
        text: z.string(),
        kind: z.string().optional().describe('Such as handover'),
        namespace: oneNamespace,
        in_reply_to: z.string().optional(),
      }),
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
      inputSchema: z.object({ namespace: oneNamespace, limit, max_tokens }),
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
}

const SURE = {
  sure: 'Such answers are nearly always right.',
  likely: 'Read the quote before you rely on it.',
  unsure: 'What is closest is quoted; it may not answer.',
  none: 'Nothing in memory answers this: do not guess from it.',
} as const;

interface Answering extends Pick<ToolDeps, 'scope'> {
  /** The namespace that the call names, if it does. */
  within: string | undefined;
  tokens: number | undefined;
}

/** Does what a tool does in its namespace, and says in which; refusals come with what to do next. */
async function answered(
  { scope, within, tokens }: Answering,
  act: (namespace: string) => Promise<Omit<Told, 'scope'>>,
): Promise<CallToolResult> {
  const namespace = within ?? scope.namespace;
  const isUnsaid = within === undefined && !scope.isNamed;
  const where = `namespace: ${JSON.stringify(namespace)}${
    isUnsaid ? ' (no project was named with this connection; pass `namespace` for another)' : ''
  }`;
  try {
    return tell({ ...(await act(namespace)), scope: where }, Math.max(LEAST_TOKENS, tokens ?? MAX_TOKENS));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const fields = cause.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    return refuse(
      `${where}\nNot done (${cause.code}): ${cause.message}${fields === '' ? '' : `: ${fields}`}. ${NEXT[cause.code] ?? ''}`.trim(),
    );
  }
}

/** What an agent does about a refusal, where its message does not say it. */
const NEXT: Readonly<Partial<Record<ApiError['code'], string>>> = {
  memory_not_found: 'Search for it: its key may be another.',
  forbidden_scope: 'The user can give this key more, or another key.',
  quota_exceeded: 'Tell the user; it is counted anew next month.',
  rate_limited: 'Wait, and try again later.',
  disk_full: 'Tell the user that their disk is full: nothing was saved.',
};

function hitOf({ key, namespace, score, updated_at, title, passage }: SearchHit): Quoted {
  return {
    of: { key, namespace, score: score.toFixed(2), date: updated_at.slice(0, 10) },
    text:
      passage === undefined || passage.text.includes(title)
        ? (passage?.text ?? title)
        : `${title}: ${passage.text}`,
  };
}

function hiddenOf(memory: Pick<Memory, 'merged_into' | 'superseded_by' | 'archived_at'>): string | undefined {
  if (memory.merged_into !== undefined) return `merged into ${memory.merged_into}`;
  if (memory.superseded_by !== undefined) return `superseded by ${memory.superseded_by}`;
  return memory.archived_at === undefined ? undefined : 'archived';
}

function tagsOf(metadata: Record<string, unknown>): string | undefined {
  const { tags } = metadata;
  return Array.isArray(tags) ? tags.join(', ') : undefined;
}
