import type { Command } from 'commander';
import { clearNamespace, listNamespaces } from '@reverie/shared/contract/memories/memories';
import { listTrash } from '@reverie/shared/contract/memories/trash';
import { agreed } from './confirm.ts';
import { connect } from './connection.ts';
import { jsonOption, yesOption } from './options.ts';
import { count, note, printJson, say } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

/** `reverie clear NAMESPACE` */
export function addClear(program: Command, terminal: Terminal): void {
  program
    .command('clear')
    .description('forget every memory of a namespace for good, also those in the trash; asks first')
    .argument('<namespace>', 'which one, as in `reverie namespaces`')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async (namespace: string, { yes = false, json }: { yes?: boolean; json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespaces } = await client(listNamespaces, {});
      const held = namespaces.find((one) => one.namespace === namespace)?.count ?? 0;
      const { total } = await client(listTrash, { query: { namespace, limit: 1, preview: 1 } });
      const trashed = total === 0 ? '' : `, and ${count(total, 'memory', 'memories')} in the trash,`;
      const what = `This forgets ${count(held, 'memory', 'memories')} of ${namespace}${trashed} for good, with all earlier versions: they do not go to the trash.`;
      if (!(await agreed(terminal, { what, type: namespace, yes }))) {
        note(terminal, 'Nothing was forgotten.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(clearNamespace, { body: { namespace } });
      if (json) printJson(terminal, reply);
      else say(terminal, `Forgot ${count(reply.deleted, 'memory', 'memories')} of ${namespace} for good.`);
    });
}
