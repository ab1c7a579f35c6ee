import { type Command, Option } from 'commander';
import { listMembers, removeMember, shareNamespace } from '@reverie/shared/contract/sharing';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie share work                      an invite to read the namespace work
  reverie share work --role editor        … to write, too
  reverie share work --members            who is in
  reverie share work --remove acc_01…     take somebody out`;

/** What to run with an invite. A relay makes the link and people paste the command, so that one in which a shell might find something to run is left out: it is asked for. */
export function joinCommand(invite: string): string {
  return /^[\w:/.#~%?=&-]+$/.test(invite) ? `reverie join "${invite}"` : 'reverie join';
}

interface ShareOptions {
  role: 'viewer' | 'editor';
  days: string;
  members?: true;
  remove?: string;
  withHistory?: true;
  json?: true;
}

/** `reverie share NAMESPACE` */
export function addShare(program: Command, terminal: Terminal): void {
  program
    .command('share')
    .description('invite people to a namespace, and see who is in')
    .argument('<namespace>', 'which one')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['viewer', 'editor']).default('viewer'),
    )
    .addOption(
      new Option('--days <days>', 'how long the invite is good').choices(['1', '7', '30']).default('7'),
    )
    .option('--with-history', 'also what was overwritten, trashed or lost in a conflict before')
    .option('--members', 'list the members instead')
    .option('--remove <id>', 'take a member out instead, or leave with your own id')
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (namespace: string, { role, days, withHistory, members, remove, json }: ShareOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      if (remove !== undefined) {
        await client(removeMember, { params: { id: remove }, query: { namespace } });
        return say(
          terminal,
          'Removed. Invites to it that were still open no longer work: make new ones for whom you want in.',
        );
      }
      if (members) {
        const reply = await client(listMembers, { query: { namespace } });
        if (json) return printJson(terminal, reply);
        return printTable(
          terminal,
          ['Id', 'E-mail', 'Role', 'Since'],
          reply.members.map(({ id, email, role: has, joined_at, self }) => [
            id,
            `${email ?? ''}${self ? ' (you)' : ''}`,
            has,
            terminal.stdout.isTTY ? shortTime(joined_at) : joined_at,
          ]),
        );
      }
      const reply = await client(shareNamespace, {
        body: {
          namespace,
          role,
          expires_in: Number(days) * 86_400,
          with_history: withHistory === true,
        },
      });
      if (json) return printJson(terminal, reply);
      say(terminal, reply.invite);
      note(
        terminal,
        `Whoever has this link joins as ${role}, until ${shortTime(reply.expires_at)}: \`${joinCommand(reply.invite)}\``,
      );
      if (!withHistory)
        note(terminal, 'They get what is in it now: history, trash and conflicts from before stay with you.');
    });
}
