import type { Command } from 'commander';
import { emptyProgram, explainErrors, HELP_COMMAND } from './empty-program.ts';
import type { Terminal } from './terminal.ts';

const AFTER = `
A memory is a text under a key, in a namespace: -n NAME names it, REVERIE_NAMESPACE for every
command, and "default" is it where neither does.

Examples:
  reverie start --background        run Reverie, and go on with your work
  reverie import ~/notes            bring your own notes
  reverie add the spare key hangs behind the boiler
  reverie search what did we decide about backups
  reverie ask when does the lease end
  reverie key create my-agent       a key for an agent on this machine

Each command explains itself: reverie import --help`;

/** Adds a command to a program. */
type Add = (program: Command, terminal: Terminal) => void;

/** A command's file is loaded when it is run, or shown among all of them: to load every one takes three times as long. */
type Load = () => Promise<Add>;

/** The commands by name, in the order of the help. */
const groups: readonly (readonly [heading: string, commands: Readonly<Record<string, Load>>])[] = [
  [
    'Run it:',
    {
      start: async () => (await import('./start.ts')).addStart,
      stop: async () => (await import('./stop.ts')).addStop,
      status: async () => (await import('./status.ts')).addStatus,
      open: async () => (await import('./open.ts')).addOpen,
      service: async () => (await import('./service.ts')).addService,
    },
  ],
  [
    'Memories:',
    {
      add: async () => (await import('./add.ts')).addAdd,
      today: async () => (await import('./today.ts')).addToday,
      set: async () => (await import('./set.ts')).addSet,
      get: async () => (await import('./get.ts')).addGet,
      edit: async () => (await import('./edit.ts')).addEdit,
      rename: async () => (await import('./rename.ts')).addRename,
      tag: async () => (await import('./tag.ts')).addTag,
      history: async () => (await import('./history.ts')).addHistory,
      links: async () => (await import('./links.ts')).addLinks,
      list: async () => (await import('./list.ts')).addList,
      search: async () => (await import('./search.ts')).addSearch,
      ask: async () => (await import('./ask.ts')).addAsk,
      dream: async () => (await import('./dream.ts')).addDream,
      namespaces: async () => (await import('./namespaces.ts')).addNamespaces,
      delete: async () => (await import('./delete.ts')).addDelete,
      trash: async () => (await import('./trash.ts')).addTrash,
      undelete: async () => (await import('./trash.ts')).addUndelete,
      clear: async () => (await import('./clear.ts')).addClear,
    },
  ],
  [
    'Coding sessions:',
    {
      sessions: async () => (await import('./sessions/sessions.ts')).addSessions,
    },
  ],
  [
    'Between programs:',
    {
      connect: async () => (await import('./connect.ts')).addConnect,
      disconnect: async () => (await import('./connect.ts')).addDisconnect,
      mcp: async () => (await import('./mcp.ts')).addMcp,
      recalls: async () => (await import('./recalls.ts')).addRecalls,
      eval: async () => (await import('./recalls.ts')).addEval,
      events: async () => (await import('./events.ts')).addEvents,
      inbox: async () => (await import('./inbox.ts')).addInbox,
      webhooks: async () => (await import('./webhooks.ts')).addWebhooks,
      hook: async () => (await import('./hook.ts')).addHook,
      statusline: async () => (await import('./statusline.ts')).addStatusline,
    },
  ],
  [
    'Between devices:',
    {
      link: async () => (await import('./link.ts')).addLink,
      unlink: async () => (await import('./unlink.ts')).addUnlink,
      sync: async () => (await import('./sync.ts')).addSync,
      devices: async () => (await import('./devices.ts')).addDevices,
      share: async () => (await import('./share.ts')).addShare,
      join: async () => (await import('./join.ts')).addJoin,
      leave: async () => (await import('./leave.ts')).addLeave,
    },
  ],
  [
    'Bring and take:',
    {
      import: async () => (await import('./import.ts')).addImport,
      'start-from-git': async () => (await import('./start-from-git.ts')).addStartFromGit,
      folders: async () => (await import('./folders.ts')).addFolders,
      export: async () => (await import('./export.ts')).addExport,
      backup: async () => (await import('./backup.ts')).addBackup,
      restore: async () => (await import('./restore.ts')).addRestore,
      move: async () => (await import('./move.ts')).addMove,
    },
  ],
  [
    'Look after it:',
    {
      config: async () => (await import('./config.ts')).addConfig,
      key: async () => (await import('./key.ts')).addKey,
      secret: async () => (await import('./secret.ts')).addSecret,
      models: async () => (await import('./models.ts')).addModels,
      accounts: async () => (await import('./accounts.ts')).addAccounts,
      usage: async () => (await import('./usage.ts')).addUsage,
      outbox: async () => (await import('./outbox.ts')).addOutbox,
      doctor: async () => (await import('./doctor.ts')).addDoctor,
      completion: async () => (await import('./completion.ts')).addCompletion,
    },
  ],
];

/** What is loaded of the commands, by the heading below which they stand. */
export type LoadedCommands = readonly (readonly [heading: string, commands: readonly Add[]])[];

/** Loads the command that arguments name, or all of them where they name none that can be loaded alone: for help, for what completes, and where they are wrong. */
export async function loadCommands(args: readonly string[] = []): Promise<LoadedCommands> {
  const name = commandIn(args);
  for (const [heading, commands] of groups) {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (load) return [[heading, [await load()]]];
  }
  return await Promise.all(
    groups.map(
      async ([heading, commands]) =>
        [heading, await Promise.all(Object.values(commands).map((load) => load()))] as const,
    ),
  );
}

/** The first word that is no option of every command; empty where there is none. */
function commandIn(args: readonly string[]): string {
  const [first = '', ...others] = args;
  if (first === '--home') return commandIn(others.slice(1));
  return first.startsWith('--home=') ? commandIn(others) : first;
}

/** The command line with the commands that were loaded; nothing runs before it is parsed. */
export function buildProgram(terminal: Terminal, loaded: LoadedCommands): Command {
  const program = emptyProgram(terminal).addHelpText('after', AFTER);
  for (const [heading, commands] of loaded) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, terminal);
  }
  for (const command of program.commands) explainErrors(command, `reverie ${command.name()}`);
  return program.helpCommand('help [command]', HELP_COMMAND);
}
