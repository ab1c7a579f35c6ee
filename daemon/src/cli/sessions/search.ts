import type { Command } from 'commander';
import { searchSessions, type SessionHit } from '@reverie/shared/contract/sessions/sessions';
import { fraction, jsonOption, whole } from '../options.ts';
import { inOneLine, note, paint, printJson, printTable, printTexts, shortTime } from '../print.ts';
import { marked } from '../search.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionOf } from './session-of.ts';

interface Options {
  session?: string;
  agent?: string;
  namespace?: string;
  threshold: number;
  limit: number;
  json?: true;
}

/** `reverie sessions search WORDS` */
export function addSearch(sessions: Command, terminal: Terminal): void {
  sessions
    .command('search')
    .description('find what was said or done in sessions, best first')
    .argument('<words...>', 'what to look for')
    .option('-s, --session <id>', 'only in this session')
    .option('-a, --agent <agent>', 'only in sessions of this agent')
    .option('-n, --namespace <name>', 'only in sessions whose memories are kept in this namespace')
    .option('--threshold <score>', 'only hits of at least this score', fraction, 0)
    .option('-l, --limit <number>', 'at most so many, up to 100', whole(1), 10)
    .addOption(jsonOption())
    .action((words: string[], options: Options) => search(terminal, words.join(' '), options));
}

async function search(terminal: Terminal, q: string, options: Options): Promise<void> {
  const { agent, namespace, threshold, limit, json } = options;
  const client = await clientOf(terminal);
  const session = options.session === undefined ? undefined : (await sessionOf(client, options.session)).id;
  const reply = await client(searchSessions, { query: { q, session, agent, namespace, threshold, limit } });
  if (json) return printJson(terminal, reply);
  if (reply.count === 0) {
    if (terminal.stdout.isTTY) note(terminal, 'Nothing was found in sessions.');
    return;
  }
  if (terminal.stdout.isTTY)
    printTexts(
      terminal,
      reply.hits.map((hit) => [hit.score.toFixed(2), shownOf(terminal, hit)]),
    );
  else
    printTable(
      terminal,
      ['Score', 'Session', 'Entry', 'When', 'Kind', 'Title', 'Text'],
      reply.hits.map(({ score, session: of, entry, at, kind, passage }) => [
        ...[score.toFixed(2), of.id, entry, at, kind, of.title, passage.text],
      ]),
    );
}

function shownOf(terminal: Terminal, { session, entry, at, kind, passage }: SessionHit): string {
  const what = kind.replace('_', ' ');
  const where = paint(
    terminal,
    'dim',
    `${inOneLine(session.agent)}, ${what}, ${shortTime(at)}  ${session.id} --entry ${entry.slice(0, 12)}`,
  );
  return `${inOneLine(session.title)}  ${where}\n${marked(terminal, passage)}`;
}
