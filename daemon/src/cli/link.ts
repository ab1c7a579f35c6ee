import type { Command } from 'commander';
import { linkDevice, type SyncStatus } from '@reverie/shared/contract/sync';
import { addChoiceOptions, choiceLines, choiceOf, type ChoiceOptions } from './choose-namespaces.ts';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { count, note, printJson, say } from './print.ts';
import { readSecret } from './read-secret.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie link https://relay.example.org --email you@example.org   your first device; asks which namespaces sync
  reverie link https://relay.example.org --email you@example.org --except diary,private
                                                                   all but these go to the relay
  reverie link https://relay.example.org --code K7QM-3F9Z-T2XA     one more: \`reverie devices pair\` on the first`;

interface LinkOptions {
  email?: string;
  code?: string | true;
  name?: string;
  json?: true;
}

/** `reverie link RELAY` */
export function addLink(program: Command, terminal: Terminal): void {
  const link = program
    .command('link')
    .description('link this machine to a relay, so that your devices share your memories')
    .argument('<relay>', 'its address')
    .option('--email <address>', 'sign up with it, or ask a linked device to let this one in')
    .option('--code [code]', 'of a linked device: `reverie devices pair`; asked for where it is left out')
    .option('--name <name>', "what other devices call this one; the machine's name where omitted");
  addChoiceOptions(link);
  link
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (relay: string, given: ChoiceOptions & LinkOptions) => {
      const { json, email, name, code: shown, ...choice } = given;
      if ((email === undefined) === (shown === undefined))
        throw new UsageError('Give either --email or --code.');
      const { client } = await connect(homeOf(terminal), terminal.env);
      const code = shown === true ? await readSecret(terminal, 'Code') : shown;
      const chosen = await choiceOf(terminal, client, choice);
      const status = await client(linkDevice, { body: { relay, email, code, name, ...chosen } });
      if (json) return printJson(terminal, status);
      say(terminal, `Linked to ${status.relay ?? relay}.`);
      for (const line of choiceLines(status)) say(terminal, line);
      note(terminal, next(status));
    });
}

function next(status: SyncStatus): string {
  if (status.waiting_for === 'approval')
    return 'The relay knows this e-mail: let this device in on one that is linked, with `reverie devices`.';
  const upload =
    status.pending > 0 ? ` ${count(status.pending, 'memory', 'memories')} go up in the background.` : '';
  const mail =
    status.waiting_for === 'confirmation'
      ? ' The e-mail address is not confirmed yet: open the link in the mail, so that the account stays. A relay without a mail server keeps it in outbox/ of its home.'
      : '';
  return `\`reverie sync\` says how it goes.${upload}${mail}`;
}
