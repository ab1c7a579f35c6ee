import type { Command } from 'commander';
import { getMail, listOutbox } from '@reverie/shared/contract/accounts/accounts';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, say, shortTime, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie outbox                 e-mails that were not sent
  reverie outbox show acc_01…    the whole of one
  reverie outbox link acc_01…    only the link that confirms, to hand it on yourself`;

/** `reverie outbox [list|show|link]` */
export function addOutbox(program: Command, terminal: Terminal): void {
  const client = async () => (await connect(homeOf(terminal), terminal.env)).client;
  const outbox = program
    .command('outbox')
    .description('see e-mails that were not sent')
    .addHelpText('after', AFTER);
  outbox
    .command('list', { isDefault: true })
    .description('list the e-mails, newest first')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(listOutbox, {});
      if (json) return printJson(terminal, reply);
      const { isTTY } = terminal.stdout;
      const time = (iso: string) => (isTTY ? shortTime(iso) : iso);
      if (reply.mails.length > 0 || !isTTY)
        printTable(
          terminal,
          ['Id', 'To', 'Written', 'Tries', 'Why not'],
          reply.mails.map(({ id, to, created_at, attempts, last_error }) => [
            id,
            to,
            time(created_at),
            String(attempts),
            last_error ?? '',
          ]),
        );
      else note(terminal, 'No e-mail waits.');
      if (isTTY && reply.transport === 'files')
        note(
          terminal,
          'No mail server is set (mail.smtp.host), so e-mails stay here: hand on the links yourself.',
        );
    });
  outbox
    .command('show')
    .description('print an e-mail, whole')
    .argument('<id>', 'as in `reverie outbox`')
    .addOption(jsonOption())
    .action(async (id: string, { json }: { json?: true }) => {
      const mail = await (await client())(getMail, { params: { id } });
      if (json) printJson(terminal, mail);
      else say(terminal, visible(mail.eml.replaceAll('\r\n', '\n')));
    });
  outbox
    .command('link')
    .description('print only the link that confirms')
    .argument('<id>', 'as in `reverie outbox`')
    .action(async (id: string) => {
      const { link } = await (await client())(getMail, { params: { id } });
      if (link !== null) return say(terminal, link);
      note(terminal, 'This e-mail has no link.');
      terminal.exitCode = 1;
    });
}
