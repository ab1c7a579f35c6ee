import type { DatabaseReader, LogRecord, ReadRecord } from '../../format.ts';
import { nameOf, parseJson, isLogObject, textIn, timeOf } from '../../json.ts';
import { type ForeignDb, readForeign, type ForeignRow } from '../../sqlite.store.ts';
import { isSaid } from '../../unknown.ts';
import { itemReads } from './display-log.ts';
import { createPlace, entryRead } from './place.ts';

/** A name that a person gave stands above one in the index; a title that Codex made above the first prompt. */
const NAME_RANK = 45;
const TITLE_RANK = 20;

/**
 * Reads `state_N.sqlite`: the titles of sessions. Certain: the table `threads` with `id`, `title` and `first_user_message`; `name` and the
 * number in the file's name differ by version, so columns are looked for.
 */
export function readThreads(file: string): DatabaseReader {
  const known = new Map<string, string>();
  return { changed: () => readForeign(file, (db) => threadRecords(db, known)) };
}

function* threadRecords(db: ForeignDb, known: Map<string, string>): Generator<LogRecord | undefined> {
  const columns = db.columns('threads');
  if (!columns.has('id') || !columns.has('title')) return;
  const wanted = ['id', 'title', 'name', 'first_user_message'].filter((name) => columns.has(name));
  for (const row of db.rows(`SELECT ${wanted.join(', ')} FROM threads ORDER BY id`)) {
    const id = textIn(row, 'id');
    if (id === undefined) {
      yield undefined;
      continue;
    }
    const title = titleOf(row);
    const before = known.get(id);
    if (title === undefined || before === `${title.rank}${title.text}`) continue;
    yield { type: 'threads', known: true, reads: [{ session: nameOf(id), kind: 'facts', facts: { title } }] };
    // Behind it: what was not taken is told again.
    known.set(id, `${title.rank}${title.text}`);
  }
}

function titleOf(row: ForeignRow): { text: string; rank: number } | undefined {
  const name = textIn(row, 'name')?.trim().slice(0, 1_000);
  if (name) return { text: name.toWellFormed(), rank: NAME_RANK };
  const title = textIn(row, 'title')?.trim();
  // Where nobody named it, Codex writes the first prompt there, which the rollout says better.
  if (!title || title === textIn(row, 'first_user_message')?.trim()) return undefined;
  return { text: title.slice(0, 1_000).toWellFormed(), rank: TITLE_RANK };
}

/**
 * Reads `thread_history_N.sqlite`. Certain (measured by others): it is made from the rollouts, with a cursor for each in
 * `thread_history_projection_state`, so the entries of those are left to the rollouts, which say more. Less certain (one reader of the
 * app's data): threads of the desktop app and of editors may stand here alone; those without a cursor are read.
 */
export function readThreadHistory(file: string): DatabaseReader {
  const known = new Map<string, string>();
  return { changed: () => readForeign(file, (db) => historyRecords(db, known)) };
}

function* historyRecords(db: ForeignDb, known: Map<string, string>): Generator<LogRecord | undefined> {
  const columns = db.columns('thread_items');
  if (!['thread_id', 'item_json', 'rollout_ordinal'].every((name) => columns.has(name))) return;
  const state = db.columns('thread_history_projection_state').has('thread_id')
    ? 'WHERE thread_id NOT IN (SELECT thread_id FROM thread_history_projection_state)'
    : '';
  const updated = columns.has('updated_at_ordinal') ? 'max(updated_at_ordinal)' : '0';
  const threads = [
    ...db.rows(
      `SELECT thread_id, count(*) AS items, max(rollout_ordinal) AS last, ${updated} AS updated
       FROM thread_items ${state} GROUP BY thread_id ORDER BY thread_id`,
    ),
  ];
  for (const { thread_id: thread, items, last, updated } of threads) {
    if (typeof thread !== 'string') continue;
    const state = `${String(items)} ${String(last)} ${String(updated)}`;
    if (known.get(thread) === state) continue;
    yield* threadItems(db, thread, columns);
    known.set(thread, state);
  }
}

/** All items of a thread, since those without a name that lasts are told by how often they were said. */
function* threadItems(
  db: ForeignDb,
  thread: string,
  columns: ReadonlySet<string>,
): Generator<LogRecord | undefined> {
  const place = createPlace(nameOf(thread));
  const at = columns.has('created_at_ms') ? 'created_at_ms' : '0 AS created_at_ms';
  const rows = db.rows(
    `SELECT item_json, ${at} FROM thread_items WHERE thread_id = ? ORDER BY rollout_ordinal`,
    thread,
  );
  for (const row of rows) {
    const json = textIn(row, 'item_json');
    const item = json === undefined ? undefined : parseJson(json);
    if (json === undefined || !isLogObject(item)) {
      yield undefined;
      continue;
    }
    place.at = timeOf(row.created_at_ms) ?? place.at;
    const type = `thread_items/${textIn(item, 'type')?.slice(0, 100) ?? 'unnamed'}`;
    const reads: ReadRecord[] | undefined = itemReads(item, place);
    if (reads) {
      yield { type, known: true, reads };
      continue;
    }
    if (!isSaid(item)) {
      yield { type, known: false, reads: [] };
      continue;
    }
    const name = place.said.name('other', json, 'display');
    yield { type, known: false, reads: [entryRead(place, { item: name.item, kind: 'other', text: json })] };
  }
}
