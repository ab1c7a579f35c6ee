import type { AccountId } from '@reverie/shared/accounts/caller';
import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import type { EntryKind } from '@reverie/shared/contract/sessions';
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
  /** Its author's own count, for entries of one moment. */
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
  'n, account, session, id, item, seq, at, place, kind, failed, author, author_name, author_agent, tool, call, files, reply_to, child, redactions, device, format, hash, bytes';

/** What is read of a stored entry when its item comes again, to compare it and to keep its place. */
export interface KnownEntry {
  n: number;
  place: number;
  kind: EntryKind;
  device: string | null;
  bytes: number;
  hash: Uint8Array;
}

export function findKnownEntry(db: ReadDb, session: number, item: string): KnownEntry | undefined {
  return db
    .prepare<[number, string], KnownEntry>(
      'SELECT n, place, kind, device, bytes, hash FROM session_entries WHERE session = ? AND item = ?',
    )
    .get(session, item);
}

/** Stores a new entry; answers its number. */
export function insertEntry(db: WriteDb, row: Omit<EntryRow, 'n'>): number {
  const { lastInsertRowid } = db
    .prepare<[object]>(
      `INSERT INTO session_entries (account, session, id, item, seq, at, place, kind, failed, author, author_name, author_agent,
         tool, call, files, reply_to, child, redactions, device, format, hash, bytes, text)
       VALUES (@account, @session, @id, @item, @seq, @at, @place, @kind, @failed, @author, @author_name, @author_agent,
         @tool, @call, @files, @reply_to, @child, @redactions, @device, @format, @hash, @bytes, @text)`,
    )
    .run(row);
  return Number(lastInsertRowid);
}

/** Replaces what an entry says; its item, id and place stay. */
export function replaceEntry(db: WriteDb, row: EntryRow): void {
  db.prepare<[object]>(
    `UPDATE session_entries SET seq = @seq, at = @at, place = @place, kind = @kind, failed = @failed, tool = @tool, call = @call, files = @files,
       reply_to = @reply_to, child = @child, redactions = @redactions, hash = @hash, bytes = @bytes, text = @text
     WHERE n = @n`,
  ).run(row);
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
  at: number;
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
}

const FITS = `session = @session AND (@kinds IS NULL OR kind IN (SELECT value FROM json_each(@kinds)))
  AND (@failed IS NULL OR failed = @failed)`;
/** `substr` ends at a NUL, which output of tools may have: such a text is read whole, and cut by `cutTo`. */
const TEXT =
  "CASE WHEN @letters >= 1000000 OR instr(CAST(text AS BLOB), x'00') > 0 THEN text ELSE substr(text, 1, @letters) END AS text";

function cutTo(letters: number): (row: EntryRow) => EntryRow {
  return (row) =>
    row.text.length <= letters ? row : { ...row, text: row.text.slice(0, letters).toWellFormed() };
}

/** Entries behind a place, in order; from the first on where it is null. */
export function entriesAfter(
  db: ReadDb,
  filter: EntryFilter,
  { after, ...extent }: Extent & { after: EntryPlace | null },
): EntryRow[] {
  const from = after === null ? '' : 'AND (at, place, id) > (@at, @placed, @id)';
  return db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE ${FITS} ${from}
       ORDER BY at, place, id LIMIT @limit`,
    )
    .all({ ...filter, ...extent, ...placeOf(after) })
    .map(cutTo(extent.letters));
}

/** The entries before a place, in order; the last ones where it is null. */
export function entriesBefore(
  db: ReadDb,
  filter: EntryFilter,
  { before, ...extent }: Extent & { before: EntryPlace | null },
): EntryRow[] {
  const from = before === null ? '' : 'AND (at, place, id) < (@at, @placed, @id)';
  return db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE ${FITS} ${from}
       ORDER BY at DESC, place DESC, id DESC LIMIT @limit`,
    )
    .all({ ...filter, ...extent, ...placeOf(before) })
    .map(cutTo(extent.letters))
    .reverse();
}

/** Entries that were added or changed after a `seq`, in that order. */
export function entriesSince(
  db: ReadDb,
  filter: EntryFilter,
  { since, ...extent }: Extent & { since: number },
): EntryRow[] {
  return db
    .prepare<[object], EntryRow>(
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE ${FITS} AND seq > @since ORDER BY seq LIMIT @limit`,
    )
    .all({ ...filter, ...extent, since })
    .map(cutTo(extent.letters));
}

function placeOf(place: EntryPlace | null): object {
  return place === null ? {} : { at: place.at, placed: place.place, id: place.id };
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
      `SELECT ${WITHOUT_TEXT}, ${TEXT} FROM session_entries WHERE n IN (SELECT value FROM json_each(@numbers))`,
    )
    .all({ numbers: JSON.stringify(numbers), letters });
  return new Map(rows.map(cutTo(letters)).map((row) => [row.n, row]));
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
