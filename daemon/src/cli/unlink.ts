import type { Command } from 'commander';
import { syncStatus, unlinkDevice } from '@reverie/shared/contract/sync/sync';
import { agreed, refuseUnasked } from './confirm.ts';
import { connect } from './connection.ts';
import { jsonOption, yesOption } from './options.ts';
import { count, note, printJson, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie unlink` */
export function addUnlink(program: Command, terminal: Terminal): void {
  program
    .command('unlink')
    .description('unlink this machine from its relay; every memory stays here')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async ({ yes = false, json }: { yes?: boolean; json?: true }) => {
      const question = 'This machine is unlinked: it hears of no other device any more. Its memories stay.';
      refuseUnasked(terminal, { what: question, yes });
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { pending } = await client(syncStatus, {});
      const unsent = pending > 0 ? ` ${count(pending, 'change')} are not on the relay yet.` : '';
      if (!(await agreed(terminal, { what: question + unsent, type: 'unlink', yes }))) {
        note(terminal, 'Nothing was changed.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(unlinkDevice, {});
      if (json) return printJson(terminal, reply);
      say(terminal, 'Unlinked.');
      if (!reply.told_relay)
        note(
          terminal,
          'The relay was not told: remove this device there, with `reverie devices` on another one.',
        );
    });
}
