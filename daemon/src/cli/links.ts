import type { Command } from 'commander';
import { memoryLinks } from '@reverie/shared/contract/memories/links';
import { connect } from './connection.ts';
import { orNearest } from './missing.ts';
import { type Common, jsonOption, namespaceOption } from './options.ts';
import { printJson, printTable, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

const AFTER = `
Examples:
  reverie links plans/rollout.md -n vault
  reverie links plans/rollout.md -n vault --json     with the place of each link`;

/** `reverie links KEY` */
export function addLinks(program: Command, terminal: Terminal): void {
  program
    .command('links')
    .description('show what a memory links to, what links to it, and what only says its name')
    .addHelpText('after', AFTER)
    .argument('<key>', 'its key, as in `reverie list`')
    .addOption(namespaceOption())
    .addOption(jsonOption())
    .action(async (key: string, { namespace, json }: Common) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const asked = client(memoryLinks, { query: { key, namespace } });
      const reply = await orNearest(asked, client, { key, namespace });
      if (json) return printJson(terminal, reply);
      const rows = [
        ...reply.out.map(({ to, text, found }) => [found ? 'to' : 'to nothing', to, text]),
        ...reply.in.map(({ from, passage }) => ['from', from, passage.text]),
        ...reply.unlinked.map(({ from, passage }) => ['mentioned in', from, passage.text]),
      ];
      printTable(terminal, ['Link', 'Memory', 'Text'], rows);
      if (rows.length === 0 && terminal.stdout.isTTY)
        say(terminal, `${key} links to nothing, and nothing in ${namespace} links to it or says its name.`);
    });
}
