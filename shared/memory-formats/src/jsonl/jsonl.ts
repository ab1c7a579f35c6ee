import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { bytesOf, linesOf, type NumberedLine } from '../files/byte-stream.ts';
import { memoriesOf } from '../draft.ts';
import { parseJson } from '../json/parse-json.ts';
import { isObject } from '../json/plain-json.ts';
import { stemOf } from '../notes/note.ts';
import { originOf, rootId, sizeOfFiles, type ImportOrigin } from '../files/origin.ts';
import { withOwnSource } from '../markdown/own-file.ts';
import { draftOfRecord, type RecordAt } from '../record.ts';
import {
  ImportError,
  messageOf,
  skip,
  type ReadItem,
  type SourceReader,
  type ReadOptions,
} from '../reader.ts';

/** A value of 1 MiB whose every byte is escaped takes 6 MiB; the rest is room for what is split. */
const MAX_LINE = 64 * 1024 * 1024;

/** Tells whether the name of a file is that of JSON Lines, packed or not. */
export function isJsonLines(name: string): boolean {
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(name);
}

async function namesOf(origin: ImportOrigin): Promise<string[]> {
  if (origin.kind === 'file') return [origin.name];
  const names = (await readdir(origin.root)).filter(isJsonLines).sort();
  if (names.length === 0)
    throw new ImportError(`${origin.root} holds no file that ends in .jsonl or .ndjson`);
  return names;
}

/** JSON Lines: what `export` wrote, or one object with a text on each line. */
export const jsonLinesReader: SourceReader = {
  format: 'jsonl',
  async measure(path) {
    const origin = await originOf(path);
    return sizeOfFiles((await namesOf(origin)).map((name) => join(origin.root, name)));
  },
  async places(path, options) {
    const origin = await originOf(path);
    const id = `jsonl:${await rootId(origin.root, options)}`;
    return (await namesOf(origin)).map((name) => ({ kind: 'records', root: `${id}/${name}`, file: name }));
  },
  async *read(path, options) {
    const origin = await originOf(path);
    const id = `jsonl:${await rootId(origin.root, options)}`;
    for (const name of await namesOf(origin)) {
      try {
        for await (const line of linesOf(bytesOf(join(origin.root, name), options), MAX_LINE))
          yield* memoriesOfLine(line, { name, id: `${id}/${name}`, options });
      } catch (error) {
        yield skip(name, 'unreadable', messageOf(error));
      }
    }
  },
};

interface LineAt {
  name: string;
  id: string;
  options: ReadOptions;
}

function* memoriesOfLine(line: NumberedLine, { name, id, options }: LineAt): Generator<ReadItem> {
  const path = `${name}:${line.number}`;
  if (line.tooLong) {
    yield skip(path, 'too_large', `is longer than ${MAX_LINE} bytes`);
    return;
  }
  const parsed = parseJson(line.bytes);
  if (parsed.problem !== undefined) {
    // Blank lines between records say nothing.
    if (parsed.reason !== 'empty') yield skip(path, parsed.reason, parsed.problem);
  } else if (isObject(parsed.value))
    yield* memoriesOfObject(parsed.value, { path, file: stemOf(name), id, namespace: options.namespace });
  else yield skip(path, 'malformed', 'is no JSON object');
}

function* memoriesOfObject(object: Record<string, unknown>, at: RecordAt): Generator<ReadItem> {
  const own = PortableMemory.safeParse(object);
  if (own.success) {
    const memory = own.data.source ? own.data : withOwnSource(own.data);
    yield {
      kind: 'memory',
      memory: at.namespace === undefined ? memory : { ...memory, namespace: at.namespace },
    };
    return;
  }
  const draft = draftOfRecord(object, at);
  if ('problem' in draft) yield skip(at.path, 'malformed', draft.problem);
  else yield* memoriesOf(draft);
}
