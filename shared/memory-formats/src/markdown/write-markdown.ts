import { mkdir, open, readdir, utimes, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { fileNamer, type FileNamer } from './file-names.ts';
import { sha256 } from '../fit.ts';
import { frontmatterOf } from '../notes/frontmatter.ts';
import { isNote, memoriesOfFile } from './markdown.ts';
import { isOwnFile, ownFileOf } from './own-file.ts';
import { isObject } from '../json/plain-json.ts';
import { ImportError } from '../reader.ts';
import { SIDE_FILE, sideLineOf } from './side-file.ts';
import { decodeText, isCode } from '../files/text-file.ts';
import type { WrittenExport } from '../jsonl/write-json-lines.ts';

/**
 * Writes memories as files of Markdown. A note, whose key is the path of one, is the file that it came from: its text, byte for byte,
 * at its path; what Reverie knows beyond stands in one side file. Parts of a long note are one file again. Any other memory says
 * in its own frontmatter what it is. They stand below `<folder>/<namespace>/`, unless all are of `only` one namespace.
 * The folder has to be empty or new, so that nothing is overwritten and nothing old is taken for a memory. Reading it back gives the same
 * memories.
 */
export async function writeMarkdown(
  memories: AsyncIterable<PortableMemory> | Iterable<PortableMemory>,
  folder: string,
  { only = false }: { only?: boolean } = {},
): Promise<WrittenExport> {
  await claim(folder);
  const target: Target = { folder, nameOf: fileNamer({ only }), made: new Set(), side: undefined };
  const written: WrittenExport = { memories: 0, bytes: 0 };
  const parts = new Map<string, PortableMemory[]>();
  const write = async (found: readonly PortableMemory[]) => {
    written.bytes += await writeNote(target, found);
    written.memories += found.length;
  };
  try {
    for await (const memory of memories) {
      const part = partOf(memory);
      if (!part) {
        await write([memory]);
        continue;
      }
      const id = JSON.stringify([memory.namespace, part.key, part.of]);
      const found = [...(parts.get(id) ?? []), memory];
      parts.set(id, found);
      if (found.length < part.of) continue;
      parts.delete(id);
      await write(found.sort((a, b) => (partOf(a)?.at ?? 0) - (partOf(b)?.at ?? 0)));
    }
    // Of these a part was deleted or renamed: each of the others is a memory by itself.
    for (const memory of [...parts.values()].flat()) await write([memory]);
  } finally {
    await target.side?.close();
  }
  return written;
}

/** A folder that an export fills, how its files are named, and the folders in it that are there. */
interface NewFolder {
  folder: string;
  nameOf: FileNamer;
  made: Set<string>;
}

interface Target extends NewFolder {
  side: FileHandle | undefined;
}

/** Makes the folder of an export, which has to be empty or new. */
export async function claim(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await readdir(folder);
  if (there.length > 0)
    throw new ImportError(`${folder} is not empty (it holds ${there[0]}); export into a new or empty folder`);
}

/** Which part of which note a memory is. */
function partOf({ key, metadata }: PortableMemory): { key: string; at: number; of: number } | undefined {
  const imported = metadata?.['imported'];
  if (!isObject(imported)) return undefined;
  const { part, parts } = imported;
  if (typeof part !== 'number' || typeof parts !== 'number' || !key.endsWith(`#${part}`)) return undefined;
  return { key: key.slice(0, key.lastIndexOf('#')), at: part, of: parts };
}

/** Writes the file of a memory, or of all parts of one; answers its bytes. */
async function writeNote(target: Target, found: readonly PortableMemory[]): Promise<number> {
  const [memory] = found;
  if (!memory) return 0;
  const key = (found.length > 1 ? partOf(memory)?.key : undefined) ?? memory.key;
  const { namespace, metadata } = memory;
  const imported = metadata?.['imported'];
  const asItWas = isObject(imported) && imported['path'] === key && !/\.gz$/i.test(key);
  const text = found.map(({ value }) => value).join('');
  const bytes = Buffer.from(text, 'utf8');
  const isFile = asItWas || (isNote(key) && !/\.gz$/i.test(key)) || frontmatterOf(text) !== undefined;
  const changed = found
    .map((one) => one.updated_at ?? one.created_at ?? '')
    .reduce((a, b) => (a > b ? a : b));
  if (!isFile || decodeText(bytes).text !== text || isOwnFile(bytes)) {
    let total = 0;
    for (const one of found) {
      const own = Buffer.from(ownFileOf(one), 'utf8');
      await writeNew(target, { memory: one, bytes: own, changed: one.updated_at ?? one.created_at });
      total += own.length;
    }
    return total;
  }
  const path = await writeNew(target, { memory: { namespace, key }, bytes, changed, asItWas });
  await noteAside(target, { path, text, bytes, found });
  return bytes.length;
}

/** Says in the side file what reading a file will not give. */
async function noteAside(
  target: Target,
  {
    path,
    text,
    bytes,
    found,
  }: { path: string; text: string; bytes: Buffer; found: readonly PortableMemory[] },
): Promise<void> {
  const file = { kind: 'text', text, bytes, modified: 0, size: bytes.length } as const;
  const read = [...memoriesOfFile({ path, file }, '', {})].map((item) =>
    item.kind === 'memory' ? (item.memory.metadata ?? {}) : {},
  );
  const hash = sha256(bytes);
  const lines = found.map((one, at) => sideLineOf(one, { path, hash, read: read[at] ?? {} }));
  target.side ??= await openSide(target.folder);
  await target.side.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

async function openSide(folder: string): Promise<FileHandle> {
  const file = join(folder, SIDE_FILE);
  await mkdir(dirname(file), { mode: 0o700 });
  return open(file, 'wx', 0o600);
}

interface NewFile {
  memory: { namespace: string; key: string };
  bytes: Buffer;
  changed: string | undefined;
  asItWas?: boolean;
}

/** Writes a file that is not there yet, and answers its path. Memories are private; the file's time is that of the last change. */
export async function writeNew(
  target: NewFolder,
  { memory, bytes, changed, asItWas = false }: NewFile,
): Promise<string> {
  const path = target.nameOf(memory, { asItWas });
  const file = join(target.folder, ...path.split('/'));
  const parent = dirname(file);
  try {
    if (!target.made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
    target.made.add(parent);
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    // The system that it comes from tells names apart that this one does not.
    if (asItWas && isTaken(error)) return writeNew(target, { memory, bytes, changed });
    if (isCode(error, 'EEXIST'))
      throw new ImportError(
        `${file} appeared while exporting; export into a folder that nobody else uses`,
        error,
      );
    throw error;
  }
  if (changed !== undefined && changed !== '') await utimes(file, new Date(changed), new Date(changed));
  return path;
}

function isTaken(error: unknown): boolean {
  return ['EEXIST', 'ENOTDIR', 'EISDIR', 'EILSEQ', 'EINVAL', 'ENAMETOOLONG'].some((code) =>
    isCode(error, code),
  );
}
