import fs from 'node:fs';
import type { Command } from 'commander';
import { linkDevice, type SyncStatus } from '@reverie/shared/contract/sync';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { count, note, printJson, say } from './print.ts';
import { readSecret } from './read-secret.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie link https://relay.example.org --email you@example.org   your first device
  reverie link https://relay.example.org --code K7QM-3F9Z-T2XA     one more: \`reverie devices pair\` on the first
  reverie link https://relay.example.org --ca authority.pem        a certificate of its own, for this relay`;

/** `reverie link RELAY` */
export function addLink(program: Command, terminal: Terminal): void {
  program
    .command('link')
    .description('link this machine to a relay, so that your devices share your memories')
    .argument('<relay>', 'its address')
    .option('--email <address>', 'sign up with it, or ask a linked device to let this one in')
    .option('--code [code]', 'of a linked device: `reverie devices pair`; asked for where it is left out')
    .option('--ca <file>', "of the authority that the relay's certificate comes from, in PEM")
    .option('--name <name>', "what other devices call this one; the machine's name where omitted")
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(
      async (
        relay: string,
        given: { email?: string; code?: string | true; name?: string; ca?: string; json?: true },
      ) => {
        const { json, code: shown, ca: file, ...others } = given;
        const isCaAlone = file !== undefined && others.email === undefined && shown === undefined;
        if (!isCaAlone && (others.email === undefined) === (shown === undefined))
          throw new UsageError('Give either --email or --code.');
        const ca = file === undefined ? undefined : certificateIn(file);
        const code = shown === true ? await readSecret(terminal, 'Code') : shown;
        const body = {
          ...others,
          ...(code !== undefined && { code }),
          ...(ca !== undefined && { ca }),
        };
        const { client } = await connect(homeOf(terminal), terminal.env);
        const status = await client(linkDevice, { body: { relay, ...body } });
        if (json) return printJson(terminal, status);
        if (isCaAlone) return say(terminal, `The certificate is kept for ${relay}; it is tried again now.`);
        say(terminal, `Linked to ${status.relay ?? relay}.`);
        note(terminal, next(status));
      },
    );
}

/** What stands in a file of certificates. Throws `UsageError` where it cannot be read. */
function certificateIn(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} could not be read: ${(cause as Error).message}`);
  }
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
