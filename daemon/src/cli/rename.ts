import type { Command } from 'commander';
import { renameMemory } from '@reverie/shared/contract/memories/naming';
import { connect } from './connection.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { count, printJson, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie rename draft rollout-plan
  reverie rename draft draft --to archive     the same key in another namespace`;

/** `reverie rename KEY NEW` */
export function addRename(program: Command, terminal: Terminal): void {
  program
    .command('rename')
    .description('give a memory another key, or put it into another namespace; its history stays with it')
    .addHelpText('after', AFTER)
    .argument('<key>', 'its key, as in `reverie list`')
    .argument('<new-key>', 'the key it has from then on; the same one where only --to is meant')
    .addOption(namespaceOption())
    .option('--to <namespace>', 'put it into this namespace')
    .addOption(jsonOption())
    .action(async (key: string, newKey: string, { namespace, to, json }: Common & { to?: string }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const target = { key: newKey, ...(to !== undefined && { namespace: to }) };
      const reply = await client(renameMemory, { body: { key, namespace, to: target } });
      if (json) printJson(terminal, reply);
      else {
        const mended =
          reply.mended > 0 ? ` Links were mended in ${count(reply.mended, 'memory', 'memories')}.` : '';
        say(terminal, `${key} of ${namespace} is ${reply.key} of ${reply.namespace} now.${mended}`);
      }
    });
}
