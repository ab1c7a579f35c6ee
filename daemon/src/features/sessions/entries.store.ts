import type { AccountId } from '@reverie/shared/accounts/caller';
import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import type { EntryKind } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

/** An entry as it is stored; times in ms since 1970. */
export interface EntryRow {
  n: number;
  account: AccountId;
  session: number;
  id: string;
  item: string;
  /** When it came here, or changed, counted within the session. */
  seq: number;
  at: number;
  /** Where it stands: entries are ordered by this, ms since 1970, then by `place`. Its own time, or a later one before it in its log. */
  ordered_at: number;
  /** Its author's own count. */
  place: number;
  kind: EntryKind;
  failed: 0 | 1 | null;
  author: string;
  author_name: string;
  author_agent: string | null;
  tool: string | null;
  call: string | null;
  /** As a list in JSON. */
  files: string;
  reply_to: string | null;
  child: string | null;
  redactions: number;
  /** The device that it came from; null for what was written here. */
  device: string | null;
  format: string;
  /** SHA-1 of what it says, to tell a change. */
  hash: Uint8Array;
  /** What the whole text takes; `text` may be cut. */
  bytes: number;
  text: string;
}

/** Whether a tool failed, as the column has it; null where nobody says so. */
export function failedColumn(failed: boolean | null | undefined): EntryRow['failed'] {
  if (failed === undefined || failed === null) return null;
  return failed ? 1 : 0;
}

const WITHOUT_TEXT =
  'n, account, session, id, item, seq, at, ordered_at, place, kind, failed, author, author_name, author_agent, tool, call, files, reply_to, child, redactions, device, format, hash, bytes';

/** What is read of a stored entry when its item comes again, to compare it and to keep its place. */
export interface KnownEntry {
  n: number;
  at: number;
  ordered_at: number;
  place: number;
  kind: EntryKind;
  device: string | null;
  bytes: number;
  hash: Uint8Array;
}

export function findKnownEntry(db: ReadDb, session: number, item: string): KnownEntry | undefined {
  return db
    .prepare<[number, string], KnownEntry>(
      'SELECT n, at, ordered_at, place, kind, device, bytes, hash FROM session_entries WHERE session = ? AND item = ?',
    )
    .get(session, item);
}

/** Stores a new entry; answers its number. */
export function insertEntry(db: WriteDb, row: Omit<EntryRow, 'n'>): number {
  const { lastInsertRowid } = db
    .prepare<[object]>(
      `INSERT INTO session_entries (account, session, id, item, seq, at, log_time, place, kind, failed, author, author_name, author_agent,
         tool, call, files, reply_to, child, redactions, device, format, hash, bytes, text)
       VALUES (@account, @session, @id, @item, @seq, @at, @ordered_at, @place, @kind, @failed, @author, @author_name, @author_agent,
         @tool, @call, @files, @reply_to, @child, @redactions, @device, @format, @hash, @bytes, @text)`,
    )
    .run(row);
  return Number(lastInsertRowid);
}

/** Replaces what an entry says; its item and id stay. */
export function replaceEntry(db: WriteDb, row: EntryRow): void {
  db.prepare<[object]>(
    `UPDATE session_entries SET seq = @seq, at = @at, log_time = @ordered_at, place = @place, kind = @kind, failed = @failed, tool = @tool, call = @call, files = @files,
       reply_to = @reply_to, child = @child, redactions = @redactions, hash = @hash, bytes = @bytes, text = @text
     WHERE n = @n`,
  ).run(row);
}

/** Moves an entry that says what it said to another place in its session. */
export function moveEntry(db: WriteDb, moved: Pick<EntryRow, 'n' | 'seq' | 'ordered_at' | 'place'>): void {
  db.prepare<[object]>(
    'UPDATE session_entries SET seq = @seq, log_time = @ordered_at, place = @place WHERE n = @n',
  ).run(moved);
}

/** Returns the times of the first and the last that was said in a session, ms since 1970; undefined where nothing is in it. */
export function timesOfEntries(db: ReadDb, session: number): { first: number; last: number } | undefined {
  const times = db
    .prepare<[number], { first: number | null; last: number | null }>(
      'SELECT min(at) AS first, max(at) AS last FROM session_entries WHERE session = ?',
    )
    .get(session);
  return times && times.first !== null && times.last !== null
    ? { first: times.first, last: times.last }
    : undefined;
}

/** Finds where the last entry of a session stands. */
export function lastPlace(db: ReadDb, session: number): Pick<EntryRow, 'ordered_at' | 'place'> | undefined {
  return db
    .prepare<[number], Pick<EntryRow, 'ordered_at' | 'place'>>(
      `SELECT ordered_at, place FROM session_entries WHERE session = ?
       ORDER BY ordered_at DESC, place DESC, id DESC LIMIT 1`,
    )
    .get(session);
}

export function deleteEntry(db: WriteDb, n: number): void {
  db.prepare<[number]>('DELETE FROM session_entries WHERE n = ?').run(n);
}

/** Numbers of all entries of a session. */
export function entryNumbers(db: ReadDb, session: number): number[] {
  return db
    .prepare<[number], { n: number }>('SELECT n FROM session_entries WHERE session = ?')
    .all(session)
    .map(({ n }) => n);
}

/** Where an entry stands in the order of its session. */
export interface EntryPlace {
  ordered_at: number;
  place: number;
  id: string;
}

export interface EntryFilter {
  session: number;
  /** Kinds as a list in JSON; null for all. */
  kinds: string | null;
  failed: 1 | null;
}

/** Characters of a text that are read, and how many entries. */
interface Extent {
  letters: number;
  limit: number;
  /** Characters of all of them together, above which no further one is read. */
  most?: number;
}

const FITS = `session = @session AND (@kinds IS NULL OR kind IN (SELECT value FROM json_each(@kinds)))
  AND (@failed IS NULL OR failed = @failed)`;
/** `substr` ends at a NUL, which output of tools may have: such a text is read whole, and cut by `cutTo`. */
const TEXT =
  "CASE WHEN @letters >= 1000000 OR instr(CAST(text AS BLOB), x'00') > 0 THEN text ELSE substr(text, 1, @letters) END AS text";

/** The rows that fit, at least one; what is not taken is not read of the disk either. */
function taken(rows: Iterable<EntryRow>, { letters, most = Infinity }: Extent): EntryRow[] {
  const some: EntryRow[] = [];
  const cut = cutTo(letters);
  let characters = 0;
  for (const row of rows) {
    const one = cut(row);
    characters += one.text.length + one.files.length;
    if (some.length > 0 && characters > most) break;
    some.push(one);
  }
  return some;
}

function cutTo(letters: number): (row: EntryRow) => EntryRow {
  return (row) =>
    row.text.length <= letters ? row : { ...row, text: row.text.slice(0, letters).toWellFormed() };
}

/** The column of the text; entries are also read without theirs. */
function textColumn(letters: number): string {
  return letters === 0 ? "'' AS text" : TEXT;
}

/** Entries behind a place, in order, without so many of the first ones; from the first on where it is null. */
export function entriesAfter(
  db: ReadDb,
  filter: EntryFilter,
  { after, offset = 0, ...extent }: Extent & { after: EntryPlace | null; offset?: number | undefined },
): EntryRow[] {
  const from = after === null ? '' : 'AND (ordered_at, place, id) > (@time, @placed, @id)';
  const rows = db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${textColumn(extent.letters)} FROM session_entries WHERE ${FITS} ${from}
       ORDER BY ordered_at, place, id LIMIT @limit OFFSET @offset`,
    )
    .iterate({ ...filter, ...extent, offset, ...placeOf(after) });
  return taken(rows, extent);
}

/** The entries before a place, in order; the last ones where it is null. */
export function entriesBefore(
  db: ReadDb,
  filter: EntryFilter,
  { before, ...extent }: Extent & { before: EntryPlace | null },
): EntryRow[] {
  const from = before === null ? '' : 'AND (ordered_at, place, id) < (@time, @placed, @id)';
  const rows = db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE ${FITS} ${from}
       ORDER BY ordered_at DESC, place DESC, id DESC LIMIT @limit`,
    )
    .iterate({ ...filter, ...extent, ...placeOf(before) });
  return taken(rows, extent).reverse();
}

/** Entries that were added or changed after a `seq`, in that order. */
export function entriesSince(
  db: ReadDb,
  filter: EntryFilter,
  { since, ...extent }: Extent & { since: number },
): EntryRow[] {
  const rows = db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE ${FITS} AND seq > @since ORDER BY seq LIMIT @limit`,
    )
    .iterate({ ...filter, ...extent, since });
  return taken(rows, extent);
}

function placeOf(place: EntryPlace | null): object {
  return place === null ? {} : { time: place.ordered_at, placed: place.place, id: place.id };
}

export function countEntries(db: ReadDb, { since = 0, ...filter }: EntryFilter & { since?: number }): number {
  return (
    db
      .prepare<[object], { count: number }>(
        `SELECT count(*) AS count FROM session_entries WHERE ${FITS} AND seq > @since`,
      )
      .get({ ...filter, since })?.count ?? 0
  );
}

/** In the text of the statement, for a bound number would not be divided as a whole one. */
const { noteBytes: NOTE_BYTES } = participantLimits;

/** As how many notes counts what a device wrote into a session, by its times: after `since`, until `until`. Null is this device. */
export function countNotes(
  db: ReadDb,
  of: { session: number; device: string | null; since: number; until: number },
): number {
  return (
    db
      .prepare<[object], { notes: number }>(
        `SELECT coalesce(sum(max(1, (bytes + ${NOTE_BYTES - 1}) / ${NOTE_BYTES})), 0) AS notes FROM session_entries
         WHERE session = @session AND kind = 'note' AND device IS @device AND at > @since AND at <= @until`,
      )
      .get(of)?.notes ?? 0
  );
}

/** An entry by its id, or by the beginning of it that no other has: `ent_` and eight letters at least. */
export function findEntry(db: ReadDb, session: number, id: string): EntryRow | undefined {
  if (!/^ent_[0-9a-f]{8,26}$/.test(id)) return undefined;
  const rows = db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, text FROM session_entries
       WHERE session = @session AND id >= @id AND id < @id || 'g' LIMIT 2`,
    )
    .all({ session, id });
  return rows.length === 1 ? rows[0] : undefined;
}

/** Entries by their numbers, with so many characters of each text. */
export function entriesByNumber(
  db: ReadDb,
  numbers: readonly number[],
  letters: number,
): Map<number, EntryRow> {
  const rows = db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${textColumn(letters)} FROM session_entries WHERE n IN (SELECT value FROM json_each(@numbers))`,
    )
    .all({ numbers: JSON.stringify(numbers), letters });
  return new Map(rows.map(cutTo(letters)).map((row) => [row.n, row]));
}

/** The next entries by their numbers, of all accounts, as many as have so many characters together but one at least. */
export function entriesBehind(
  db: ReadDb,
  n: number,
  letters: number,
): Pick<EntryRow, 'n' | 'account' | 'kind' | 'text'>[] {
  const rows = db
    .prepare<[number], Pick<EntryRow, 'n' | 'account' | 'kind' | 'text'>>(
      'SELECT n, account, kind, text FROM session_entries WHERE n > ? ORDER BY n',
    )
    .iterate(n);
  const entries: Pick<EntryRow, 'n' | 'account' | 'kind' | 'text'>[] = [];
  let read = 0;
  for (const row of rows) {
    entries.push(row);
    read += row.text.length;
    if (read >= letters) break;
  }
  return entries;
}

/**
 * Stores the tokens of one reply; where an item comes twice, the reply with more output stays. Answers by how many tokens the session's
 * total grew.
 */
export function saveUsage(
  db: WriteDb,
  usage: {
    account: AccountId;
    session: number;
    item: string;
    model: string;
    input: number;
    output: number;
  },
): number {
  const known = db
    .prepare<[number, string], { input: number; output: number }>(
      'SELECT input, output FROM session_usage WHERE session = ? AND item = ?',
    )
    .get(usage.session, usage.item);
  if (known && known.output >= usage.output) return 0;
  db.prepare<[object]>(
    `INSERT INTO session_usage (account, session, item, model, input, output)
     VALUES (@account, @session, @item, @model, @input, @output)
     ON CONFLICT (session, item) DO UPDATE SET model = excluded.model, input = excluded.input, output = excluded.output`,
  ).run(usage);
  return usage.input + usage.output - (known ? known.input + known.output : 0);
}
