import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Actor, Event, EventType } from '@reverie/shared/contract/events/events';
import { objectIn } from '../../db/json-column.ts';
import { authorsOf, type NameAuthor } from '../../db/authors.ts';
import type { EventOrigin, NewEvent, Origin } from '../../db/change.ts';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';

interface EventRow {
  seq: number;
  id: string;
  type: EventType;
  namespace: string;
  created_at: number;
  actor_kind: Actor['kind'];
  actor_id: string;
  before: string | null;
  after: string | null;
}

/** What was there when this device joined is no more news than what a file brings. */
const KEPT_AS = {
  local: 'local',
  upkeep: 'local',
  import: 'import',
  device: 'device',
  joined: 'import',
} as const satisfies Record<Origin, EventOrigin>;

const COLUMNS = 'seq, id, type, namespace, created_at, actor_kind, actor_id, before, after';

export function insertEvent(db: WriteDb, event: NewEvent & { id: string; created_at: number }): void {
  db.prepare<unknown[]>(
    `INSERT INTO events (id, account, type, namespace, key, created_at, actor_kind, actor_id, origin, before, after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    event.id,
    event.account,
    event.type,
    event.namespace,
    event.key,
    event.created_at,
    event.actor.kind,
    event.actor.id,
    KEPT_AS[event.origin],
    event.before && JSON.stringify(event.before),
    event.after && JSON.stringify(event.after),
  );
}

function toEvent(row: EventRow, name: NameAuthor): Event {
  const author = row.actor_kind === 'device' ? name(`device:${row.actor_id}`) : undefined;
  const state = (text: string | null) => (text === null ? null : objectIn(text));
  return {
    id: row.id,
    seq: row.seq,
    type: row.type,
    namespace: row.namespace,
    created_at: new Date(row.created_at).toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id },
    ...(author && { author }),
    data: { before: state(row.before), after: state(row.after) },
  };
}

export interface EventFilter {
  account: AccountId;
  family: string | null;
  type: string | null;
  namespace: string | null;
  /** Patterns of namespaces as JSON; null for all. */
  within: string | null;
  actorKind: string | null;
  actorId: string | null;
  limit: number;
}

const FILTER = `account = @account
  AND (@family IS NULL OR type LIKE @family || '.%')
  AND (@type IS NULL OR type = @type)
  AND (@namespace IS NULL OR namespace = @namespace)
  AND (@within IS NULL OR has_namespace(@within, namespace))
  AND (@actorKind IS NULL OR actor_kind = @actorKind)
  AND (@actorId IS NULL OR actor_id = @actorId)`;

/** The first events after a `seq`, oldest first. */
export function eventsAfter(db: ReadDb, filter: EventFilter, seq: number): Event[] {
  const name = authorsOf(db, filter.account);
  return db
    .prepare<[EventFilter & { seq: number }], EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE ${FILTER} AND seq > @seq ORDER BY seq LIMIT @limit`,
    )
    .all({ ...filter, seq })
    .map((row) => toEvent(row, name));
}

/** An event as the stream sends it. */
export interface EventText {
  seq: number;
  type: EventType;
  namespace: string;
  /** The whole event as JSON. */
  text: string;
}

/** The first events of an account after a `seq`, oldest first: as many as there is room for, and one at least. `isWhole`: there are no more. */
export function eventTextsAfter(
  db: ReadDb,
  { account, seq }: { account: AccountId; seq: number },
  room: { rows: number; bytes: number },
): { events: EventText[]; isWhole: boolean } {
  const name = authorsOf(db, account);
  const rows = db
    .prepare<[number, number], EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE account = ? AND seq > ? ORDER BY seq`,
    )
    .iterate(account, seq);
  const events: EventText[] = [];
  let length = 0;
  for (const row of rows) {
    const text = textOf(row, name);
    events.push({ seq: row.seq, type: row.type, namespace: row.namespace, text });
    length += text.length;
    if (length >= room.bytes || events.length >= room.rows) return { events, isWhole: false };
  }
  return { events, isWhole: true };
}

/** The text of an event, without reading and writing what it holds: that may be two values of 1 MiB. */
function textOf({ before, after, ...row }: EventRow, name: NameAuthor): string {
  const { data: _, ...rest } = toEvent({ ...row, before: null, after: null }, name);
  return `${JSON.stringify(rest).slice(0, -1)},"data":{"before":${before ?? 'null'},"after":${after ?? 'null'}}}`;
}

/** The newest events, oldest first. */
export function newestEvents(db: ReadDb, filter: EventFilter): Event[] {
  const name = authorsOf(db, filter.account);
  return db
    .prepare<[EventFilter], EventRow>(
      `SELECT ${COLUMNS} FROM events WHERE ${FILTER} ORDER BY seq DESC LIMIT @limit`,
    )
    .all(filter)
    .map((row) => toEvent(row, name))
    .reverse();
}

/** The first and last `seq` of an account's own events; 0 where it has none. */
export function accountEnds(db: ReadDb, account: AccountId): { oldest: number; newest: number } {
  const ends = db
    .prepare<[number, number], { oldest: number | null; newest: number | null }>(
      `SELECT (SELECT min(seq) FROM events WHERE account = ?) AS oldest,
         (SELECT max(seq) FROM events WHERE account = ?) AS newest`,
    )
    .get(account, account);
  return { oldest: ends?.oldest ?? 0, newest: ends?.newest ?? 0 };
}

/** The ends of the whole log: `oldest` is the least `seq` that is still there, `newest` the last one given out. */
export function logEnds(db: ReadDb): { oldest: number; newest: number } {
  const { oldest } =
    db.prepare<[], { oldest: number | null }>('SELECT min(seq) AS oldest FROM events').get() ?? {};
  const newest =
    db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get()?.seq ?? 0;
  return { oldest: oldest ?? newest + 1, newest };
}

/**
 * Which events are meant: those of one memory (with `until`, only up to that `seq`), or those of all memories of the namespace where `key`
 * is null.
 */
export interface EventsOf {
  account: AccountId;
  namespace: string;
  key: string | null;
  until?: number;
}

/** Takes what a memory said out of its events. */
export function redactEvents(db: WriteDb, at: EventsOf): void {
  if (at.key === null)
    db.prepare<unknown[]>(
      `UPDATE events SET before = NULL, after = NULL
       WHERE account = ? AND namespace = ? AND key IS NOT NULL AND (before IS NOT NULL OR after IS NOT NULL)`,
    ).run(at.account, at.namespace);
  else
    db.prepare<unknown[]>(
      'UPDATE events SET before = NULL, after = NULL WHERE account = ? AND namespace = ? AND key = ? AND seq <= ?',
    ).run(at.account, at.namespace, at.key, at.until ?? Number.MAX_SAFE_INTEGER);
}

/** The events that a redaction is about. */
export function seqsOf(db: ReadDb, at: EventsOf): number[] {
  const rows =
    at.key === null
      ? db
          .prepare<[number, string], { seq: number }>(
            'SELECT seq FROM events WHERE account = ? AND namespace = ? AND key IS NOT NULL',
          )
          .all(at.account, at.namespace)
      : db
          .prepare<[number, string, string, number], { seq: number }>(
            'SELECT seq FROM events WHERE account = ? AND namespace = ? AND key = ? AND seq <= ?',
          )
          .all(at.account, at.namespace, at.key, at.until ?? Number.MAX_SAFE_INTEGER);
  return rows.map(({ seq }) => seq);
}

/** Delete events made before a time that still show what was deleted. */
export function deletionsShown(
  db: ReadDb,
  before: number,
): { account: AccountId; seq: number; created_at: number }[] {
  return db
    .prepare<[number], { account: AccountId; seq: number; created_at: number }>(
      "SELECT account, seq, created_at FROM events WHERE type = 'memory.delete' AND before IS NOT NULL AND created_at < ?",
    )
    .all(before);
}

/** Whether the text index of an account may have words of what was deleted yet. */
export function hasRemovedWords(db: ReadDb, account: AccountId): boolean {
  return (
    db
      .prepare<[number, number]>(
        `SELECT 1 FROM removed_chunks WHERE account = ?
         UNION ALL SELECT 1 FROM file_pieces WHERE account = ? AND text IS NULL LIMIT 1`,
      )
      .get(account, account) !== undefined
  );
}

/** Takes what was deleted out of a delete event. */
export function redactDeletion(db: WriteDb, seq: number): void {
  db.prepare<[number]>('UPDATE events SET before = NULL WHERE seq = ?').run(seq);
}

/** An event as it stands now; undefined when the log has dropped it. */
export function findEvent(db: ReadDb, account: AccountId, seq: number): Event | undefined {
  const row = db
    .prepare<[number, number], EventRow>(`SELECT ${COLUMNS} FROM events WHERE account = ? AND seq = ?`)
    .get(account, seq);
  return row && toEvent(row, authorsOf(db, account));
}

/** What an event is about, without what changed. */
export type EventHeader = Pick<EventRow, 'seq' | 'id' | 'type' | 'namespace'> & {
  origin: EventOrigin;
};

/** Events of an account after a `seq`, in order. */
export function headersAfter(
  db: ReadDb,
  account: AccountId,
  { seq, limit }: { seq: number; limit: number },
): EventHeader[] {
  return db
    .prepare<[number, number, number], EventHeader>(
      'SELECT seq, id, type, namespace, origin FROM events WHERE account = ? AND seq > ? ORDER BY seq LIMIT ?',
    )
    .all(account, seq, limit);
}

/** Accounts with an event after a `seq`. */
export function accountsAfter(db: ReadDb, seq: number): AccountId[] {
  return db
    .prepare<[number], { account: AccountId }>(
      // Without NOT INDEXED all of the log's index of accounts is read, to have them in order.
      'SELECT DISTINCT account FROM events NOT INDEXED WHERE seq > ?',
    )
    .all(seq)
    .map(({ account }) => account);
}

/** Drops the oldest events made before a time, at most 1,000 a call; answers how many. */
export function dropEventsBefore(db: WriteDb, before: number): number {
  return db
    .prepare<unknown[]>(
      'DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE created_at < ? ORDER BY created_at LIMIT 1000)',
    )
    .run(before).changes;
}
