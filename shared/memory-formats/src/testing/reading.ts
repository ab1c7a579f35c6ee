import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';
import { onTestFinished } from 'vitest';
import type { ReadItem, SourceReader, ReadOptions, Skipped } from '../reader.ts';

/** A folder with these files, for one test; it is gone when the test is over. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'reverie-portable-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/** Everything that a reader finds, memories and what was skipped apart. */
export async function allOf(found: AsyncIterable<ReadItem>) {
  const memories: PortableMemory[] = [];
  const skipped: Skipped[] = [];
  for await (const one of found)
    if (one.kind === 'memory') memories.push(one.memory);
    else skipped.push(one.skipped);
  return { memories, skipped };
}

/** Reads what a reader finds below a path. */
export function readAll(reader: SourceReader, path: string, options: ReadOptions = {}) {
  return allOf(reader.read(path, options));
}

/** The one memory that was found. */
export function only(memories: readonly PortableMemory[]): PortableMemory {
  const [memory, ...more] = memories;
  if (!memory || more.length > 0) throw new Error(`found ${memories.length} memories where one was expected`);
  return memory;
}
