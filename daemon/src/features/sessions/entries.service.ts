import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { EntryKind, SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import { participantLimits } from '@reverie/shared/protocol/participant-limits';
import { authorOf } from '../../db/change.ts';
import type { ReadDb } from '../../db/open-store.ts';
import { newUlid } from '../../platform/ids.ts';
import type { SessionsDeps } from './deps.ts';
import {
  countEntries,
  type EntryFilter,
  type EntryPlace,
  type EntryRow,
  entriesAfter,
  entriesBefore,
  entriesSince,
  failedColumn,
  findEntry,
  lastPlace,
  findKnownEntry,
} from './entries.store.ts';
import { tooManyNotes } from './participant-notes.ts';
import { sessionOf, type SessionsCaller } from './sessions.service.ts';
import { findSessionOfSource, type SessionRow } from './sessions.store.ts';
import { beginWriting, type WrittenEntry } from './taking.service.ts';

/** Characters of each text where only its start is asked for. */
const START = 4_000;
/** Characters of a page, above which it has no further entry: a page of megabytes holds everybody up. */
const LARGEST_PAGE = 1_000_000;

/** What a page of entries is asked for. */
export interface WantedEntries {
  id: string;
  kinds?: readonly EntryKind[] | undefined;
  failed?: 'true' | undefined;
  after?: string | undefined;
  before?: string | undefined;
  around?: string | undefined;
  since?: number | undefined;
  offset?: number | undefined;
  text: 'whole' | 'start';
  limit: number;
}

/** Characters of an entry that are looked through for secrets at most, where they are to be taken out: a megabyte takes seconds. */
export const LOOKED_THROUGH = 65_536;

export interface PageOfEntries {
  entries: SessionEntry[];
  total: number;
  before: string | null;
  after: string | null;
  seq: number;
}

/** A page of what was said and done in a session. */
export function pageOfEntries(
  deps: Pick<SessionsDeps, 'store'>,
  caller: SessionsCaller,
  wanted: WantedEntries,
): PageOfEntries {
  const letters = wanted.text === 'whole' ? Number.MAX_SAFE_INTEGER : START;
  return readPage(deps, caller, { ...wanted, letters }).page;
}

/** What stands in place of the text of an entry that could not be looked through for secrets. */
export const NOT_LOOKED_THROUGH = '[not shown: it could not be looked through for secrets]';

/** The same with secrets taken out of texts, tools and files; of each text no more is read than is looked through. */
export async function redactedPage(
  { store, world }: Pick<SessionsDeps, 'store' | 'world'>,
  caller: SessionsCaller,
  wanted: WantedEntries,
): Promise<PageOfEntries> {
  const { page, session } = readPage({ store }, caller, { ...wanted, letters: LOOKED_THROUGH });
  const entries: SessionEntry[] = [];
  // One by one: each has its own time, and one that takes too long takes no other with it.
  for (const entry of page.entries) {
    const { text, tool, files } = entry;
    const looked = await world.leaver
      .texts(session, [wholeWords(text), tool?.name ?? '', ...files])
      .catch(() => undefined);
    const [clean = NOT_LOOKED_THROUGH, name = '', ...named] = looked?.texts ?? [];
    entries.push({
      ...entry,
      text: wanted.text === 'whole' ? clean : clean.slice(0, START).toWellFormed(),
      tool: tool && { ...tool, name },
      files: named,
    });
  }
  return { ...page, entries };
}

/** A text that was read up to some character, without the word that may have been cut there. */
export function wholeWords(text: string): string {
  if (text.length < LOOKED_THROUGH) return text;
  let end = text.length;
  while (end > 0 && !/\s/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function readPage(
  { store }: Pick<SessionsDeps, 'store'>,
  caller: SessionsCaller,
  { letters, ...wanted }: WantedEntries & { letters: number },
): { page: PageOfEntries; session: SessionRow } {
  refuseSeveral(wanted);
  return store.read((db) => {
    const session = sessionOf(db, caller, wanted.id);
    const filter: EntryFilter = {
      session: session.n,
      kinds: wanted.kinds ? JSON.stringify(wanted.kinds) : null,
      failed: wanted.failed ? 1 : null,
    };
    const rows = rowsOf(db, { filter, wanted, letters });
    const [first, last] = [rows.at(0), rows.at(-1)];
    const one = { letters: 0, limit: 1 };
    const isMore = {
      before: first !== undefined && entriesBefore(db, filter, { ...one, before: first }).length > 0,
      after: last !== undefined && entriesAfter(db, filter, { ...one, after: last }).length > 0,
    };
    const page = {
      entries: rows.map((row) => toEntry(db, { session, caller }, row)),
      total: countEntries(db, filter),
      before: isMore.before && first ? cursorOf(first) : null,
      after: isMore.after && last ? cursorOf(last) : null,
      seq: session.seq,
    };
    return { page, session };
  });
}

function rowsOf(
  db: ReadDb,
  { filter, wanted, letters }: { filter: EntryFilter; wanted: WantedEntries; letters: number },
): EntryRow[] {
  const { limit, since, before, after, around, offset } = wanted;
  const extent = { letters, limit, most: LARGEST_PAGE };
  if (since !== undefined) return entriesSince(db, filter, { since, ...extent });
  if (before !== undefined)
    return entriesBefore(db, filter, { before: parseCursor(before, 'before'), ...extent });
  if (around === undefined)
    return entriesAfter(db, filter, {
      after: after === undefined ? null : parseCursor(after, 'after'),
      offset,
      ...extent,
    });
  const entry = entryOf(db, filter.session, around);
  const earlier = entriesBefore(db, filter, { before: entry, ...extent, limit: Math.floor(limit / 3) });
  const rest = { ...extent, limit: Math.max(0, limit - earlier.length - 1) };
  return [
    ...earlier,
    { ...entry, text: entry.text.slice(0, letters) },
    ...entriesAfter(db, filter, { after: entry, ...rest }),
  ];
}

function refuseSeveral(wanted: WantedEntries): void {
  const names = (['after', 'before', 'around', 'since', 'offset'] as const).filter(
    (name) => wanted[name] !== undefined,
  );
  const [, second] = names;
  if (second === undefined) return;
  const message = `stands beside ${names[0]}; a page is asked for by one of after, before, around, since and offset`;
  throw new Problem('invalid_request', `${second}: ${message}`, { errors: [{ path: second, message }] });
}

/** An entry by its id, or by the first eight or more letters of it that no other has; throws `entry_not_found`. */
export function entryOf(db: ReadDb, session: number, id: string): EntryRow {
  const row = findEntry(db, session, id);
  if (!row) throw new Problem('entry_not_found', `There is no entry ${JSON.stringify(id)} in this session`);
  return row;
}

function cursorOf({ ordered_at, place, id }: EntryPlace): string {
  return `${ordered_at}.${place}.${id}`;
}

/** A cursor whose numbers have the same length everywhere, so that texts compare as the entries are ordered. */
function orderOf({ ordered_at, place, id }: EntryPlace): string {
  return `${String(Math.max(0, ordered_at)).padStart(16, '0')}.${String(place).padStart(12, '0')}.${id}`;
}

function parseCursor(cursor: string, name: string): EntryPlace {
  const [, time, place, id] = /^(-?\d{1,16})\.(\d{1,16})\.(ent_[0-9a-f]{26})$/.exec(cursor) ?? [];
  if (time === undefined || place === undefined || id === undefined) {
    const message = `is ${JSON.stringify(cursor)}; must be a cursor that a page before answered`;
    throw new Problem('invalid_request', `${name}: ${message}`, { errors: [{ path: name, message }] });
  }
  return { ordered_at: Number(time), place: Number(place), id };
}

/** An entry as a caller is answered it. */
export function toEntry(
  db: ReadDb,
  { session, caller }: { session: SessionRow; caller: Pick<Caller, 'readable'> },
  row: EntryRow,
): SessionEntry {
  const { id, seq, kind, text, bytes, reply_to, redactions, format, item } = row;
  const child =
    row.child === null
      ? undefined
      : findSessionOfSource(db, session.account, { agent: session.agent, source: row.child });
  return {
    id,
    seq,
    kind,
    text,
    bytes,
    reply_to,
    redactions,
    source: { format, item },
    at: new Date(row.at).toISOString(),
    order: orderOf(row),
    author: { id: row.author, name: row.author_name, agent: row.author_agent },
    tool:
      row.tool === null
        ? null
        : { name: row.tool, call: row.call, failed: row.failed === null ? null : row.failed === 1 },
    files: filesOf(row),
    child: child && caller.readable(child.namespace) ? child.id : null,
  };
}

/** The files of an entry, as its row has them. */
export function filesOf({ files }: Pick<EntryRow, 'files'>): string[] {
  const parsed: unknown = JSON.parse(files);
  return Array.isArray(parsed) ? parsed.filter((file) => typeof file === 'string') : [];
}

/** An entry that somebody writes through the API. */
export interface GivenEntry {
  kind: EntryKind;
  text: string;
  item?: string | undefined;
  at?: string | undefined;
  reply_to?: string | undefined;
  tool?: { name: string; call?: string | undefined; failed?: boolean | undefined } | undefined;
  files?: readonly string[] | undefined;
  agent?: string | null | undefined;
}

/** Writes entries into a session, all of them or none. */
export function addEntries(
  deps: SessionsDeps,
  caller: Pick<Caller, 'account' | 'key' | 'readable'>,
  { id, entries }: { id: string; entries: readonly GivenEntry[] },
): { success: true; ids: string[]; seq: number } {
  const { store, clock, world } = deps;
  const { account, key } = caller;
  const now = clock.now();
  return store.write((db) => {
    const session = sessionOf(db, caller, id);
    refuseRole(session, entries);
    world.makeRoom(
      db,
      account,
      entries.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 256, 0),
    );
    const writing = beginWriting(db, deps, session);
    let end: Pick<WrittenEntry, 'at' | 'ordered_at' | 'place'> | undefined;
    const ids = entries.map((entry) => {
      refuseTooMany(db, session, { entry, now });
      const { kind, text, tool, files = [] } = entry;
      const author = writerOf(deps, { session, entry, keyName: key.name });
      // Behind an entry at the end the next one has the next place.
      if (entry.at === undefined) end = end ? behind(end) : atEnd(db, session, now);
      const place = entry.at === undefined ? end : { at: Date.parse(entry.at) };
      if (entry.at !== undefined || entry.item !== undefined) end = undefined;
      return writing.put({
        kind,
        text,
        ...author,
        redactions: 0,
        child: null,
        device: null,
        format: 'api',
        item: entry.item ?? `api:${newUlid(now)}`,
        ...(place ?? { at: now }),
        reply_to: entry.reply_to === undefined ? null : entryOf(db, session.n, entry.reply_to).id,
        tool: tool?.name ?? null,
        call: tool?.call ?? null,
        failed: failedColumn(tool?.failed),
        files: JSON.stringify(files),
      });
    });
    writing.end(authorOf(caller));
    return { success: true, ids, seq: session.seq };
  });
}

/** What is said now stands at the end, also where the log of a session went ahead of the clock. */
function atEnd(
  db: ReadDb,
  { n }: SessionRow,
  now: number,
): Pick<WrittenEntry, 'at' | 'ordered_at' | 'place'> {
  const last = lastPlace(db, n);
  return last && last.ordered_at >= now
    ? { at: now, ordered_at: last.ordered_at, place: last.place + 1 }
    : { at: now };
}

function behind(
  end: Pick<WrittenEntry, 'at' | 'ordered_at' | 'place'>,
): Pick<WrittenEntry, 'at' | 'ordered_at' | 'place'> {
  return end.place === undefined ? end : { ...end, place: end.place + 1 };
}

function refuseRole({ role }: SessionRow, entries: readonly GivenEntry[]): void {
  if (role === 'owner') return;
  if (role === 'viewer')
    throw new Problem(
      'forbidden_role',
      'You may read this session only; ask its owner for a link as an editor, to write notes',
    );
  if (entries.some(({ kind }) => kind !== 'note'))
    throw new Problem(
      'forbidden_role',
      'In a session that somebody else shares, editors write notes: give each entry the kind "note"',
    );
}

/** Refuses a participant more notes than the host and the relay take of it: there they would be lost without a word. */
function refuseTooMany(
  db: ReadDb,
  session: SessionRow,
  { entry: { item, at, text }, now }: { entry: GivenEntry; now: number },
): void {
  if (session.role === 'owner') return;
  const before = item === undefined ? undefined : findKnownEntry(db, session.n, item);
  const note = { at: at === undefined ? now : Date.parse(at), bytes: Buffer.byteLength(text), now, before };
  const tooMany = tooManyNotes(db, { session: session.n, device: null }, note);
  if (tooMany === undefined) return;
  const { hourly, total, noteBytes } = participantLimits;
  const counted = `a note counts once for each ${noteBytes / 1024} KiB`;
  if (tooMany === 'hourly')
    throw new Problem(
      'rate_limited',
      `A participant writes ${hourly} notes an hour into a session that somebody else shares at most (${counted}); wait, and write again`,
      { headers: { 'Retry-After': '60' } },
    );
  throw new Problem(
    'storage_exceeded',
    `A participant writes ${total} notes into a session that somebody else shares at most (${counted})`,
  );
}

/** What the key of this machine's owner is called. */
const OWNER_KEY = 'owner-key';

function writerOf(
  { world }: SessionsDeps,
  { session, entry, keyName }: { session: SessionRow; entry: GivenEntry; keyName: string },
): Pick<EntryRow, 'author' | 'author_name' | 'author_agent'> {
  const { kind, agent } = entry;
  const isPersons = agent === null || (agent === undefined && (kind === 'prompt' || kind === 'note'));
  if (isPersons)
    return { author: 'person', author_name: world.personOf(session.account), author_agent: null };
  const name = agent ?? session.agent;
  // A key of an agent's own says who it is; that of the owner says nothing.
  const author_name = agent ?? (keyName === OWNER_KEY ? session.agent : keyName);
  return { author: name, author_name, author_agent: name };
}
