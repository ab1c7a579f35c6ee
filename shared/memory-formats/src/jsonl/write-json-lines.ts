import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { PortableMemory } from '@reverie/shared/contract/memories/portable';

/** Counts of what an export wrote. */
export interface WrittenExport {
  memories: number;
  bytes: number;
}

/**
 * Writes one memory a line, in the order in which they come, with the same fields in the same order each time.
 * Importing the lines into an empty home gives the same memories. The stream is left open.
 */
export async function writeJsonLines(
  memories: AsyncIterable<PortableMemory> | Iterable<PortableMemory>,
  stream: Writable,
): Promise<WrittenExport> {
  const written: WrittenExport = { memories: 0, bytes: 0 };
  let failed: Error | undefined;
  const onError = (error: Error) => (failed ??= error);
  stream.on('error', onError);
  try {
    for await (const memory of memories) {
      const line = Buffer.from(`${lineOf(memory)}\n`, 'utf8');
      if (!stream.write(line) && !failed) await once(stream, 'drain');
      if (failed) throw failed;
      written.memories++;
      written.bytes += line.length;
    }
  } finally {
    stream.off('error', onError);
  }
  return written;
}

/** The fields of the contract; `source` belongs to the home that imported, so it stays there. */
function lineOf({
  key,
  value,
  namespace,
  metadata,
  created_at,
  updated_at,
  expires_at,
}: PortableMemory): string {
  return JSON.stringify({ key, value, namespace, metadata, created_at, updated_at, expires_at });
}
