import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SessionAgent } from '@reverie/shared/contract/sessions/sessions';
import type { ReadRecord, ReadEntry, ReadUsage, SessionFacts } from '@reverie/session-logs/format';
import { isIndexedNow } from '../../db/backlog.ts';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { indexUnits } from '../../language/indexed-text.ts';
import { isModelFolder } from '../../models/agents/folder.ts';
import { newUlid } from '../../platform/ids.ts';
import type { SessionsDeps } from './deps.ts';
import {
  type EntryRow,
  deleteEntry,
  failedColumn,
  findKnownEntry,
  insertEntry,
  type KnownEntry,
  moveEntry,
  replaceEntry,
  saveUsage,
  timesOfEntries,
} from './entries.store.ts';
import {
  entryHash,
  entryId,
  isPossibleTime,
  keptText,
  nearestTime,
  searchedBody,
  searchedPart,
} from './entry.ts';
import {
  findSessionOfSource,
  forgetSource,
  insertSession,
  isForgotten,
  saveSession,
  type SessionRow,
} from './sessions.store.ts';
import { leaveText, leftText, removeText, sessionTexts } from './text.store.ts';

/** Reads of an agent's log, in the order in which they stand there. */
export interface Taking {
  account: AccountId;
  agent: SessionAgent;
  agentName: string;
  reads: readonly ReadRecord[];
  /** What the text index stores of each entry among them. */
  bodies: ReadonlyMap<ReadRecord, string>;
  /** Whether this is written now, so that who follows is told; old logs are taken in without a word. */
  isNews: boolean;
}

/** Takes what a log says over into sessions, in the transaction of the caller; what is there already changes nothing. */
export function takeReads(db: WriteDb, deps: SessionsDeps, taking: Taking): void {
  for (const [source, reads] of Map.groupBy(taking.reads, ({ session }) => session)) {
    if (isOfModel(reads)) {
      forgetSource(db, { account: taking.account, agent: taking.agent, source });
      continue;
    }
    const session = sessionOf(db, deps, { ...taking, source });
    if (!session) continue;
    const writing = beginWriting(db, deps, session);
    for (const read of withoutOverruled(reads)) {
      if (read.kind === 'facts') takeFacts(session, read.facts);
      else if (read.kind === 'entry')
        writing.put({
          ...fromLog(deps, { session, entry: read.entry, agentName: taking.agentName }),
          body: taking.bodies.get(read),
        });
      else if (read.kind === 'usage') writing.use(read.usage);
      else for (const item of read.items) writing.remove(item);
    }
    writing.end(taking.isNews ? { actor: { kind: 'system', id: taking.agent }, origin: 'local' } : undefined);
  }
}

/** Whether an agent wrote a log while it was asked as a model: its folder says so, and nobody worked there. */
function isOfModel(reads: readonly ReadRecord[]): boolean {
  return reads.some((read) => read.kind === 'facts' && isModelFolder(read.facts.folder ?? ''));
}

/**
 * Reads with an item once: as the last one of the batch has it, where the first one stands, as if each had come in a batch of its own. A log
 * that is read again tells of what was taken back, too.
 */
function withoutOverruled(reads: readonly ReadRecord[]): ReadRecord[] {
  const known = new Map<string, { first: number; last: ReadRecord }>();
  for (const [at, read] of reads.entries())
    if (read.kind === 'entry') {
      const before = known.get(read.entry.item);
      known.set(read.entry.item, { first: before?.last.kind === 'entry' ? before.first : at, last: read });
    } else if (read.kind === 'gone')
      for (const item of read.items) known.set(item, { first: at, last: read });
  return reads.flatMap((read, at): ReadRecord[] => {
    if (read.kind === 'entry') {
      const { first, last } = known.get(read.entry.item) ?? { first: at, last: read };
      return first === at ? [last] : [];
    }
    if (read.kind !== 'gone') return [read];
    const items = read.items.filter((item) => known.get(item)?.last === read);
    return items.length === 0 ? [] : [{ ...read, items }];
  });
}

function sessionOf(
  db: WriteDb,
  { clock }: SessionsDeps,
  { account, agent, source }: Taking & { source: string },
): SessionRow | undefined {
  const known = findSessionOfSource(db, account, { agent, source });
  if (known) return known;
  if (isForgotten(db, { account, agent, source })) return undefined;
  return insertSession(db, newSession({ account, agent, source, now: clock.now() }));
}

/** A session with nothing in it. Its times are those of its entries as soon as it has some. */
export function newSession({
  now,
  ...given
}: {
  account: AccountId;
  agent: string;
  source: string | null;
  now: number;
}): Omit<SessionRow, 'n'> {
  return {
    ...given,
    id: `cs_${newUlid(now)}`,
    title: null,
    title_rank: 0,
    project: null,
    folder: null,
    branch: null,
    version: null,
    namespace: 'default',
    parent: null,
    parent_kind: null,
    models: '[]',
    tokens: 0,
    entries: 0,
    others: 0,
    unread: 0,
    unknown: 0,
    seq: 0,
    role: 'owner',
    started_at: now,
    updated_at: now,
    ended_at: null,
  };
}

function takeFacts(session: SessionRow, facts: SessionFacts): void {
  const { title, folder, project, branch, version, parent } = facts;
  if (title && title.rank >= session.title_rank) {
    session.title = title.text.slice(0, 256).toWellFormed();
    session.title_rank = title.rank;
  }
  // A session moves between folders, and stays that of the one it began in.
  if (folder !== undefined && session.folder === null) {
    session.folder = folder;
    session.project = project?.namespace.replace(/^project\//, '') ?? path.basename(folder);
    session.namespace = project?.namespace ?? session.namespace;
  }
  if (branch !== undefined) session.branch = branch;
  if (version !== undefined) session.version = version;
  if (parent) {
    session.parent = parent.session;
    session.parent_kind = parent.kind;
  }
}

/** An entry as it is written; `at` is what its own clock says, and is clamped to what ours lets it be. */
export type WrittenEntry = Omit<
  EntryRow,
  'n' | 'account' | 'session' | 'id' | 'seq' | 'ordered_at' | 'place' | 'hash' | 'bytes'
> & {
  /** Its own time where it is missing. */
  ordered_at?: number;
  place?: number;
  /** What the whole text takes, where it was cut already. */
  bytes?: number | undefined;
  /** What the text index stores of it, where that was made already. */
  body?: string | undefined;
};

function fromLog(
  { world }: SessionsDeps,
  { session, entry, agentName }: { session: SessionRow; entry: ReadEntry; agentName: string },
): WrittenEntry {
  const { item, at, kind, tool, child, orderedAt } = entry;
  const { folder } = session;
  const files = [...new Set(entry.files ?? [])].map((file) => withinFolder(file, folder));
  return {
    item,
    at,
    kind,
    text: entry.text,
    bytes: entry.bytes,
    reply_to: null,
    redactions: 0,
    device: null,
    format: session.agent,
    author: entry.byPerson ? 'person' : session.agent,
    author_name: entry.byPerson ? world.personOf(session.account) : agentName,
    author_agent: entry.byPerson ? null : session.agent,
    tool: tool?.name ?? null,
    call: tool?.call ?? null,
    failed: failedColumn(tool?.failed),
    files: JSON.stringify(files),
    child: child ?? null,
    ...(orderedAt !== undefined && { ordered_at: orderedAt }),
  };
}

function withinFolder(file: string, folder: string | null): string {
  if (folder === null || !path.isAbsolute(file)) return file;
  const relative = path.relative(folder, file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}

/** Writes into one session; `end` saves its row, indexes its texts and tells who follows. */
export interface Writing {
  put(entry: WrittenEntry): string;
  use(usage: ReadUsage): void;
  remove(item: string): void;
  /** Tells who follows of what was written, and by whom; nobody where that is missing. */
  end(by: Pick<Author, 'actor' | 'origin'> | undefined): void;
}

/** Begins to write into a session, in the transaction of the caller. */
export function beginWriting(db: WriteDb, { clock, world }: SessionsDeps, session: SessionRow): Writing {
  const { account, n } = session;
  const now = clock.now();
  const models = new Set(modelsOf(session));
  // Indexed together at the end: anything in between makes the text index write a segment.
  const texts = new Map<number, SearchedText>();
  const written: { id: string; kind: EntryRow['kind'] }[] = [];
  let isFirst = session.entries === 0;
  let areTimesStale = false;

  /** A time that cannot be is that of what was said before, whoever says it. */
  function possibleTime(at: number, before: KnownEntry | undefined): number {
    if (isPossibleTime(at, now)) return Math.trunc(at);
    if (before) return before.at;
    return !isFirst && isPossibleTime(session.updated_at, now) ? session.updated_at : now;
  }

  function note(row: Pick<EntryRow, 'at' | 'kind'>, before: KnownEntry | undefined): void {
    session.entries += before ? 0 : 1;
    session.others += Number(row.kind === 'other') - Number(before?.kind === 'other');
    session.started_at = isFirst ? row.at : Math.min(session.started_at, row.at);
    session.updated_at = isFirst ? row.at : Math.max(session.updated_at, row.at);
    isFirst = false;
    areTimesStale ||= before !== undefined && before.at !== row.at;
    if (session.ended_at !== null && row.at > session.ended_at) session.ended_at = null;
  }

  return {
    put({ body, bytes, ...entry }) {
      const id = entryId(session.id, entry.item);
      const text = keptText(entry.text);
      const before = findKnownEntry(db, n, entry.item);
      const at = possibleTime(entry.at, before);
      const given = entry.ordered_at ?? at;
      const ordered_at = before && !isPossibleTime(given, now) ? before.ordered_at : nearestTime(given, now);
      const { kind, tool, call, failed, files, child, reply_to, author, redactions } = entry;
      const hash = entryHash([
        kind,
        at,
        tool,
        call,
        failed,
        files,
        child,
        reply_to,
        author,
        redactions,
        entry.text,
      ]);
      const isSame = before !== undefined && Buffer.compare(before.hash, hash) === 0;
      const order = {
        ordered_at: entry.ordered_at === undefined && before?.at === at ? before.ordered_at : ordered_at,
        place: entry.place ?? before?.place ?? session.seq + 1,
      };
      if (isSame && before.ordered_at === order.ordered_at && before.place === order.place) return id;
      session.seq += 1;
      if (isSame) {
        moveEntry(db, { n: before.n, seq: session.seq, ...order });
        return id;
      }
      const row = {
        ...entry,
        at,
        account,
        session: n,
        id,
        text,
        hash,
        seq: session.seq,
        ...order,
        bytes: bytes ?? Buffer.byteLength(entry.text),
      };
      note(row, before);
      if (before) {
        replaceEntry(db, { ...row, n: before.n });
        removeText(db, account, before.n);
      }
      const number = before?.n ?? insertEntry(db, row);
      if (body !== '') texts.set(number, { kind, text, body });
      written.push({ id, kind });
      return id;
    },
    use({ item, model, input, output }) {
      session.tokens += saveUsage(db, { account, session: n, item, model, input, output });
      if (model !== '') models.add(model);
    },
    remove(item) {
      const known = findKnownEntry(db, n, item);
      if (!known) return;
      texts.delete(known.n);
      removeText(db, account, known.n);
      deleteEntry(db, known.n);
      if (known.device === null) world.removed(db, session, item);
      session.entries -= 1;
      areTimesStale = true;
      session.others -= Number(known.kind === 'other');
      session.seq += 1;
    },
    end(by) {
      session.models = JSON.stringify([...models]);
      const times =
        areTimesStale || !isPossibleTime(session.updated_at, now) ? timesOfEntries(db, n) : undefined;
      if (times) Object.assign(session, { started_at: times.first, updated_at: times.last });
      saveSession(db, session);
      world.written(db, session);
      if (indexTexts(db, account, texts) === 'some left') db.afterCommit(() => world.texts.left(account));
      const last = written.at(-1);
      if (!by || !last) return;
      world.record(db, {
        account,
        ...by,
        type: 'session.entry',
        namespace: session.namespace,
        key: null,
        before: null,
        // Never what was said: events go to webhooks.
        after: {
          session: session.id,
          agent: session.agent,
          seq: session.seq,
          entries: written.length,
          last: last.id,
          kind: last.kind,
        },
      });
    },
  };
}

/** A text that can be searched for; `body` is what the text index stores of it, where that was made already. */
interface SearchedText {
  kind: EntryRow['kind'];
  text: string;
  body: string | undefined;
}

/** How much of what indexing takes is left where the body was made already: a fourth. */
const WITH_BODY = 0.25;

/** Indexes texts by the numbers of their entries, those at once that do not hold others up; the rest is left for behind the write. */
function indexTexts(
  db: WriteDb,
  account: AccountId,
  texts: ReadonlyMap<number, SearchedText>,
): 'all' | 'some left' {
  if (texts.size > 0) sessionTexts.ensure(db, account);
  let left = 0;
  for (const [n, { kind, text, body }] of texts) {
    const units = body === undefined ? indexUnits(searchedPart({ kind, text })) : body.length * WITH_BODY;
    if (isIndexedNow(db, units)) {
      const searched = body ?? searchedBody({ kind, text });
      if (searched !== '') sessionTexts.put(db, account, { n, body: searched });
    } else {
      leaveText(db, account, n);
      left += 1;
    }
  }
  return left === 0 ? 'all' : 'some left';
}

/** Indexes one text that a write left behind; false where an account has none any more. */
export function indexLeftText(db: WriteDb, account: AccountId): boolean {
  const left = leftText(db, account);
  if (!left) return false;
  removeText(db, account, left.n);
  const body = searchedBody(left);
  if (body !== '') sessionTexts.put(db, account, { n: left.n, body });
  return true;
}

/** The models of a session, as its row has them. */
export function modelsOf({ models }: Pick<SessionRow, 'models'>): string[] {
  const parsed: unknown = JSON.parse(models);
  return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
}
