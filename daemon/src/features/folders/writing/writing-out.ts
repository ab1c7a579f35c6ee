import path from 'node:path';
import type { FolderIssue } from '@reverie/shared/contract/memories/folders';
import { objectIn } from '../../../db/json-column.ts';
import { sha256 } from '@reverie/memory-formats/fit';
import { isOwnFile, ownFileOf } from '@reverie/memory-formats/markdown/own-file';
import {
  changedHere,
  deleteSourceRow,
  findMemoryAt,
  type FolderRow,
  type MemoryAt,
  saveSourceRow,
  type FollowedFileRow,
  withoutMemory,
  withoutSource,
} from '../folders.store.ts';
import type { Ignoring } from '../following/ignoring.ts';
import type { SourceAddress } from '../landing.ts';
import { noteOf } from '@reverie/memory-formats/notes/note';
import { withTagLine } from '@reverie/memory-formats/notes/tag-lines';
import { bytesAt, isSafePath, moveAside, moveTo, writeNew, writeOver } from './own-writes.ts';
import type { PassWorld } from '../following/pass.ts';
import { notesOf, readNote } from '../following/reading.ts';

/** Folders of agents begin with a dot, which no other folder may that is made here. */
const AGENTS_FOLDER = /^\.(?:cursor|claude|github)\//;

/** Writes what was changed here into the files of a folder: never over what nobody has read yet. */
export function createWritingOut(
  world: PassWorld,
  folder: FolderRow,
  { isNote, ignoring }: { isNote: (path: string) => boolean; ignoring: Ignoring },
): () => Promise<void> {
  const { deps, issues } = world;
  const { store, landing } = deps;
  const fileOf = (name: string) => world.places.get(name) ?? path.join(folder.path, name);

  function refuse(name: string, detail: string): void {
    const issue: FolderIssue = { path: name, reason: 'refused', detail };
    issues.set(name, issue);
  }

  /** Whether a file says what was read of it last; where it says more, it is looked at first. */
  function isAsRead({ path: name, hash }: FollowedFileRow): boolean {
    const bytes = bytesAt(fileOf(name));
    if (bytes && sha256(bytes) === hash) return true;
    // What is named of it is why it was not taken.
    if (bytes && !issues.has(name)) world.again(fileOf(name));
    return false;
  }

  /**
   * A file with this hash says what a version of its memory says: remembered, so that neither is taken for an edit. One that was edited
   * meanwhile is looked at first. Where it `differs` by the tags it was given, the memory becomes what it says.
   */
  async function agree(
    name: string,
    {
      memory,
      written,
      differs = false,
      was,
    }: { memory: MemoryAt; written: string; differs?: boolean; was?: SourceAddress },
  ): Promise<void> {
    const read = await readNote({ path: name, file: fileOf(name) }, await notesOf(folder));
    if (world.isStopped()) return;
    if (read.kind !== 'note' || read.hash !== written) return world.again(fileOf(name));
    const { id, hash } = read.memory.source;
    store.write((db) => {
      const at = { sourceId: id, namespace: folder.namespace, key: read.memory.key };
      if (was) landing.move(db, folder.account, { from: was, to: at });
      const agreed = { memoryId: memory.id, version: memory.version, metadata: read.memory.metadata };
      landing.agree(db, folder.account, { ...at, ...agreed, hash: differs ? '' : hash });
      const { memory: said } = read;
      // What was written here meanwhile stays, and is written into the file next.
      const landed = differs ? landing.put(db, folder.account, { memory: said, wins: false }) : memory;
      const agreedOn = 'id' in landed ? landed : memory;
      saveSourceRow(db, folder.id, {
        path: name,
        source_id: id,
        key: read.memory.key,
        hash: read.hash,
        memory_id: agreedOn.id,
        version: agreedOn.version,
      });
    });
  }

  async function write(row: FollowedFileRow): Promise<void> {
    const memory = store.read((db) => findMemoryAt(db, folder, row.key));
    // What is passed over now is left alone.
    if (!memory || !world.places.has(row.path) || !isAsRead(row)) return;
    const file = fileOf(row.path);
    const isOwn = isOwnFile(bytesAt(file) ?? Buffer.alloc(0));
    const text = isOwn ? ownFileOf(portableOf(folder, memory)) : tagged(row, memory);
    const reason = whyNot(memory, row.path, isOwn);
    if (reason !== undefined) return refuse(row.path, reason);
    const written = sha256(text);
    if (written !== row.hash && !writeOver(file, text, (bytes) => sha256(bytes) === row.hash))
      return world.again(file);
    await agree(row.path, { memory, written, differs: !isOwn && text !== memory.value });
  }

  /** The text of a memory with the person's tags in its front matter; as it is where they stand there, or cannot be written alone. */
  function tagged({ source_id: sourceId, key }: FollowedFileRow, { id, value }: MemoryAt): string {
    const { tags } = noteOf(value, key);
    const at = { sourceId, namespace: folder.namespace, key, memoryId: id };
    const wanted = store.read((db) => landing.tagsOf(db, folder.account, { ...at, tags }));
    const add = wanted.filter((tag) => !tags.includes(tag));
    const remove = tags.filter((tag) => !wanted.includes(tag));
    return add.length + remove.length === 0 ? value : (withTagLine(value, { add, remove }) ?? value);
  }

  async function writeFirst(key: string): Promise<void> {
    const memory = store.read((db) => findMemoryAt(db, folder, key));
    if (!memory || !isWritable(key) || world.places.has(key)) return;
    const reason = whyNot(memory, key, false);
    if (reason !== undefined) return refuse(key, reason);
    if (writeNew(folder.path, key, memory.value)) await agree(key, { memory, written: sha256(memory.value) });
  }

  function isWritable(key: string): boolean {
    return isNote(key) && isSafePath(key.replace(AGENTS_FOLDER, '')) && !ignoring.ignores(key, false);
  }

  /** The memory of a file is gone here, or has another name: so has the file. */
  async function follow({
    renamed_to,
    ...row
  }: FollowedFileRow & { renamed_to: string | null }): Promise<void> {
    const file = fileOf(row.path);
    const bytes = world.places.has(row.path) ? bytesAt(file) : undefined;
    const was = { sourceId: row.source_id, namespace: folder.namespace, key: row.key };
    const drop = () =>
      store.write((db) => {
        deleteSourceRow(db, folder.id, row.path);
        landing.remove(db, folder.account, was);
      });
    if (!bytes) return drop();
    if (sha256(bytes) !== row.hash) {
      // Edited since: the file stays, and its memory comes back.
      drop();
      return world.again(file);
    }
    const isKeyOfPath = row.key === row.path;
    if (
      renamed_to !== null &&
      isKeyOfPath &&
      isWritable(renamed_to) &&
      moveTo(folder.path, file, renamed_to)
    ) {
      store.write((db) => deleteSourceRow(db, folder.id, row.path));
      world.places.delete(row.path);
      const memory = store.read((db) => findMemoryAt(db, folder, renamed_to));
      if (!memory) return;
      world.places.set(renamed_to, path.join(folder.path, renamed_to));
      // It says what it said, and an edit that came with the new name is written as any other.
      const { version } = row;
      return agree(renamed_to, { memory: { ...memory, version }, written: row.hash, was });
    }
    moveAside(folder.path, file, row.path);
    world.places.delete(row.path);
    drop();
  }

  return async () => {
    for (const row of store.read((db) => withoutMemory(db, folder))) {
      await follow(row);
      if (world.isStopped()) return;
    }
    for (const row of store.read((db) => changedHere(db, folder))) {
      await write(row);
      if (world.isStopped()) return;
    }
    for (const key of store.read((db) => withoutSource(db, folder))) {
      await writeFirst(key);
      if (world.isStopped()) return;
    }
  };
}

/** Why a memory cannot be a file that says the same when it is read. */
function whyNot({ value }: MemoryAt, name: string, isOwn: boolean): string | undefined {
  if (/\.gz$/i.test(name))
    return 'is packed, and packed files are not written; unpack it to have edits in it';
  if (isOwn) return undefined;
  if (value.includes('\0'))
    return 'its memory has NUL characters, which no text file has; it stays here only';
  if (value.trim() === '') return 'its memory is blank, which reads as an empty file; it stays here only';
  if (isOwnFile(Buffer.from(value.slice(0, 64))))
    return 'its memory begins like an export of Reverie, which would be read as another one; it stays here only';
  return undefined;
}

function portableOf({ namespace }: FolderRow, memory: MemoryAt) {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    key: memory.key,
    value: memory.value,
    namespace,
    metadata: objectIn(memory.metadata),
    created_at: iso(memory.created_at),
    updated_at: iso(memory.updated_at),
    ...(memory.expires_at !== null && { expires_at: iso(memory.expires_at) }),
  };
}
