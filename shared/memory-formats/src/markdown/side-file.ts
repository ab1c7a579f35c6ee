import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonObject } from '@reverie/shared/contract/fields';
import { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { bytesOf, linesOf } from '../files/byte-stream.ts';
import { tagsOf } from '../fit.ts';
import { withOwnSource } from './own-file.ts';
import { messageOf, skip, type ReadItem, type ReadOptions, type Skipped } from '../reader.ts';
import { isCode } from '../files/text-file.ts';

/** Where an export keeps what Reverie knows of notes beyond their text; a folder that no vault shows. */
const SIDE_FOLDER = '.reverie';
const SIDE_NAME = 'memories.jsonl';

/** The place of the side file, below the root of an export. */
export const SIDE_FILE = `${SIDE_FOLDER}/${SIDE_NAME}`;

/** More than all metadata of a memory take. */
const MAX_LINE = 1024 * 1024;

/**
 * What is known of one memory whose text is a file: `hash` is that of the file, `metadata` are those that reading the file does not give,
 * or gives otherwise, `without` names those that only the file has. A long note has a line for each of its parts, in their order.
 */
const SideLine = z.object({
  ...PortableMemory.omit({ value: true, source: true }).shape,
  path: z.string().min(1),
  hash: z.string().min(1),
  without: z.array(z.string()).optional(),
});
type SideLine = z.infer<typeof SideLine>;

/** Makes the line of a memory, where `read` is what reading its file gives. */
export function sideLineOf(
  memory: PortableMemory,
  { path, hash, read }: { path: string; hash: string; read: JsonObject },
): SideLine {
  const { value: _, source: __, metadata = {}, ...known } = memory;
  const differing = Object.entries(metadata).filter(([name, one]) => !isDeepStrictEqual(one, read[name]));
  const without = Object.keys(read).filter((name) => !Object.hasOwn(metadata, name));
  return {
    path,
    hash,
    ...known,
    ...(differing.length > 0 && { metadata: Object.fromEntries<JsonObject[string]>(differing) }),
    ...(without.length > 0 && { without }),
  };
}

/** Knowledge of the files below a root, by their paths. */
export interface SideFile {
  lines: ReadonlyMap<string, readonly SideLine[]>;
  /** The namespace of all lines, where they have one in common: files that came later are of it, too. */
  namespace: string | undefined;
  skipped: Skipped[];
}

/** Reads the side file of an export; of a folder that has none nothing is known. */
export async function readSideFile(root: string): Promise<SideFile> {
  const lines = new Map<string, SideLine[]>();
  const namespaces = new Set<string>();
  const skipped: Skipped[] = [];
  const leave = (path: string, detail: string) => skipped.push({ path, reason: 'malformed', detail });
  try {
    for await (const line of linesOf(bytesOf(join(root, SIDE_FOLDER, SIDE_NAME), {}), MAX_LINE)) {
      const parsed = line.tooLong ? undefined : SideLine.safeParse(jsonOf(line.bytes));
      if (!parsed?.success) {
        leave(
          `${SIDE_FILE}:${line.number}`,
          'is not what an export writes of a note; the note is read alone',
        );
        continue;
      }
      const { path, namespace } = parsed.data;
      lines.set(path, [...(lines.get(path) ?? []), parsed.data]);
      namespaces.add(namespace);
    }
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'ENOTDIR')) leave(SIDE_FILE, messageOf(error));
  }
  const [namespace] = namespaces;
  return { lines, namespace: namespaces.size === 1 ? namespace : undefined, skipped };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // What is no JSON is no line, either; the caller says so.
    return undefined;
  }
}

/**
 * The memories of a file, with what the side file knows of them. Where the file was edited since the export, what it says itself comes
 * first, tags of both are kept, and the time of the change is the file's.
 */
export function* withSideLines(
  found: Iterable<ReadItem>,
  lines: readonly SideLine[],
  { hash, namespace }: { hash: string } & Pick<ReadOptions, 'namespace'>,
): Generator<ReadItem> {
  const items = [...found];
  const keepsKeys = items.length === lines.length;
  for (const [at, item] of items.entries()) {
    const line = lines[at];
    if (item.kind === 'skipped' || !line) {
      yield item;
      continue;
    }
    const known = line.hash === hash ? asExported(item.memory, line) : asEdited(item.memory, line);
    const parsed = PortableMemory.safeParse({
      ...known,
      key: keepsKeys ? line.key : known.key,
      namespace: namespace ?? line.namespace,
    });
    if (parsed.success) yield { ...item, memory: withOwnSource(parsed.data) };
    else yield skip(line.path, 'malformed', parsed.error.issues[0]?.message ?? 'its metadata do not fit');
  }
}

function asExported(read: PortableMemory, line: SideLine): PortableMemory {
  const { metadata, without = [], path: _, hash: __, ...known } = line;
  const merged = { ...read.metadata, ...metadata };
  return {
    value: read.value,
    ...known,
    metadata: Object.fromEntries(Object.entries(merged).filter(([name]) => !without.includes(name))),
  };
}

function asEdited(read: PortableMemory, line: SideLine): PortableMemory {
  const { source: _, ...edited } = read;
  const tags = [...new Set([...tagsOf(read.metadata?.['tags']), ...tagsOf(line.metadata?.['tags'])])];
  return {
    ...edited,
    created_at: line.created_at ?? read.created_at,
    expires_at: line.expires_at,
    metadata: { ...line.metadata, ...read.metadata, ...(tags.length > 0 && { tags }) },
  };
}
