import type { Command } from 'commander';
import { getMemory } from '@reverie/shared/contract/memories';
import { connect } from './connection.ts';
import { orNearest } from './missing.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { printJson, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie get KEY`: the value, byte for byte where stdout is no terminal. */
export function addGet(program: Command, terminal: Terminal): void {
  program
    .command('get')
    .description('print the text of a memory')
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .addOption(jsonOption())
    .action(async (key: string, { namespace, json }: Common) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const found = client(getMemory, { body: { key, namespace } });
      const memory = await orNearest(found, client, { namespace, key });
      if (json) printJson(terminal, memory);
      else if (terminal.stdout.isTTY) terminal.stdout.write(`${visible(memory.value).replace(/\n$/, '')}\n`);
      else terminal.stdout.write(memory.value);
    });
}
