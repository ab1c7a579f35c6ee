import { mkdir, open, readdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PortableMemory } from '@reverie/shared/contract/portable';
import { fileNamer } from './file-names.ts';
import { ownFileOf } from './own-file.ts';
import { ImportError } from './reader.ts';
import { isCode } from './text-file.ts';
import type { WrittenExport } from './write-json-lines.ts';

/**
 * Writes one Markdown file for each memory below `<folder>/<namespace>/`. The folder has to be empty or new, so
 * that nothing is overwritten and nothing old is taken for a memory. Reading it back gives the same memories.
 */
export async function writeMarkdown(
  memories: AsyncIterable<PortableMemory> | Iterable<PortableMemory>,
  folder: string,
): Promise<WrittenExport> {
  await claim(folder);
  const written: WrittenExport = { memories: 0, bytes: 0 };
  const nameOf = fileNamer();
  const made = new Set<string>();
  for await (const memory of memories) {
    const file = join(folder, ...nameOf(memory.namespace, memory.key).split('/'));
    const parent = dirname(file);
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
    written.bytes += await writeNew(file, memory);
    written.memories++;
  }
  return written;
}

async function claim(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await readdir(folder);
  if (there.length > 0)
    throw new ImportError(`${folder} is not empty (it holds ${there[0]}); export into a new or empty folder`);
}

/** Memories are private; the file's time is that of the last change. */
async function writeNew(file: string, memory: PortableMemory): Promise<number> {
  const bytes = Buffer.from(ownFileOf(memory), 'utf8');
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isCode(error, 'EEXIST'))
      throw new ImportError(
        `${file} appeared while exporting; export into a folder that nobody else uses`,
        error,
      );
    throw error;
  }
  const changed = memory.updated_at ?? memory.created_at;
  if (changed !== undefined) await utimes(file, new Date(changed), new Date(changed));
  return bytes.length;
}
