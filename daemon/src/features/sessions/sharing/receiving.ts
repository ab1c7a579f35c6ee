import type { WriteDb } from '../../../db/open-store.ts';
import type { SessionsDeps } from '../deps.ts';
import { failedColumn, findKnownEntry } from '../entries.store.ts';
import { isPossibleTime, nearestTime } from '../entry.ts';
import { tooManyNotes } from '../participant-notes.ts';
import { findSession, insertSession, type SessionRow } from '../sessions.store.ts';
import { beginWriting, newSession, type Writing } from '../taking.service.ts';
import type { SessionRoom, SessionRooms } from './ports.ts';
import { decodeRecord, type EntryRecord, type SessionRecord } from './record.ts';
import { findShare, saveShare } from './shares.store.ts';

/** The rank of the title of a session that was joined and has said nothing of itself yet. */
const NOT_TOLD = -1;
/** The rank of a title that its host told; a person here may give another one. */
const TOLD = 500;

/** A session that somebody else's machine writes, made when it is joined or listed; `namespace` where one was chosen. */
export function joinedSession(
  db: WriteDb,
  deps: Pick<SessionsDeps, 'clock'>,
  {
    account,
    about,
    role,
    namespace,
  }: Pick<SessionRoom, 'account' | 'about' | 'role'> & { namespace?: string | undefined },
): SessionRow {
  const known = findSession(db, account, about);
  const row =
    known ??
    insertSession(db, {
      ...newSession({ account, agent: 'unknown', source: null, now: deps.clock.now() }),
      id: about,
      role,
      ...(namespace === undefined ? { title_rank: NOT_TOLD } : { namespace }),
    });
  if (!findShare(db, row.n))
    saveShare(db, { session: row.n, account, begun: 0, queued: 0, approved: '[]', told: '', waits: 0 });
  return row;
}

/** Takes records of a room over. What a device may not say, and what is no record, changes nothing. */
export function takeRecords(
  db: WriteDb,
  deps: SessionsDeps,
  {
    room,
    records,
    rooms,
  }: {
    room: SessionRoom;
    records: readonly { device: string; body: Uint8Array }[];
    rooms: Pick<SessionRooms, 'device'>;
  },
): void {
  const session = joinedSession(db, deps, room);
  session.role = room.role;
  const own = rooms.device();
  const writing = beginWriting(db, deps, session);
  for (const { device, body } of records) {
    const record = decodeRecord(body);
    const isHost = device === room.host;
    if (record?.type === 'session' && isHost && device !== own) takeFacts(session, record, deps.clock.now());
    if (record?.type === 'entry' && (isHost || record.kind === 'note'))
      takeEntry(db, deps, { writing, session, isHost, device: device === own ? null : device, record });
    if (record?.type === 'gone' && device !== own)
      for (const item of record.items)
        if (findKnownEntry(db, session.n, item)?.device === device) writing.remove(item);
  }
  writing.end({ actor: { kind: 'device', id: room.host ?? 'unknown' }, origin: 'device' });
}

function takeFacts(session: SessionRow, record: SessionRecord, now: number): void {
  const isFirst = session.title_rank === NOT_TOLD;
  const { agent, project, branch, models, tokens, unread = 0 } = record;
  const ended_at = record.ended_at === null ? null : nearestTime(record.ended_at, now);
  Object.assign(session, {
    agent,
    project,
    branch,
    tokens,
    ended_at,
    unread,
    models: JSON.stringify(models),
  });
  if (session.title_rank <= TOLD) Object.assign(session, { title: record.title || null, title_rank: TOLD });
  // Where its project is kept, unless a person chose otherwise when joining.
  if (isFirst && project !== null && project !== '')
    session.namespace = `project/${project}`.slice(0, 100).toWellFormed();
}

function takeEntry(
  db: WriteDb,
  { clock }: Pick<SessionsDeps, 'clock'>,
  {
    writing,
    session,
    isHost,
    device,
    record,
  }: { writing: Writing; session: SessionRow; isHost: boolean; device: string | null; record: EntryRecord },
): void {
  const known = findKnownEntry(db, session.n, record.item);
  // What was written here is known better here; and nobody changes what somebody else wrote.
  if (known && (device === null || known.device !== device)) return;
  const { v: _, type: _type, author, files, failed, ...entry } = record;
  const now = clock.now();
  // What comes again keeps the time that it was given when ours was another.
  const at = known && !isPossibleTime(entry.at, now) ? known.at : nearestTime(entry.at, now);
  const note = { at, bytes: Buffer.byteLength(entry.text), now, before: known };
  // What a participant writes beyond its measure is left out, and nothing of the others'.
  if (device !== null && !isHost && tooManyNotes(db, { session: session.n, device }, note)) return;
  writing.put({
    ...entry,
    at,
    ordered_at: record.ordered_at ?? at,
    device,
    child: null,
    // An id can be claimed, the device cannot.
    author: device ?? author.id,
    author_name: author.name,
    author_agent: author.agent,
    files: JSON.stringify(files),
    failed: failedColumn(failed),
  });
}
