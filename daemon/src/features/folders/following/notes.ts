import fs from 'node:fs';
import path from 'node:path';
import { createYielding } from '../../../platform/yielding.ts';
import { type FolderRow, listSources, type FollowedFileRow } from '../folders.store.ts';
import { SETTINGS } from '@reverie/memory-formats/logseq/logseq';
import type { Ignoring } from './ignoring.ts';
import { isGone, type Listing, listNotes, type NoteFile, parentOf } from './listing.ts';
import type { Pass, PassWorld, PassWork } from './pass.ts';
import { type NotesOf, notesOf, readNote } from './reading.ts';
import { type FileStep, isFull, takeSteps } from './taking.ts';

/** Changes with every write to a file, as far as the file system tells; undefined where nothing is there, or it cannot be looked at. */
function stampOf(file: string): string | undefined {
  try {
    const stats = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats && [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
  } catch {
    // Who reads it says why it cannot be read.
    return undefined;
  }
}

/** Whether what was left out for a reason may be welcome later, though its file stays as it is. */
function isOpen(reason: string | undefined): boolean {
  return reason === 'kept' || reason === 'refused' || reason === 'deleted_here';
}

function groupBy<T>(all: readonly T[], of: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(of(one), [...(groups.get(of(one)) ?? []), one]);
  return groups;
}

/** Takes over a folder of notes, each of which is a memory: all of them, or those about which something was heard. */
export function createNotesPass(
  world: PassWorld,
  folder: FolderRow,
  { isNote, ignoring }: { isNote: (path: string) => boolean; ignoring: Ignoring },
): Pass {
  const { deps, issues, missing, holding } = world;
  const stamps = new Map<string, string | undefined>();
  const lost = new Set<string>();
  let folders = new Set<string>();
  let of: NotesOf | undefined;

  /** The folders that have to be looked at for what was heard; undefined for all. */
  function foldersOf({ isWhole, touched }: PassWork): Set<string> | undefined {
    if (isWhole) return undefined;
    const only = new Set<string>();
    for (const file of touched) {
      const relative = path.relative(folder.path, file).split(path.sep).join('/');
      // Only the whole of a folder says which of two names of one form is meant.
      if (relative !== relative.normalize('NFC')) return undefined;
      if (relative !== '') only.add(parentOf(relative));
      if (relative === '' || folders.has(relative)) only.add(relative);
    }
    return only;
  }

  function isDue({ path: name, file }: NoteFile, work: PassWork): boolean {
    if (work.isDeep || work.touched.has(file) || !stamps.has(name)) return true;
    const reason = issues.get(name)?.reason;
    return work.isWhole && (isOpen(reason) || stamps.get(name) !== stampOf(file));
  }

  /** Forgets what was named of files that are not there any more, or are looked at anew. */
  function clearIssues(listing: Listing, isWhole: boolean): void {
    for (const [name, { reason }] of issues)
      if (reason === 'link' || (isWhole && reason === 'unreadable') || isGone(name, listing, 'any'))
        if (reason !== 'kept') issues.delete(name);
    for (const issue of listing.issues) issues.set(issue.path, issue);
  }

  return async (work) => {
    // Settings that could not be read may be readable by now.
    if (!of || (work.isWhole && of.settings?.unread !== undefined)) of = await notesOf(folder);
    const only = foldersOf(work);
    const listing = await listNotes({
      root: folder.path,
      isNote,
      ignores: ignoring.ignores,
      only: only && { folders: only, isKnown: (name) => folders.has(name) },
    });
    folders = only ? new Set([...folders, ...listing.folders.keys()]) : new Set(listing.folders.keys());
    clearIssues(listing, !only);
    const unread = of.settings?.unread;
    if (unread !== undefined) issues.set(SETTINGS, { path: SETTINGS, reason: 'unreadable', detail: unread });
    const known = new Map(deps.store.read((db) => listSources(db, folder.id)).map((row) => [row.path, row]));
    const gone = new Map([...known].filter(([name]) => isGone(name, listing)));
    const present = new Set(listing.notes.map((note) => note.path));
    const removed = missing.look(new Set(gone.keys()), (name) => present.has(name));
    for (const name of gone.keys()) {
      stamps.delete(name);
      world.places.delete(name);
    }
    // Also of one that was gone before it was read: where it lies no more a memory may be written.
    for (const name of world.places.keys())
      if (!known.has(name) && isGone(name, listing)) world.places.delete(name);
    // Of two names of one form the other file may have this name now.
    const replaced = new Set<string>();
    for (const { path: name, file } of listing.notes) {
      if (world.places.get(name) !== file) replaced.add(name);
      world.places.set(name, file);
    }
    const around = { of, known, gone, byHash: groupBy([...gone.values()], ({ hash }) => hash) };

    const due = listing.notes.filter((note) => replaced.has(note.path) || isDue(note, work));
    const turn = createYielding();
    let steps: FileStep[] = [];
    let fresh = 0;
    const renamed = new Set<string>();
    const take = async () => {
      const batch = steps;
      steps = [];
      for (const issue of takeSteps(deps, folder, batch)) issues.set(issue.path, issue);
      await deps.landing.settled(folder.account);
    };
    for (const [at, note] of due.entries()) {
      world.progress(at, due.length);
      const step = await stepOf(note, around);
      await turn();
      if (world.isStopped()) return;
      if (step) steps.push(step);
      if (step?.kind === 'put' && !step.known) fresh += 1;
      if (step?.kind === 'rename') renamed.add(step.from.path);
      if (isFull(steps)) await take();
      await turn();
      if (world.isStopped()) return;
    }
    await take();
    if (world.isStopped()) return;
    const released = folder.prune
      ? holding.release({
          missing: gone.keys(),
          ripe: removed,
          known,
          fresh,
          isThere: (name) => present.has(name) || renamed.has(name),
        })
      : new Set<string>();
    for (const name of released) {
      const from = gone.get(name);
      if (from) steps.push({ kind: 'remove', from });
      if (isFull(steps)) {
        await take();
        await turn();
        if (world.isStopped()) return;
      }
    }
    await take();
    if (released.size > 0) lookAgain('duplicate');
  };

  interface Around {
    of: NotesOf;
    known: ReadonlyMap<string, FollowedFileRow>;
    /** Files that are missing; one that turned up under another name is taken out. */
    gone: Map<string, FollowedFileRow>;
    byHash: ReadonlyMap<string, FollowedFileRow[]>;
  }

  async function stepOf(
    note: NoteFile,
    { of: notes, known, gone, byHash }: Around,
  ): Promise<FileStep | undefined> {
    const stamp = stampOf(note.file);
    const row = known.get(note.path);
    const read = await readNote(note, notes, row?.hash);
    if (read.kind === 'gone') {
      vanished(note);
      return undefined;
    }
    lost.delete(note.file);
    stamps.set(note.path, stamp);
    if (read.kind === 'issue') {
      issues.set(note.path, read.issue);
      return undefined;
    }
    if (read.kind === 'same') {
      if (issues.get(note.path)?.reason !== 'conflict') issues.delete(note.path);
      return undefined;
    }
    const { hash, memory } = read;
    issues.delete(note.path);
    const file = { path: note.path, hash, memory };
    const from = row ? undefined : byHash.get(hash)?.shift();
    if (!from) return { kind: 'put', file, known: row };
    gone.delete(from.path);
    return { kind: 'rename', file, from };
  }

  /** A file that was listed and is not there: it is looked for once more. */
  function vanished({ path: name, file }: NoteFile): void {
    if (!lost.has(file)) {
      lost.add(file);
      return world.again(file);
    }
    const detail = 'is listed, but cannot be opened';
    issues.set(name, { path: name, reason: 'unreadable', detail });
  }

  /** What was left out for a reason that may be gone is looked at once more. */
  function lookAgain(reason: string): void {
    for (const [name, issue] of issues)
      if (issue.reason === reason) world.again(path.join(folder.path, name));
  }
}
