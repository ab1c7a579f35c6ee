import type { Command } from 'commander';
import { addEntries } from '@reverie/shared/contract/sessions/sessions';
import { jsonOption } from '../options.ts';
import { printJson, say } from '../print.ts';
import { givenText } from '../read-text.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

/** `reverie sessions note ID TEXT` */
export function addNote(sessions: Command, terminal: Terminal): void {
  sessions
    .command('note')
    .description('write a note into a session; those with whom it is shared see it, too')
    .addArgument(sessionArgument())
    .argument('[text...]', 'the note; - or nothing reads it from the standard input')
    .option('-e, --entry <id>', 'the entry that it is about; the beginning of its id does')
    .addOption(jsonOption())
    .action(async (given: string, words: string[], { entry, json }: { entry?: string; json?: true }) => {
      const text = await givenText(terminal, words, {
        missing: 'What is the note? reverie sessions note ID TEXT',
        empty: 'The note is empty.',
      });
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(addEntries, {
        params: { id },
        body: { entries: [{ kind: 'note', text, ...(entry !== undefined && { reply_to: entry }) }] },
      });
      if (json) return printJson(terminal, reply);
      say(terminal, reply.ids[0] ?? '');
    });
}
