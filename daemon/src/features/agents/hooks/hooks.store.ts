import type { AccountId } from '@reverie/shared/accounts/caller';
import type { HookAgent, HookEvent } from '@reverie/shared/contract/agents/hooks';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';

export interface Firing {
  account: AccountId;
  agent: HookAgent;
  event: HookEvent;
  now: number;
}

/** Counts a call of a hook, as fired or as doubled, and keeps the time of the latest. */
export function countFiring(db: WriteDb, { account, agent, event, now }: Firing, isDoubled: boolean): void {
  const [fired, doubled] = isDoubled ? [0, 1] : [1, 0];
  db.prepare<unknown[]>(
    `INSERT INTO hook_firings (account, agent, event, fired, doubled, last_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET fired = fired + excluded.fired, doubled = doubled + excluded.doubled,
       last_at = max(last_at, excluded.last_at)`,
  ).run(account, agent, event, fired, doubled, now);
}

export interface FiringRow {
  agent: HookAgent;
  event: HookEvent;
  fired: number;
  doubled: number;
  last_at: number;
}

export function listFirings(db: ReadDb, account: AccountId): FiringRow[] {
  return db
    .prepare<[number], FiringRow>(
      'SELECT agent, event, fired, doubled, last_at FROM hook_firings WHERE account = ? ORDER BY agent, event',
    )
    .all(account);
}

export interface HookSession {
  account: AccountId;
  session: string;
  agent: HookAgent;
  namespace: string;
  now: number;
}

/** Notes that a session is running; where it goes on in another project, it counts as that project's from then on. */
export function saveSession(db: WriteDb, { account, session, agent, namespace, now }: HookSession): void {
  db.prepare<unknown[]>(
    `INSERT INTO hook_sessions (account, session, agent, namespace, started_at, last_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET namespace = excluded.namespace, last_at = excluded.last_at`,
  ).run(account, session, agent, namespace, now, now);
}

/** When an agent was last in a namespace in another session than this (ms since 1970); undefined where it never was. */
export function lastThere(
  db: ReadDb,
  { account, session, agent, namespace }: Omit<HookSession, 'now'>,
): number | undefined {
  return (
    db
      .prepare<[number, string, string, string], { last: number | null }>(
        `SELECT max(last_at) AS last FROM hook_sessions
         WHERE account = ? AND namespace = ? AND agent = ? AND session <> ?`,
      )
      .get(account, namespace, agent, session)?.last ?? undefined
  );
}

/** Of some memories, those that a session was shown. */
export function shownTo(
  db: ReadDb,
  { account, session }: Pick<HookSession, 'account' | 'session'>,
  memories: readonly Buffer[],
): Set<string> {
  const find = db.prepare<[number, string, Buffer], { one: number }>(
    'SELECT 1 AS one FROM hook_shown WHERE account = ? AND session = ? AND memory = ?',
  );
  return new Set(
    memories.filter((memory) => find.get(account, session, memory)).map((memory) => memory.toString('hex')),
  );
}

/** When a session began (ms since 1970), as far as hooks told of it. */
export function sessionBegan(
  db: ReadDb,
  { account, session }: Pick<HookSession, 'account' | 'session'>,
): number | undefined {
  return db
    .prepare<[number, string], { started_at: number }>(
      'SELECT started_at FROM hook_sessions WHERE account = ? AND session = ?',
    )
    .get(account, session)?.started_at;
}

export function addShown(
  db: WriteDb,
  { account, session }: Pick<HookSession, 'account' | 'session'>,
  memories: readonly Buffer[],
): void {
  const add = db.prepare<[number, string, Buffer]>(
    'INSERT INTO hook_shown (account, session, memory) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const memory of memories) add.run(account, session, memory);
}

/** Forgets what a session was shown: the agent has lost it, too. */
export function dropShown(db: WriteDb, { account, session }: Pick<HookSession, 'account' | 'session'>): void {
  db.prepare<[number, string]>('DELETE FROM hook_shown WHERE account = ? AND session = ?').run(
    account,
    session,
  );
}

/** Drops sessions of an account that were last active before a time, with what they were shown; at most 50 a call. */
export function dropSessionsBefore(db: WriteDb, account: AccountId, before: number): void {
  const old = db
    .prepare<[number, number], { session: string }>(
      'SELECT session FROM hook_sessions WHERE account = ? AND last_at < ? LIMIT 50',
    )
    .all(account, before);
  for (const { session } of old) {
    dropShown(db, { account, session });
    db.prepare<[number, string]>('DELETE FROM hook_sessions WHERE account = ? AND session = ?').run(
      account,
      session,
    );
  }
}

export interface SentenceCandidate {
  hash: Buffer;
  sentence: string;
  why: string;
}

/** Keeps a sentence until its session ends, unless it was kept or proposed there before. */
export function addCandidate(
  db: WriteDb,
  { account, session, agent, namespace, now }: HookSession,
  { hash, sentence, why }: SentenceCandidate,
): void {
  db.prepare<unknown[]>(
    `INSERT INTO hook_candidates (account, namespace, hash, session, agent, sentence, why, said_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  ).run(account, namespace, hash, session, agent, sentence, why, now);
}

export interface WaitingCandidate extends SentenceCandidate {
  agent: HookAgent;
  session: string;
}

/**
 * Sentences of a namespace that wait to be proposed, at most 20: those of a session, and those of any that was last active before a time.
 */
export function waitingCandidates(
  db: ReadDb,
  { account, namespace, session }: Pick<HookSession, 'account' | 'namespace' | 'session'>,
  before: number,
): WaitingCandidate[] {
  return db
    .prepare<[number, string, string, number], WaitingCandidate>(
      `SELECT c.hash, c.sentence, c.why, c.agent, c.session FROM hook_candidates c
       LEFT JOIN hook_sessions s ON s.account = c.account AND s.session = c.session
       WHERE c.account = ? AND c.namespace = ? AND c.sentence IS NOT NULL
         AND (c.session = ? OR coalesce(s.last_at, 0) < ?) ORDER BY c.said_at, c.hash LIMIT 20`,
    )
    .all(account, namespace, session, before);
}

/** Erases a sentence but keeps its hash, so that it is not proposed again. */
export function eraseCandidate(
  db: WriteDb,
  { account, namespace }: Pick<HookSession, 'account' | 'namespace'>,
  hash: Buffer,
): void {
  db.prepare<[number, string, Buffer]>(
    'UPDATE hook_candidates SET sentence = NULL WHERE account = ? AND namespace = ? AND hash = ?',
  ).run(account, namespace, hash);
}

interface In {
  account: AccountId;
  namespace: string;
}

const NAMESPACE_ID = '(SELECT id FROM namespaces WHERE account = @account AND name = @namespace)';

/** Ids of memories that have one of some tags, pinned ones first, then the newest, and how many there are in all. */
export function taggedIds(
  db: ReadDb,
  { account, namespace }: In,
  { tags, limit }: { tags: readonly string[]; limit: number },
): { ids: number[]; count: number } {
  const rows = db
    .prepare<[object], { id: number }>(
      `SELECT m.id FROM memory_tags t JOIN memories m ON m.id = t.memory_id
       WHERE t.account = @account AND t.namespace_id = ${NAMESPACE_ID}
         AND lower(t.tag) IN (SELECT value FROM json_each(@tags)) AND m.hidden IS NULL
       GROUP BY m.id ORDER BY max(lower(t.tag) IN ('pin', 'pinned')) DESC, m.updated_at DESC, m.id`,
    )
    .all({ account, namespace, tags: JSON.stringify(tags) });
  return { ids: rows.slice(0, limit).map(({ id }) => id), count: rows.length };
}

/** How the memories of a namespace begin that changed last; '' for those above 64 KiB, which would have to be read whole. */
export function newestHeads(
  db: ReadDb,
  { account, namespace }: In,
  { characters, limit }: { characters: number; limit: number },
): { id: number; head: string }[] {
  return db
    .prepare<[object], { id: number; head: string }>(
      `SELECT m.id, CASE WHEN m.bytes <= 65536 THEN substr(m.value, 1, @characters) ELSE '' END AS head
       FROM memories m WHERE m.account = @account AND m.namespace_id = ${NAMESPACE_ID}
         AND m.hidden IS NULL ORDER BY m.updated_at DESC, m.key LIMIT @limit`,
    )
    .all({ account, namespace, characters, limit });
}

/**
 * Ids of the memories that changed since a time and were last written by somebody else than this key, newest first; only the 500 newest
 * changes are looked at.
 */
export function changedIds(
  db: ReadDb,
  { account, namespace }: In,
  { since, keyId }: { since: number; keyId: string },
): number[] {
  return db
    .prepare<[object], { id: number }>(
      `SELECT c.id FROM (
         SELECT m.id, m.key, m.updated_at FROM memories m WHERE m.account = @account
           AND m.namespace_id = ${NAMESPACE_ID} AND m.updated_at > @since AND m.hidden IS NULL
         ORDER BY m.updated_at DESC, m.key LIMIT 500
       ) c WHERE (SELECT e.actor_id FROM events e WHERE e.account = @account AND e.namespace = @namespace
           AND e.key = c.key AND e.type IN ('memory.write', 'memory.update') ORDER BY e.seq DESC LIMIT 1) IS NOT @keyId
       ORDER BY c.updated_at DESC, c.key`,
    )
    .all({ account, namespace, since, keyId })
    .map(({ id }) => id);
}

/** How many memories that changed since a time were last written by this key; only the 500 newest changes are looked at. */
export function countSaved(
  db: ReadDb,
  { account, namespace }: In,
  { since, keyId }: { since: number; keyId: string },
): number {
  return (
    db
      .prepare<[object], { count: number }>(
        `SELECT count(*) AS count FROM (
           SELECT m.key FROM memories m WHERE m.account = @account AND m.namespace_id = ${NAMESPACE_ID}
             AND m.updated_at >= @since AND m.hidden IS NULL ORDER BY m.updated_at DESC, m.key LIMIT 500
         ) c WHERE (SELECT e.actor_id FROM events e WHERE e.account = @account AND e.namespace = @namespace
             AND e.key = c.key AND e.type IN ('memory.write', 'memory.update') ORDER BY e.seq DESC LIMIT 1) IS @keyId`,
      )
      .get({ account, namespace, since, keyId })?.count ?? 0
  );
}
