import { type Command, Option } from 'commander';
import {
  type CodingSession,
  listSessions,
  type SessionStatus,
  sessionStatuses,
} from '@reverie/shared/contract/sessions/sessions';
import { jsonOption, timeBack, whole } from '../options.ts';
import { note, paint, printJson, printTable, shortTime } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { unreadLines } from './unread-lines.ts';

interface Options {
  agent?: string;
  project?: string;
  namespace?: string;
  status?: SessionStatus;
  since?: string;
  subagents?: true;
  limit: number;
  json?: true;
}

/** `reverie sessions list` */
export function addList(sessions: Command, terminal: Terminal): void {
  sessions
    .command('list', { isDefault: true })
    .description('list sessions, the one that was written to last first')
    .option('-a, --agent <agent>', 'only of this agent, such as codex')
    .option('-p, --project <project>', 'only of this project')
    .option('-n, --namespace <name>', 'only those whose memories are kept in this namespace')
    .addOption(new Option('--status <status>', 'only such').choices(sessionStatuses))
    .option('--since <when>', 'written to since: a date, or a span back such as 7d', timeBack)
    .option('--subagents', 'those of subagents, too')
    .option('-l, --limit <number>', 'at most so many, up to 200', whole(1), 50)
    .addOption(jsonOption())
    .action((options: Options) => list(terminal, options));
}

async function list(terminal: Terminal, options: Options): Promise<void> {
  const { agent, project, namespace, status, since, subagents, limit, json } = options;
  const client = await clientOf(terminal);
  const reply = await client(listSessions, {
    query: { agent, project, namespace, status, since, limit, ...(subagents && { subagents: 'true' }) },
  });
  if (json) return printJson(terminal, reply);
  const { isTTY } = terminal.stdout;
  printTable(
    terminal,
    ['Id', 'Title', 'Agent', 'Project', 'Status', 'Entries', 'Last written to'],
    reply.sessions.map((session) => [
      session.id,
      session.title,
      session.agent,
      session.project ?? '',
      statusOf(terminal, session),
      String(session.entries),
      isTTY ? shortTime(session.updated_at) : session.updated_at,
    ]),
  );
  for (const { id, unread_lines } of reply.sessions)
    if (unread_lines > 0) note(terminal, `${id}: ${unreadLines(unread_lines)}; the rest was.`);
  if (!isTTY) return;
  if (reply.next !== null) note(terminal, `There are more: --limit, or narrow them (--since 7d, --project).`);
  if (reply.sessions.length > 0) return;
  const isNarrowed = [agent, project, namespace, status, since].some((one) => one !== undefined);
  note(
    terminal,
    isNarrowed
      ? 'There is no such session.'
      : 'There are no sessions yet. `reverie sessions sources` shows which agents have logs here, `reverie sessions enable AGENT` follows one.',
  );
}

function statusOf(terminal: Terminal, { status, shared, role }: CodingSession): string {
  // Of somebody else's, nothing comes any more: this account left or was removed, or its owner ended it.
  if (!shared && role !== 'owner') return 'not shared any more';
  const said = shared ? `${status}, ${role === 'owner' ? 'shared' : role}` : status;
  return status === 'live' ? paint(terminal, 'green', said) : said;
}
