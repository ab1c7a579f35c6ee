import fs from 'node:fs';
import path from 'node:path';
import { agentTitles } from '@reverie/shared/contract/sessions/coding-agents';
import {
  type Agent,
  type HookCall,
  type Places,
  type ProgramCommand,
  STATUS_LINE,
} from '@reverie/agent-connect/agents';
import { CannotEdit } from '@reverie/agent-connect/cannot-edit';
import type { ConfigEntry } from '@reverie/agent-connect/config-entry';
import { has, put, take } from '@reverie/agent-connect/edit';
import type { Home } from '../platform/home/home.ts';
import { hashOf, keepCopy, makeFile, readText } from './files.ts';
import { type ChangedFile, type AgentConnection, dropConnection, saveConnection } from './ledger.ts';

/** What is to be connected, and how. */
export interface ConnectRequest {
  agent: Agent;
  places: Places;
  /** The folder of the repository whose own files are to be used; null for the user's. */
  project: string | null;
  program: ProgramCommand;
  hooks: HookCall | undefined;
  /** The line of a shell that fills its status line, where it is to be set. */
  statusLine: string | undefined;
}

/** What is to stand in which file of an agent. */
export type ConfigEntries = ReadonlyMap<string, readonly ConfigEntry[]>;

/** The files of an agent and what is to stand in each. Throws `CannotEdit` where it has no file in a repository. */
export function entriesOf(request: ConnectRequest): ConfigEntries {
  const { agent, places, project, program, hooks, statusLine } = request;
  const inProject = (file: string | undefined) =>
    project === null || file === undefined ? undefined : path.join(project, file);
  const servers = project === null ? existingOf(agent.servers(places)) : inProject(agent.projectServers);
  if (servers === undefined)
    throw new CannotEdit(
      `${agentTitles[agent.name]} has no file for servers in a repository; connect it without --project.`,
    );
  const wanted = new Map<string, readonly ConfigEntry[]>([[servers, [agent.server(program)]]]);
  const hookFile = project === null ? agent.hooks?.file(places) : inProject(agent.hooks?.projectFile);
  // Some agents keep both in one file.
  if (agent.hooks && hooks && hookFile !== undefined)
    wanted.set(hookFile, [...(wanted.get(hookFile) ?? []), ...agent.hooks.entries(hooks)]);
  if (statusLine !== undefined) {
    if (!agent.statusLine)
      throw new CannotEdit(
        `${agentTitles[agent.name]} has no status line that a command fills; connect it without --statusline.`,
      );
    const { entry } = agent.statusLine;
    const file = inProject(agent.statusLine.projectFile) ?? agent.statusLine.file(places);
    wanted.set(file, [...(wanted.get(file) ?? []), entry(statusLine)]);
  }
  return wanted;
}

/** The first file of some that is there, else the first. */
function existingOf(files: readonly string[]): string | undefined {
  return files.find((file) => fs.existsSync(file)) ?? files[0];
}

/** A file as it is, as it is without what we put in, and as it is to be; undefined where it is not there. */
export interface Planned {
  file: string;
  now: string | undefined;
  base: string | undefined;
  after: string | undefined;
  /** What of ours is in it then. */
  entries: ChangedFile['entries'];
  /** What becomes of what we put in before. */
  how: 'restored' | 'taken_out' | 'removed' | 'as_it_was' | 'kept';
}

/** What would change in which file so that what we put in before goes and what is wanted comes; nothing is written. Throws `CannotEdit`, which names the file. */
export function plan(known: AgentConnection | undefined, wanted: ConfigEntries): Planned[] {
  const before = new Map((known?.files ?? []).map((changed) => [changed.path, changed]));
  return [...new Set([...before.keys(), ...wanted.keys()])].map((file) => {
    const now = readText(file);
    try {
      const changed = before.get(file);
      const { base, how } = changed ? withoutOurs(changed, now) : { base: now, how: 'as_it_was' as const };
      return { file, now, base, how, ...withEntries(base, wanted.get(file) ?? []) };
    } catch (cause) {
      if (cause instanceof CannotEdit) throw new CannotEdit(`${file} was not changed: ${cause.message}.`);
      throw cause;
    }
  });
}

function withEntries(
  base: string | undefined,
  wanted: readonly ConfigEntry[],
): Pick<Planned, 'after' | 'entries'> {
  if (wanted.length === 0) return { after: base, entries: [] };
  let after = base ?? '';
  const entries = wanted.map((entry): ChangedFile['entries'][number] => {
    const { text, ...trace } = put(after, entry);
    const isOurs = text !== after;
    after = text;
    return { entry, ...trace, ...(!isOurs && { own: false }) };
  });
  // An agent's own file ends as it wrote it; a new one with a line.
  if (base === undefined && !after.endsWith('\n')) after += '\n';
  return { after, entries };
}

/** A file that nobody touched is byte for byte as it was; of others exactly what was put in goes. */
function withoutOurs(
  { before, after, backup, entries }: ChangedFile,
  now: string | undefined,
): Pick<Planned, 'base' | 'how'> {
  if (now === undefined) return { base: now, how: 'as_it_was' };
  const hash = hashOf(now);
  if (hash === before) return { base: now, how: 'as_it_was' };
  if (hash === after && before === null) return { base: undefined, how: 'removed' };
  const copy = backup === null ? undefined : readText(backup);
  if (hash === after && copy !== undefined && hashOf(copy) === before) return { base: copy, how: 'restored' };
  let base = now;
  for (const { entry, own, ...trace } of entries.toReversed())
    if (own !== false) base = take(base, entry, trace);
  if (before === null && /^\s*(?:\{\s*\})?\s*$/.test(base)) return { base: undefined, how: 'removed' };
  if (base !== now) return { base, how: 'taken_out' };
  // A file of ours that somebody edited is theirs now.
  return { base, how: entries.some(({ entry }) => entry.kind === 'whole') ? 'kept' : 'as_it_was' };
}

/** Whether the status line is among what was put in for a connection, and stands there still. */
export function hasStatusLine({ files }: AgentConnection): boolean {
  return files.some(({ path: file, entries }) =>
    entries.some(
      ({ entry }) =>
        entry.kind === 'value' && entry.path[0] === STATUS_LINE && has(readText(file) ?? '', entry),
    ),
  );
}

/** Whether all that was put in for a connection stands there as it is wanted. */
export function isAsWanted({ files }: AgentConnection, wanted: ConfigEntries): boolean {
  return (
    files.length === wanted.size &&
    files.every(({ path: file, entries: there }) => {
      const entries = wanted.get(file);
      const text = readText(file);
      return (
        entries?.length === there.length && text !== undefined && entries.every((entry) => has(text, entry))
      );
    })
  );
}

/** What the ledger has, and what it is to have; undefined for an agent that is not, or not to be, connected. */
interface Change {
  known: AgentConnection | undefined;
  connection: Omit<AgentConnection, 'files'> | undefined;
}

/**
 * Carries out what was planned, all of it or nothing. What is put in is kept in the ledger before it is written, with a copy of each file, and
 * what was put in before stays there until it is gone: what a crash leaves can be undone.
 */
export function carryOut(home: Home, planned: readonly Planned[], { known, connection }: Change): void {
  for (const { file, now } of planned)
    if (readText(file) !== now)
      throw new CannotEdit(`${file} was changed by another program just now. Try again.`);
  const folder = path.join(home.backups, 'agents');
  const files: ChangedFile[] = [];
  try {
    for (const { file, base } of planned) if (known) makeFile(file, base);
    for (const { file, base, after, entries } of planned)
      if (connection && after !== undefined && entries.length > 0)
        files.push({
          path: file,
          after: hashOf(after),
          entries,
          before: base === undefined ? null : hashOf(base),
          backup: base === undefined ? null : keepCopy(base, { folder, name: path.basename(file) }),
        });
    if (connection) saveConnection(home, { ...connection, files });
    else if (known) dropConnection(home, known);
    for (const { file, after } of planned) makeFile(file, after);
  } catch (cause) {
    for (const { file, now } of planned) makeFile(file, now);
    if (known) saveConnection(home, known);
    else if (connection) dropConnection(home, connection);
    dropCopies(files);
    throw cause;
  }
  // The copies may hold what others keep in these files.
  dropCopies(known?.files ?? []);
}

function dropCopies(files: readonly ChangedFile[]): void {
  for (const { backup } of files) if (backup !== null) fs.rmSync(backup, { force: true });
}
