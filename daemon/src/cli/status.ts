import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import { type Folder, listFolders } from '@reverie/shared/contract/memories/folders';
import { Problem } from '@reverie/shared/contract/problems';
import { status } from '@reverie/shared/contract/system/system';
import { backgroundFlags } from '../platform/home/background-file.ts';
import { logFile } from './background.ts';
import { stateOf } from './folders.ts';
import { connect, NotRunning } from './connection.ts';
import { jsonOption } from './options.ts';
import { count, note, printJson, say, shortTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie status`: exits 1 where nothing runs. */
export function addStatus(program: Command, terminal: Terminal): void {
  program
    .command('status')
    .description('show whether Reverie runs, and what it holds')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => showStatus(terminal, json ?? false));
}

/** Folders that do not follow their files now; none for whoever may not see folders. */
async function waitingFolders(client: Client): Promise<Folder[]> {
  try {
    const { folders } = await client(listFolders, {});
    return folders.filter(({ state }) => state.kind === 'paused' || state.kind === 'holding');
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 403) return [];
    throw cause;
  }
}

async function showStatus(terminal: Terminal, json: boolean): Promise<void> {
  const home = homeOf(terminal);
  const connection = await connect(home, terminal.env).catch((cause: unknown) => {
    if (cause instanceof NotRunning) return cause;
    throw cause;
  });
  if (connection instanceof NotRunning) {
    terminal.exitCode = 1;
    if (json) printJson(terminal, { running: false, home: home.folder });
    else note(terminal, `${connection.message}\nIts home is ${home.folder}.`);
    return;
  }
  const { client, daemon } = connection;
  const found = await client(status, {});
  const waiting = await waitingFolders(client);
  const background = backgroundFlags(home) !== undefined;
  if (json) {
    const { pid, origin } = daemon;
    return printJson(terminal, {
      running: true,
      home: home.folder,
      pid,
      origin,
      background,
      ...found,
      folders: waiting,
    });
  }
  const { embedder, indexing } = found;
  const lines = [
    ['Address', daemon.origin],
    ['Process', `${daemon.pid}, version ${found.version}, since ${shortTime(found.started_at)}`],
    ['Home', home.folder],
    ...(background ? [['Log', logFile(home)]] : []),
    [
      'Memories',
      `${count(found.memories, 'memory', 'memories')} in ${count(found.namespaces, 'namespace')}, ${size(found.bytes)}`,
    ],
    [
      'Search',
      indexing.pending === 0
        ? 'everything is indexed'
        : `${count(indexing.pending, 'chunk')} wait for their vector; words find them already`,
    ],
    [
      'Embedder',
      `${embedder.model}, ${embedder.dimensions} dimensions, ${embedder.embedded} of ${count(embedder.total, 'chunk')}`,
    ],
    ...waiting.map((folder) => ['Folder', `${folder.path}: ${stateOf(folder)}`]),
  ];
  for (const [name = '', value] of lines) say(terminal, `${`${name}:`.padEnd(10)} ${value}`);
}
