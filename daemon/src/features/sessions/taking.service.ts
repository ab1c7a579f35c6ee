import path from 'node:path';
import type { AccountId } from '@reverie/shared/accounts/caller';
import type { SessionAgent } from '@reverie/shared/contract/sessions';
import type { Author } from '../../db/change.ts';
import type { WriteDb } from '../../db/open-store.ts';
import { newUlid } from '../../platform/ids.ts';
import type { SessionsDeps } from './deps.ts';
import {
  type EntryRow,
  deleteEntry,
  failedColumn,
  findKnownEntry,
  insertEntry,
  type KnownEntry,
  replaceEntry,
  saveUsage,
} from './entries.store.ts';
import { entryHash, entryId, keptText, searchedBody } from './entry.ts';
import type { ReadRecord, ReadEntry, ReadUsage, SessionFacts } from './formats/format.ts';
import {
  findSessionOfSource,
  insertSession,
  isForgotten,
  saveSession,
  type SessionRow,
} from './sessions.store.ts';
import { ensureTextIndex, indexText, removeText } from './text.store.ts';

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
    const session = sessionOf(db, deps, { ...taking, source });
    if (!session) continue;
    const writing = beginWriting(db, deps, session);
    for (const read of withoutOverruled(reads)) {
      if (read.kind === 'facts') takeFacts(deps, session, read.facts);
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

/** Reads without those of an item that a later one of the same batch overrules: a log that is read again tells of what was taken back, too. */
function withoutOverruled(reads: readonly ReadRecord[]): ReadRecord[] {
  const last = new Map<string, number>();
  for (const [at, read] of reads.entries()) for (const item of itemsOf(read)) last.set(item, at);
  return reads.flatMap((read, at): ReadRecord[] => {
    if (read.kind === 'entry') return last.get(read.entry.item) === at ? [read] : [];
    if (read.kind !== 'gone') return [read];
    const items = read.items.filter((item) => last.get(item) === at);
    return items.length === 0 ? [] : [{ ...read, items }];
  });
}

function itemsOf(read: ReadRecord): readonly string[] {
  if (read.kind === 'entry') return [read.entry.item];
  return read.kind === 'gone' ? read.items : [];
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
    ...{ title: null, title_rank: 0, project: null, folder: null, branch: null, version: null },
    ...{
      namespace: 'default',
      parent: null,
      parent_kind: null,
      models: '[]',
      tokens: 0,
      entries: 0,
      others: 0,
    },
    ...{ seq: 0, role: 'owner', started_at: now, updated_at: now, ended_at: null },
  };
}

/** No system has longer paths; one that was cut would be another one. */
const LONGEST_PATH = 4_096;
const LONGEST_NAME = 256;

function takeFacts({ world }: SessionsDeps, session: SessionRow, facts: SessionFacts): void {
  const { title, folder, version, parent } = facts;
  const branch = facts.branch?.slice(0, LONGEST_NAME).toWellFormed();
  if (title && title.rank >= session.title_rank) {
    session.title = title.text.slice(0, 256).toWellFormed();
    session.title_rank = title.rank;
  }
  // A session moves between folders, and stays that of the one it began in.
  if (folder !== undefined && folder.length <= LONGEST_PATH && session.folder === null) {
    const project = world.projectOf(folder);
    session.folder = folder;
    session.project = project?.namespace.replace(/^project\//, '') ?? path.basename(folder);
    session.namespace = project?.namespace ?? session.namespace;
  }
  if (branch !== undefined) session.branch = branch;
  if (version !== undefined) session.version = version.slice(0, LONGEST_NAME).toWellFormed();
  if (parent) {
    session.parent = parent.session;
    session.parent_kind = parent.kind;
  }
}

/** An entry as it is written. */
export type WrittenEntry = Omit<
  EntryRow,
  'n' | 'account' | 'session' | 'id' | 'seq' | 'place' | 'hash' | 'bytes'
> & {
  place?: number;
  /** What the text index stores of it, where that was made already. */
  body?: string | undefined;
};

function fromLog(
  { world }: SessionsDeps,
  { session, entry, agentName }: { session: SessionRow; entry: ReadEntry; agentName: string },
): WrittenEntry {
  const { item, at, kind, tool, child } = entry;
  const { folder } = session;
  const files = [...new Set(entry.files ?? [])].map((file) => withinFolder(file, folder));
  return {
    ...{
      item,
      at,
      kind,
      text: entry.text,
      reply_to: null,
      redactions: 0,
      device: null,
      format: session.agent,
    },
    author: entry.byPerson ? 'person' : session.agent,
    author_name: entry.byPerson ? world.person : agentName,
    author_agent: entry.byPerson ? null : session.agent,
    tool: tool?.name ?? null,
    call: tool?.call ?? null,
    failed: failedColumn(tool?.failed),
    files: JSON.stringify(files),
    child: child ?? null,
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
export function beginWriting(db: WriteDb, { world }: SessionsDeps, session: SessionRow): Writing {
  const { account, n } = session;
  const models = new Set(modelsOf(session));
  // Indexed together at the end: anything in between makes the text index write a segment.
  const bodies = new Map<number, string>();
  const written: { id: string; kind: EntryRow['kind'] }[] = [];
  let isFirst = session.entries === 0;

  function note(row: Pick<EntryRow, 'at' | 'kind'>, before: KnownEntry | undefined): void {
    session.entries += before ? 0 : 1;
    session.others += Number(row.kind === 'other') - Number(before?.kind === 'other');
    session.started_at = isFirst ? row.at : Math.min(session.started_at, row.at);
    session.updated_at = isFirst ? row.at : Math.max(session.updated_at, row.at);
    isFirst = false;
    if (session.ended_at !== null && row.at > session.ended_at) session.ended_at = null;
  }

  return {
    put({ body, ...entry }) {
      const id = entryId(session.id, entry.item);
      const text = keptText(entry.text);
      const { kind, at, tool, call, failed, files, child, reply_to, author, redactions } = entry;
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
      const before = findKnownEntry(db, n, entry.item);
      if (before && Buffer.compare(before.hash, hash) === 0) return id;
      session.seq += 1;
      const row = {
        ...{ ...entry, account, session: n, id, text, hash, seq: session.seq },
        place: entry.place ?? before?.place ?? session.seq,
        bytes: Buffer.byteLength(entry.text),
      };
      note(row, before);
      if (before) {
        replaceEntry(db, { ...row, n: before.n });
        removeText(db, account, before.n);
      }
      const number = before?.n ?? insertEntry(db, row);
      const searched = body ?? searchedBody(row);
      if (searched !== '') bodies.set(number, searched);
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
      bodies.delete(known.n);
      removeText(db, account, known.n);
      deleteEntry(db, known.n);
      if (known.device === null) world.removed(db, session, item);
      session.entries -= 1;
      session.others -= Number(known.kind === 'other');
      session.seq += 1;
    },
    end(by) {
      session.models = JSON.stringify([...models]);
      saveSession(db, session);
      world.written(db, session);
      if (bodies.size > 0) ensureTextIndex(db, account);
      for (const [number, body] of bodies) indexText(db, account, { n: number, body });
      const last = written.at(-1);
      if (!by || !last) return;
      world.record(db, {
        ...{ account, ...by },
        ...{ type: 'session.entry', namespace: session.namespace, key: null, before: null },
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

/** The models of a session, as its row has them. */
export function modelsOf({ models }: Pick<SessionRow, 'models'>): string[] {
  const parsed: unknown = JSON.parse(models);
  return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
}
