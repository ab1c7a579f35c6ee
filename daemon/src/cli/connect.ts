import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { ApiError, type Client } from '@reverie/shared/client';
import { agentTitles } from '@reverie/shared/contract/sessions/coding-agents';
import { createKey, revokeKey } from '@reverie/shared/contract/accounts/keys';
import { type AgentName, agentNames, agentOf, type Places } from '@reverie/agent-connect/agents';
import { CannotEdit } from '@reverie/agent-connect/cannot-edit';
import type { ConfigEntry } from '@reverie/agent-connect/config-entry';
import {
  carryOut,
  entriesOf,
  hasStatusLine,
  isAsWanted,
  plan,
  type Planned,
  type ConnectRequest,
} from '../connect/connecting.ts';
import { type AgentConnection, isSame, oneAtATime, readLedger } from '../connect/ledger.ts';
import { type Home, homeFolder, Refusal, writePrivateFile } from '../platform/home/home.ts';
import { projectOf } from '../platform/project.ts';
import { PROGRAM } from './background.ts';
import { connect } from './connection.ts';
import { jsonOption, several } from './options.ts';
import { note, printJson, printTable, say } from './print.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

interface ConnectOptions {
  project?: true;
  namespace?: string[];
  hooks: boolean;
  statusline?: true;
  dryRun?: true;
  json?: true;
}

const AFTER = `
Examples:
  reverie connect                      which agents are there, and which are connected
  reverie connect claude-code          memory in every session, a brief at the start of each
  reverie connect codex --no-hooks     only the tools
  reverie connect claude-code --statusline   and what it recalled, in its status line
  reverie connect cursor --project     in the files of this repository, for all who work on it
  reverie connect zed --dry-run        what it would write
  reverie disconnect claude-code       everything as it was before

It gets a key of its own, kept in the home: no file of an agent ever holds one.`;

/** `reverie connect AGENT` */
export function addConnect(program: Command, terminal: Terminal): void {
  program
    .command('connect')
    .description('give a coding agent its memory: tools, hooks, and a key of its own')
    .addArgument(new Argument('[agent]', 'which one').choices(agentNames))
    .option('--project', 'in the files of this repository instead of yours')
    .option('-n, --namespace <pattern>', 'its key gets only this namespace; may be given again', several)
    .option('--no-hooks', 'only the tools: nothing is told at the start of a session or at a prompt')
    .option('--statusline', 'fill its status line, too: what was recalled and saved, and what waits')
    .option('--dry-run', 'show what would be written, and write nothing')
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((name: AgentName | undefined, options: ConnectOptions) =>
      explained(() => {
        if (name === undefined) return list(terminal, options);
        return oneAtATime(homeOf(terminal), () => connectAgent(terminal, name, options));
      }),
    );
}

/** `reverie disconnect AGENT` */
export function addDisconnect(program: Command, terminal: Terminal): void {
  program
    .command('disconnect')
    .description('take out of an agent all that `connect` put in, and end its key')
    .addArgument(new Argument('<agent>', 'which one').choices(agentNames))
    .option('--project', 'out of the files of this repository')
    .addOption(jsonOption())
    .action((name: AgentName, options: Pick<ConnectOptions, 'project' | 'json'>) =>
      explained(() => oneAtATime(homeOf(terminal), () => disconnectAgent(terminal, name, options))),
    );
}

async function explained(act: () => Promise<void> | void): Promise<void> {
  try {
    await act();
  } catch (cause) {
    if (cause instanceof CannotEdit) throw new Refusal(cause.message, cause);
    if (isFileError(cause))
      throw new Refusal(
        `${cause.path ?? 'A file'} cannot be written (${cause.code ?? 'unknown'}); nothing was changed. Allow it, or free some space, and do it again.`,
        cause,
      );
    throw cause;
  }
}

function isFileError(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'syscall' in cause && 'path' in cause;
}

const placesOf = ({ env }: Pick<Terminal, 'env'>): Places => ({
  home: env['HOME'] ?? env['USERPROFILE'] ?? os.homedir(),
  platform: process.platform,
  env,
});

/** The folder of the repository that the command is run in. */
function repository(): string {
  const found = projectOf(process.cwd());
  if (!found)
    throw new UsageError('This folder is in no Git repository: go into one, or leave --project out.');
  return found.root;
}

/** What connecting an agent is to set up: where its files are, how our program is started, and its hooks. */
export function wantedFor(
  { env }: Pick<Terminal, 'env'>,
  home: Home,
  {
    name,
    project,
    hooks,
    statusline = false,
  }: { name: AgentName; project: string | null; hooks: boolean; statusline?: boolean },
): ConnectRequest {
  const agent = agentOf(name);
  const usual = homeFolder({ ...env, REVERIE_HOME: undefined });
  // A repository's file is read on other machines, too: there it is whatever `reverie` is.
  const at = project !== null || home.folder === usual ? [] : ['--home', home.folder];
  const start = project === null ? [process.execPath, PROGRAM] : ['reverie'];
  const [command = '', ...args] = [...start, ...at];
  const words = (event: string) => [...start, 'hook', event, '--agent', name, ...at];
  const line = (all: readonly string[]) => all.map(shellWord).join(' ');
  return {
    agent,
    project,
    places: placesOf({ env }),
    program: { command, args: [...args, 'mcp', '--agent', name] },
    hooks: hooks ? { line: (event) => line(words(event)), words: [...start, ...at] } : undefined,
    statusLine: statusline ? line([...start, 'statusline', ...at]) : undefined,
  };
}

/** A word of a command line, in quotes where a shell would read it otherwise; of either shell's, for a path has none of both. */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

async function connectAgent(terminal: Terminal, name: AgentName, options: ConnectOptions): Promise<void> {
  const home = homeOf(terminal);
  const project = options.project ? repository() : null;
  const which = { agent: name, project };
  const known = readLedger(home).find((one) => isSame(one, which));
  // Once it is set it stays until the agent is disconnected, or somebody sets their own.
  const statusline = options.statusline === true || (known !== undefined && hasStatusLine(known));
  const wanted = wantedFor(terminal, home, { name, project, hooks: options.hooks, statusline });
  const keyFile = path.join(home.agentKeys, name);
  if (options.namespace && fs.existsSync(keyFile))
    throw new UsageError(
      `${agentTitles[name]} has a key already, and what a key may stays as it was made. \`reverie disconnect ${name}\` ends it; then connect it with -n.`,
    );
  const entries = entriesOf(wanted);
  if (known && isAsWanted(known, entries)) {
    if (options.json) return printJson(terminal, { ...which, dry_run: options.dryRun ?? false, changed: [] });
    return say(terminal, `${agentTitles[name]} is connected already; nothing was changed.`);
  }
  const planned = plan(known, entries);
  if (options.dryRun) return show(terminal, planned, { options, wanted });
  const { client } = await connect(home, terminal.env);
  const had = known?.key ?? readLedger(home).find((one) => one.agent === name)?.key ?? null;
  const made = fs.existsSync(keyFile) ? null : await makeKey(client, { name, keyFile, options });
  try {
    carryOut(home, planned, {
      known,
      connection: { ...which, key: made ?? had, at: new Date().toISOString() },
    });
  } catch (cause) {
    if (made) await endKey(client, made);
    throw cause;
  }
  show(terminal, planned, { options, wanted });
}

interface Making {
  name: AgentName;
  keyFile: string;
  options: ConnectOptions;
}

/** Makes a key that may read, store and move to the trash, and keeps it for its user alone. */
async function makeKey(
  client: Client,
  { name, keyFile, options: { namespace } }: Making,
): Promise<NonNullable<AgentConnection['key']>> {
  const made = await client(createKey, {
    body: {
      name,
      scope: 'write',
      can: ['read', 'set', 'delete'],
      ...(namespace && { namespaces: namespace }),
    },
  });
  fs.mkdirSync(path.dirname(keyFile), { recursive: true, mode: 0o700 });
  writePrivateFile(keyFile, `${made.key}\n`);
  return { id: made.id, file: keyFile };
}

function show(
  terminal: Terminal,
  planned: readonly Planned[],
  { options, wanted: { agent, project } }: { options: ConnectOptions; wanted: ConnectRequest },
): void {
  const { json, dryRun } = options;
  if (json)
    return printJson(terminal, {
      agent: agent.name,
      project,
      dry_run: dryRun ?? false,
      changed: planned.map(({ file, now, after }) => ({ file, new: now === undefined, text: after ?? null })),
    });
  for (const { file, now, entries, how } of planned) {
    say(terminal, `${file}${now === undefined ? ' (new)' : ''}`);
    if (how !== 'as_it_was') say(terminal, '  - what was put in before');
    for (const { entry, own } of entries)
      for (const line of linesOf(entry))
        say(terminal, own === false ? `  = ${line} (there already, and stays)` : `  + ${line}`);
  }
  if (dryRun) return note(terminal, 'Nothing was written.');
  say(terminal, `${agentTitles[agent.name]} is connected. Start it anew, so that it reads this.`);
  if (agent.hooks?.trust !== undefined && options.hooks) say(terminal, agent.hooks.trust);
  if (project !== null)
    note(
      terminal,
      'Whoever works on this repository needs `reverie` as a command, and `reverie connect` once for a key of their own.',
    );
  note(terminal, `\`reverie doctor agents\` proves it; \`reverie disconnect ${agent.name}\` undoes it.`);
}

function linesOf(entry: ConfigEntry): string[] {
  if (entry.kind === 'table') return entry.text.split('\n');
  if (entry.kind === 'whole') return ['all of it'];
  return [`${entry.path.join('.')}: ${JSON.stringify(entry.value)}`];
}

async function disconnectAgent(
  terminal: Terminal,
  name: AgentName,
  { project: isProject, json }: Pick<ConnectOptions, 'project' | 'json'>,
): Promise<void> {
  const home = homeOf(terminal);
  const which = { agent: name, project: isProject ? repository() : null };
  const all = readLedger(home);
  const known = all.find((one) => isSame(one, which));
  const title = agentTitles[name];
  if (!known)
    throw new UsageError(
      `${title} is not connected${isProject ? ' in this repository' : ''}; \`reverie connect\` lists those that are.`,
    );
  const others = all.filter((one) => one.agent === name && one !== known);
  // Without the daemon the key could not be ended, so nothing is begun.
  const client = known.key && others.length === 0 ? (await connect(home, terminal.env)).client : undefined;
  const planned = plan(known, new Map());
  carryOut(home, planned, { known, connection: undefined });
  if (client && known.key) await endKey(client, known.key);
  if (json)
    return printJson(terminal, { ...which, changed: planned.map(({ file, how }) => ({ file, how })) });
  for (const { file, how } of planned) say(terminal, `${file}: ${HOW[how]}`);
  say(terminal, `${title} is disconnected${client ? ', and its key is ended' : ''}.`);
}

const HOW = {
  restored: 'as it was before, byte for byte',
  taken_out: 'what was put in is taken out; what others changed since stays',
  removed: 'removed; it was not there before',
  as_it_was: 'nothing of ours is in it',
  kept: 'you edited it since, so it stays; remove it by hand, for it still calls Reverie',
} as const;

async function endKey(client: Client, { id, file }: NonNullable<AgentConnection['key']>): Promise<void> {
  try {
    await client(revokeKey, { params: { id } });
  } catch (cause) {
    // Somebody ended it before.
    if (!(cause instanceof ApiError) || cause.code !== 'key_not_found') throw cause;
  }
  fs.rmSync(file, { force: true });
}

function list(terminal: Terminal, { json }: ConnectOptions): void {
  const connections = readLedger(homeOf(terminal));
  const places = placesOf(terminal);
  const agents = agentNames.map((name) => {
    const agent = agentOf(name);
    const files = [...agent.servers(places), ...(agent.hooks ? [agent.hooks.file(places)] : [])];
    // The folder of the user is there for everybody.
    const folders = files.map((file) => path.dirname(file)).filter((folder) => folder !== places.home);
    const isThere = [...files, ...folders].some((one) => fs.existsSync(one));
    return {
      name,
      title: agentTitles[name],
      found: isThere,
      connected: connections.filter((one) => one.agent === name).map(({ project }) => project ?? 'yours'),
    };
  });
  if (json) return printJson(terminal, { agents });
  printTable(
    terminal,
    ['Agent', 'Name', 'On this machine', 'Connected'],
    agents.map(({ name, title, found, connected }) => [
      title,
      name,
      found ? 'seems so' : '',
      connected.join(', '),
    ]),
  );
}
