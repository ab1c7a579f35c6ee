import type { Command } from 'commander';
import { emptyTrash, listTrash, restoreTrash } from '@reverie/shared/contract/memories/trash';
import { agreed } from './confirm.ts';
import { connect } from './connection.ts';
import { type Common, jsonOption, namespaceOption, whole, yesOption } from './options.ts';
import { count, cutTo, note, printJson, printTable, say, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface ListOptions {
  namespace?: string;
  limit: number;
  offset: number;
  json?: true;
}

/** `reverie trash`: what is in it, and `reverie trash empty`. */
export function addTrash(program: Command, terminal: Terminal): void {
  const trash = program.command('trash').description('show what is in the trash, or empty it');
  trash
    .command('list', { isDefault: true })
    .description('what is in the trash, the last one first')
    .option('-n, --namespace <name>', 'only of this namespace')
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .option('--offset <number>', 'leave out the first so many', whole(0), 0)
    .addOption(jsonOption())
    .action(async ({ namespace, limit, offset, json }: ListOptions) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listTrash, {
        query: {
          limit,
          offset,
          ...(namespace !== undefined && { namespace }),
          ...(!json && { preview: 300 }),
        },
      });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      printTable(
        terminal,
        ['Key', 'Namespace', 'Until', 'Text'],
        reply.memories.map((one) => [
          stdout.isTTY ? cutTo(one.key, stdout, 85) : one.key,
          one.namespace,
          stdout.isTTY ? shortTime(one.ends_at) : one.ends_at,
          stdout.isTTY ? cutTo(one.value, stdout, 80) : one.value,
        ]),
      );
      if (!stdout.isTTY) return;
      note(
        terminal,
        reply.total === 0
          ? 'The trash is empty.'
          : `${count(reply.total, 'memory', 'memories')} in the trash; \`reverie undelete KEY\` brings one back.`,
      );
    });
  trash
    .command('empty')
    .description('delete what is in the trash, for good; asks first')
    .option('-n, --namespace <name>', 'only of this namespace')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(async ({ namespace, yes = false, json }: { namespace?: string; yes?: boolean; json?: true }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const which = namespace === undefined ? {} : { namespace };
      const { total } = await client(listTrash, { query: { ...which, limit: 1, preview: 1 } });
      const what = `This deletes ${count(total, 'memory', 'memories')} in the trash for good, with all earlier versions.`;
      if (!(await agreed(terminal, { what, type: 'empty', yes }))) {
        note(terminal, 'Nothing was deleted.');
        terminal.exitCode = 1;
        return;
      }
      const reply = await client(emptyTrash, { body: which });
      if (json) printJson(terminal, reply);
      else say(terminal, `Deleted ${count(reply.deleted, 'memory', 'memories')} for good.`);
    });
}

/** `reverie undelete KEY` */
export function addUndelete(program: Command, terminal: Terminal): void {
  program
    .command('undelete')
    .description('bring a memory back from the trash, as it was')
    .argument('<key>', 'its key, as in `reverie trash`')
    .addOption(namespaceOption())
    .option('--trashed-at <time>', 'which one, where several of this key are there (`reverie trash --json`)')
    .addOption(jsonOption())
    .action(async (key: string, { namespace, trashedAt, json }: Common & { trashedAt?: string }) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const item = { key, namespace, ...(trashedAt !== undefined && { trashed_at: trashedAt }) };
      const reply = await client(restoreTrash, { body: { items: [item] } });
      if (json) printJson(terminal, reply);
      else say(terminal, `Brought ${key} of ${namespace} back.`);
    });
}
