import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import type { Fact, ObjectKind, Statement } from './fact.ts';
import { termsOf } from './fact-terms.ts';

/** A memory whose facts are still to be found. */
export interface WaitingMemory {
  id: number;
  account: AccountId;
  namespace_id: number;
  key: string;
  value: string;
  metadata: string;
  version: number;
  updated_at: number;
}

/** Puts a memory into the queue and withdraws what its old value said. */
export function queueMemory(db: WriteDb, account: AccountId, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM facts WHERE memory_id = ?').run(memoryId);
  db.prepare<[number, number]>(
    'INSERT INTO facts_queue (memory_id, account) VALUES (?, ?) ON CONFLICT (memory_id) DO NOTHING',
  ).run(memoryId, account);
}

/** Withdraws what a memory said, and takes it out of the queue. */
export function withdrawMemory(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM facts WHERE memory_id = ?').run(memoryId);
  db.prepare<[number]>('DELETE FROM facts_queue WHERE memory_id = ?').run(memoryId);
}

/** Puts memories of all accounts into the queue, in the order of their ids; answers the last one, or null at the end. */
export function queueMemories(db: WriteDb, after: number, limit: number): number | null {
  const ids = db
    .prepare<[number, number], { id: number; account: AccountId }>(
      'SELECT id, account FROM memories WHERE id > ? AND hidden IS NULL ORDER BY id LIMIT ?',
    )
    .all(after, limit);
  for (const { id, account } of ids) queueMemory(db, account, id);
  return ids.at(-1)?.id ?? null;
}

/** The first memories of the queue, their values cut to so many characters. */
export function waitingMemories(db: ReadDb, limit: number, longest: number): WaitingMemory[] {
  return db
    .prepare<[number, number], WaitingMemory>(
      `SELECT m.id, m.account, m.namespace_id, m.key, substr(m.value, 1, ?) AS value, m.metadata, m.version, m.updated_at
       FROM (SELECT memory_id FROM facts_queue ORDER BY memory_id LIMIT ?) q CROSS JOIN memories m ON m.id = q.memory_id`,
    )
    .all(longest, limit);
}

/** Memories that wait, of one account or of all. */
export function countWaitingMemories(db: ReadDb, account?: AccountId): number {
  const row =
    account === undefined
      ? db.prepare<[], { count: number }>('SELECT count(*) AS count FROM facts_queue').get()
      : db
          .prepare<[number], { count: number }>('SELECT count(*) AS count FROM facts_queue WHERE account = ?')
          .get(account);
  return row?.count ?? 0;
}

/** Keeps the facts of a memory and takes it out of the queue; nothing where it was changed, hidden or deleted meanwhile. */
export function saveFacts(
  db: WriteDb,
  memory: Pick<WaitingMemory, 'id' | 'account' | 'namespace_id' | 'version'>,
  found: { observedAt: number; facts: readonly Statement[] },
): boolean {
  const now = db
    .prepare<[number], { version: number }>(
      'SELECT m.version FROM facts_queue q JOIN memories m ON m.id = q.memory_id WHERE q.memory_id = ?',
    )
    .get(memory.id);
  if (now?.version !== memory.version) return false;
  db.prepare<[number]>('DELETE FROM facts WHERE memory_id = ?').run(memory.id);
  const { account, namespace_id, id } = memory;
  for (const fact of found.facts) {
    const { lastInsertRowid } = db
      .prepare<unknown[]>(
        `INSERT INTO facts (account, namespace_id, memory_id, subject, subject_norm, predicate, said, object, object_norm,
           kind, negated, functional, sentence, confidence, origin, observed_at, valid_from)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        account,
        namespace_id,
        id,
        fact.subject,
        fact.subjectNorm,
        fact.predicate,
        fact.said,
        fact.object,
        fact.objectNorm,
        fact.kind,
        Number(fact.negated),
        Number(fact.functional),
        fact.sentence,
        fact.confidence,
        fact.origin,
        found.observedAt,
        fact.validFrom ?? found.observedAt,
      );
    for (const [term, role] of termsOf(fact))
      db.prepare<unknown[]>(
        'INSERT INTO fact_terms (account, namespace_id, term, fact_id, role) VALUES (?, ?, ?, ?, ?)',
      ).run(account, namespace_id, term, lastInsertRowid, role);
  }
  db.prepare<[number]>('DELETE FROM facts_queue WHERE memory_id = ?').run(id);
  return true;
}

interface FactRow {
  id: number;
  memory_id: number;
  subject: string;
  subject_norm: string;
  predicate: string;
  said: string;
  object: string;
  object_norm: string;
  kind: ObjectKind;
  negated: number;
  functional: number;
  sentence: string;
  confidence: number;
  origin: 'text' | 'metadata';
  observed_at: number;
  valid_from: number;
  valid_to: number | null;
  superseded_by: number | null;
}

const OWN = `f.id, f.memory_id, f.subject, f.subject_norm, f.predicate, f.said, f.object, f.object_norm, f.kind, f.negated,
  f.functional, f.sentence, f.confidence, f.origin, f.observed_at, f.valid_from`;
/** Known at `@known`, and holding at `@holds`: not one that only begins later (`from 1 January`). */
function known(fact: string): string {
  return `${fact}.observed_at <= @known AND (${fact}.valid_from <= @holds OR ${fact}.valid_from <= ${fact}.observed_at)`;
}

const LATER = `n.account = f.account AND n.namespace_id = f.namespace_id AND n.subject_norm = f.subject_norm
  AND n.predicate = f.predicate AND ${known('n')}
  AND (n.valid_from, n.observed_at, n.memory_id) > (f.valid_from, f.observed_at, f.memory_id)`;
const FIRST = 'ORDER BY n.valid_from, n.observed_at, n.memory_id LIMIT 1';
/**
 * The fact that took the place of `f`, as known then: the next of the same subject and predicate that denies it or
 * affirms what it denies, or, where a subject has one such object at a time, that names another one.
 */
const SUPERSEDER = `CASE WHEN f.functional = 1 AND f.negated = 0
  THEN (SELECT n.id FROM facts n INDEXED BY facts_by_subject WHERE ${LATER}
        AND ((n.object_norm <> f.object_norm AND n.negated = 0) OR (n.object_norm = f.object_norm AND n.negated = 1)) ${FIRST})
  ELSE (SELECT n.id FROM facts n INDEXED BY facts_by_object WHERE ${LATER}
        AND n.object_norm = f.object_norm AND n.negated = 1 - f.negated ${FIRST}) END`;
const WITH_END = `SELECT g.*, (SELECT n.valid_from FROM facts n WHERE n.id = g.superseded_by) AS valid_to`;

function toFact(row: FactRow): Fact {
  return {
    id: row.id,
    memoryId: row.memory_id,
    subject: row.subject,
    subjectNorm: row.subject_norm,
    predicate: row.predicate,
    said: row.said,
    object: row.object,
    objectNorm: row.object_norm,
    kind: row.kind,
    negated: row.negated === 1,
    functional: row.functional === 1,
    sentence: row.sentence,
    confidence: row.confidence,
    origin: row.origin,
    observedAt: row.observed_at,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    supersededBy: row.superseded_by,
  };
}

/** Where facts are looked for, and for which times (ms since 1970): said until `known`, and holding at `holds`. */
export interface FactScope {
  account: AccountId;
  namespace: string;
  known: number;
  holds: number;
}

/**
 * The facts to look for as of a time: those said until then that hold then. Without a time, all that were ever said and hold now, also
 * those whose memory's clock was ahead.
 */
export function knowledge(
  place: { account: AccountId; namespace: string },
  at: { asOf: number | undefined; now: number },
): FactScope {
  return { ...place, known: at.asOf ?? Number.MAX_SAFE_INTEGER, holds: at.asOf ?? at.now };
}

const NAMESPACE = '(SELECT id FROM namespaces WHERE account = @account AND name = @namespace)';

export interface FactFilter {
  subject: string | null;
  predicate: string | null;
  key: string | null;
  superseded: boolean;
  /** Facts with lower ids only. */
  before: number | null;
  limit: number;
}

/** A page of facts, newest found first, with the key of their memory and of the one that superseded them. */
export function listFactRows(
  db: ReadDb,
  of: FactScope,
  filter: FactFilter,
): { fact: Fact; key: string; supersededByKey: string | null }[] {
  const subject = filter.subject === null ? '' : 'AND f.subject_norm = @subject';
  return db
    .prepare<[object], FactRow & { key: string; superseded_by_key: string | null }>(
      `${WITH_END}, (SELECT m.key FROM memories m WHERE m.id = g.memory_id) AS key,
         (SELECT m.key FROM facts n JOIN memories m ON m.id = n.memory_id WHERE n.id = g.superseded_by) AS superseded_by_key
       FROM (SELECT ${OWN}, ${SUPERSEDER} AS superseded_by FROM facts f
             WHERE f.account = @account AND f.namespace_id = ${NAMESPACE} ${subject}
               AND (@before IS NULL OR f.id < @before) AND (@predicate IS NULL OR f.predicate = @predicate)
               AND ${known('f')}
               AND (@key IS NULL OR f.memory_id = (SELECT id FROM memories WHERE account = @account
                 AND namespace_id = ${NAMESPACE} AND key = @key))
             ORDER BY f.id DESC) g
       WHERE @superseded = 1 OR g.superseded_by IS NULL LIMIT @limit`,
    )
    .all({ ...of, ...filter, superseded: Number(filter.superseded) })
    .map((row) => ({ fact: toFact(row), key: row.key, supersededByKey: row.superseded_by_key }));
}

/** Every fact of a namespace, as of now, streamed. @internal Tests of the extraction ask. */
export function* factsOf(db: ReadDb, of: FactScope): Generator<Fact> {
  const rows = db
    .prepare<[FactScope], FactRow>(
      `${WITH_END} FROM (SELECT ${OWN}, ${SUPERSEDER} AS superseded_by FROM facts f
       WHERE f.account = @account AND f.namespace_id = ${NAMESPACE}
         AND ${known('f')} ORDER BY f.id) g`,
    )
    .iterate(of);
  for (const row of rows) yield toFact(row);
}

/** How many facts have each term, counted up to `most`. */
export function countTerms(
  db: ReadDb,
  of: FactScope,
  { terms, most }: { terms: readonly string[]; most: number },
): number[] {
  const count = db.prepare<[object], { count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM fact_terms WHERE account = @account
       AND namespace_id = ${NAMESPACE} AND term = @term LIMIT @most)`,
  );
  return terms.map((term) => count.get({ ...of, term, most })?.count ?? 0);
}

/** Those of some namespaces that have facts with any of the terms, the ones with most of the terms first. */
export function namespacesWithTerms(
  db: ReadDb,
  account: AccountId,
  wanted: { namespaces: readonly number[]; terms: readonly string[]; limit: number },
): number[] {
  return db
    .prepare<[object], { id: number }>(
      `SELECT n.value AS id FROM json_each(@namespaces) n CROSS JOIN json_each(@terms) w
       WHERE EXISTS (SELECT 1 FROM fact_terms t WHERE t.account = @account AND t.namespace_id = n.value AND t.term = w.value)
       GROUP BY n.value ORDER BY count(*) DESC, n.value DESC LIMIT @limit`,
    )
    .all({
      account,
      namespaces: JSON.stringify(wanted.namespaces),
      terms: JSON.stringify(wanted.terms),
      limit: wanted.limit,
    })
    .map(({ id }) => id);
}

/** Ids of facts that have any of the terms, with the roles in which each term stands there. */
export function factsWithTerms(
  db: ReadDb,
  of: FactScope,
  terms: readonly string[],
): { id: number; term: string; role: number }[] {
  return db
    .prepare<[object], { id: number; term: string; role: number }>(
      `SELECT t.fact_id AS id, t.term, t.role FROM json_each(@terms) wanted CROSS JOIN fact_terms t
       ON t.account = @account AND t.namespace_id = ${NAMESPACE} AND t.term = wanted.value`,
    )
    .all({ ...of, terms: JSON.stringify(terms) });
}

/** Ids of the newest facts that have all of some terms, looked for among the newest that have the first. */
export function factsWithAll(
  db: ReadDb,
  of: FactScope,
  { terms, among, most }: { terms: readonly string[]; among: number; most: number },
): number[] {
  const [first = '', ...others] = terms;
  return db
    .prepare<[object], { id: number }>(
      `SELECT t.fact_id AS id FROM (SELECT fact_id FROM fact_terms WHERE account = @account
         AND namespace_id = ${NAMESPACE} AND term = @first ORDER BY fact_id DESC LIMIT @among) t
       WHERE NOT EXISTS (SELECT 1 FROM json_each(@others) o WHERE NOT EXISTS (SELECT 1 FROM fact_terms u
         WHERE u.account = @account AND u.namespace_id = ${NAMESPACE} AND u.term = o.value AND u.fact_id = t.fact_id))
       LIMIT @most`,
    )
    .all({ ...of, first, others: JSON.stringify(others), among, most })
    .map(({ id }) => id);
}

/** The roles in which some facts have some terms. */
export function termsOfFacts(
  db: ReadDb,
  of: FactScope,
  wanted: { ids: readonly number[]; terms: readonly string[] },
): { id: number; term: string; role: number }[] {
  return db
    .prepare<[object], { id: number; term: string; role: number }>(
      `SELECT t.fact_id AS id, t.term, t.role FROM json_each(@ids) i CROSS JOIN json_each(@terms) w CROSS JOIN fact_terms t
       ON t.account = @account AND t.namespace_id = ${NAMESPACE} AND t.term = w.value AND t.fact_id = i.value`,
    )
    .all({ ...of, ids: JSON.stringify(wanted.ids), terms: JSON.stringify(wanted.terms) });
}

/** The facts with these ids that were known then, in any order. */
export function findFacts(db: ReadDb, of: FactScope, ids: readonly number[]): Fact[] {
  return db
    .prepare<[object], FactRow>(
      `${WITH_END} FROM (SELECT ${OWN}, ${SUPERSEDER} AS superseded_by FROM json_each(@ids) i CROSS JOIN facts f ON f.id = i.value
       WHERE f.account = @account AND ${known('f')}) g`,
    )
    .all({ ...of, ids: JSON.stringify(ids) })
    .map(toFact);
}
