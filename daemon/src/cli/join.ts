import type { Command } from 'commander';
import { ApiError } from '@reverie/shared/client';
import { joinNamespace } from '@reverie/shared/contract/sync/sharing';
import { syncStatus } from '@reverie/shared/contract/sync/sync';
import { Refusal } from '../platform/home/home.ts';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { note, printJson, say } from './print.ts';
import { readSecret } from './read-secret.ts';
import { homeOf, type Terminal, UsageError } from './terminal.ts';

/** `reverie join [INVITE]` */
export function addJoin(program: Command, terminal: Terminal): void {
  program
    .command('join')
    .description('join a namespace that somebody shares')
    .argument(
      '[invite]',
      'the whole link, with what stands behind its #, in quotes; asked for where it is left out, so that others on this machine do not see it',
    )
    .option('--as <namespace>', 'what it is called here', 'shared')
    .addOption(jsonOption())
    .action(async (given: string | undefined, { as, json }: { as: string; json?: true }) => {
      const invite = given ?? (await readSecret(terminal, 'Link of the invite'));
      refuseUnlessInvite(invite);
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(joinNamespace, { body: { invite, namespace: as } }).catch(
        (cause: unknown) => {
          if (cause instanceof ApiError && cause.code === 'conflict')
            throw new Refusal(`${cause.message}. \`reverie join --as NAME\` does`, cause);
          throw cause;
        },
      );
      if (json) return printJson(terminal, reply);
      say(terminal, `Joined as ${reply.role}: the namespace is ${JSON.stringify(reply.namespace)} here.`);
      const { lost } = await client(syncStatus, {});
      if (reply.namespace !== as && lost.some(({ namespace }) => namespace === as))
        note(terminal, `It is another one than ${JSON.stringify(as)}, which stays here, apart from it.`);
    });
}

/** Refuses what is not a whole link: a shell takes what stands behind a # for a comment, and the secret with it. */
export function refuseUnlessInvite(invite: string): void {
  if (URL.canParse(invite) && new URL(invite).hash.length > 1) return;
  throw new UsageError(
    'This is not the whole link of an invite. It looks like https://relay.example.org/join/inv_01…#secret: put it in quotes, or leave it out and paste it where it is asked for.',
  );
}
