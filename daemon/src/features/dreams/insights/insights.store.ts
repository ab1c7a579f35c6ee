import type { AccountId } from '@reverie/shared/accounts/caller';
import { InsightChange, type InsightState } from '@reverie/shared/contract/dreams/dreams';
import type { Strategy } from '@reverie/shared/contract/dreams/dream-strategies';
import { z } from 'zod';
import { valueIn } from '../../../db/json-column.ts';
import type { ReadDb, WriteDb } from '../../../db/open-store.ts';
import { Undo } from './changes.ts';
import { KINDS } from './kinds.ts';

/** An insight as it is stored, without its evidence. Times in milliseconds since 1970, UTC. */
export interface InsightRow {
  id: string;
  account: AccountId;
  namespace: string;
  job_id: string;
  strategy: Strategy;
  title: string;
  body: string;
  confidence: number;
  /** How it was ranked among those of its dream, 0..1, larger is better; 0 until then. */
  score: number;
  /** Whether it was ranked first of them. */
  winner: boolean;
  status: InsightState;
  change: InsightChange | null;
  /** What taking back needs. */
  undo: Undo | null;
  /** Keys of sources that are not as they were. */
  stale: readonly string[];
  /** When what comes up is due; null for others. */
  due_on: number | null;
  /** It waits for nobody before then; null where nobody put it off. */
  snoozed_until: number | null;
  /** By which it is proposed once only: see `fingerprint.ts`. */
  fingerprint: Buffer;
  created_at: number;
  decided_at: number | null;
}

/** An insight as the table has it: what has parts as JSON. */
interface StoredInsight extends Omit<InsightRow, 'winner' | keyof StoredDecision | 'change'>, StoredDecision {
  winner: number;
  change: string | null;
}

type StoredDecision = Pick<InsightRow, 'status' | 'decided_at' | 'snoozed_until'> & {
  undo: string | null;
  stale: string;
};

const Keys = z.array(z.string());
const asJson = (value: object | null) => value && JSON.stringify(value);

function toInsight<T extends StoredInsight>(row: T) {
  return {
    ...row,
    winner: row.winner === 1,
    change: row.change === null ? null : valueIn(InsightChange, row.change),
    undo: row.undo === null ? null : valueIn(Undo, row.undo),
    stale: valueIn(Keys, row.stale),
  };
}

function toStored({ status, undo, stale, decided_at, snoozed_until }: Decided): StoredDecision {
  return { status, undo: asJson(undo), stale: JSON.stringify(stale), decided_at, snoozed_until };
}

/** A sentence that an insight rests on; `digest` is of the whole value that it was taken from. */
export interface EvidenceRow {
  memory_id: number;
  key: string;
  sentence: string;
  digest: Buffer;
}

const OWN = `id account namespace job_id strategy title body confidence score winner status
  change undo stale due_on snoozed_until fingerprint created_at decided_at`.split(/\s+/u);
const COLUMNS = OWN.map((name) => `i.${name}`).join(', ');

export function insertInsight(db: WriteDb, insight: InsightRow, evidence: readonly EvidenceRow[]): void {
  db.prepare<[StoredInsight]>(
    `INSERT INTO dream_insights (${OWN.join(', ')}) VALUES (${OWN.map((name) => `@${name}`).join(', ')})`,
  ).run({
    ...insight,
    ...toStored(insight),
    winner: Number(insight.winner),
    change: asJson(insight.change),
  });
  const add = db.prepare<[EvidenceRow & { account: AccountId; id: string; position: number }]>(
    `INSERT INTO dream_evidence (account, insight_id, position, memory_id, key, sentence, digest)
     VALUES (@account, @id, @position, @memory_id, @key, @sentence, @digest)`,
  );
  const { account, id } = insight;
  for (const [position, row] of evidence.entries()) add.run({ ...row, account, id, position });
}

export function findInsight(db: ReadDb, account: AccountId, id: string): InsightRow | undefined {
  const row = db
    .prepare<[number, string], StoredInsight>(
      `SELECT ${COLUMNS} FROM dream_insights i WHERE i.account = ? AND i.id = ?`,
    )
    .get(account, id);
  return row && toInsight(row);
}

export function evidenceOf(db: ReadDb, insightId: string): EvidenceRow[] {
  return db
    .prepare<[string], EvidenceRow>(
      'SELECT memory_id, key, sentence, digest FROM dream_evidence WHERE insight_id = ? ORDER BY position',
    )
    .all(insightId);
}

/** The parts of an insight that change after it was proposed. */
export type Decided = Pick<InsightRow, 'status' | 'undo' | 'stale' | 'decided_at' | 'snoozed_until'>;

export function saveDecision(db: WriteDb, id: string, decided: Decided): void {
  db.prepare<[StoredDecision & { id: string }]>(
    `UPDATE dream_insights SET status = @status, undo = @undo, stale = @stale, decided_at = @decided_at, snoozed_until = @snoozed_until
     WHERE id = @id`,
  ).run({ ...toStored(decided), id });
}

/** Takes a memory's new value as the one that the evidence is from: the sentence still stands in it. */
export function saveDigest(db: WriteDb, at: { insightId: string; memoryId: number }, digest: Buffer): void {
  db.prepare<[Buffer, string, number]>(
    'UPDATE dream_evidence SET digest = ? WHERE insight_id = ? AND memory_id = ?',
  ).run(digest, at.insightId, at.memoryId);
}

export function saveScore(
  db: WriteDb,
  id: string,
  { score, winner }: { score: number; winner: boolean },
): void {
  db.prepare<[number, number, string]>('UPDATE dream_insights SET score = ?, winner = ? WHERE id = ?').run(
    score,
    Number(winner),
    id,
  );
}

export function deleteInsight(db: WriteDb, id: string): void {
  db.prepare<[string]>('DELETE FROM dream_insights WHERE id = ?').run(id);
}

/** Erases what a memory said from an insight that stays: its sentences, and the title and change that were written from them. */
export function eraseText(
  db: WriteDb,
  insightId: string,
  {
    memoryId,
    title,
    change,
    undo,
  }: { memoryId: number; title: string } & Pick<InsightRow, 'change' | 'undo'>,
): void {
  db.prepare<[string, number]>('DELETE FROM dream_evidence WHERE insight_id = ? AND memory_id = ?').run(
    insightId,
    memoryId,
  );
  db.prepare<unknown[]>(
    "UPDATE dream_insights SET title = ?, body = '', change = ?, undo = ? WHERE id = ?",
  ).run(title, asJson(change), asJson(undo), insightId);
}

/** Insights that rest on a memory, each with the memory's key and the digest of the value that it was drawn from. */
export function insightsOn(db: ReadDb, memoryId: number): (InsightRow & { key: string; digest: Buffer })[] {
  return db
    .prepare<[number], StoredInsight & { key: string; digest: Buffer }>(
      `SELECT ${COLUMNS}, e.key, e.digest FROM dream_evidence e CROSS JOIN dream_insights i ON i.id = e.insight_id
       WHERE e.memory_id = ? GROUP BY i.id`,
    )
    .all(memoryId)
    .map(toInsight);
}

/** A memory was renamed: the insights of its namespace take over its new key. */
export function saveEvidenceKey(
  db: WriteDb,
  memoryId: number,
  { namespace, key }: { namespace: string; key: string },
): void {
  db.prepare<[string, number, string]>(
    `UPDATE dream_evidence SET key = ? WHERE memory_id = ?
       AND insight_id IN (SELECT i.id FROM dream_insights i WHERE i.namespace = ?)`,
  ).run(key, memoryId, namespace);
}

/** Drops all that was proposed, decided and refused in a namespace; answers the ids. */
export function dropNamespaceInsights(
  db: WriteDb,
  { account, namespace }: { account: AccountId; namespace: string },
): string[] {
  const ids = db
    .prepare<[number, string], { id: string }>(
      'SELECT id FROM dream_insights WHERE account = ? AND namespace = ?',
    )
    .all(account, namespace)
    .map(({ id }) => id);
  db.prepare<[number, string]>('DELETE FROM dream_insights WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
  db.prepare<[number, string]>('DELETE FROM dream_fingerprints WHERE account = ? AND namespace = ?').run(
    account,
    namespace,
  );
  return ids;
}

export interface InsightFilter {
  account: AccountId;
  namespace: string | null;
  /** Patterns of namespaces as JSON; null for all. */
  within: string | null;
  status: InsightState | null;
  job: string | null;
  strategy: Strategy | null;
  limit: number;
  /** Only what waits for a decision at `waitingAt` (milliseconds since 1970), or only what does not; null for all. */
  waits: boolean | null;
  waitingAt: number;
  /** Only what was decided on then or later, milliseconds since 1970; null for all. */
  decidedSince: number | null;
}

/** What waits for a decision, in literals, so that it is read in the index of the same name: what comes up is a calendar, and no decision. */
const WAITING = `i.status = 'proposed' AND i.strategy <> 'forecast' AND (i.snoozed_until IS NULL OR i.snoozed_until <= @waitingAt)`;
const PLACES = `i.account = @account AND (@namespace IS NULL OR i.namespace = @namespace)
  AND (@within IS NULL OR has_namespace(@within, i.namespace))`;
const FILTER = `${PLACES} AND (@status IS NULL OR i.status = @status)
  AND (@job IS NULL OR i.job_id = @job) AND (@strategy IS NULL OR i.strategy = @strategy)
  AND (@decidedSince IS NULL OR i.decided_at >= @decidedSince)`;

/** The place of a strategy in `KINDS`; after all of them for one that is not there, which another version wrote. */
const PLACE = `CASE i.strategy ${Object.entries(KINDS)
  .map(([strategy, { place }]) => `WHEN '${strategy}' THEN ${place}`)
  .join(' ')} ELSE 9 END`;
/** What lists are put in order by, the largest first: negated is what has its lowest first, a place and a day. */
const ORDERS = {
  newest: ['i.id'],
  best: ['i.score', 'i.id'],
  kind: [`-(${PLACE})`, `-coalesce(i.due_on, ${Number.MAX_SAFE_INTEGER})`, 'i.score', 'i.id'],
} as const;
export type InsightOrder = keyof typeof ORDERS;

/** A page of insights in an order; `after` is the `at` (JSON) of the last insight of the page before, null for the first page. */
export function listInsightRows(
  db: ReadDb,
  filter: InsightFilter,
  { order, after }: { order: InsightOrder; after: string | null },
): (InsightRow & { at: string })[] {
  const by = ORDERS[order];
  const { waits } = filter;
  const waiting = waits === null ? '' : ` AND ${waits ? WAITING : `NOT (${WAITING})`}`;
  const before = by.map((_, index) => `json_extract(@after, '$[${index}]')`).join(', ');
  return db
    .prepare<[InsightFilter & { after: string | null }], StoredInsight & { at: string }>(
      `SELECT ${COLUMNS}, json_array(${by.join(', ')}) AS at FROM dream_insights i${waits ? ' INDEXED BY dream_insights_waiting' : ''}
       WHERE ${FILTER}${waiting} AND (@after IS NULL OR (${by.join(', ')}) < (${before}))
       ORDER BY ${by.map((column) => `${column} DESC`).join(', ')} LIMIT @limit`,
    )
    .all({ ...filter, after })
    .map(toInsight);
}

/** Counts what waits for a decision. */
export function countWaiting(
  db: ReadDb,
  at: Pick<InsightFilter, 'account' | 'namespace' | 'within'> & { waitingAt: number },
): number {
  return (
    db
      .prepare<[typeof at], { count: number }>(
        `SELECT count(*) AS count FROM dream_insights i WHERE ${PLACES} AND ${WAITING}`,
      )
      .get(at)?.count ?? 0
  );
}

const SOURCES = '(SELECT count(DISTINCT o.memory_id) FROM dream_evidence o WHERE o.insight_id = i.id)';

/**
 * Whether an insight of this strategy, decided on or not, rests on the same memories, or on more, or on two or more of them alone. Of what
 * comes up one memory and the same day are enough: a day is told in one note, and again in a reminder of it. Of a page two thirds of both are the
 * same: who is one of a team may have a page, too.
 */
export function restsOnSame(
  db: ReadDb,
  of: Pick<InsightRow, 'account' | 'namespace' | 'strategy' | 'due_on'> & { memories: readonly number[] },
): boolean {
  const memories = [...new Set(of.memories)];
  return (
    db
      .prepare<[object], { one: number }>(
        `SELECT 1 AS one FROM json_each(@ids) m CROSS JOIN dream_evidence e ON e.memory_id = m.value AND e.account = @account
         CROSS JOIN dream_insights i ON i.id = e.insight_id
         WHERE i.account = @account AND i.namespace = @namespace AND i.strategy = @strategy AND (@dueOn IS NULL OR i.due_on = @dueOn)
         GROUP BY i.id
         HAVING @dueOn IS NOT NULL
           OR CASE WHEN @isPage THEN 5 * count(DISTINCT e.memory_id) >= 2 * (@count + ${SOURCES})
             ELSE count(DISTINCT e.memory_id) = ${SOURCES} AND (count(DISTINCT e.memory_id) > 1 OR @count = 1)
               OR count(DISTINCT e.memory_id) = @count AND @count > 1 END
         LIMIT 1`,
      )
      .get({
        account: of.account,
        namespace: of.namespace,
        strategy: of.strategy,
        dueOn: of.due_on,
        ids: JSON.stringify(memories),
        count: memories.length,
        isPage: Number(of.strategy === 'synthesize' || of.strategy === 'summarize'),
      }) !== undefined
  );
}

/** Whether a memory is called so, by its key or the last part of it, with or without `.md`; large and small letters are one. */
export function hasNoteNamed(
  db: ReadDb,
  { account, namespace }: { account: AccountId; namespace: string },
  name: string,
): boolean {
  const last = `%/${name.replaceAll(/[%_\\]/gu, String.raw`\$&`)}`;
  return (
    db
      .prepare<[object], { one: number }>(
        `SELECT 1 AS one FROM memories m WHERE m.account = @account AND m.hidden IS NULL
           AND m.namespace_id = (SELECT id FROM namespaces WHERE account = @account AND name = @namespace)
           AND (m.key COLLATE NOCASE IN (@name, @file) OR m.key LIKE @last ESCAPE '\\' OR m.key LIKE @lastFile ESCAPE '\\') LIMIT 1`,
      )
      .get({ account, namespace, name, file: `${name}.md`, last, lastFile: `${last}.md` }) !== undefined
  );
}

/** Whether a text has the form of an insight's `at` in this order. */
export function isPlace(order: InsightOrder, at: string): boolean {
  try {
    const place: unknown = JSON.parse(at);
    const last = ORDERS[order].length - 1;
    return (
      Array.isArray(place) &&
      place.length === last + 1 &&
      place.every((part, index) => typeof part === (index === last ? 'string' : 'number'))
    );
  } catch {
    return false;
  }
}

/** Sessions of the memories that an insight rests on, where they have one. */
export function sessionsOf(db: ReadDb, insightId: string): string[] {
  return db
    .prepare<[string], { session: string }>(
      `SELECT m.session FROM dream_evidence e CROSS JOIN memories m ON m.id = e.memory_id
       WHERE e.insight_id = ? AND m.session IS NOT NULL`,
    )
    .all(insightId)
    .map(({ session }) => session);
}

export interface HealthRow {
  memories: number;
  merged: number;
  archived: number;
  superseded: number;
  recalled: number;
  stale: number;
  last_dream_at: number | null;
}

/** Counts of a namespace: visible memories, hidden ones, those of the visible that were recalled, and stale insights. */
export function readHealth(db: ReadDb, at: { account: AccountId; namespace: string }): HealthRow | undefined {
  return db
    .prepare<[typeof at], HealthRow>(
      `WITH place AS (SELECT id, memories FROM namespaces WHERE account = @account AND name = @namespace),
         hidden AS (SELECT count(*) FILTER (WHERE m.hidden = 'merged') AS merged, count(*) FILTER (WHERE m.hidden = 'archived') AS archived,
           count(*) FILTER (WHERE m.hidden = 'superseded') AS superseded, count(*) AS count FROM memories m WHERE m.account = @account AND m.namespace_id = (SELECT id FROM place) AND m.hidden IS NOT NULL)
       SELECT coalesce((SELECT memories FROM place), 0) - hidden.count AS memories, hidden.merged, hidden.archived, hidden.superseded,
         (SELECT count(*) FROM memories m WHERE m.account = @account AND m.namespace_id = (SELECT id FROM place) AND m.hidden IS NULL
            AND EXISTS (SELECT 1 FROM memory_recalls r WHERE r.memory_id = m.id)) AS recalled,
         (SELECT count(*) FROM dream_insights i WHERE i.account = @account AND i.namespace = @namespace AND i.status = 'accepted'
            AND i.stale <> '[]') AS stale,
         (SELECT max(j.completed_at) FROM dream_jobs j WHERE j.account = @account AND j.namespace = @namespace AND j.status = 'complete' AND j.by_agent = 0) AS last_dream_at
       FROM hidden`,
    )
    .get(at);
}

export function countProposed(
  db: ReadDb,
  at: { account: AccountId; namespace: string },
): { strategy: Strategy; insights: number }[] {
  return db
    .prepare<[typeof at], { strategy: Strategy; insights: number }>(
      `SELECT i.strategy, count(*) AS insights FROM dream_insights i
       WHERE i.account = @account AND i.namespace = @namespace AND i.status = 'proposed' GROUP BY i.strategy ORDER BY insights DESC, i.strategy`,
    )
    .all(at);
}
