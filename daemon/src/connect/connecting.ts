import fs from 'node:fs';
import path from 'node:path';
import type { Home } from '../platform/home.ts';
import { type Agent, type Entry, type HookCall, type Places, type Program } from './agents.ts';
import { CannotEdit, has, type Made, put, take } from './edit.ts';
import { backUp, hashOf, readText, replaceFile } from './files.ts';
import { type ChangedFile, type Connection, dropConnection, saveConnection } from './ledger.ts';

/** What is to be connected, and how. */
export interface Wanted {
  agent: Agent;
  places: Places;
  /** The folder of the repository whose own files are to be used; null for the user's. */
  project: string | null;
  program: Program;
  hooks: HookCall | undefined;
}

/** A file as it is and as it is to be. */
export interface Planned {
  file: string;
  before: string | undefined;
  after: string;
  entries: readonly { entry: Entry; made: readonly Made[] }[];
}

/** The files of an agent and what is to stand in each. Throws `CannotEdit` where it has no file in a repository. */
export function entriesOf({ agent, places, project, program, hooks }: Wanted): Map<string, readonly Entry[]> {
  const inProject = (file: string | undefined) =>
    project === null || file === undefined ? undefined : path.join(project, file);
  const servers = project === null ? existingOf(agent.servers(places)) : inProject(agent.projectServers);
  if (servers === undefined)
    throw new CannotEdit(
      `${agent.title} has no file for servers in a repository; connect it without --project`,
    );
  const wanted = new Map<string, readonly Entry[]>([[servers, [agent.server(program)]]]);
  const hookFile = project === null ? agent.hooks?.file(places) : inProject(agent.hooks?.projectFile);
  if (agent.hooks && hooks && hookFile !== undefined)
    wanted.set(hookFile, [...(wanted.get(hookFile) ?? []), ...agent.hooks.entries(hooks)]);
  return wanted;
}

/** The first file of some that is there, else the first. */
function existingOf(files: readonly string[]): string | undefined {
  return files.find((file) => fs.existsSync(file)) ?? files[0];
}

/** What would change in which file; nothing is written. Throws `CannotEdit`, which names the file. */
export function plan(wanted: Wanted): Planned[] {
  return [...entriesOf(wanted)].map(([file, entries]) => {
    const before = readText(file);
    try {
      let after = before ?? '';
      const done = entries.map((entry) => {
        const { text, made } = put(after, entry);
        after = text;
        return { entry, made };
      });
      // An agent's own file ends with a line as it wrote it; a new one does so, too.
      if (before === undefined && !after.endsWith('\n')) after += '\n';
      return { file, before, after, entries: done };
    } catch (cause) {
      if (cause instanceof CannotEdit) throw new CannotEdit(`${file} was not changed: ${cause.message}.`);
      throw cause;
    }
  });
}

/** Whether all that was put in for a connection stands there as it is wanted. */
export function isAsWanted({ files }: Connection, wanted: Map<string, readonly Entry[]>): boolean {
  return (
    files.length === wanted.size &&
    files.every(({ path: file }) => {
      const entries = wanted.get(file);
      const text = readText(file);
      return entries !== undefined && text !== undefined && entries.every((entry) => has(text, entry));
    })
  );
}

/**
 * Writes what was planned. First what will be changed is kept in the ledger, with a copy of each file, so that what a crash leaves can be
 * undone; then each file is replaced whole.
 */
export function carryOut(
  home: Home,
  planned: readonly Planned[],
  { agent, project, key, at }: Omit<Connection, 'files'>,
): void {
  const files = planned.map(({ file, before, after, entries }): ChangedFile => {
    // Somebody may have written it since it was looked at.
    if (hashOf(readText(file)) !== hashOf(before))
      throw new CannotEdit(`${file} was changed by another program just now. Try again.`);
    return {
      path: file,
      before: hashOf(before),
      after: hashOf(after) ?? '',
      backup: before === undefined ? null : backUp(file, path.join(home.backups, 'agents')),
      entries,
    };
  });
  saveConnection(home, { agent, project, key, at, files });
  for (const { file, before, after } of planned) if (before !== after) replaceFile(file, after);
}

/** What undoing did with a file. */
export interface Undone {
  file: string;
  how: 'restored' | 'taken_out' | 'removed' | 'as_it_was';
}

/** Undoes a connection: a file that nobody touched is byte for byte as it was; of others exactly what was put in goes. */
export function undo(home: Home, connection: Connection): Undone[] {
  const undone = connection.files.map((changed): Undone => ({ file: changed.path, how: undoFile(changed) }));
  dropConnection(home, connection);
  // The copies may hold what others keep in these files.
  for (const { backup } of connection.files) if (backup !== null) fs.rmSync(backup, { force: true });
  return undone;
}

function undoFile({ path: file, before, after, backup, entries }: ChangedFile): Undone['how'] {
  const now = readText(file);
  const hash = hashOf(now);
  if (now === undefined || hash === before) return 'as_it_was';
  if (hash === after && before === null) return remove(file);
  const copy = backup === null ? undefined : readText(backup);
  if (hash === after && copy !== undefined && hashOf(copy) === before) {
    replaceFile(file, copy);
    return 'restored';
  }
  let text = now;
  try {
    for (const { entry, made } of entries.toReversed()) text = take(text, entry, made);
  } catch (cause) {
    if (cause instanceof CannotEdit) throw new CannotEdit(`${file} was not changed: ${cause.message}.`);
    throw cause;
  }
  if (before === null && /^\s*(?:\{\s*\})?\s*$/.test(text)) return remove(file);
  if (text === now) return 'as_it_was';
  replaceFile(file, text);
  return 'taken_out';
}

function remove(file: string): 'removed' {
  fs.rmSync(file);
  return 'removed';
}
