import type { Command } from 'commander';
import { listNamespaces } from '@reverie/shared/contract/memories';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { note, printJson, printTable, writtenTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie namespaces` */
export function addNamespaces(program: Command, terminal: Terminal): void {
  program
    .command('namespaces')
    .description('list the namespaces and what they hold')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listNamespaces, {});
      if (json) return printJson(terminal, reply);
      const isTTY = terminal.stdout.isTTY;
      printTable(
        terminal,
        ['Namespace', 'Memories', 'Size', 'Changed'],
        reply.namespaces.map(({ namespace, count, bytes, updated_at }) => [
          namespace,
          String(count),
          isTTY ? size(bytes) : String(bytes),
          isTTY ? writtenTime(updated_at) : updated_at,
        ]),
      );
      if (isTTY && reply.namespaces.length === 0)
        note(terminal, 'There are no memories yet. `reverie import ~/notes` brings your own.');
    });
}
