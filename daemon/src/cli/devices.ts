import type { Command } from 'commander';
import { approveDevice, listDevices, pairDevice, removeDevice } from '@reverie/shared/contract/sync/devices';
import { connect } from './connection.ts';
import { voided } from './members.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie devices                    which devices share your memories
  reverie devices pair               a code for one more, good for 10 minutes
  reverie devices approve req_01…    let a device in that asked with your e-mail
  reverie devices remove dev_01…     remove one, such as a laptop that was lost`;

/** `reverie devices [list|pair|approve|remove]` */
export function addDevices(program: Command, terminal: Terminal): void {
  const client = async () => (await connect(homeOf(terminal), terminal.env)).client;
  const devices = program
    .command('devices')
    .description('the devices that share your memories')
    .addHelpText('after', AFTER);
  devices
    .command('list', { isDefault: true })
    .description('list the devices, and when each was last seen')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(listDevices, {});
      if (json) return printJson(terminal, reply);
      const time = (iso: string | null) =>
        iso === null ? 'never' : terminal.stdout.isTTY ? shortTime(iso) : iso;
      printTable(
        terminal,
        ['Id', 'Name', 'Seen', ''],
        reply.devices.map(({ id, name, last_seen, online, self, status }) => [
          id,
          name,
          online ? 'now' : time(last_seen),
          status === 'waiting' ? 'asks to be let in' : self ? 'this one' : '',
        ]),
      );
      if (reply.devices.some(({ status }) => status === 'waiting'))
        note(
          terminal,
          'Compare the six digits with those on the new device, then: `reverie devices approve ID`.',
        );
    });
  devices
    .command('pair')
    .description('make a code with which one more device joins')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const reply = await (await client())(pairDevice, {});
      if (json) return printJson(terminal, reply);
      say(terminal, reply.code);
      note(
        terminal,
        `On the other device, within 10 minutes: reverie link ${reply.relay} --code ${reply.code}`,
      );
    });
  devices
    .command('approve')
    .description('let a device in')
    .argument('<id>', 'as in `reverie devices`')
    .action(async (id: string) => {
      await (
        await client()
      )(approveDevice, { params: { id } });
      say(terminal, 'It is let in.');
    });
  devices
    .command('remove')
    .description(
      'cut a device off at once, or refuse one that asks; what it holds stays on it, links of open invites that it may know become void',
    )
    .argument('<id>', 'as in `reverie devices`')
    .action(async (id: string) => {
      const removed = await (await client())(removeDevice, { params: { id } });
      say(terminal, `Removed.${voided(removed.invites_ended)}`);
    });
}
