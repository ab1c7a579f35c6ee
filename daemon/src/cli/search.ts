import type { Command } from 'commander';
import type { Passage } from '@reverie/shared/contract/passage';
import { type SearchHit, searchMemories } from '@reverie/shared/contract/search';
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
import { count, inOneLine, note, paint, printJson, printTable, printTexts, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  limit: number;
  threshold: number;
  all?: true;
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
    .option('--all', 'also what fits so weakly that it is most likely about something else')
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(jsonOption())
    .action(async (words: string[], options: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const { namespace, limit, threshold, tag, class: of, json } = options;
      const filters = { ...(of && { class: of }), ...(tag && { tags: tag }) };
      const reply = await client(searchMemories, {
        body: { query: words.join(' '), namespace, limit, threshold, ...filters, values: json === true },
      });
      if (json) return printJson(terminal, reply);
      if (terminal.stdout.isTTY && reply.count === 0)
        return note(
          terminal,
          (await sayElsewhere(client, namespace)) ?? `Nothing was found in ${inOneLine(namespace)}.`,
        );
      const strong = options.all ? reply.results : reply.results.filter(({ weaker }) => !weaker);
      printHits(terminal, strong);
      const left = reply.results.length - strong.length;
      if (left === 0) return;
      const weaker = `${count(left, 'weaker one')}: --all`;
      note(terminal, strong.length === 0 ? `Nothing fits well; ${weaker}` : weaker);
    });
}

/** Each hit with its title, its key and what of it fits the query; on a pipe a line each. */
function printHits(terminal: Terminal, hits: readonly SearchHit[]): void {
  if (hits.length === 0) return;
  if (terminal.stdout.isTTY)
    return printTexts(
      terminal,
      hits.map((hit) => [hit.score.toFixed(2), shownOf(terminal, hit)]),
    );
  const row = ({ score, key, title, passage }: SearchHit) => [
    score.toFixed(2),
    ...[key, title, passage?.text ?? ''],
  ];
  printTable(terminal, ['Score', 'Key', 'Title', 'Text'], hits.map(row));
}

/** The title with the key, and below it the passage with its marks; the key alone where the passage begins with the title. */
function shownOf(terminal: Terminal, { key, title, passage }: SearchHit): string {
  const name = paint(terminal, 'dim', inOneLine(key));
  if (!passage) return `${inOneLine(title)}  ${name}`;
  const isSaid = inOneLine(passage.text).startsWith(inOneLine(title).replace(/…$/u, ''));
  return `${isSaid ? '' : `${inOneLine(title)}  `}${name}\n${marked(terminal, passage)}`;
}

/** A passage on one line, its marks bold. */
function marked(terminal: Terminal, { text, start, marks }: Passage): string {
  let said = '';
  let from = 0;
  for (const [begins, ends] of marks) {
    said += folded(text.slice(from, begins - start));
    said += paint(terminal, 'bold', folded(text.slice(begins - start, ends - start)));
    from = ends - start;
  }
  return said + folded(text.slice(from));
}

/** As `inOneLine`, with the blanks at its ends. */
const folded = (text: string): string => visible(text.replaceAll(/\s+/g, ' '));
