import type { Caller } from '@reverie/shared/accounts/caller';
import { Problem } from '@reverie/shared/contract/problems';
import type { CodingSession, SessionStatus } from '@reverie/shared/contract/sessions/sessions';
import { authorOf } from '../../db/change.ts';
import type { ReadDb } from '../../db/open-store.ts';
import type { SessionsDeps } from './deps.ts';
import { entryNumbers } from './entries.store.ts';
import {
  deleteSessionRow,
  findSession,
  findSessionOfSource,
  forgetSource,
  insertSession,
  listSessionRows,
  saveSession,
  type SessionFilter,
  type SessionRow,
} from './sessions.store.ts';
import { modelsOf, newSession } from './taking.service.ts';
import { removeText, sessionsWithText, sessionTexts } from './text.store.ts';

/** How long after its last entry a session is live. */
const LIVE_FOR = 120_000;
/** How long a session is silent before it counts as ended. */
const ENDED_AFTER = 86_400_000;

/** A title that an agent gave, of the rank that formats give at most, yields to what a person wrote. */
const RANK_OF_PERSON = 1_000;

/** Who asks about sessions: its key may have some namespaces only. */
export type SessionsCaller = Pick<Caller, 'account' | 'readable'>;

/** Whether a session is live, idle or ended at `now` (ms since 1970). */
export function statusOf(
  { updated_at, ended_at }: Pick<SessionRow, 'updated_at' | 'ended_at'>,
  now: number,
): SessionStatus {
  if (ended_at !== null || now - updated_at >= ENDED_AFTER) return 'ended';
  return now - updated_at < LIVE_FOR ? 'live' : 'idle';
}

/** The session of an id; throws `session_not_found`, also where it is in a namespace that the caller's key does not have. */
export function sessionOf(db: ReadDb, { account, readable }: SessionsCaller, id: string): SessionRow {
  const row = findSession(db, account, id);
  if (!row || !readable(row.namespace))
    throw new Problem(
      'session_not_found',
      `There is no session ${JSON.stringify(id)}; GET /v1/coding-sessions lists those that are there`,
    );
  return row;
}

/** A session as a caller is answered it. */
export function toSession(
  db: ReadDb,
  { clock, world }: SessionsDeps,
  { row, caller }: { row: SessionRow; caller: Pick<Caller, 'readable'> },
): CodingSession {
  const { id, agent, project, folder, branch, namespace, entries, others, unread, unknown, tokens, role } =
    row;
  const parent =
    row.parent === null ? undefined : findSessionOfSource(db, row.account, { agent, source: row.parent });
  return {
    id,
    agent,
    project,
    folder,
    branch,
    namespace,
    entries,
    others,
    unread_lines: unread,
    unknown_records: unknown,
    tokens,
    role,
    title: row.title ?? 'Untitled session',
    status: statusOf(row, clock.now()),
    participants: [...world.participantsOf(db, row)],
    models: modelsOf(row),
    parent:
      parent && row.parent_kind && caller.readable(parent.namespace)
        ? { id: parent.id, kind: row.parent_kind }
        : null,
    started_at: new Date(row.started_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    shared: world.isShared(db, row),
  };
}

/** What a list of sessions is asked for. */
export interface WantedSessions {
  agent?: string | undefined;
  project?: string | undefined;
  namespace?: string | undefined;
  status?: SessionStatus | undefined;
  q?: string | undefined;
  since?: string | undefined;
  subagents: 'true' | 'false';
  limit: number;
  cursor?: string | undefined;
}

/** A page of sessions, the one that was written to last first. */
export function pageOfSessions(
  deps: SessionsDeps,
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: WantedSessions,
): { sessions: CodingSession[]; next: string | null } {
  const { store, clock, world } = deps;
  const { account, within } = caller;
  const now = clock.now();
  const { status, limit } = wanted;
  const [before, beforeN] = parseCursor(wanted.cursor);
  const match =
    wanted.q === undefined
      ? undefined
      : world.otherQuery({ account, text: wanted.q }, sessionTexts.about(store, account)).match;
  return store.read((db) => {
    const filter: SessionFilter = {
      account,
      within,
      limit,
      before,
      beforeN,
      agent: wanted.agent ?? null,
      project: wanted.project ?? null,
      namespace: wanted.namespace === '*' ? null : (wanted.namespace ?? null),
      since: wanted.since === undefined ? null : Date.parse(wanted.since),
      subagents: wanted.subagents === 'true' ? 1 : 0,
      among: null,
      ...boundsOf(status, now),
    };
    if (wanted.q !== undefined) {
      filter.among = JSON.stringify([
        ...(match === undefined ? [] : sessionsWithText(db, account, match)),
        ...titled(db, filter, wanted.q),
      ]);
    }
    const rows = listSessionRows(db, filter);
    const last = rows.at(-1);
    return {
      sessions: rows.map((row) => toSession(db, deps, { row, caller })),
      next: last && rows.length === limit ? `${last.updated_at}.${last.n}` : null,
    };
  });
}

/** Sessions that were ended by somebody or are silent for a day are `ended`: two queries in one would be slower. */
function boundsOf(
  status: SessionStatus | undefined,
  now: number,
): Pick<SessionFilter, 'liveSince' | 'quietSince' | 'ended' | 'isOver'> {
  const none = { liveSince: null, quietSince: null, ended: null, isOver: null } as const;
  if (status === 'live') return { ...none, liveSince: now - LIVE_FOR + 1, ended: 0 };
  if (status === 'idle')
    return { ...none, liveSince: now - ENDED_AFTER + 1, quietSince: now - LIVE_FOR + 1, ended: 0 };
  if (status === 'ended') return { ...none, isOver: now - ENDED_AFTER };
  return none;
}

function parseCursor(cursor: string | undefined): [number, number] | [null, null] {
  if (cursor === undefined) return [null, null];
  const [, before, n] = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor) ?? [];
  if (before === undefined || n === undefined) {
    const message = `is ${JSON.stringify(cursor)}; must be the \`next\` of a page before`;
    throw new Problem('invalid_request', `cursor: ${message}`, { errors: [{ path: 'cursor', message }] });
  }
  return [Number(before), Number(n)];
}

/** The most sessions whose titles are looked at: those that were written to last. */
const TITLES = 5_000;

function titled(db: ReadDb, filter: SessionFilter, q: string): number[] {
  const words = q.toLowerCase().split(/\s+/);
  return listSessionRows(db, { ...filter, before: null, beforeN: null, limit: TITLES })
    .filter(({ title }) => words.every((word) => title?.toLowerCase().includes(word)))
    .map(({ n }) => n);
}

/** Creates a session for somebody who writes it through the API; answers the one that is there where the agent's own id is known. */
export function createSession(
  deps: SessionsDeps,
  caller: Pick<Caller, 'account' | 'key' | 'readable' | 'within'>,
  wanted: {
    title?: string | undefined;
    agent: string;
    source_session?: string | undefined;
    namespace: string;
    project?: string | undefined;
    branch?: string | undefined;
  },
): CodingSession {
  const { store, clock, world } = deps;
  const { account } = caller;
  const { agent, namespace } = wanted;
  const sources = sourcesOf(caller, wanted.source_session);
  return store.write((db) => {
    const taken = sources.map((source) => findSessionOfSource(db, account, { agent, source }));
    const known = taken.find((row) => row && caller.readable(row.namespace));
    if (known) return toSession(db, deps, { row: known, caller });
    world.makeRoom(db, account, ROW_BYTES);
    const row = insertSession(db, {
      // The one that had its name was moved to where this key does not reach.
      ...newSession({ account, agent, source: taken[0] ? null : (sources[0] ?? null), now: clock.now() }),
      namespace,
      project: wanted.project ?? null,
      branch: wanted.branch ?? null,
      title: wanted.title ?? null,
      title_rank: wanted.title === undefined ? 0 : RANK_OF_PERSON,
    });
    world.record(db, {
      ...authorOf(caller),
      type: 'session.entry',
      namespace,
      key: null,
      before: null,
      after: { session: row.id, agent, seq: 0, entries: 0 },
    });
    return toSession(db, deps, { row, caller });
  });
}

/**
 * The ids under which the session of an agent's own id may be kept, the one for a new session first. A narrower key has names of its own:
 * whatever is in other namespaces, it is answered as if that were not there, and takes no name from an agent's log there.
 */
function sourcesOf({ within }: Pick<Caller, 'within'>, source: string | undefined): string[] {
  if (source === undefined) return [];
  return within === null ? [source] : [JSON.stringify([within, source]), source];
}

/** What a session without entries counts towards what an account holds. */
const ROW_BYTES = 512;

/** Gives a session another title or namespace. */
export function changeSession(
  deps: SessionsDeps,
  caller: SessionsCaller,
  { id, title, namespace }: { id: string; title?: string | undefined; namespace?: string | undefined },
): CodingSession {
  const { world } = deps;
  return deps.store.write((db) => {
    const row = sessionOf(db, caller, id);
    if (title !== undefined) {
      row.title = title;
      row.title_rank = RANK_OF_PERSON;
    }
    if (namespace !== undefined) row.namespace = namespace;
    saveSession(db, row);
    world.written(db, row);
    return toSession(db, deps, { row, caller });
  });
}

/** Says that a session is over. */
export function endSession(deps: SessionsDeps, caller: SessionsCaller, id: string): CodingSession {
  return deps.store.write((db) => {
    const row = sessionOf(db, caller, id);
    if (row.role === 'viewer')
      throw new Problem('forbidden_role', 'A viewer of a session may read it only; its owner can end it');
    row.ended_at = Math.max(deps.clock.now(), row.updated_at);
    saveSession(db, row);
    return toSession(db, deps, { row, caller });
  });
}

/** Deletes our copy of a session for good, and notes that its log is not to be read again. */
export function deleteSession(
  { store, world }: SessionsDeps,
  caller: SessionsCaller,
  id: string,
): { success: true; id: string; entries: number } {
  const entries = store.write((db) => {
    const row = sessionOf(db, caller, id);
    if (world.isShared(db, row))
      throw new Problem(
        'conflict',
        row.role === 'owner'
          ? 'This session is shared; stop sharing it first (DELETE /v1/coding-sessions/{id}/share)'
          : 'This session is followed; leave it first (DELETE /v1/coding-sessions/{id}/participants/me)',
      );
    for (const n of entryNumbers(db, row.n)) removeText(db, row.account, n);
    deleteSessionRow(db, row.n);
    world.written(db, row);
    if (row.source !== null) forgetSource(db, { account: row.account, agent: row.agent, source: row.source });
    return row.entries;
  });
  // The write-ahead log still has what was said.
  store.checkpoint();
  return { success: true, id, entries };
}

/** Whether a session is there and its namespace one that the caller's key has: it may move while a connection is open. */
export function reachesSession(
  deps: Pick<SessionsDeps, 'store'>,
  { account, readable }: SessionsCaller,
  id: string,
): boolean {
  const namespace = namespaceOfSession(deps, account, id);
  return namespace !== undefined && readable(namespace);
}

/** The namespace of a session, for keys that have only some. */
export function namespaceOfSession(
  { store }: Pick<SessionsDeps, 'store'>,
  account: Caller['account'],
  id: string,
): string | undefined {
  return store.read((db) => findSession(db, account, id)?.namespace);
}
