import type { Command } from 'commander';
import { listSheets, type ModelSheet } from '@reverie/shared/contract/system/models';
import { connect } from '../connection.ts';
import { jsonOption, whole } from '../options.ts';
import { count, inOneLine, note, printJson, printTable, shortTime } from '../print.ts';
import { homeOf, type Terminal } from '../terminal.ts';

interface Options {
  limit?: number;
  cursor?: string;
  json?: true;
}

/** Notes that are named; the others are counted. */
const NAMED = 3;

/** `reverie models sheets`: what was put to models, the last first. */
export function addSheets(models: Command, terminal: Terminal): void {
  models
    .command('sheets')
    .description('what left for a model: when, whereto, and which notes; the last first')
    .option('--limit <n>', 'how many', whole(1))
    .option('--cursor <cursor>', 'where the page before ended')
    .addOption(jsonOption())
    .action(async ({ limit, cursor, json }: Options) => {
      const { client } = await connect(homeOf(terminal), terminal.env);
      const reply = await client(listSheets, { query: { limit, cursor } });
      if (json) return printJson(terminal, reply);
      printTable(
        terminal,
        ['When', 'For', 'Model', 'At', 'Notes', 'Tokens', 'Answered'],
        reply.sheets.map((sheet) => [
          ...[shortTime(sheet.at), sheet.part, inOneLine(sheet.model), inOneLine(sheet.server)],
          ...[notesOf(sheet), sheet.tokens === null ? '' : sheet.tokens.toLocaleString('en-GB')],
          sheet.answered === null ? 'not known' : sheet.answered ? 'yes' : 'no',
        ]),
      );
      if (reply.sheets.length === 0) note(terminal, 'Nothing was put to a model in the last 90 days.');
      if (reply.next !== null) note(terminal, `Older ones: reverie models sheets --cursor ${reply.next}`);
    });
}

function notesOf({ notes, shown }: ModelSheet): string {
  const named = notes.slice(0, NAMED).map(({ namespace, key }) => inOneLine(`${namespace}/${key}`));
  const more = shown - named.length;
  if (named.length === 0) return count(shown, 'note');
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
