import type { Command } from 'commander';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import type { Passage } from '@reverie/shared/contract/search/passage';
import { type SearchHit, searchMemories, WEAKER } from '@reverie/shared/contract/search/search';
import type { SessionHit } from '@reverie/shared/contract/sessions/sessions';
import { codeWarning } from './anchors.ts';
import { connect } from './connection.ts';
import { sayCorrected } from './corrected.ts';
import { sayElsewhere, sayMore } from './elsewhere.ts';
import {
  alsoOption,
  classOption,
  type Common,
  everywhereOption,
  fraction,
  jsonOption,
  namespaceOption,
  placeOf,
  sessionsOption,
  tagOption,
  whereOption,
  whole,
} from './options.ts';
import { count, inOneLine, note, paint, printJson, printTable, printTexts, say, visible } from './print.ts';
import { homeOf, type Terminal } from './terminal.ts';

interface Options extends Common {
  everywhere?: true;
  limit: number;
  threshold: number;
  all?: true;
  also?: string[];
  sessions?: true;
}

const OPERATORS = `
Examples:
  reverie search what did we decide about backups
  reverie search --everywhere 'tag:adr "signing key" -draft'
  reverie search when is the heating serviced --also "boiler maintenance"
  reverie search --sessions why did the migration fail

In the query, beside words (in the shell, put it in quotation marks):
  tag:adr               with this tag; tag:"to do" for one of several words
  class:error           of this class: note, error, dream or skill
  in:work               in this namespace, instead of --namespace; may be given again
  before:2026-03        stored before that month began; a year or a day will do, UTC
  after:2026-03-05      stored after that day was over
  "exact words"         says these words, one after the other
  -word, -"some words"  does not say them
Of the properties of a note (front matter, \`key:: value\`, metadata), each with its own --where:
  status=open, due=2026-12    one of its values says so, or is of that day, month or year
  status!=done                none does, or there is no such property
  owner                       it is there
  'due<2026-12-01', 'rooms>=3'  by day or by number: <, <=, >, >=; in quotation marks for the shell
Operators alone list what passes them, newest first. What begins with - comes after --, as in
\`reverie search -- '-draft tag:adr'\`.`;

/** `reverie search QUERY` */
export function addSearch(program: Command, terminal: Terminal): void {
  program
    .command('search')
    .description('find memories by meaning and words, best first')
    .addHelpText('after', OPERATORS)
    .argument('<query...>', 'what to look for, in plain words and with operators')
    .addOption(namespaceOption())
    .addOption(everywhereOption())
    .addOption(alsoOption())
    .option('-l, --limit <number>', 'at most so many', whole(1), 10)
    .option('--threshold <score>', 'only with at least this score, from 0 to 1', fraction, 0)
    .option('--all', 'also what fits so weakly that it is most likely about something else')
    .addOption(classOption())
    .addOption(tagOption())
    .addOption(whereOption())
    .addOption(sessionsOption())
    .addOption(jsonOption())
    .action(async (words: string[], options: Options, command: Command) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const namespace = placeOf(options, words.join(' '), command);
      const { limit, threshold, tag, where, class: of, json } = options;
      const filters = { ...(of && { class: of }), ...(tag && { tags: tag }), ...(where && { where }) };
      const reply = await client(searchMemories, {
        // How it was read is told to people; programs get what they asked for.
        body: {
          query: words.join(' '),
          namespace,
          limit,
          threshold,
          ...filters,
          ...(options.also && { queries: options.also }),
          values: json === true,
          explain: json !== true,
          ...(options.sessions && { sources: ['memories', 'sessions'] }),
        },
      });
      if (json) return printJson(terminal, reply);
      for (const line of sayCorrected(reply.understood)) note(terminal, line);
      const { stdout } = terminal;
      const more = sayMore(reply, 'search');
      const { sessions = [], files = [] } = reply;
      if (stdout.isTTY && reply.count === 0 && sessions.length + files.length === 0) {
        note(terminal, (await sayElsewhere(client, namespace)) ?? nothingIn(namespace));
        if (more !== undefined) note(terminal, more);
        return;
      }
      const strong = options.all ? reply.results : reply.results.filter(({ weaker }) => !weaker);
      printHits(terminal, strong, namespace === EVERY_NAMESPACE);
      printFileHits(terminal, files, namespace === EVERY_NAMESPACE);
      const said = options.all ? sessions : sessions.filter(({ score }) => score >= WEAKER);
      printSessionHits(terminal, said, namespace === EVERY_NAMESPACE);
      const left = reply.results.length - strong.length + sessions.length - said.length;
      if (left > 0) {
        const weaker = `${count(left, 'weaker one')}: --all`;
        note(
          terminal,
          strong.length + files.length + said.length === 0 ? `Nothing fits well; ${weaker}` : weaker,
        );
      }
      if (stdout.isTTY && more !== undefined) note(terminal, more);
    });
}

/** Each hit with its title, its key, its namespace where hits are of several, and what of it fits the query; on a pipe a line each. */
function printHits(terminal: Terminal, hits: readonly SearchHit[], isEverywhere: boolean): void {
  if (hits.length === 0) return;
  if (terminal.stdout.isTTY)
    return printTexts(
      terminal,
      hits.map((hit) => [hit.score.toFixed(2), shownOf(terminal, hit, isEverywhere)]),
    );
  const row = ({ score, namespace, key, title, passage, anchors }: SearchHit) => [
    score.toFixed(2),
    ...(isEverywhere ? [namespace] : []),
    ...[key, title, [passage?.text ?? '', codeWarning(anchors) ?? ''].join(' ').trim()],
  ];
  const place = isEverywhere ? ['Namespace'] : [];
  printTable(terminal, ['Score', ...place, 'Key', 'Title', 'Text'], hits.map(row));
}

/** What PDFs say, below the memories, each with the file and the page, and a memory that names it. */
function printFileHits(terminal: Terminal, hits: readonly FileHit[], isEverywhere: boolean): void {
  if (hits.length === 0) return;
  const placeOf = ({ path, page }: FileHit) => `${path}, page ${page}`;
  const namesOf = ({ namespace, keys }: FileHit) => [
    ...keys.slice(0, 1),
    ...(isEverywhere ? [namespace] : []),
  ];
  if (!terminal.stdout.isTTY)
    return printTable(
      terminal,
      [],
      hits.map((hit) => [hit.score.toFixed(2), ...namesOf(hit).reverse(), placeOf(hit), hit.passage.text]),
    );
  say(terminal, '\nIn PDFs:');
  printTexts(
    terminal,
    hits.map((hit) => [
      hit.score.toFixed(2),
      `${inOneLine(placeOf(hit))}  ${paint(terminal, 'dim', namesOf(hit).map(inOneLine).join('  '))}\n${marked(terminal, hit.passage)}`,
    ]),
  );
}

/** What was said in sessions, below what was remembered; on a pipe with the session's id in the place of a key. */
function printSessionHits(terminal: Terminal, hits: readonly SessionHit[], isEverywhere: boolean): void {
  if (hits.length === 0) return;
  if (!terminal.stdout.isTTY)
    return printTable(
      terminal,
      [],
      hits.map(({ score, session: { id, title, namespace }, passage }) => [
        score.toFixed(2),
        ...(isEverywhere ? [namespace] : []),
        ...[id, title, passage.text],
      ]),
    );
  say(terminal, '\nIn sessions:');
  const shown = ({ session: { id, title, agent, namespace }, at, passage }: SessionHit) => {
    const place = [agent, at.slice(0, 10), id, ...(isEverywhere ? [namespace] : [])].map(inOneLine);
    return `${inOneLine(title)}  ${paint(terminal, 'dim', place.join('  '))}\n${marked(terminal, passage)}`;
  };
  printTexts(
    terminal,
    hits.map((hit) => [hit.score.toFixed(2), shown(hit)]),
  );
}

/** The title with the key, and below it the passage with its marks; the key alone where the passage begins with the title. */
function shownOf(
  terminal: Terminal,
  { namespace, key, title, passage, wording, anchors }: SearchHit,
  isEverywhere: boolean,
): string {
  const place = isEverywhere ? `  ${inOneLine(namespace)}` : '';
  const by = wording === undefined ? '' : `  by “${inOneLine(wording)}”`;
  const name = paint(terminal, 'dim', inOneLine(key) + place + by);
  const warning = codeWarning(anchors);
  const code = warning === undefined ? '' : `\n${paint(terminal, 'yellow', warning)}`;
  if (!passage) return `${inOneLine(title)}  ${name}${code}`;
  const isSaid = inOneLine(passage.text).startsWith(inOneLine(title).replace(/…$/u, ''));
  return `${isSaid ? '' : `${inOneLine(title)}  `}${name}\n${marked(terminal, passage)}${code}`;
}

/** A passage on one line, its marks bold. */
export function marked(terminal: Terminal, { text, start, marks }: Passage): string {
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

const nothingIn = (namespace: string): string =>
  namespace === EVERY_NAMESPACE
    ? 'Nothing was found in any namespace.'
    : `Nothing was found in ${inOneLine(namespace)}.`;
