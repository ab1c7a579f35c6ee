import type { Command } from 'commander';
import { handOver } from '@reverie/shared/contract/sessions/sessions';
import { jsonOption, whole } from '../options.ts';
import { count, note, printJson, withoutCommands } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';

interface Options {
  maxTokens?: number;
  json?: true;
}

/** `reverie sessions handover ID` */
export function addHandover(sessions: Command, terminal: Terminal): void {
  sessions
    .command('handover')
    .description('print what another agent or a colleague needs to go on: asked, decided, done, failed, open')
    .addArgument(sessionArgument())
    .option('--max-tokens <number>', 'how long it may be, 200 to 32000 (else 2000)', whole(200))
    .addOption(jsonOption())
    .action(async (given: string, { maxTokens, json }: Options) => {
      const client = await clientOf(terminal);
      const { id } = await sessionOf(client, given);
      const reply = await client(handOver, { params: { id }, query: { max_tokens: maxTokens } });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      stdout.write(`${stdout.isTTY ? withoutCommands(reply.markdown) : reply.markdown}\n`);
      const taken = reply.redactions === 0 ? '' : `, ${count(reply.redactions, 'secret')} taken out`;
      note(
        terminal,
        `About ${count(reply.tokens, 'token')}; ${count(reply.left_out, 'entry', 'entries')} not quoted${taken}.`,
      );
    });
}
