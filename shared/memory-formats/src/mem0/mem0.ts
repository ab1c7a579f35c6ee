import { join } from 'node:path';
import { z } from 'zod';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { bytesOf } from '../files/byte-stream.ts';
import { memoriesOf } from '../draft.ts';
import { sha256, tagsOf, textOf } from '../fit.ts';
import { isObject } from '../json/plain-json.ts';
import { elementsOf, JsonStreamError } from '../json/json-elements.ts';
import { parseJson } from '../json/parse-json.ts';
import { originOf, sizeOfFile } from '../files/origin.ts';
import {
  ImportError,
  namespaceOf,
  skip,
  type ReadItem,
  type SourceReader,
  type ReadOptions,
} from '../reader.ts';
import { timeOf } from '../days/times.ts';
import { filesInZip } from '../files/zip.ts';

/** Arrays that hold memories, by the call or program that wrote the file. */
const ARRAYS = ['results', 'memories', 'items', 'data'];

const Text = z.string().nullish().catch(undefined);
const Name = z.union([z.string(), z.number()]).nullish().catch(undefined);

/** A memory as `get_all`, an export job or OpenMemory's backup write it. */
const Mem0Memory = z.object({
  id: Name,
  memory: Text,
  text: Text,
  content: Text,
  user_id: Name,
  agent_id: Name,
  app_id: Name,
  run_id: Name,
  actor_id: Name,
  role: Text,
  state: Text,
  app: Text,
  metadata: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  categories: z.unknown().optional(),
  category_ids: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  expiration_date: z.unknown().optional(),
});
type Mem0Memory = z.infer<typeof Mem0Memory>;

/**
 * Exports of mem0: an array, `{"results": […]}` or `{"memories": […]}`, or the zip of OpenMemory's backup.
 * The key is `mem0/<id>`; whose memory it is, its run and its categories stand in the metadata.
 */
export const mem0Reader: SourceReader = {
  format: 'mem0',
  measure: sizeOfFile,
  async *read(path, options) {
    const origin = await originOf(path);
    if (origin.kind === 'folder')
      throw new ImportError(`${path} is a folder; name the JSON file or zip of mem0`);
    const file = join(origin.root, origin.name);
    if (!/\.zip$/i.test(file)) {
      yield* memoriesIn(bytesOf(file, options), origin.name, options);
      return;
    }
    for await (const inner of filesInZip(file, (name) => name === 'memories.json', options))
      yield* memoriesIn(inner.chunks, inner.name, options);
  },
};

async function* memoriesIn(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  const categories = new Map<string, string>();
  let number = 0;
  try {
    for await (const { array, json } of elementsOf(chunks, [...ARRAYS, 'categories'])) {
      const parsed = parseJson(json);
      if (array === 'categories') {
        if (!('problem' in parsed) || parsed.problem === undefined) noteCategory(categories, parsed.value);
        continue;
      }
      const path = `${name}#${++number}`;
      if (parsed.problem !== undefined) yield skip(path, 'malformed', parsed.problem);
      else yield* memoriesOfOne(parsed.value, { path, categories, options });
    }
  } catch (error) {
    if (!(error instanceof JsonStreamError)) throw error;
    yield skip(name, 'malformed', error.message);
  }
  if (number === 0)
    yield skip(name, 'empty', `holds no memories: no array, and none called ${ARRAYS.join(', ')}`);
}

/** OpenMemory's backup names categories by id, and lists them before the memories. */
function noteCategory(categories: Map<string, string>, given: unknown): void {
  if (isObject(given) && typeof given['id'] === 'string' && typeof given['name'] === 'string')
    categories.set(given['id'], given['name']);
}

interface MemoryAt {
  path: string;
  categories: ReadonlyMap<string, string>;
  options: ReadOptions;
}

function* memoriesOfOne(given: unknown, { path, categories, options }: MemoryAt): Generator<ReadItem> {
  const parsed = Mem0Memory.safeParse(given);
  if (!parsed.success) {
    yield skip(path, 'malformed', 'is no memory of mem0');
    return;
  }
  const memory = parsed.data;
  const value = textOf(memory.memory) ?? textOf(memory.text) ?? textOf(memory.content);
  if (value === undefined) {
    yield skip(path, 'empty', 'has no text under "memory", "text" or "content"');
    return;
  }
  if (memory.state === 'deleted') {
    yield skip(path, 'deleted', 'was deleted in OpenMemory');
    return;
  }
  const id = memory.id ?? sha256(JSON.stringify([memory.user_id, memory.agent_id, value])).slice(0, 16);
  yield* memoriesOf({
    path,
    key: `mem0/${id}`,
    namespace: namespaceOf(options),
    value,
    metadata: metadataOfMem0(memory, categories),
    created_at: timeOf(memory.created_at, 'utc'),
    updated_at: timeOf(memory.updated_at, 'utc') ?? timeOf(memory.created_at, 'utc'),
    expires_at: timeOf(memory.expiration_date, 'utc'),
    source: { id: `mem0:${id}` },
    metadataAlsoIn: 'nowhere',
  });
}

const OWNERS = ['user_id', 'agent_id', 'app_id', 'actor_id', 'role', 'app', 'state'] as const;

function metadataOfMem0(memory: Mem0Memory, names: ReadonlyMap<string, string>): JsonObject {
  const metadata: JsonObject = { ...memory.metadata };
  for (const name of OWNERS)
    if (memory[name] !== undefined && memory[name] !== null) metadata[name] ??= memory[name];
  if (memory.run_id !== undefined && memory.run_id !== null) {
    metadata['run_id'] ??= memory.run_id;
    metadata['session'] ??= String(memory.run_id);
  }
  const ids = Array.isArray(memory.category_ids) ? memory.category_ids : [];
  const named = ids.map((id) => names.get(String(id)) ?? String(id));
  const tags = tagsOf([...tagsOf(metadata['tags']), ...tagsOf(memory.categories), ...named]);
  return { ...metadata, ...(tags.length > 0 && { tags }), imported: { format: 'mem0' } };
}
