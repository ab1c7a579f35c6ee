import os from 'node:os';
import path from 'node:path';
import { filesOf } from '../entries.service.ts';
import type { EntryRow } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import { modelsOf } from '../taking.service.ts';
import type { LeavingText, Looked, Redaction } from './ports.ts';
import type { EntryRecord, SessionRecord } from './record.ts';

/** Entries of which is remembered what was found in them: a preview is paged through, and sharing follows it. */
const REMEMBERED = 20_000;

/** What leaves of entries, with secrets taken out; each is looked through once. */
export interface Leaver {
  looked(session: SessionRow, row: EntryRow): Promise<Looked>;
}

export function createLeaver(redaction: Redaction): Leaver {
  const known = new Map<string, Looked>();
  return {
    async looked(session, row) {
      const name = `${row.n} ${Buffer.from(row.hash).toString('base64')}`;
      const before = known.get(name);
      if (before) return before;
      const looked = await redaction.entry(leavingOf(session, row));
      known.set(name, looked);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return looked;
    },
  };
}

/** An entry without paths of this machine: files in the working folder keep their path from there, of all others only the name is left. */
export function leavingOf({ folder }: SessionRow, row: EntryRow): LeavingText {
  const { kind, item, tool, call, author_name } = row;
  return {
    ...{ kind, item, tool, call, author_name, text: withoutPlaces(row.text, folder) },
    files: filesOf(row).map((file) => (path.isAbsolute(file) ? path.basename(file) : file)),
  };
}

/** A text in which the working folder is `.`, and the home folder `~`. */
export function withoutPlaces(text: string, folder: string | null, home = os.homedir()): string {
  const named = (given: string, place: string, short: string) =>
    place.length < 3 ? given : given.replaceAll(place, short);
  return named(folder === null ? text : named(text, folder, '.'), home, '~');
}

/** A record of an entry that was looked through. */
export function entryRecord(
  row: EntryRow,
  { entry, rules }: Extract<Looked, { kind: 'clean' }>,
): EntryRecord {
  const { item, at, ordered_at, place, kind, reply_to, format } = row;
  return {
    ...{ v: 1, type: 'entry', item, at, ordered_at, place, kind, reply_to, format },
    author: { id: row.author, name: entry.author_name, agent: row.author_agent },
    ...{ text: entry.text, tool: entry.tool, call: entry.call, files: [...entry.files].slice(0, 1024) },
    failed: row.failed === null ? null : row.failed === 1,
    redactions: row.redactions + rules.length,
  };
}

/** What is told of a session, with secrets taken out of its words. Throws where they could not be looked through. */
export async function sessionRecord(redaction: Redaction, session: SessionRow): Promise<SessionRecord> {
  const { folder, agent, tokens, ended_at, unread } = session;
  const clean = async (text: string) => (await redaction.text(withoutPlaces(text, folder))).text;
  return {
    ...{ v: 1, type: 'session', agent, tokens, ended_at, unread, models: modelsOf(session).slice(0, 64) },
    title: await clean(session.title ?? ''),
    project: session.project === null ? null : await clean(session.project),
    branch: session.branch === null ? null : await clean(session.branch),
  };
}
