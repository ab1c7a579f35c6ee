import type { DatabaseReader, LogRecord, ReadRecord, SessionFacts } from '../../format.ts';
import { isLogObject, nameOf, parseJson, textIn, timeOf } from '../../json.ts';
import { createRecent, type Recent } from '../../recent.ts';
import { type ForeignDb, readForeign, type ForeignRow } from '../../sqlite.store.ts';
import { jsonText } from '../../words.ts';
import { type OpencodeMessage, messageReads, type MessagePart, promptTitleOf } from './messages.ts';

/** Sessions whose parts are looked at each time: while a reply goes on, its parts change alone. */
const LIVELY = 20;

/** What was read of a session: told apart by counts too, since a deletion moves no time. */
interface SeenSession {
  state: string;
  /** The newest change that was read, in ms since 1970. */
  until: number;
  title: string | undefined;
}

interface Memory {
  sessions: Map<string, SeenSession>;
  /** Items of the sessions that were read last: what is missing among them later was taken back. */
  items: Recent<ReadonlySet<string>>;
}

/** Reads the database of opencode: the sessions that changed since the last time. */
export function readDatabase(file: string): DatabaseReader {
  const memory: Memory = { sessions: new Map(), items: createRecent(LIVELY * 2) };
  return { changed: () => readForeign(file, (db) => changedRecords(db, memory)) };
}

const TABLES = {
  session: ['id', 'project_id', 'title', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

function* changedRecords(db: ForeignDb, memory: Memory): Generator<LogRecord | undefined> {
  for (const [table, names] of Object.entries(TABLES)) {
    const columns = db.columns(table);
    if (names.some((name) => !columns.has(name))) {
      yield undefined;
      return;
    }
  }
  const sessions = [...sessionRows(db)];
  let looked = 0;
  for (const row of sessions) {
    const id = textIn(row, 'id');
    if (id === undefined) {
      yield undefined;
      continue;
    }
    const parts = looked++ < LIVELY ? partsState(db, id) : '';
    const before = memory.sessions.get(id);
    const state = `${String(row.time_updated)} ${String(row.messages)} ${String(row.newest)}`;
    const whole = `${state} ${parts}`;
    // Where parts were not looked at, those of the last look count.
    if (before && (parts === '' ? before.state.startsWith(`${state} `) : before.state === whole)) continue;
    yield* sessionRecords(db, { row, id, memory, state: parts === '' ? `${state} ` : whole });
  }
}

function sessionRows(db: ForeignDb): Iterable<ForeignRow> {
  const columns = db.columns('session');
  const own = ['id', 'title', 'directory', 'parent_id', 'version', 'time_updated'].filter((name) =>
    columns.has(name),
  );
  const worktree = db.columns('project').has('worktree')
    ? '(SELECT worktree FROM project WHERE project.id = session.project_id)'
    : 'NULL';
  return db.rows(
    `SELECT ${own.map((name) => `session.${name}`).join(', ')}, ${worktree} AS worktree,
       (SELECT count(*) FROM message WHERE message.session_id = session.id) AS messages,
       (SELECT max(time_updated) FROM message WHERE message.session_id = session.id) AS newest
     FROM session ORDER BY coalesce(newest, session.time_updated) DESC, session.id`,
  );
}

function partsState(db: ForeignDb, session: string): string {
  const [row] = [
    ...db.rows(
      'SELECT count(*) AS parts, max(time_updated) AS newest FROM part WHERE session_id = ?',
      session,
    ),
  ];
  return `${String(row?.parts)} ${String(row?.newest)}`;
}

interface Changed {
  row: ForeignRow;
  id: string;
  memory: Memory;
  state: string;
}

function* sessionRecords(
  db: ForeignDb,
  { row, id, memory, state }: Changed,
): Generator<LogRecord | undefined> {
  const session = nameOf(id);
  const before = memory.sessions.get(id);
  yield { type: 'session', known: true, reads: [{ session, kind: 'facts', facts: factsOf(row) }] };
  const items = new Set<string>();
  let until = before?.until ?? 0;
  let title = before?.title;
  for (const given of messagesOf(db, id, before?.until ?? -1)) {
    if (!given) {
      yield undefined;
      continue;
    }
    until = Math.max(until, given.newest);
    for (const part of given.message.parts) items.add(nameOf(part.id)).add(`${nameOf(part.id)}:result`);
    items.add(nameOf(given.message.id));
    const said = messageReads(session, given.message);
    if (!said) {
      yield unknownMessage(session, given.message);
      continue;
    }
    const reads = [...said.reads];
    const first = title === undefined ? promptTitleOf(reads) : undefined;
    if (first !== undefined) {
      title = first;
      reads.push({ session, kind: 'facts', facts: { title: { text: first, rank: 10 } } });
    }
    yield { type: `message/${textIn(given.message.data, 'role') ?? 'unnamed'}`, known: true, reads };
    for (const type of said.unknown) yield { type: `part/${type}`, known: false, reads: [] };
  }
  const gone = [...(memory.items.get(id) ?? [])].filter((item) => !items.has(item));
  if (gone.length > 0)
    yield { type: 'message/deleted', known: true, reads: [{ session, kind: 'gone', items: gone }] };
  memory.items.set(id, items);
  memory.sessions.set(id, { state, until, title });
}

const PLACEHOLDER = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/;

function factsOf(row: ForeignRow): SessionFacts {
  const title = textIn(row, 'title')?.trim();
  // The project of all folders without one of their own has the root as its worktree.
  const worktree = textIn(row, 'worktree');
  const folder = textIn(row, 'directory') ?? (worktree === '/' ? undefined : worktree);
  const version = textIn(row, 'version');
  const parent = textIn(row, 'parent_id');
  return {
    ...(title && !PLACEHOLDER.test(title) && { title: { text: title.toWellFormed(), rank: 40 } }),
    ...(folder !== undefined && { folder }),
    ...(version !== undefined && { version }),
    ...(parent !== undefined && { parent: { session: nameOf(parent), kind: 'subagent' as const } }),
  };
}

/** The messages of a session in their order, one at a time. */
function* messagesOf(
  db: ForeignDb,
  session: string,
  since: number,
): Generator<{ message: OpencodeMessage; newest: number } | undefined> {
  const rows = [
    ...db.rows(
      'SELECT id, data, time_created, time_updated FROM message WHERE session_id = ? ORDER BY time_created, id',
      session,
    ),
  ];
  for (const row of rows) {
    const id = textIn(row, 'id');
    const data = parseJson(textIn(row, 'data') ?? '');
    if (id === undefined || !isLogObject(data)) {
      yield undefined;
      continue;
    }
    const updated = timeOf(row.time_updated) ?? 0;
    // A prompt is told as a whole, of a reply only what is new.
    const parts = [...partsOf(db, id, { since, whole: data.role === 'user' })];
    const newest = Math.max(updated, ...parts.map((part) => part.updated));
    yield { message: { id, data, createdAt: timeOf(row.time_created) ?? 0, parts }, newest };
  }
}

function* partsOf(
  db: ForeignDb,
  message: string,
  { since, whole }: { since: number; whole: boolean },
): Generator<MessagePart & { updated: number }> {
  const rows = db.rows(
    `SELECT id, time_created, time_updated, CASE WHEN time_updated >= ? THEN data END AS data
     FROM part WHERE message_id = ? ORDER BY id`,
    whole ? 0 : since,
    message,
  );
  for (const row of rows) {
    const id = textIn(row, 'id');
    if (id === undefined) continue;
    const data = parseJson(textIn(row, 'data') ?? '{}');
    const updated = timeOf(row.time_updated) ?? 0;
    // A change within the millisecond that was read last may be a later one.
    const changed = updated >= since && row.data !== null;
    yield {
      id,
      data: isLogObject(data) ? data : {},
      createdAt: timeOf(row.time_created) ?? 0,
      updated,
      changed,
    };
  }
}

function unknownMessage(session: string, { id, data, createdAt }: OpencodeMessage): LogRecord {
  const entry = {
    item: nameOf(id),
    at: createdAt,
    kind: 'other',
    text: jsonText(data).toWellFormed(),
    byPerson: false,
  } as const;
  const reads: ReadRecord[] = [{ session, kind: 'entry', entry }];
  return { type: `message/${textIn(data, 'role')?.slice(0, 100) ?? 'unnamed'}`, known: false, reads };
}
