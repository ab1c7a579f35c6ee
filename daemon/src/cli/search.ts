import type { Command } from 'commander';
import { searchMemories } from '@reverie/shared/contract/search';
import { connect } from './connection.ts';
import { sayElsewhere } from './elsewhere.ts';
import {
  classOption,
  type Common,
  fraction,
  jsonOption,
  namespaceOption,
  tagOption,
  whole,
} from './options.ts';
import { cutTo, inOneLine, note, printJson, printTable } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  limit: number;
  threshold: number;
}

/** `reverie search QUERY` */
export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('find memories by meaning and words, best first')
    .argument('<query...>', 'what to look for, in plain words')
    .addOption(namespaceOption())
    .option('-l, --limit <number>', 'at most so many', whole(1), 10)
    .option('--threshold <score>', 'only with at least this score, from 0 to 1', fraction, 0)
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(jsonOption())
    .action(async (words: string[], options: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespace, limit, threshold, tag, class: of, json } = options;
      const filters = { ...(of && { class: of }), ...(tag && { tags: tag }) };
      const reply = await client(searchMemories, {
        body: {
          query: words.join(' '),
          namespace,
          limit,
          threshold,
          ...filters,
          ...(!json && { preview: 300 }),
        },
      });
      if (json) return printJson(terminal, reply);
      const { stdout } = terminal;
      if (stdout.isTTY && reply.count === 0)
        return note(
          terminal,
          (await sayElsewhere(client, namespace)) ?? `Nothing was found in ${inOneLine(namespace)}.`,
        );
      printTable(
        terminal,
        ['Score', 'Key', 'Text'],
        reply.results.map(({ score, key, value }) => [
          score.toFixed(2),
          stdout.isTTY ? cutTo(key, stdout, 60) : key,
          stdout.isTTY ? cutTo(value, stdout, 55) : value,
        ]),
      );
    });
}
