import type { Command } from 'commander';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { searchMemories } from '@reverie/shared/contract/search';
import { connect } from './connection.ts';
import { sayElsewhere, sayMore } from './elsewhere.ts';
import {
  classOption,
  type Common,
  everywhereOption,
  fraction,
  jsonOption,
  namespaceOption,
  placeOf,
  tagOption,
  whole,
} from './options.ts';
import { cutTo, inOneLine, note, printJson, printTable } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  everywhere?: true;
  limit: number;
  threshold: number;
}

const OPERATORS = `
In the query, beside words (in the shell, put it in quotation marks):
  tag:adr               with this tag; tag:"to do" for one of several words
  class:error           of this class: note, error, dream or skill
  in:work               in this namespace, instead of --namespace; may be given again
  before:2026-03        stored before that month began; a year or a day will do, UTC
  after:2026-03-05      stored after that day was over
  "exact words"         says these words, one after the other
  -word, -"some words"  does not say them
Operators alone list what passes them, newest first.`;

/** `reverie search QUERY` */
export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('find memories by meaning and words, best first')
    .addHelpText('after', OPERATORS)
    .argument('<query...>', 'what to look for, in plain words')
    .addOption(namespaceOption())
    .addOption(everywhereOption())
    .option('-l, --limit <number>', 'at most so many', whole(1), 10)
    .option('--threshold <score>', 'only with at least this score, from 0 to 1', fraction, 0)
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(jsonOption())
    .action(async (words: string[], options: Options, command: Command) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const namespace = placeOf(options, words.join(' '), command);
      const { limit, threshold, tag, class: of, json } = options;
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
      const more = sayMore(reply, 'search');
      if (stdout.isTTY && reply.count === 0) {
        note(terminal, (await sayElsewhere(client, namespace)) ?? nothingIn(namespace));
        if (more !== undefined) note(terminal, more);
        return;
      }
      const isEverywhere = namespace === EVERY_NAMESPACE;
      printTable(
        terminal,
        ['Score', ...(isEverywhere ? ['Namespace'] : []), 'Key', 'Text'],
        reply.results.map(({ score, key, value, ...memory }) => [
          score.toFixed(2),
          ...(isEverywhere ? [stdout.isTTY ? cutTo(memory.namespace, stdout, 75) : memory.namespace] : []),
          stdout.isTTY ? cutTo(key, stdout, 60) : key,
          stdout.isTTY ? cutTo(value, stdout, 55) : value,
        ]),
      );
      if (stdout.isTTY && more !== undefined) note(terminal, more);
    });
}

const nothingIn = (namespace: string): string =>
  namespace === EVERY_NAMESPACE
    ? 'Nothing was found in any namespace.'
    : `Nothing was found in ${inOneLine(namespace)}.`;
