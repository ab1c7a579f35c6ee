import { promptTitle } from '@reverie/session-logs/words';
import type { Store } from '../../../db/open-store.ts';
import type { SessionsWorld } from '../deps.ts';
import { filesOf } from '../entries.service.ts';
import { entriesAfter, type EntryRow, findEntry } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import { modelsOf } from '../taking.service.ts';
import { createKnowledge } from './knowledge.ts';
import { fileElsewhere, withoutPlaces } from './places.ts';
import type { KnownSecret, Leaver, LeavingText, Looked, Redaction } from './ports.ts';
import type { EntryRecord, SessionRecord } from './record.ts';

/** Entries of which is remembered what was found in them: a preview is paged through, and sharing follows it. */
const REMEMBERED = 20_000;
/** So many prompts of a session are asked whether its title was made of them. */
const TITLE_PROMPTS = 32;

/** What is longer is no name of a project, branch or model. */
const LONGEST_NAME = 4_096;

/** Makes a leaver that remembers what it looked through. */
export function createLeaver(
  store: Store,
  redaction: Redaction,
  personOf: SessionsWorld['personOf'],
): Leaver {
  const known = new Map<string, { looked: Looked; secrets: readonly KnownSecret[] }>();
  const knowledge = createKnowledge(store, redaction);

  async function lookThrough(
    session: SessionRow,
    texts: readonly string[],
  ): Promise<{ texts: string[]; rules: readonly string[] }> {
    return redaction.texts(texts, await knowledge.of(session));
  }

  /** A title is made of the redacted prompt that it was cut from: a secret that was cut is none to any rule. */
  async function titleOf(session: SessionRow): Promise<string> {
    const title = session.title ?? '';
    const prompts = store.read((db) =>
      entriesAfter(
        db,
        { session: session.n, kinds: '["prompt"]', failed: null },
        { after: null, letters: 4_000, limit: TITLE_PROMPTS },
      ),
    );
    const source = prompts.find(({ text }) => promptTitle(text) === title);
    const whole = source && store.read((db) => findEntry(db, session.n, source.id));
    if (!whole) return withoutCutWord(title);
    const looked = await redaction.entry(leavingOf(session, whole, personOf), {
      folder: session.folder,
      known: await knowledge.of(session),
    });
    return looked.kind === 'clean' ? promptTitle(looked.entry.text) : '';
  }

  return {
    async looked(session, row) {
      const secrets = await knowledge.of(session);
      const name = `${row.n} ${Buffer.from(row.hash).toString('base64')}`;
      const before = known.get(name);
      if (before && !hasNew(before, secrets)) return before.looked;
      const looked = await redaction.entry(leavingOf(session, row, personOf), {
        folder: session.folder,
        known: secrets,
      });
      known.set(name, { looked, secrets });
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
      return looked;
    },
    texts: lookThrough,
    async session(session) {
      const { folder, tokens, ended_at, unread } = session;
      const title = await titleOf(session);
      const { agent: own, project: named, branch: at } = session;
      const given = [title, own, named ?? '', at ?? '', ...modelsOf(session).slice(0, 64)];
      const looked = await lookThrough(
        session,
        given.map((text) => (text.length > LONGEST_NAME ? '' : withoutPlaces(text, folder))),
      );
      const [shown = '', agent = '', project = '', branch = '', ...models] = looked.texts.map((text) =>
        text.slice(0, 1024).toWellFormed(),
      );
      const record: SessionRecord = {
        v: 1,
        type: 'session',
        title: shown,
        agent,
        models,
        tokens,
        ended_at,
        unread,
        project: session.project === null ? null : project,
        branch: session.branch === null ? null : branch,
      };
      return { record, rules: [...looked.rules, ...rulesIn(title)] };
    },
  };
}

/** Whether something that was learned since stands in an entry that was looked through before. */
function hasNew(
  { looked, secrets }: { looked: Looked; secrets: readonly KnownSecret[] },
  now: readonly KnownSecret[],
): boolean {
  if (looked.kind !== 'clean' || now.length === secrets.length) return false;
  const before = new Set(secrets.map(({ value }) => value));
  const text = JSON.stringify(looked.entry);
  return now.some(({ value }) => !before.has(value) && text.includes(JSON.stringify(value).slice(1, -1)));
}

/** The rules that marks in a text name. */
function rulesIn(text: string): string[] {
  return [...text.matchAll(/\[REDACTED:([a-z0-9-]+)\]/gu)].flatMap(([, rule]) => rule ?? []);
}

/** A title that somebody else cut, without the word at its end, which may be a part of a secret. */
function withoutCutWord(title: string): string {
  const isCut = /(?:…|\.{3})$/u.test(title) || title.length >= 200;
  return isCut ? `${title.replace(/[A-Za-z0-9+/=_.~:%@-]*(?:…|\.{3})?$/u, '').trimEnd()}…` : title;
}

/** What of an entry is looked through: files in the working folder keep their path from there, of all others only the name is left. */
export function leavingOf(
  { account, folder }: SessionRow,
  row: EntryRow,
  personOf: SessionsWorld['personOf'],
): LeavingText {
  const { kind, item, tool, call, reply_to, format, text } = row;
  // It may have been written before this machine was linked, under the name that its system has for the person.
  const isOwn = row.author === 'person' && row.device === null;
  const author_name = isOwn ? personOf(account) : row.author_name;
  return {
    kind,
    item,
    tool,
    call,
    author_name,
    reply_to,
    format,
    text,
    author_id: row.author,
    author_agent: row.author_agent,
    files: filesOf(row).map((file) => fileElsewhere(file, folder)),
  };
}

/** A record of an entry that was looked through. */
export function entryRecord(
  row: EntryRow,
  { entry, rules }: Extract<Looked, { kind: 'clean' }>,
): EntryRecord {
  const { item, at, ordered_at, place, kind } = row;
  const { text, tool, call, reply_to, format } = entry;
  return {
    v: 1,
    type: 'entry',
    item,
    at,
    ordered_at,
    place,
    kind,
    reply_to,
    format,
    text,
    tool,
    call,
    author: { id: entry.author_id, name: entry.author_name, agent: entry.author_agent },
    files: [...entry.files].slice(0, 1024),
    failed: row.failed === null ? null : row.failed === 1,
    redactions: row.redactions + rules.length,
  };
}
