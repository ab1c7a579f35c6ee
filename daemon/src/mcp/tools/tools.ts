import type { McpServer } from '@modelcontextprotocol/server';
import { askMemory } from '@reverie/shared/contract/search/ask';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import { getMemory, type Memory, setMemory } from '@reverie/shared/contract/memories/memories';
import type { SearchHit } from '@reverie/shared/contract/search/search';
import type { Received } from '@reverie/shared/contract/route';
import { trashMemories } from '@reverie/shared/contract/memories/trash';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import { z } from 'zod';
import {
  answered,
  LIMIT,
  limit,
  MAX_TOKENS,
  max_tokens,
  namespace,
  oneNamespace,
  queries,
  READS,
  type ToolDeps,
  WRITES,
} from './answering.ts';
import { anchorsOf, codeOf } from '../anchoring.ts';
import { SHOWN_IN_APP } from './app-tools.ts';
import { cutTo, LEAST_TOKENS, type QuotedText } from '../reply.ts';
import { hitsOf } from './searching.ts';
import { storeUnderNewKey } from './storing.ts';
import { successorOf } from '../successor.ts';

/** The tools that every agent gets: some 1,000 tokens of their list. */
export function registerCoreTools(server: McpServer, deps: ToolDeps): void {
  const { client } = deps;
  server.registerTool(
    'memory_search',
    {
      title: 'Search memory',
      description:
        'Find what was remembered, by meaning and words. Passages, best first, with their keys. Give `queries` two to four other wordings of `query`, in words that the note itself may use, in the languages of the notes.',
      inputSchema: nullsLeftOut(z.object({ query: z.string(), queries, namespace, limit, max_tokens })),
      annotations: { ...READS, title: 'Search memory' },
      ...(deps.showsApps && SHOWN_IN_APP),
    },
    ({ query, queries: wordings, namespace: within, limit: most = LIMIT, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const { shown, files, fits, elsewhere } = await hitsOf(client, {
          query,
          namespace: place,
          limit: most,
          ...(wordings && { queries: wordings }),
        });
        const better = elsewhere.map((one) => `${JSON.stringify(one.namespace)} (${one.count})`).join(', ');
        return {
          head: fits
            ? `${shown.length + files.length} found, best first.`
            : shown.length > 0
              ? 'Nothing fits well; the nearest, which may be about something else:'
              : 'Nothing found.',
          recall: { way: 'search', query },
          quoted: [...shown.map(hitOf), ...files.map(fileHitOf)].sort(byScore),
          more: 'ask with more max_tokens, or get a key with memory_get',
          ...(better !== '' && { tail: `Other namespaces answer better: ${better}.` }),
        };
      }),
  );
  server.registerTool(
    'memory_ask',
    {
      title: 'Ask memory',
      description:
        'Answer a question from memory, with quotes. Says how sure; invents nothing. `queries` as for memory_search.',
      inputSchema: nullsLeftOut(z.object({ question: z.string(), queries, namespace, max_tokens })),
      annotations: { ...READS, title: 'Ask memory' },
    },
    ({ question, queries: wordings, namespace: within, max_tokens: tokens }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const body = { question, namespace: place, ...(wordings && { queries: wordings }) };
        const reply = await client(askMemory, { body });
        return {
          head: `certainty: ${reply.certainty}. ${SURE[reply.certainty]}`,
          recall: { way: 'ask', query: question },
          quoted: [
            { of: { is: 'the answer, in the words of memories' }, text: reply.answer },
            ...reply.citations.map((citation) => ({
              of: {
                key: citation.key,
                namespace: citation.namespace,
                score: citation.score.toFixed(2),
                date: (citation.date ?? citation.noted_at ?? citation.updated_at).slice(0, 10),
                code: codeOf(citation.anchors),
              },
              text: citation.passage?.text ?? citation.quote,
              memory: { ...addressOf(citation), reason: 'quoted in an answer', score: citation.score },
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
      inputSchema: nullsLeftOut(
        z.object({
          value: z.string().describe('One thing, in Markdown'),
          key: z.string().optional(),
          namespace: oneNamespace,
          tags: z.array(z.string()).optional(),
          anchors: z
            .array(z.string())
            .optional()
            .describe(
              'Code that it is about: src/x.ts:40-58, src/x.ts#symbol or a file; told when that changes',
            ),
        }),
      ),
      annotations: { ...WRITES, idempotentHint: true, title: 'Remember' },
    },
    ({ value, key, namespace: within, tags, anchors: places = [] }) =>
      answered({ ...deps, within: within, tokens: undefined }, async (place) => {
        const anchors = await anchorsOf(client, deps.scope, { namespace: place, value, places });
        const metadata = { ...(tags && { tags }), ...(anchors.length > 0 && { anchors }) };
        const body = { value, namespace: place, metadata, similar: true };
        const { key: stored, similar = [] } =
          key === undefined
            ? await storeUnderNewKey(client, body)
            : await client(setMemory, { body: { ...body, key } });
        const code = anchors.map(({ path, lines }) => (lines === undefined ? path : `${path}:${lines}`));
        const anchored = code.length > 0 ? ` Anchored to ${code.join(', ')}.` : '';
        const saved = `Saved, on disk, under the key ${JSON.stringify(stored)}.${anchored}`;
        return {
          head: `${saved}${similar.length > 0 ? ' Similar:' : ''}`,
          recall: { way: 'search' },
          quoted: similar.map(({ key: near, passage }) => ({
            of: { key: near },
            text: passage,
            memory: { key: near, namespace: place, reason: 'similar to what was saved', score: null },
          })),
          ...(similar.length > 0 && {
            tail: `If one of them is the same, update that one instead, and move ${JSON.stringify(stored)} to the trash.`,
          }),
        };
      }),
  );
  server.registerTool(
    'memory_get',
    {
      title: 'Read a memory',
      description: 'The whole text of one memory, and the memories that it links to and that link to it.',
      inputSchema: nullsLeftOut(
        z.object({
          key: z.string(),
          namespace: oneNamespace,
          offset: z.int().min(0).optional().describe('Go on from this character'),
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'Read a memory' },
    },
    ({ key, namespace: within, offset = 0, max_tokens: tokens = MAX_TOKENS }) =>
      answered({ ...deps, within: within, tokens: tokens }, async (place) => {
        const address = { key, namespace: place };
        const memory = await client(getMemory, { body: address });
        const links = linksOf(await client(memoryLinks, { query: address }));
        const successor = offset === 0 ? await successorOf(client, memory) : undefined;
        // What is left behind the mark and the words around it.
        const rest = memory.value.slice(offset, offset + Math.max(0, tokens - LEAST_TOKENS / 2) * 3);
        const end = offset + rest.length;
        const isCut = end < memory.value.length;
        return {
          recall: { way: 'get' },
          head: `${memory.value.length} characters, ${memory.noted_at === undefined ? '' : `of ${memory.noted_at}, `}changed ${memory.updated_at.slice(0, 10)}.`,
          quoted: [
            ...(successor ? [successorText(successor, tokens)] : []),
            {
              of: {
                key,
                namespace: place,
                hidden: hiddenOf(memory),
                tags: tagsOf(memory.metadata),
                code: codeOf(memory.anchors, true),
                ...links,
              },
              text: rest,
              memory: { key, namespace: place, reason: 'read by its key', score: null },
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
      inputSchema: nullsLeftOut(z.object({ key: z.string(), namespace: oneNamespace })),
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

const SURE = {
  sure: 'Such answers are nearly always right.',
  likely: 'Read the quote before you rely on it.',
  unsure: 'What is closest is quoted; it may not answer.',
  none: 'Nothing in memory answers this: do not guess from it.',
} as const;

function hitOf({
  key,
  namespace,
  score,
  updated_at,
  noted_at,
  title,
  passage,
  weaker,
  anchors,
}: SearchHit): QuotedText {
  return {
    memory: { key, namespace, score, reason: weaker ? 'the nearest, below the line' : 'fits the search' },
    of: {
      key,
      namespace,
      score: score.toFixed(2),
      date: noted_at ?? updated_at.slice(0, 10),
      code: codeOf(anchors),
    },
    text:
      passage === undefined || passage.text.includes(title)
        ? (passage?.text ?? title)
        : `${title}: ${passage.text}`,
  };
}

/** What a PDF says, with the memory that names it. */
function fileHitOf({ keys: [key], namespace, path, page, score, passage }: FileHit): QuotedText {
  return { of: { key, namespace, score: score.toFixed(2), file: path, page }, text: passage.text };
}

const byScore = (a: QuotedText, b: QuotedText) => Number(b.of['score']) - Number(a.of['score']);

const addressOf = ({ key, namespace }: { key: string; namespace: string }) => ({ key, namespace });

/** What a memory says that took the place of the one that was asked for, in half of the room at most. */
function successorText(successor: Memory, tokens: number): QuotedText {
  const { key, namespace, value, anchors } = successor;
  const most = tokens * 2;
  return {
    of: { key, namespace, is: 'what holds now, in the place of what follows', code: codeOf(anchors) },
    text: Buffer.byteLength(value) <= most ? value : cutTo(value, most),
    memory: { key, namespace, reason: 'took the place of one that was read', score: null },
  };
}

function hiddenOf(memory: Pick<Memory, 'merged_into' | 'superseded_by' | 'archived_at'>): string | undefined {
  if (memory.merged_into !== undefined) return `merged into ${memory.merged_into}`;
  if (memory.superseded_by !== undefined) return `superseded by ${memory.superseded_by}`;
  return memory.archived_at === undefined ? undefined : 'archived';
}

/** Links that are named, of each direction. */
const MOST_LINKS = 12;

/** The memories that one links to, and those that link to it, by their keys. */
function linksOf({ out, in: linking }: Received<typeof memoryLinks>): Record<string, string | undefined> {
  const named = (keys: readonly string[]) => {
    const all = [...new Set(keys)];
    const more = all.length > MOST_LINKS ? `, and ${all.length - MOST_LINKS} more` : '';
    return all.length === 0 ? undefined : `${all.slice(0, MOST_LINKS).join(', ')}${more}`;
  };
  return {
    links: named(out.flatMap(({ to, found }) => (found ? [to] : []))),
    linked_from: named(linking.map(({ from }) => from)),
  };
}

function tagsOf(metadata: Record<string, unknown>): string | undefined {
  const { tags } = metadata;
  return Array.isArray(tags) ? tags.join(', ') : undefined;
}
