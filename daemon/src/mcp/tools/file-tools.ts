import type { McpServer } from '@modelcontextprotocol/server';
import { ApiError } from '@reverie/shared/client';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { type GrepLine, grepLimits, grepMemory } from '@reverie/shared/contract/search/grep';
import { getMemory, listNamespaces, type Memory } from '@reverie/shared/contract/memories/memories';
import { memoryKeys } from '@reverie/shared/contract/memories/memory-keys';
import { nullsLeftOut } from '@reverie/shared/contract/nulls-left-out';
import type { Received } from '@reverie/shared/contract/route';
import {
  getSession,
  listEntries,
  listSessions,
  type SessionEntry,
} from '@reverie/shared/contract/sessions/sessions';
import { z } from 'zod';
import { answered, type Done, MAX_TOKENS, max_tokens, READS, type ToolDeps } from './answering.ts';
import { entryPath, pathOf, type Place, placeOf, SESSIONS } from './file-paths.ts';
import { LEAST_TOKENS } from '../reply.ts';

const path = z
  .string()
  .optional()
  .describe('/NAMESPACE/KEY, /sessions/ID, or a key of this project. Default: this project; / is all');

/** Lines of a list, or of a text, where the call does not say how many. */
const LISTED = 100;
const READ = 200;

type Memories = Extract<Place, { kind: 'memories' }>;

/** Memories and sessions as a folder that is read, which `?tools=files` adds: agents know how to look around in one. */
export function registerFileTools(server: McpServer, deps: ToolDeps): void {
  const { client, scope } = deps;
  const place = async (given: string | undefined): Promise<Place> => {
    const { namespaces } = await client(listNamespaces, {});
    return placeOf(given, {
      namespace: scope.namespace,
      namespaces: namespaces.map(({ namespace }) => namespace),
    });
  };
  const within = (given: string | undefined, tokens: number, act: (at: Place) => Promise<Done>) =>
    answered({ ...deps, within: undefined, tokens }, async () => act(await place(given)));

  server.registerTool(
    'memory_ls',
    {
      title: 'List a folder of memory',
      description: 'Memories and coding sessions as files: what stands in a folder.',
      inputSchema: nullsLeftOut(
        z.object({
          path,
          limit: z.int().min(1).max(1_000).optional(),
          cursor: z.string().optional().describe('Goes on where a reply says so'),
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'List a folder of memory' },
    },
    ({ path: given, limit = LISTED, cursor, max_tokens: tokens = MAX_TOKENS }) =>
      within(given, tokens, async (at) => {
        const page = await listed(client, at, { limit, cursor });
        const { shown, isCut } = fitting(page.items, tokens, ({ line }) => line);
        const next = isCut ? await nextAfter(client, at, { shown, cursor }) : page.next;
        return {
          head: `${shown.length} in ${JSON.stringify(page.folder)}.`,
          ...block(shown.map(({ line }) => line)),
          ...(next !== null && { tail: `It goes on: cursor ${JSON.stringify(next)}.` }),
        };
      }),
  );
  server.registerTool(
    'memory_cat',
    {
      title: 'Read a file of memory',
      description:
        'A memory with its line numbers; of /sessions/ID an entry a line, of /sessions/ID/NUMBER the whole entry.',
      inputSchema: nullsLeftOut(
        z.object({
          path: z.string(),
          from_line: z.int().min(1).optional(),
          lines: z.int().min(1).max(1_000).optional(),
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'Read a file of memory' },
    },
    ({ path: given, from_line: from = 1, lines = READ, max_tokens: tokens = MAX_TOKENS }) =>
      within(given, tokens, (at) => read(client, at, { from, lines, tokens })),
  );
  server.registerTool(
    'memory_grep',
    {
      title: 'Find lines in memory',
      description:
        'Lines that have exactly this, as grep: an identifier, an error, a path. Newest first. Below /sessions/ what was said and done.',
      inputSchema: nullsLeftOut(
        z.object({
          pattern: z.string(),
          path,
          regex: z.boolean().optional().describe("JavaScript's"),
          ignore_case: z.boolean().optional(),
          context: z.int().min(0).max(grepLimits.context).optional(),
          limit: z.int().min(1).max(grepLimits.lines).optional(),
          max_tokens,
        }),
      ),
      annotations: { ...READS, title: 'Find lines in memory' },
    },
    ({ path: given, max_tokens: tokens = MAX_TOKENS, regex = false, ignore_case = false, ...wanted }) =>
      within(given, tokens, async (at) => {
        const flags = {
          regex: regex ? 'true' : 'false',
          ignore_case: ignore_case ? 'true' : 'false',
        } as const;
        const { limit = 50 } = wanted;
        const found = await grepped(client, at, { ...wanted, ...flags, limit });
        const { shown } = fitting(found.lines, tokens, (line) => linesOf(line).join('\n'));
        return grepReply({ ...found, shown, limit });
      }),
  );
}

type Client = ToolDeps['client'];

interface Item {
  line: string;
  /** The cursor of what stands behind it; sessions have none each. */
  next?: string;
}

interface Page {
  folder: string;
  items: readonly Item[];
  next: string | null;
}

async function listed(
  client: Client,
  at: Place,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page> {
  switch (at.kind) {
    case 'sessions':
      return sessionsIn(client, { limit, cursor });
    case 'session':
    case 'entry':
      throw refusal(`${SESSIONS}${at.id} is a file. memory_cat reads it.`);
    case 'memories':
      return memoriesIn(client, at, { limit, cursor });
  }
}

async function sessionsIn(
  client: Client,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<Page> {
  const query = {
    namespace: EVERY_NAMESPACE,
    limit: Math.min(200, limit),
    ...(cursor !== undefined && { cursor }),
  };
  const { sessions, next } = await client(listSessions, { query });
  return {
    folder: SESSIONS,
    next,
    items: sessions.map(({ id, title, agent, namespace, entries, updated_at }) => ({
      line: `${SESSIONS}${id}  ${updated_at.slice(0, 10)} ${agent} ${namespace} ${entries} entries: ${cutLine(title, OF_A_TITLE)}`,
    })),
  };
}

/** Where a list goes on that was cut: behind the last name that is shown, or, of sessions, where a page of so many ends. */
async function nextAfter(
  client: Client,
  at: Place,
  { shown, cursor }: { shown: readonly Item[]; cursor: string | undefined },
): Promise<string | null> {
  const last = shown.at(-1)?.next;
  if (last !== undefined) return last;
  return (await listed(client, at, { limit: Math.max(1, shown.length), cursor })).next;
}

/** Names by their bytes, as the store orders them. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Namespaces below a path, then what stands in each namespace that has it, page after page. A cursor is the last name with what it is:
 * `n:` and a namespace, or the number of the namespace and a key or folder.
 */
async function memoriesIn(
  client: Client,
  at: Memories,
  { limit, cursor = 'n:' }: { limit: number; cursor: string | undefined },
): Promise<Page> {
  const folder = at.path.endsWith('/') ? at.path : `${at.path}/`;
  const [, kind = '', from = ''] = /^(n|\d{1,3}):(.*)$/su.exec(cursor) ?? [];
  if (kind === '') throw refusal(`cursor: is ${JSON.stringify(cursor)}; must be one that a reply named.`);
  const items: Item[] = [];
  if (kind === 'n') {
    const names = folder === '/' ? [...at.below, SESSIONS.slice(1, -1)] : at.below;
    for (const name of [...new Set(names)].sort(byBytes))
      if (byBytes(name, from) > 0) items.push({ line: `/${name}/`, next: `n:${name}` });
    if (items.length > limit)
      return { folder, items: items.slice(0, limit), next: items[limit - 1]?.next ?? null };
  }
  const first = kind === 'n' ? 0 : Number(kind);
  for (const [step, { namespace, rest }] of at.within.slice(first).entries()) {
    const number = first + step;
    const prefix = rest === '' || rest.endsWith('/') ? rest : `${rest}/`;
    const after = step === 0 && kind !== 'n' ? from : '';
    const left = limit - items.length;
    if (left === 0) return { folder, items, next: `${number}:${after}` };
    const {
      keys,
      folders = [],
      next,
    } = await client(memoryKeys, {
      query: {
        namespace,
        delimiter: '/',
        limit: left,
        ...(prefix !== '' && { prefix }),
        ...(after !== '' && { after }),
      },
    });
    for (const name of [...keys, ...folders].sort(byBytes))
      items.push({ line: pathOf(namespace, name), next: `${number}:${name}` });
    if (next !== null) return { folder, items, next: `${number}:${next}` };
  }
  if (items.length === 0 && cursor === 'n:') return fileItself(client, at);
  return { folder, items, next: null };
}

/** A path that is no folder may be a file. Throws `memory_not_found`. */
async function fileItself(client: Client, { path: given, within }: Memories): Promise<Page> {
  if (within.some(({ rest }) => rest === '')) return { folder: given, items: [], next: null };
  for (const { namespace, rest: key } of within) {
    // Of the keys that begin so, itself is the first.
    const { keys } = await client(memoryKeys, { query: { namespace, prefix: key, limit: 1 } });
    if (keys[0] === key) return { folder: given, items: [{ line: pathOf(namespace, key) }], next: null };
  }
  throw noFile(given);
}

/** The memory at a path, of the longest namespace that has it. Throws `memory_not_found`. */
async function memoryAt(client: Client, { path: given, within }: Memories): Promise<Memory> {
  for (const { namespace, rest: key } of within) {
    if (key === '') continue;
    try {
      return await client(getMemory, { body: { namespace, key } });
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'memory_not_found') throw cause;
    }
  }
  throw noFile(given);
}

function noFile(given: string): ApiError {
  const message = `There is no file ${JSON.stringify(given)}; memory_ls lists a folder, memory_grep finds a line`;
  return new ApiError({ status: 404, code: 'memory_not_found', message });
}

const refusal = (message: string) => new ApiError({ status: 400, code: 'invalid_request', message });

interface Reading {
  from: number;
  lines: number;
  tokens: number;
}

async function read(client: Client, at: Place, { from, lines, tokens }: Reading): Promise<Done> {
  switch (at.kind) {
    case 'sessions':
      throw refusal(`${SESSIONS} is a folder. memory_ls lists it.`);
    case 'session': {
      const [{ title, agent, namespace }, page] = await Promise.all([
        client(getSession, { params: { id: at.id } }),
        client(listEntries, {
          params: { id: at.id },
          query: { offset: from - 1, limit: Math.min(lines, ENTRIES), redacted: 'true' },
        }),
      ]);
      const numbered = page.entries.map((entry, step) => numberedLine(from + step, entryLine(entry)));
      const { shown } = fitting(numbered, tokens, (line) => line);
      const end = from + shown.length;
      return {
        head: `${cutLine(title, OF_A_TITLE)} (${agent}, ${namespace}): ${page.total} entries, one a line; ${entryPath(at.id, from)} has the whole of the first one here. Secrets are taken out.`,
        ...block(shown),
        ...(end <= page.total && { tail: `It goes on: from_line ${end}.` }),
      };
    }
    case 'entry': {
      const { entries, total } = await client(listEntries, {
        params: { id: at.id },
        query: { offset: at.entry - 1, limit: 1, redacted: 'true', text: 'whole' },
      });
      const [entry] = entries;
      if (!entry) throw refusal(`The session has ${total} entries.`);
      return {
        head: `Entry ${at.entry} of ${total}, ${labelOf(entry)}. Secrets are taken out, and what is behind its first 65,536 characters is left out.`,
        ...pieceOf(entry.text, { from, lines, tokens }),
      };
    }
    case 'memories': {
      const memory = await memoryAt(client, at);
      const { key, namespace, value, updated_at } = memory;
      return {
        recall: {
          way: 'get',
          memories: [{ key, namespace, reason: 'read as a file', score: null }],
        },
        head: `${pathOf(namespace, key)}, changed ${updated_at.slice(0, 10)}.${hiddenOf(memory)}`,
        ...pieceOf(value, { from, lines, tokens }),
      };
    }
  }
}

function hiddenOf({ merged_into, superseded_by, archived_at }: Memory): string {
  if (merged_into !== undefined) return ` Merged into ${JSON.stringify(merged_into)}: read that one.`;
  if (superseded_by !== undefined) return ` Superseded by ${JSON.stringify(superseded_by)}: that one holds.`;
  return archived_at === undefined ? '' : ' Archived.';
}

/** Entries of a session that are read at once: each is looked through for secrets. */
const ENTRIES = 100;
/** Characters of an entry, and of a title, in a line. */
const OF_AN_ENTRY = 160;
const OF_A_TITLE = 80;

const labelOf = ({ kind, at, author: { name }, tool }: SessionEntry) =>
  `${at.slice(0, 16).replace('T', ' ')} ${name} ${kind}${tool ? ` ${tool.name}${tool.failed ? ' failed' : ''}` : ''}`;

function entryLine(entry: SessionEntry): string {
  return `${labelOf(entry)}: ${cutLine(entry.text, OF_AN_ENTRY)}`;
}

/** A text on one line, of so many characters at most. */
function cutLine(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}

const numberedLine = (number: number, line: string) => `${String(number).padStart(6)}\t${line}`;

/** Lines of a text with their numbers, as far as they fit, and how to read on. */
function pieceOf(text: string, { from, lines, tokens }: Reading): Pick<Done, 'quoted' | 'tail'> {
  const all = text.split('\n');
  const numbered = all.slice(from - 1, from - 1 + lines).map((line, at) => numberedLine(from + at, line));
  const [first] = numbered;
  if (first === undefined) return { tail: `It has ${all.length} lines.` };
  const { shown } = fitting(numbered, tokens, (line) => line);
  const end = from + shown.length;
  const offset = all.slice(0, from - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const isLong = Buffer.byteLength(first) > roomOf(tokens);
  const notes = [
    isLong && `Line ${from} is cut; of a memory memory_get reads it whole, from offset ${offset}.`,
    end <= all.length && `It goes on: from_line ${end} of ${all.length}.`,
  ].filter((note) => note !== false);
  return { ...block(shown), ...(notes.length > 0 && { tail: notes.join(' ') }) };
}

/** What a reply says around its lines takes so many tokens at most: namespace, head, mark, tail and receipt. */
const AROUND = 220;

/** Bytes that the lines of a reply may take. */
const roomOf = (tokens: number) => Math.max(LEAST_TOKENS / 4, tokens - AROUND) * 4;

/** As many of some things as the reply has room for, the first in any case. */
function fitting<T>(
  all: readonly T[],
  tokens: number,
  textOf: (one: T) => string,
): { shown: T[]; isCut: boolean } {
  let left = roomOf(tokens);
  const shown: T[] = [];
  for (const one of all) {
    left -= Buffer.byteLength(textOf(one)) + 1;
    if (left < 0 && shown.length > 0) return { shown, isCut: true };
    shown.push(one);
  }
  return { shown, isCut: false };
}

/** Lines between one pair of marks. */
function block(lines: readonly string[]): Pick<Done, 'quoted'> {
  return lines.length === 0 ? {} : { quoted: [{ of: {}, text: lines.join('\n') }] };
}

type Found = Received<typeof grepMemory>;
type Flags = {
  pattern: string;
  regex: 'true' | 'false';
  ignore_case: 'true' | 'false';
  context?: number | undefined;
};

/** Lines at a place: of a session, of all sessions, of a memory, of what stands below a folder. */
async function grepped(
  client: Client,
  at: Place,
  { limit, ...wanted }: Flags & { limit: number },
): Promise<Found> {
  const everywhere = { ...wanted, limit, namespace: EVERY_NAMESPACE };
  switch (at.kind) {
    case 'sessions':
      return client(grepMemory, { query: { ...everywhere, source: 'sessions' } });
    case 'session':
      return client(grepMemory, { query: { ...everywhere, source: 'sessions', session: at.id } });
    case 'entry':
      return client(grepMemory, {
        query: { ...everywhere, source: 'sessions', session: at.id, entry: at.entry },
      });
    case 'memories':
      return greppedMemories(client, at, { ...wanted, limit });
  }
}

/** A path without a slash at its end is a file, or else a folder. */
async function greppedMemories(
  client: Client,
  { path: given, within }: Memories,
  wanted: Flags & { limit: number },
): Promise<Found> {
  for (const { namespace, rest: key } of within) {
    if (key === '' || key.endsWith('/')) continue;
    const found = await client(grepMemory, { query: { ...wanted, namespace, key } });
    if (found.looked_at > 0) return found;
  }
  const under = given.endsWith('/') ? given : `${given}/`;
  return client(grepMemory, { query: { ...wanted, namespace: EVERY_NAMESPACE, under } });
}

const pathOfLine = ({ namespace, key, session, entry }: GrepLine) =>
  session !== undefined && entry !== undefined ? entryPath(session, entry) : pathOf(namespace, key ?? '');

/** A line as grep prints it, with what stands around it. */
function linesOf(found: GrepLine): string[] {
  const { line, text, before, after } = found;
  const at = pathOfLine(found);
  return [
    ...before.map((one, step) => `${at}-${line - before.length + step}- ${one}`),
    `${at}:${line}: ${text}`,
    ...after.map((one, step) => `${at}-${line + 1 + step}- ${one}`),
  ];
}

function grepReply({
  lines,
  shown,
  left_out,
  more,
  looked_at,
  withheld,
  stopped,
  limit,
}: Found & { shown: readonly GrepLine[]; limit: number }): Done {
  const left = left_out + lines.length - shown.length;
  const hasContext = shown.some(({ before, after }) => before.length + after.length > 0);
  const printed = shown.flatMap((one, at) => [...(hasContext && at > 0 ? ['--'] : []), ...linesOf(one)]);
  const notes = [
    left > 0 &&
      `${left} older lines are left out: name a path, a longer pattern${lines.length >= limit ? ', or a higher limit' : ', or more max_tokens'}.`,
    more && 'Older entries were not looked at: name a session, a longer pattern, or a higher limit.',
    stopped && 'The time was over before all was looked at: name a path, or a simpler pattern.',
    withheld > 0 && `${withheld} entries are not looked through for secrets yet: ask again in a minute.`,
  ].filter((note) => note !== false);
  const memories = new Map(
    shown.flatMap((one) => {
      const { key, namespace } = one;
      const reason = 'a line of it fits a pattern';
      return key === undefined ? [] : [[pathOfLine(one), { key, namespace, reason, score: null }] as const];
    }),
  );
  return {
    head: `${shown.length === 0 ? 'No line' : `${shown.length} lines`} in ${looked_at} texts, the newest first.`,
    ...block(printed),
    ...(memories.size > 0 && { recall: { way: 'get' as const, memories: [...memories.values()] } }),
    ...(notes.length > 0 && { tail: notes.join('\n') }),
  };
}
