import type { Command } from 'commander';
import { joinSession, removeParticipant } from '@reverie/shared/contract/sessions/session-sharing';
import { refuseUnlessInvite } from '../join.ts';
import { jsonOption } from '../options.ts';
import { count, inOneLine, note, printJson, say } from '../print.ts';
import { readSecret } from '../read-secret.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

/** `reverie sessions join [LINK]` */
export function addJoin(sessions: Command, terminal: Terminal): void {
  sessions
    .command('join')
    .description('join a session that somebody shares')
    .argument(
      '[link]',
      'the whole link, with what stands behind its #, in quotes; asked for where it is left out, so that others on this machine do not see it',
    )
    .option('-n, --namespace <name>', 'where it belongs here (else that of its project)')
    .addOption(jsonOption())
    .action(async (given: string | undefined, { namespace, json }: { namespace?: string; json?: true }) => {
      const invite = given ?? (await readSecret(terminal, 'Link of the session'));
      refuseUnlessInvite(invite);
      const client = await clientOf(terminal);
      const session = await client(joinSession, { body: { invite, namespace } });
      if (json) return printJson(terminal, session);
      say(terminal, session.id);
      note(
        terminal,
        `Joined as ${session.role}: ${inOneLine(session.title)}. \`reverie sessions show ${session.id}\` reads it.`,
      );
    });
}

/** `reverie sessions leave ID` */
export function addLeave(sessions: Command, terminal: Terminal): void {
  sessions
    .command('leave')
    .description('leave a session that somebody shares; what was read stays here')
    .addArgument(sessionArgument())
    .addOption(jsonOption())
    .action(async (given: string, { json }: { json?: true }) => {
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(removeParticipant, { params: { id, participant: 'me' } });
      if (json) return printJson(terminal, reply);
      say(terminal, `Left ${id}; what was read of it stays here, until \`reverie sessions delete\`.`);
    });
}

/** `reverie sessions remove ID PARTICIPANT` */
export function addRemove(sessions: Command, terminal: Terminal): void {
  sessions
    .command('remove')
    .description('take somebody out of a session; they read nothing more from then on')
    .addArgument(sessionArgument())
    .argument('<participant>', 'their id, as in `reverie sessions shared ID`')
    .addOption(jsonOption())
    .action(async (given: string, participant: string, { json }: { json?: true }) => {
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(removeParticipant, { params: { id, participant } });
      if (json) return printJson(terminal, reply);
      const ended = count(reply.invites_ended, 'open link became', 'open links became');
      say(
        terminal,
        `${reply.id} was removed, and reads nothing more of it.${reply.invites_ended > 0 ? ` ${ended} void: make a new one for whom you want in.` : ''}`,
      );
    });
}
