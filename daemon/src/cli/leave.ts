import { leaveNamespace } from '@reverie/shared/contract/sync/sharing';
import { type Command, Option } from 'commander';
import { agreed, refuseUnasked } from './confirm.ts';
import { connect } from './connection.ts';
import { leftLine, memberOf } from './members.ts';
import { jsonOption, yesOption } from './options.ts';
import { inOneLine, note, printJson, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie leave acme                          leave it with all your devices; its memories stay here
  reverie leave work --to ben@example.org     your own: Ben owns it from then on
  reverie leave work --end                    your own: it ends for all, and the relay deletes it`;

interface LeaveOptions {
  to?: string;
  end?: true;
  yes?: true;
  json?: true;
}

/** `reverie leave NAMESPACE` */
export function addLeave(program: Command, terminal: Terminal): void {
  program
    .command('leave')
    .description('leave a shared namespace; its memories stay here. Asks first')
    .argument('<namespace>', 'which one, as it is called here')
    .addOption(new Option('--to <member>', 'of your own: the member that owns it then').conflicts('end'))
    .option('--end', 'of your own: end it for all')
    .addOption(yesOption())
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((namespace: string, options: LeaveOptions) => leave(terminal, namespace, options));
}

async function leave(
  terminal: Terminal,
  namespace: string,
  { to, end, yes, json }: LeaveOptions,
): Promise<void> {
  const called = inOneLine(namespace);
  const own = end
    ? `It ends for all members of ${called}, and the relay deletes what it has. What everybody has stays with them.`
    : `You leave ${called} with all your devices. Its memories stay here, and get nothing new; only an invite brings you back.`;
  refuseUnasked(terminal, { what: own, yes: yes === true });
  const { client } = await connect(homeOf(terminal), terminal.env);
  const owner = to === undefined ? undefined : await memberOf(client, namespace, to);
  const what = owner ? `${own} ${owner.name} owns it then, and open invites stop working.` : own;
  if (!(await agreed(terminal, { what, type: end ? 'end' : 'leave', yes: yes === true }))) {
    note(terminal, 'Nothing changed.');
    terminal.exitCode = 1;
    return;
  }
  const body = { namespace, ...(owner && { owner: owner.id }), ...(end && { end }) };
  const reply = await client(leaveNamespace, { body });
  if (json) return printJson(terminal, reply);
  if (reply.became === 'ended') return say(terminal, `${called} ended for all; its memories stay here.`);
  say(terminal, owner ? `${leftLine(namespace)} ${owner.name} owns it now.` : leftLine(namespace));
}
