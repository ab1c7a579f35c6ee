import type { Command } from 'commander';
import { type Quota, usage } from '@reverie/shared/contract/accounts/accounts';
import { connect } from './connection.ts';
import { jsonOption } from './options.ts';
import { printJson, printTable, say, shortTime, size } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie usage` */
export function addUsage(program: Command, terminal: Terminal): void {
  program
    .command('usage')
    .description('show the quotas of this machine’s own account and what is used of them')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(usage, {});
      if (json) return printJson(terminal, reply);
      const { isTTY } = terminal.stdout;
      const number = (value: number) => (isTTY ? value.toLocaleString('en-GB') : String(value));
      const row = (name: string, { used, limit, resets_at }: Quota) => [
        name,
        number(used),
        limit === null ? 'no limit' : number(limit),
        isTTY ? shortTime(resets_at) : resets_at,
      ];
      if (isTTY) say(terminal, `${reply.account}, tier ${reply.tier}, ${reply.status}`);
      const { bytes, limit } = reply.storage;
      printTable(
        terminal,
        ['', 'Used', 'Limit', 'Counted anew'],
        [
          row('requests', reply.requests),
          row('recalls', reply.recalls),
          row('stores', reply.stores),
          [
            'storage',
            isTTY ? size(bytes) : String(bytes),
            limit === null ? 'no limit' : isTTY ? size(limit) : String(limit),
            '',
          ],
        ],
      );
    });
}
