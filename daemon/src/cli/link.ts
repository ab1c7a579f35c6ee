import fs from 'node:fs';
import type { Command } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  linkDevice,
  moveRelay,
  recoverAccount,
  type SyncStatus,
  syncStatus,
} from '@reverie/shared/contract/sync/sync';
import { addChoiceOptions, choiceLines, choiceOf, type ChoiceOptions } from './choose-namespaces.ts';
import { connect } from './connection.ts';
import { watchFirstSync } from './first-sync.ts';
import { jsonOption } from './options.ts';
import { count, note, printJson, say } from './print.ts';
import { readSecret } from './read-secret.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

const AFTER = `
Examples:
  reverie link https://relay.example.org --email you@example.org   your first device; asks which namespaces sync
  reverie link https://relay.example.org --email you@example.org --except diary,private
                                                                   all but these go to the relay
  reverie link https://relay.example.org --code K7QM-3F9Z-T2XA     one more: \`reverie devices pair\` on the first
  reverie link https://relay.example.org --ca authority.pem        a certificate of its own, for this relay
  reverie link https://relay.example.org --email you@example.org --recover   none of your devices is left
  reverie link --move https://new.example.org                      the same relay, which moved
  reverie link https://other.example.org --anew --email you@example.org   leave the relay of before, and begin at another`;

interface LinkOptions {
  email?: string;
  code?: string | true;
  name?: string;
  move?: string;
  recover?: true;
  relayKey?: string;
  anew?: true;
  ca?: string;
  json?: true;
}

/** `reverie link RELAY` */
export function addLink(program: Command, terminal: Terminal): void {
  const link = program
    .command('link')
    .description('link this machine to a relay, so that your devices share your memories')
    .argument('[relay]', 'its address')
    .option('--email <address>', 'sign up with it, or ask a linked device to let this one in')
    .option('--code [code]', 'of a linked device: `reverie devices pair`; asked for where it is left out')
    .option('--ca <file>', "of the authority that the relay's certificate comes from, in PEM")
    .option('--recover', 'none of your devices is left: enter by a code that is mailed to the --email')
    .option(
      '--relay-key <key>',
      'with --recover: what the relay has to prove first; `reverie sync status --json` tells it',
    )
    .option(
      '--move <address>',
      'go on with the same relay at another address, once it proved that it is the same',
    )
    .option('--anew', 'leave the relay of before; what belongs to other people stays here and is not sent')
    .option('--name <name>', "what other devices call this one; the machine's name where omitted");
  addChoiceOptions(link);
  link
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action(async (relay: string | undefined, given: ChoiceOptions & LinkOptions) => {
      const {
        json,
        code: shown,
        move,
        recover: isRecovering,
        ca: file,
        email,
        name,
        anew,
        relayKey,
        ...choice
      } = given;
      if (move !== undefined) return moveTo(terminal, { move, relay, ...given });
      if (relay === undefined) throw new UsageError('Give the address of the relay.');
      const isCaAlone = file !== undefined && email === undefined && shown === undefined;
      if (!isCaAlone && (email === undefined) === (shown === undefined))
        throw new UsageError('Give either --email or --code.');
      const ca = file === undefined ? undefined : certificateIn(file);
      const code = shown === true ? await readSecret(terminal, 'Code') : shown;
      if (isRecovering && email === undefined) throw new UsageError('--recover goes with --email.');
      if (relayKey !== undefined && isRecovering !== true)
        throw new UsageError('--relay-key goes with --recover.');
      const { client } = await connect(homeOf(terminal), terminal.env);
      // Before a mail is sent for nothing.
      const linked = isRecovering && anew !== true ? (await client(syncStatus, {})).relay : null;
      if (linked !== null)
        throw new UsageError(`This machine is linked to ${linked}. To leave it and recover, add --anew.`);
      const asked = {
        relay,
        email: email ?? '',
        ...(name !== undefined && { name }),
        ...(ca !== undefined && { ca }),
        ...(relayKey !== undefined && { relay_key: relayKey }),
      };
      const chosen = isCaAlone ? {} : await choiceOf(terminal, client, choice);
      const recover = isRecovering ? await codeOf(terminal, client, asked) : undefined;
      const body = { relay, email, code, name, recover, anew, ca, ...chosen };
      const status = await client(linkDevice, { body });
      if (json) return printJson(terminal, status);
      if (isCaAlone) return say(terminal, `The certificate is kept for ${relay}; it is tried again now.`);
      say(terminal, `Linked to ${status.relay ?? relay}.`);
      for (const line of choiceLines(status)) say(terminal, line);
      note(terminal, next(status));
      if (status.waiting_for !== 'approval') await watchFirstSync(terminal, client);
    });
}

/** The code of a mail that is sent to the address of an account; typed here, where it was asked for. */
async function codeOf(
  terminal: Terminal,
  client: Client,
  asked: { relay: string; email: string; name?: string; ca?: string; relay_key?: string },
): Promise<string> {
  const { relay_key: key, relay_known: isKnown } = await client(recoverAccount, { body: asked });
  note(
    terminal,
    `If an account there has confirmed ${asked.email}, the newest mail of the last hour has a code, which is good on this machine for an hour. Or type one that who runs the relay gave you. With it, all other devices of the account are removed, and the people you share with are told.`,
  );
  if (!isKnown)
    note(
      terminal,
      `This machine knows no key of ${asked.relay}: you trust whoever answers at that address${key === null ? '' : `, whose key is ${key}`}.`,
    );
  return readSecret(terminal, 'Code');
}

async function moveTo(
  terminal: Terminal,
  {
    move,
    relay,
    email,
    code,
    recover,
    anew,
    ca,
    json,
  }: LinkOptions & { move: string; relay: string | undefined },
): Promise<void> {
  if ([relay, email, code, recover, anew, ca].some((other) => other !== undefined))
    throw new UsageError('Give --move alone: `reverie link --move NEW-ADDRESS`.');
  const { client } = await connect(homeOf(terminal), terminal.env);
  const moved = await client(moveRelay, { body: { relay: move } });
  if (json) return printJson(terminal, moved);
  say(terminal, `The relay is at ${moved.relay} from now on.`);
  note(
    terminal,
    moved.restored
      ? 'It is your relay, restored from a backup: everything is read again, and what it lacks is sent.'
      : 'It is the same relay: nothing is sent again.',
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
    return `The relay knows this e-mail: let this device in on one that is linked, with \`reverie devices\`. If none is left: \`reverie link ${status.relay ?? 'RELAY'} --anew --email ${status.email ?? 'E-MAIL'} --recover\`.`;
  const upload =
    status.pending > 0 ? ` ${count(status.pending, 'memory', 'memories')} go up in the background.` : '';
  const mail =
    status.waiting_for === 'confirmation'
      ? ' The e-mail address is not confirmed yet: open the link in the mail, so that the account stays. A relay without a mail server keeps it in outbox/ of its home.'
      : '';
  return `\`reverie sync\` says how it goes.${upload}${mail}`;
}
