import { type Command, Option } from 'commander';
import { listMemories } from '@reverie/shared/contract/memories';
import { connect } from './connection.ts';
import { sayElsewhere } from './elsewhere.ts';
import { classOption, type Common, jsonOption, namespaceOption, tagOption, whole } from './options.ts';
import { count, inOneLine, note, printJson, printTable, shortTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  limit: number;
  offset: number;
  order: 'created' | 'updated';
  prefix?: string;
}

/** `reverie list` */
export function addList(program: Command, terminal: Terminal): void {
  program
    .command('list')
    .description('list the memories of a namespace')
    .addOption(namespaceOption())
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .option('--offset <number>', 'leave out the first so many', whole(0), 0)
    .addOption(
      new Option('--order <order>', 'oldest first, or last changed first')
        .choices(['created', 'updated'])
        .default('created'),
    )
    .option('-p, --prefix <text>', 'only keys that begin with this')
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespace, limit, offset, order, prefix, tag, class: of, json } = options;
      const filters = { ...(of && { class: of }), ...(tag && { tags: tag }), prefix };
      const reply = await client(listMemories, {
        body: { namespace, limit, offset, order, ...filters, ...(!json && { preview: 300 }) },
      });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      if (stdout.isTTY && reply.total === 0)
        return note(
          terminal,
          (await sayElsewhere(client, namespace)) ?? `There are no such memories in ${inOneLine(namespace)}.`,
        );
      printTable(
        terminal,
        ['Key', 'Changed', 'Text'],
        reply.memories.map(({ key, updated_at, value = '' }) => [
          key,
          stdout.isTTY ? shortTime(updated_at) : updated_at,
          value,
        ]),
      );
      const shown = reply.memories.length;
      if (stdout.isTTY && shown === 0)
        note(terminal, `--offset leaves out all of ${count(reply.total, 'memory', 'memories')}.`);
      else if (stdout.isTTY)
        note(terminal, `${offset + 1}–${offset + shown} of ${count(reply.total, 'memory', 'memories')}`);
    });
}
