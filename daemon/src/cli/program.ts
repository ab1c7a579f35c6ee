import type { Command } from 'commander';
import { addAccounts } from './accounts.ts';
import { addAdd } from './add.ts';
import { addAsk } from './ask.ts';
import { addBackup } from './backup.ts';
import { addClear } from './clear.ts';
import { addCompletion } from './completion.ts';
import { addConfig } from './config.ts';
import { addConnect, addDisconnect } from './connect.ts';
import { addDelete } from './delete.ts';
import { addDevices } from './devices.ts';
import { addDoctor } from './doctor.ts';
import { addDream } from './dream.ts';
import { addEdit } from './edit.ts';
import { emptyProgram, explainErrors, HELP_COMMAND } from './empty-program.ts';
import { addEvents } from './events.ts';
import { addExport } from './export.ts';
import { addFolders } from './folders.ts';
import { addGet } from './get.ts';
import { addHistory } from './history.ts';
import { addHook } from './hook.ts';
import { addImport } from './import.ts';
import { addInbox } from './inbox.ts';
import { addJoin } from './join.ts';
import { addLeave } from './leave.ts';
import { addKey } from './key.ts';
import { addLink } from './link.ts';
import { addLinks } from './links.ts';
import { addList } from './list.ts';
import { addMcp } from './mcp.ts';
import { addModels } from './models.ts';
import { addMove } from './move.ts';
import { addNamespaces } from './namespaces.ts';
import { addOpen } from './open.ts';
import { addOutbox } from './outbox.ts';
import { addEval, addRecalls } from './recalls.ts';
import { addRename } from './rename.ts';
import { addRestore } from './restore.ts';
import { addSearch } from './search.ts';
import { addSecret } from './secret.ts';
import { addService } from './service.ts';
import { addSessions } from './sessions/sessions.ts';
import { addSet } from './set.ts';
import { addShare } from './share.ts';
import { addStart } from './start.ts';
import { addStatusline } from './statusline.ts';
import { addStartFromGit } from './start-from-git.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addSync } from './sync.ts';
import { addTag } from './tag.ts';
import { addToday } from './today.ts';
import type { Terminal } from './terminal.ts';
import { addTrash, addUndelete } from './trash.ts';
import { addUnlink } from './unlink.ts';
import { addUsage } from './usage.ts';
import { addWebhooks } from './webhooks.ts';

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

type Add = (program: Command, terminal: Terminal) => void;

/** The commands, in the order of the help. */
const groups: readonly (readonly [heading: string, commands: readonly Add[]])[] = [
  ['Run it:', [addStart, addStop, addStatus, addOpen, addService]],
  [
    'Memories:',
    [
      ...[addAdd, addToday, addSet, addGet, addEdit, addRename, addTag, addHistory, addLinks],
      ...[addList, addSearch, addAsk, addDream, addNamespaces],
      ...[addDelete, addTrash, addUndelete, addClear],
    ],
  ],
  ['Coding sessions:', [addSessions]],
  [
    'Between programs:',
    [
      addConnect,
      addDisconnect,
      addMcp,
      addRecalls,
      addEval,
      addEvents,
      addInbox,
      addWebhooks,
      addHook,
      addStatusline,
    ],
  ],
  ['Between devices:', [addLink, addUnlink, addSync, addDevices, addShare, addJoin, addLeave]],
  ['Bring and take:', [addImport, addStartFromGit, addFolders, addExport, addBackup, addRestore, addMove]],
  [
    'Look after it:',
    [addConfig, addKey, addSecret, addModels, addAccounts, addUsage, addOutbox, addDoctor, addCompletion],
  ],
];

/** The whole command line; nothing runs before it is parsed. */
export function buildProgram(terminal: Terminal): Command {
  const program = emptyProgram(terminal).addHelpText('after', AFTER);
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, terminal);
  }
  for (const command of program.commands) explainErrors(command, `reverie ${command.name()}`);
  return program.helpCommand('help [command]', HELP_COMMAND);
}
