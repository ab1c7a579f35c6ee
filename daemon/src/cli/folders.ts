import fs from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  addFolder,
  type Folder,
  type FolderFormat,
  folderFormats,
  listFolders,
  pruneFolder,
  removeFolder,
} from '@reverie/shared/contract/memories/folders';
import { projectOf } from '../platform/project.ts';
import { clientOf } from './connection.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { count, inOneLine, note, printJson, printTable, quoted, say, shortTime } from './print.ts';
import { type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie folders add ~/notes -n notes     what is written there is a memory within a second
  reverie folders add ~/vault -n vault --both
  reverie folders add . -f agent-files     AGENTS.md, CLAUDE.md and rules of Cursor, into the project's namespace
  reverie folders                          how they do, and what was not taken, with the reason

.gitignore and .reverieignore say what is passed over. Files that are removed there go to the trash here;
where most are gone at once, their memories stay until the files are there again, or \`reverie folders prune\` says that they are meant to be gone.`;

/** `reverie folders`, with its commands; alone it lists. */
export function addFolders(program: Command, terminal: Terminal): void {
  const folders = program
    .command('folders')
    .description('follow folders of notes: their files are memories')
    .addHelpText('after', AFTER);
  folders
    .command('list', { isDefault: true })
    .description('list the folders that are followed, and what was not taken')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => list(terminal, json));
  folders
    .command('add')
    .description('follow a folder from now on, also after a restart')
    .argument('<path>', 'the folder')
    .addOption(namespaceOption())
    .option('--both', 'write what is edited here into the files, too; needs a namespace of its own')
    .option('--no-prune', 'keep the memories of files that are removed there')
    .addOption(
      new Option('-f, --format <format>', 'what it holds; found out where it is clear').choices(
        folderFormats,
      ),
    )
    .addOption(jsonOption())
    .action((folder: string, options: AddOptions, command: Command) =>
      add(terminal, folder, {
        ...options,
        namespace: namespaceFor(folder, options, command.getOptionValueSource('namespace') === 'default'),
      }),
    );
  folders
    .command('prune')
    .description('move the memories of files that are gone at once, and held back, to the trash')
    .argument('<folder>', 'its path, or its id as in `reverie folders --json`')
    .addOption(jsonOption())
    .action((folder: string, { json }: { json?: true }) => prune(terminal, folder, json));
  folders
    .command('remove')
    .description('stop following a folder; its files and its memories stay')
    .argument('<folder>', 'its path, or its id as in `reverie folders --json`')
    .addOption(jsonOption())
    .action((folder: string, { json }: { json?: true }) => remove(terminal, folder, json));
}

type AddOptions = Common & { both?: true; prune: boolean; format?: FolderFormat };

/** Files that agents read go to the namespace of their project, where none is named. */
function namespaceFor(folder: string, { format, namespace }: AddOptions, isDefault: boolean): string {
  if (!isDefault || format !== 'agent-files') return namespace;
  return projectOf(folder)?.namespace ?? namespace;
}

async function add(terminal: Terminal, folder: string, options: AddOptions): Promise<void> {
  const client = await clientOf(terminal);
  const reply = await client(addFolder, {
    body: {
      path: path.resolve(folder),
      namespace: options.namespace,
      prune: options.prune,
      sync: options.both ? 'both' : 'in',
      ...(options.format !== undefined && { format: options.format }),
    },
  });
  if (options.json) return printJson(terminal, reply);
  say(terminal, `Following ${reply.path} as ${reply.format}, into ${reply.namespace}.`);
  note(
    terminal,
    reply.sync === 'both'
      ? 'What is edited here is written into the files. A file whose memory is deleted here goes to .reverie-trash there.'
      : 'The files are only read. What is edited here stays here, and is kept when its file changes.',
  );
  note(terminal, 'What is there is being read; `reverie folders` shows how far that is.');
}

/** Issues that are shown without `--json`. */
const SHOWN = 20;

async function list(terminal: Terminal, json: true | undefined): Promise<void> {
  const reply = await (await clientOf(terminal))(listFolders, {});
  if (json) return printJson(terminal, reply);
  const { isTTY } = terminal.stdout;
  printTable(
    terminal,
    ['Folder', 'Namespace', 'State', 'Memories', 'Last change'],
    reply.folders.map((folder) => [
      folder.path,
      folder.sync === 'both' ? `${folder.namespace} (both ways)` : folder.namespace,
      stateOf(folder),
      String(folder.memories),
      folder.last_change_at === null ? '' : isTTY ? shortTime(folder.last_change_at) : folder.last_change_at,
    ]),
  );
  for (const folder of reply.folders) tellIssues(terminal, folder);
  if (isTTY && reply.folders.length === 0)
    note(terminal, 'No folder is followed yet. `reverie folders add PATH` follows one.');
}

/** How a folder does, in a few words. */
export function stateOf({ state, path: folder }: Folder): string {
  switch (state.kind) {
    case 'watching':
      return 'up to date';
    case 'catching_up':
      return `reading, ${state.done} of ${state.of}`;
    case 'paused':
      return `paused: ${state.reason}`;
    case 'holding': {
      const names = state.files.map(inOneLine).join(', ');
      return `holding back: ${state.gone} of ${count(state.of, 'file')} are gone at once (${names}${state.gone > state.files.length ? ' …' : ''}); their memories stay until they are there again. Where they are meant to be gone: reverie folders prune ${quoted(folder)}`;
    }
  }
}

/** On stderr: a list that a program reads is of folders. */
function tellIssues(terminal: Terminal, { path: folder, issues, issues_total }: Folder): void {
  if (issues_total === 0) return;
  note(terminal, `${folder}: ${count(issues_total, 'file', 'files')} not taken, or not as the memory is:`);
  for (const { path: file, reason, detail } of issues.slice(0, SHOWN))
    note(terminal, `  ${file} (${reason}): ${detail}`);
  if (issues_total > SHOWN) note(terminal, `  … and ${issues_total - SHOWN} more; --json lists them`);
}

/** The folder that is meant by its path or its id. */
async function followed(client: Client, given: string): Promise<Folder> {
  const { folders } = await client(listFolders, {});
  const wanted = [given, path.resolve(given), realPath(given)];
  const found = folders.find((folder) => wanted.includes(folder.id) || wanted.includes(folder.path));
  if (!found)
    throw new UsageError(
      folders.length === 0
        ? 'No folder is followed.'
        : `${given} is not followed. These are: ${folders.map((folder) => folder.path).join(', ')}`,
    );
  return found;
}

async function prune(terminal: Terminal, given: string, json: true | undefined): Promise<void> {
  const client = await clientOf(terminal);
  const { id, path: folder } = await followed(client, given);
  const reply = await client(pruneFolder, { params: { id } });
  if (json) printJson(terminal, reply);
  else
    say(
      terminal,
      `The memories of files that are gone from ${folder} go to the trash; \`reverie undelete\` brings one back.`,
    );
}

async function remove(terminal: Terminal, given: string, json: true | undefined): Promise<void> {
  const client = await clientOf(terminal);
  const found = await followed(client, given);
  const reply = await client(removeFolder, { params: { id: found.id } });
  if (json) printJson(terminal, reply);
  else say(terminal, `Not following ${found.path} any more; its files and its memories stay.`);
}

/** Where a path leads; itself where it leads nowhere now, as on a disk that is away. */
function realPath(given: string): string {
  try {
    return fs.realpathSync(given);
  } catch {
    return path.resolve(given);
  }
}
