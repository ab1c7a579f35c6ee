import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { addDelete, addEnd, addRename } from './change.ts';
import { addExport } from './export.ts';
import { addHandover } from './handover.ts';
import { addJoin, addLeave, addRemove } from './people.ts';
import { addList } from './list.ts';
import { addNote } from './note.ts';
import { addResume } from './resume.ts';
import { addSearch } from './search.ts';
import { addRevoke, addShare, addShared, addUnshare } from './share.ts';
import { addShow } from './show.ts';
import { addDisable, addEnable, addFormats, addSources } from './sources.ts';

const AFTER = `
A session is what was said and done with a coding agent. Nothing of an agent's logs is read before you
agree to it, agent by agent.

Examples:
  reverie sessions sources                    which agents have logs on this machine
  reverie sessions enable claude-code         shows what would be read, and asks
  reverie sessions                            what was done, the newest first
  reverie sessions show cs_01…                read one
  reverie sessions search why did the build fail
  reverie sessions resume cs_01… --in codex   go on with it in another agent
  reverie sessions share cs_01…               shows what would leave, asks, and prints a link

An id may be shortened to its beginning, where no other session begins so.`;

/** `reverie sessions`, with its commands; alone it lists. */
export function addSessions(program: Command, terminal: Terminal): void {
  const sessions = program
    .command('sessions')
    .description('what coding agents did: find it, read it, go on with it, share it')
    .addHelpText('after', AFTER);
  const all = [
    ...[addList, addShow, addSearch, addNote, addHandover, addResume, addExport],
    ...[addSources, addEnable, addDisable, addFormats],
    ...[addShare, addShared, addRevoke, addUnshare, addJoin, addLeave, addRemove],
    ...[addRename, addEnd, addDelete],
  ];
  for (const add of all) add(sessions, terminal);
}
