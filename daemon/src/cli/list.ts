import { type Command, Option } from 'commander';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { listMemories, type ListOrder, listOrders } from '@reverie/shared/contract/memories/memories';
import { connect } from './connection.ts';
import { sayElsewhere } from './elsewhere.ts';
import {
  classOption,
  type Common,
  everywhereOption,
  jsonOption,
  namespaceOption,
  placeOf,
  tagOption,
  whereOption,
  whole,
} from './options.ts';
import { count, inOneLine, note, printJson, printTable, writtenTime } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  limit: number;
  offset: number;
  order: ListOrder;
  prefix?: string;
  everywhere?: true;
}

const AFTER = `
Examples:
  reverie list --order updated -l 10      what was changed last
  reverie list --order noted              journals and dated notes by their own day
  reverie list -p error: -n work          whose keys begin so
  reverie list tag:adr before:2026-03     what passes operators
  reverie list --where status=open --where 'due<2026-12-01'
                                          whose properties say so`;

/** `reverie list` */
export function addList(program: Command, terminal: Terminal): void {
  program
    .command('list')
    .description('list the memories of a namespace, or those that operators name')
    .addHelpText('after', AFTER)
    .argument(
      '[operators...]',
      'such as tag:adr before:2026-03 "exact words", as `reverie search --help` has them',
    )
    .addOption(namespaceOption())
    .addOption(everywhereOption())
    .option('-l, --limit <number>', 'at most so many', whole(1), 50)
    .option('--offset <number>', 'leave out the first so many', whole(0), 0)
    .addOption(
      new Option('--order <order>', 'oldest first, last changed first, or newest first by the day of each')
        .choices(listOrders)
        .default('created'),
    )
    .option('-p, --prefix <text>', 'only keys that begin with this')
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(whereOption())
    .addOption(jsonOption())
    .action(async (operators: string[], options: Options, command: Command) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const query = operators.join(' ');
      const namespace = placeOf(options, query, command);
      const { limit, offset, order, prefix, tag, where, class: of, json } = options;
      const filters = {
        ...(of && { class: of }),
        ...(tag && { tags: tag }),
        ...(where && { where }),
        prefix,
      };
      const reply = await client(listMemories, {
        body: {
          namespace,
          limit,
          offset,
          order,
          ...filters,
          ...(query !== '' && { query }),
          ...(!json && { preview: 300 }),
        },
      });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      const isEverywhere = namespace === EVERY_NAMESPACE;
      if (stdout.isTTY && reply.total === 0)
        return note(
          terminal,
          (await sayElsewhere(client, namespace)) ??
            `There are no such memories in ${isEverywhere ? 'any namespace' : inOneLine(namespace)}.`,
        );
      printTable(
        terminal,
        [...(isEverywhere ? ['Namespace'] : []), 'Key', order === 'noted' ? 'Day' : 'Changed', 'Text'],
        reply.memories.map(({ key, value = '', ...memory }) => {
          const at = order === 'noted' ? (memory.noted_at ?? memory.created_at) : memory.updated_at;
          const time = stdout.isTTY ? writtenTime(at) : at;
          return [...(isEverywhere ? [memory.namespace] : []), key, time, value];
        }),
      );
      const shown = reply.memories.length;
      if (stdout.isTTY && shown === 0)
        note(terminal, `--offset leaves out all of ${count(reply.total, 'memory', 'memories')}.`);
      else if (stdout.isTTY)
        note(terminal, `${offset + 1}–${offset + shown} of ${count(reply.total, 'memory', 'memories')}`);
    });
}
