import type { Command } from 'commander';
import { changeSession, deleteSession, endSession } from '@reverie/shared/contract/sessions/sessions';
import { agreed, refuseUnasked } from '../confirm.ts';
import { jsonOption, yesOption } from '../options.ts';
import { count, inOneLine, note, printJson, say } from '../print.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

/** `reverie sessions rename ID TITLE` */
export function addRename(sessions: Command, terminal: Terminal): void {
  sessions
    .command('rename')
    .description('give a session another title, or another namespace')
    .addArgument(sessionArgument())
    .argument('[title...]', 'its title from then on')
    .option('-n, --namespace <name>', 'where memories of it belong')
    .addOption(jsonOption())
    .action(
      async (given: string, words: string[], { namespace, json }: { namespace?: string; json?: true }) => {
        const title = words.length === 0 ? undefined : words.join(' ');
        if (title === undefined && namespace === undefined)
          throw new UsageError(
            'Say the title, as in `reverie sessions rename ID A better title`, or --namespace.',
          );
        const client = await clientOf(terminal);
        const { id } = await sessionOf(client, given);
        const reply = await client(changeSession, { params: { id }, body: { title, namespace } });
        if (json) return printJson(terminal, reply);
        say(
          terminal,
          `${reply.id} is ${JSON.stringify(inOneLine(reply.title))} now, in ${inOneLine(reply.namespace)}.`,
        );
      },
    );
}

/** `reverie sessions end ID` */
export function addEnd(sessions: Command, terminal: Terminal): void {
  sessions
    .command('end')
    .description('say that a session is over; what is written to it later opens it again')
    .addArgument(sessionArgument())
    .addOption(jsonOption())
    .action(async (given: string, { json }: { json?: true }) => {
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(endSession, { params: { id } });
      if (json) return printJson(terminal, reply);
      say(terminal, `${reply.id} is ${reply.status}.`);
    });
}

/** `reverie sessions delete ID` */
export function addDelete(sessions: Command, terminal: Terminal): void {
  sessions
    .command('delete')
    .description('delete our copy of a session for good; asks first')
    .addArgument(sessionArgument())
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (given: string, { yes = false, json }: { yes?: boolean; json?: true }) => {
      const lasting = "Nothing brings it back, and the agent's log, which stays, is not read again.";
      refuseUnasked(terminal, { what: `A session would be deleted for good. ${lasting}`, yes });
      const client = await clientOf(terminal);
      const { id, title, entries, shared, role } = await sessionOf(client, given);
      if (shared)
        throw new UsageError(
          role === 'owner'
            ? `It is shared; \`reverie sessions unshare ${id}\` ends that first.`
            : `Somebody shares it with you; \`reverie sessions leave ${id}\` ends that first.`,
        );
      const all = count(entries, 'entry', 'entries');
      const what = `This deletes ${inOneLine(title)} (${id}) with ${all}. ${lasting}`;
      if (!(await agreed(terminal, { what, type: 'delete', yes }))) {
        note(terminal, 'Nothing was deleted.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(deleteSession, { params: { id } });
      if (json) return printJson(terminal, reply);
      say(terminal, `Deleted ${reply.id} with ${count(reply.entries, 'entry', 'entries')}.`);
    });
}
