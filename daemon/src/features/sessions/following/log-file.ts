import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import type { LogRecord, SessionFile, SessionFormat } from '@reverie/session-logs/format';
import { createJsonLines, type JsonLines } from '@reverie/session-logs/json-lines';
import { nameOf } from '@reverie/session-logs/json';
import { LONGEST_LINE, wholeLines } from '@reverie/session-logs/lines';
import { isAbsence } from '@reverie/session-logs/listing';
import { openRegular, readRegular, UnfitFile } from '@reverie/shared/files/regular-file';
import type { FileState } from './messages.ts';
import { createOrdering, type Ordering } from './ordering.ts';

/** Bytes at the beginning of a log, and before where it was read to, that tell whether it is still the same. */
const TOLD_BY = 4096;

/** A log of which each call reads what was written since the last one. */
export interface LogFile {
  /**
   * The records behind where it was read to; from the first on where the log was rewritten or cut. Undefined stands for a line of which
   * not all could be read; a last line without its end may still be written, and is none.
   * `gone` is answered instead where there is no such file any more.
   */
  more(): AsyncGenerator<LogRecord | undefined>;
  /** How it stood when `more` ended last. */
  state(): FileState | undefined;
  /** Bytes that were read of it. */
  done(): number;
}

/** What tells that a log is still the one that was read. */
interface Mark {
  inode: string;
  offset: number;
  head: string;
  tail: string;
}

/** A log, and what its entries need of the clock. */
interface LogPlace {
  /** Absolute. */
  path: string;
  /** Below the root of the agent's logs. */
  relative: string;
  file: SessionFile;
  /** When the file was made, ms since 1970. */
  born: number;
}

/** Makes a `LogFile`, which opens nothing until it is asked. */
export function logFile(
  format: SessionFormat,
  { path, relative, file, born }: LogPlace,
  now: () => number,
): LogFile {
  const session = file.session === undefined ? null : nameOf(file.session);
  const beginOrdering = () => createOrdering({ born, now, isDatabase: file.kind === 'database' });
  let reader: JsonLines | undefined;
  let ordering: Ordering = beginOrdering();
  let mark: Mark | undefined;
  let malformed = 0;
  let unknown = 0;
  let state: FileState | undefined;

  async function* lines(): AsyncGenerator<LogRecord | undefined> {
    const stat = await fs.stat(path, { bigint: true });
    const inode = String(stat.ino);
    const isSame = mark !== undefined && (await isUnchanged(path, mark, { inode, size: Number(stat.size) }));
    // What is compressed can only be read from its beginning.
    if (!isSame || !reader || file.kind === 'lines.zst') {
      const records = format.lines?.({ ...file, path: relative, folder: folderOf(path, relative, file) });
      reader = records && createJsonLines(records);
      ordering = beginOrdering();
      mark = { inode, offset: 0, head: '', tail: '' };
      malformed = 0;
      unknown = 0;
    }
    if (!reader || !mark) return;
    const from = mark.offset;
    const compressed = file.kind === 'lines.zst';
    let end = from;
    const raw = createReadStream(path, {
      fd: openRegular(path),
      start: compressed ? 0 : from,
      highWaterMark: 1024 * 1024,
    });
    const stream = compressed ? raw.pipe(createZstdDecompress()) : raw;
    raw.on('error', (cause) => stream.destroy(cause));
    try {
      for await (const line of wholeLines(stream, { from })) {
        end = line.end;
        mark.offset = compressed ? 0 : end;
        const { records, isRead } =
          line.text === undefined ? { records: [], isRead: false } : reader.read(line.text);
        for (const record of records) {
          if (!record.known) unknown += 1;
          yield ordering.apply(record);
        }
        if (isRead) continue;
        malformed += 1;
        yield undefined;
      }
    } finally {
      raw.destroy();
    }
    mark = { ...mark, ...(await tellingBytes(path, mark.offset)) };
    state = stateOf(stat);
  }

  async function* others(): AsyncGenerator<LogRecord | undefined> {
    const stat = await fs.stat(path, { bigint: true });
    malformed = 0;
    unknown = 0;
    if (!database) ordering = beginOrdering();
    for (const record of await read(Number(stat.mtimeMs))) {
      if (!record) malformed += 1;
      else if (!record.known) unknown += 1;
      yield record && ordering.apply(record);
    }
    state = stateOf(stat);
  }

  /** The log as it was when reading it began. */
  function stateOf({ ino, size, mtimeNs }: BigIntStats): FileState {
    const changed = Number(mtimeNs) / 1e6;
    return { path, session, inode: String(ino), size: Number(size), changed, malformed, unknown };
  }

  const database =
    file.kind === 'database' ? format.database?.({ ...file, path: relative, absolute: path }) : undefined;

  async function read(changedAt: number): Promise<Iterable<LogRecord | undefined>> {
    if (database) return database.changed();
    const text = readRegular(path, { most: LONGEST_LINE }).toString('utf8');
    const folder = folderOf(path, relative, file);
    return format.text?.({ ...file, path: relative, folder, text, changedAt }) ?? [];
  }

  return {
    more: () => (file.kind === 'lines' || file.kind === 'lines.zst' ? lines() : others()),
    state: () => state,
    done: () => mark?.offset ?? 0,
  };
}

/** Bytes of the name of a folder. */
const LONGEST_FOLDER = 4096;

/** The working folder that a file beside a log says; undefined where it has none, or none is there. */
function folderOf(absolute: string, relative: string, { folderIn }: SessionFile): string | undefined {
  if (folderIn === undefined) return undefined;
  const root = absolute.slice(0, absolute.length - relative.length);
  try {
    return readRegular(join(root, folderIn), { most: LONGEST_FOLDER }).toString('utf8').trim() || undefined;
  } catch (cause) {
    // It is told by what the log itself says, or not at all.
    if (isAbsence(cause) || cause instanceof UnfitFile) return undefined;
    throw cause;
  }
}

async function isUnchanged(
  path: string,
  mark: Mark,
  { inode, size }: { inode: string; size: number },
): Promise<boolean> {
  if (mark.inode !== inode || size < mark.offset) return false;
  const { head, tail } = await tellingBytes(path, mark.offset);
  return head === mark.head && tail === mark.tail;
}

/** Hashes of the beginning of a log, and of what stands before an offset. */
async function tellingBytes(path: string, offset: number): Promise<{ head: string; tail: string }> {
  const handle = await fs.open(path, 'r');
  try {
    const hashOf = async (from: number, to: number) => {
      const bytes = Buffer.alloc(Math.max(0, to - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return createHash('sha1').update(bytes.subarray(0, bytesRead)).digest('hex');
    };
    return {
      head: await hashOf(0, Math.min(TOLD_BY, offset)),
      tail: await hashOf(Math.max(0, offset - TOLD_BY), offset),
    };
  } finally {
    await handle.close();
  }
}
