import fs from 'node:fs';
import { limits } from '@reverie/shared/contract/fields';
import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import { sha256 } from '@reverie/memory-formats/fit';
import { type LogseqSettings, logseqSettings, memoriesOfPage } from '@reverie/memory-formats/logseq/logseq';
import { memoriesOfFile } from '@reverie/memory-formats/markdown/markdown';
import { rootId } from '@reverie/memory-formats/files/origin';
import { isOwnFile } from '@reverie/memory-formats/markdown/own-file';
import { messageOf, type Skipped } from '@reverie/memory-formats/reader';
import { isCode, readTextFile } from '@reverie/memory-formats/files/text-file';
import type { FolderRow } from '../folders.store.ts';
import type { FileMemory } from '../landing.ts';
import type { NoteFile } from './listing.ts';

/** The folder that notes belong to: its name in their source ids, the namespace that they go to, and of a graph of Logseq its settings. */
export interface NotesOf {
  rootName: string;
  namespace: string;
  settings?: LogseqSettings;
}

/** What the notes of a followed folder belong to. */
export async function notesOf({ path, namespace, format }: FolderRow): Promise<NotesOf> {
  const rootName = await rootId(path, {});
  return { rootName, namespace, ...(format === 'logseq' && { settings: logseqSettings(path) }) };
}

/** A note as it is now; `hash` is that of its bytes. */
export type ReadNote =
  | { kind: 'note'; hash: string; memory: FileMemory }
  | { kind: 'same' }
  | { kind: 'issue'; issue: FolderIssue }
  | { kind: 'gone' };

/**
 * Reads a note whole; `known` is the hash that it had before, and where that is still so, only `same` is answered. A note larger than a
 * memory may be is not read, but answered as an issue.
 */
export async function readNote({ path, file }: NoteFile, of: NotesOf, known?: string): Promise<ReadNote> {
  const issue = (reason: FolderIssue['reason'], detail: string): ReadNote => ({
    kind: 'issue',
    issue: { path, reason, detail },
  });
  const tooLarge = (bytes: number) =>
    issue('too_large', `has ${bytes} bytes; a memory has ${limits.valueBytes} at most`);
  try {
    const { size } = fs.statSync(file);
    if (size > limits.valueBytes) return tooLarge(size);
  } catch (error) {
    return isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')
      ? { kind: 'gone' }
      : issue('unreadable', messageOf(error));
  }
  const read = await readTextFile(file, path, isOwnFile);
  if (read.kind === 'skipped') return issueOf(file, read.skipped);
  if (read.bytes.length > limits.valueBytes) return tooLarge(read.bytes.length);
  const hash = sha256(read.bytes);
  if (hash === known) return { kind: 'same' };
  const { rootName: root, namespace, settings } = of;
  const [found] = settings
    ? memoriesOfPage({ path, file: read }, { root, settings }, { namespace })
    : memoriesOfFile({ path, file: read }, root, { namespace });
  if (found?.kind !== 'memory') return found ? issueOf(file, found.skipped) : issue('empty', 'holds no text');
  const { memory } = found;
  if (!memory.source) return issue('malformed', 'names no source');
  return {
    kind: 'note',
    hash,
    memory: { ...memory, source: memory.source },
  };
}

function issueOf(file: string, skipped: Skipped): ReadNote {
  // It may have gone between the two looks.
  if (skipped.reason === 'unreadable' && !fs.existsSync(file)) return { kind: 'gone' };
  const { path, reason, detail } = skipped;
  return {
    kind: 'issue',
    issue: { path, reason: reason === 'deleted' || reason === 'bookkeeping' ? 'malformed' : reason, detail },
  };
}
