import { type Command, InvalidArgumentError } from 'commander';
import type { Client } from '@reverie/shared/client';
import {
  type CodingSession,
  EntryKind,
  entryKinds,
  listEntries,
  type SessionEntry,
} from '@reverie/shared/contract/sessions/sessions';
import { jsonOption, whole } from '../options.ts';
import { count, inOneLine, note, paint, printJson, say, shortTime } from '../print.ts';
import { keepReading } from '../paging.ts';
import type { Terminal } from '../terminal.ts';
import { clientOf } from '../connection.ts';
import { sessionArgument, sessionOf } from './session-of.ts';
import { shownEntry } from './transcript.ts';
import { unknownRecords, unreadLines } from './unread-lines.ts';

interface Options {
  entry?: string;
  failed?: true;
  kinds?: string;
  whole?: true;
  limit?: number;
  json?: true;
}

/** Entries that are asked for at a time, and that a person is shown before being asked. */
const PAGE = 100;
const SCREEN = 20;

const AFTER = `
Examples:
  reverie sessions show cs_01…                          from its beginning, screen by screen
  reverie sessions show cs_01… --kinds prompt,answer    only what was said
  reverie sessions show cs_01… --failed                 only what failed
  reverie sessions show cs_01… --entry ent_4f2a81c0     from shortly before an entry

Kinds are ${entryKinds.join(', ')}.`;

/** `reverie sessions show ID` */
export function addShow(sessions: Command, terminal: Terminal): void {
  sessions
    .command('show')
    .description('read what was said and done in a session')
    .addArgument(sessionArgument())
    .option('-e, --entry <id>', 'begin shortly before this entry; the beginning of its id does')
    .option('--failed', 'only calls of tools that failed, and their results')
    .option('-k, --kinds <kinds>', 'only these kinds, with commas', kinds)
    .option('--whole', 'all of each text, also of what tools said')
    .option('-l, --limit <number>', 'at most so many entries (else all)', whole(1))
    .addOption(jsonOption())
    .addHelpText('after', AFTER)
    .action((id: string, options: Options) => show(terminal, id, options));
}

function kinds(given: string): string {
  for (const kind of given.split(','))
    if (!EntryKind.safeParse(kind).success)
      throw new InvalidArgumentError(`There is no kind '${kind}'; there are ${entryKinds.join(', ')}.`);
  return given;
}

async function show(terminal: Terminal, given: string, options: Options): Promise<void> {
  const client = await clientOf(terminal);
  const session = await sessionOf(client, given);
  const pages = pagesOf(client, session.id, options);
  if (options.json) {
    const entries: SessionEntry[] = [];
    let total = 0;
    for await (const page of pages) {
      entries.push(...page.entries);
      ({ total } = page);
    }
    return printJson(terminal, { session, entries, total });
  }
  sayHead(terminal, session);
  let shown = 0;
  const keepsReading = keepReading(terminal, SCREEN);
  try {
    for await (const { entries } of pages)
      for (const entry of entries) {
        if (!(await keepsReading.next(`${shown} of ${session.entries}`))) return;
        say(terminal, shownEntry(terminal, entry, options.whole === true));
        shown += 1;
      }
  } finally {
    keepsReading.close();
  }
  if (shown === 0 && terminal.stdout.isTTY)
    note(terminal, session.entries === 0 ? 'It has no entries yet.' : 'None of its entries is such a one.');
}

interface Page {
  entries: SessionEntry[];
  total: number;
}

async function* pagesOf(
  client: Client,
  id: string,
  { entry, failed, kinds: only, whole: isWhole, json, limit = Infinity }: Options,
): AsyncGenerator<Page> {
  let after: string | undefined;
  for (let left = limit; left > 0;) {
    const from = after === undefined ? { ...(entry !== undefined && { around: entry }) } : { after };
    const page = await client(listEntries, {
      params: { id },
      query: {
        ...from,
        limit: Math.min(PAGE, left),
        ...(only !== undefined && { kinds: only }),
        ...(failed && { failed: 'true' }),
        text: isWhole || json ? 'whole' : 'start',
      },
    });
    yield page;
    left -= page.entries.length;
    if (page.after === null) return;
    after = page.after;
  }
}

function sayHead(terminal: Terminal, session: CodingSession): void {
  const { title, agent, project, branch, participants, models, started_at, updated_at } = session;
  const facts = [
    agent,
    project,
    branch === null ? null : `branch ${branch}`,
    models.join(', ') || null,
    `${shortTime(started_at)} to ${shortTime(updated_at)}`,
    count(session.entries, 'entry', 'entries'),
    session.unread_lines > 0 ? unreadLines(session.unread_lines) : null,
    session.unknown_records > 0 ? unknownRecords(session.unknown_records) : null,
  ].filter((fact) => fact !== null);
  say(terminal, paint(terminal, 'bold', inOneLine(title)));
  say(terminal, paint(terminal, 'dim', inOneLine(facts.join(' · '))));
  if (participants.length > 0) {
    const people = participants.map(
      ({ id, name, role, self }) => `${name} (${role}${self ? ', you' : `, ${id}`})`,
    );
    say(terminal, paint(terminal, 'dim', inOneLine(`With ${people.join(', ')}`)));
  }
  if (!session.shared && session.role !== 'owner')
    say(
      terminal,
      'It is not shared with you any more: you left, were removed, or its owner ended it. What was read stays here.',
    );
  say(terminal, '');
}
