import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { bytesOf } from '../files/byte-stream.ts';
import { Conversation, exchangesOf, instructionsIn, instructionsOf, type Exchange } from './conversation.ts';
import { memoriesOf } from '../draft.ts';
import { sha256, textOf } from '../fit.ts';
import { isObject } from '../json/plain-json.ts';
import { elementsOf, JsonStreamError } from '../json/json-elements.ts';
import { parseJson } from '../json/parse-json.ts';
import { originOf, sizeOfFiles } from '../files/origin.ts';
import {
  ImportError,
  namespaceOf,
  skip,
  type ReadItem,
  type SourceReader,
  type ReadOptions,
} from '../reader.ts';
import { timeOf, timesIn } from '../days/times.ts';
import { filesInZip } from '../files/zip.ts';

/** Conversations in one file or in numbered ones, saved memories, and custom instructions. */
export function isChatGptFile(name: string): boolean {
  return isConversations(name) || name === 'memories.json' || name === 'custom_instructions.json';
}

/** Tells whether a file of the export holds conversations. */
export function isConversations(name: string): boolean {
  return /^conversations(-\d+)?\.json$/.test(name);
}

/**
 * A data export of ChatGPT: the zip, its folder, or `conversations.json`. Each question with its answers is one
 * memory, `chatgpt/<conversation>/<n>`; the conversation is its `session`, so neighbours give it context.
 */
export const chatGptReader: SourceReader = {
  format: 'chatgpt',
  measure: async (path) => sizeOfFiles((await filesOfExport(path)).map((file) => file.path)),
  async *read(path, options) {
    const run: Run = { options, instructions: new Set(), found: 0 };
    for (const file of await filesOfExport(path)) {
      if (!/\.zip$/i.test(file.name)) yield* memoriesIn(bytesOf(file.path, options), file.name, run);
      else
        for await (const inner of filesInZip(file.path, isChatGptFile, options))
          yield* memoriesIn(inner.chunks, inner.name, run);
    }
    if (run.found === 0) yield skip('.', 'empty', 'holds no conversations.json with conversations');
  },
};

interface Run {
  options: ReadOptions;
  /** Hashes of the instructions that were yielded: every conversation repeats them. */
  instructions: Set<string>;
  found: number;
}

async function filesOfExport(path: string): Promise<{ path: string; name: string }[]> {
  const origin = await originOf(path);
  if (origin.kind === 'file') return [{ path: join(origin.root, origin.name), name: origin.name }];
  const names = (await readdir(origin.root)).filter(isChatGptFile).sort();
  if (names.length === 0) throw new ImportError(`${path} holds no conversations.json`);
  return names.map((name) => ({ path: join(origin.root, name), name }));
}

async function* memoriesIn(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  run: Run,
): AsyncGenerator<ReadItem> {
  let number = 0;
  try {
    if (name === 'custom_instructions.json') {
      yield* customInstructions(chunks, run);
      return;
    }
    for await (const { json } of elementsOf(chunks, ['memories', 'items', 'conversations'])) {
      const path = `${name}#${++number}`;
      run.found++;
      const parsed = parseJson(json);
      if (parsed.problem !== undefined) yield skip(path, 'malformed', parsed.problem);
      else if (name === 'memories.json') yield* savedMemory(parsed.value, path, run);
      else yield* memoriesOfConversation(parsed.value, path, run);
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    yield skip(name, 'malformed', error.message);
  }
}

function* memoriesOfConversation(given: unknown, path: string, run: Run): Generator<ReadItem> {
  const parsed = Conversation.safeParse(given);
  if (!parsed.success) {
    yield skip(path, 'malformed', 'is no conversation: it has no tree of messages');
    return;
  }
  const conversation = parsed.data;
  for (const text of instructionsIn(conversation))
    yield* instructionMemory(text, conversation.create_time, run);
  const exchanges = exchangesOf(conversation);
  if (exchanges.length === 0) yield skip(path, 'empty', 'nobody says anything in this conversation');
  for (const [at, exchange] of exchanges.entries())
    yield* memoriesOfExchange(exchange, { conversation, number: at + 1, path, run });
}

interface ExchangeAt {
  conversation: Conversation;
  number: number;
  path: string;
  run: Run;
}

function* memoriesOfExchange(
  exchange: Exchange,
  { conversation, number, path, run }: ExchangeAt,
): Generator<ReadItem> {
  const fallback = sha256(JSON.stringify([conversation.title, conversation.create_time])).slice(0, 16);
  const id = textOf(conversation.conversation_id) ?? textOf(conversation.id) ?? fallback;
  const times = exchange.map((turn) => turn.time).filter((time) => time !== undefined);
  const created = times[0] ?? timeOf(conversation.create_time, 'utc');
  yield* memoriesOf({
    path: `${path}/${number}`,
    key: `chatgpt/${id}/${number}`,
    namespace: namespaceOf(run.options),
    value: exchange
      .map(({ role, text }) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`)
      .join('\n\n'),
    metadata: metadataOfExchange(exchange, conversation, { id, created }),
    created_at: created,
    updated_at: times.at(-1) ?? created,
    source: { id: `chatgpt:${id}/${number}` },
    metadataAlsoIn: 'nowhere',
  });
}

function metadataOfExchange(
  exchange: Exchange,
  conversation: Conversation,
  { id, created }: { id: string; created: string | undefined },
): JsonObject {
  const model = exchange.map((turn) => turn.model).findLast((slug) => slug !== undefined);
  const attachments = exchange.flatMap((turn) => turn.attachments).slice(0, 100);
  const title = textOf(conversation.title)?.slice(0, 1000);
  return {
    ...(title !== undefined && { title }),
    session: id,
    ...(created !== undefined && { timestamp: created }),
    ...(model !== undefined && { model }),
    ...(attachments.length > 0 && { attachments }),
    imported: { format: 'chatgpt', ...(conversation.is_archived === true && { archived: true }) },
  };
}

/** Newer exports list what ChatGPT remembers: texts, or objects with a text. */
function* savedMemory(given: unknown, path: string, { options }: Run): Generator<ReadItem> {
  const fields: JsonObject = isObject(given) ? given : {};
  const value =
    textOf(given) ?? textOf(fields['content']) ?? textOf(fields['memory']) ?? textOf(fields['text']);
  if (value === undefined) {
    yield skip(path, 'malformed', 'is no saved memory: it has no text');
    return;
  }
  const id = textOf(fields['id']) ?? sha256(value).slice(0, 16);
  const times = timesIn(fields, 'utc');
  yield* memoriesOf({
    path,
    key: `chatgpt/memory/${id}`,
    namespace: namespaceOf(options),
    value,
    metadata: { tags: ['memory'], imported: { format: 'chatgpt' } },
    created_at: times.created,
    updated_at: times.updated ?? times.created,
    source: { id: `chatgpt:memory/${id}` },
    metadataAlsoIn: 'nowhere',
  });
}

/** A small file: both instructions in one object. */
async function* customInstructions(chunks: AsyncIterable<Uint8Array>, run: Run): AsyncGenerator<ReadItem> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes <= 1024 * 1024) pieces.push(chunk);
  }
  const parsed = parseJson(Buffer.concat(pieces));
  if (parsed.problem !== undefined || !isObject(parsed.value)) {
    yield skip('custom_instructions.json', 'malformed', parsed.problem ?? 'is no JSON object');
    return;
  }
  const text = instructionsOf(parsed.value['about_user_message'], parsed.value['about_model_message']);
  if (text !== undefined) yield* instructionMemory(text, undefined, run);
}

function* instructionMemory(text: string, time: unknown, run: Run): Generator<ReadItem> {
  const id = sha256(text).slice(0, 16);
  if (run.instructions.has(id)) return;
  run.instructions.add(id);
  run.found++;
  const created = timeOf(time, 'utc');
  yield* memoriesOf({
    path: 'custom instructions',
    key: `chatgpt/instructions/${id}`,
    namespace: namespaceOf(run.options),
    value: text,
    metadata: { title: 'Custom instructions', tags: ['instructions'], imported: { format: 'chatgpt' } },
    created_at: created,
    updated_at: created,
    // The first conversation that carries them gives the time; it may be another one in the next export.
    source: { id: `chatgpt:instructions/${id}`, hash: sha256(text) },
    metadataAlsoIn: 'nowhere',
  });
}
