import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, WriteDb } from '../../db/open-store.ts';
import { objectIn } from '../../db/json-column.ts';
import { saidAt } from '../../language/notes/noted-day.ts';
import { foldLine } from '../../language/words/words.ts';
import { factsOf, type FactSource, type KeptFact } from './note-facts.ts';

interface SourceRow extends FactSource {
  readonly account: AccountId;
  readonly namespace_id: number;
  readonly key: string;
  /** In ms since 1970. */
  readonly updated_at: number;
}

/** Keeps what a memory says now in the place of what it said; nothing where it is hidden. */
export function keepFacts(db: WriteDb, memoryId: number): void {
  withdrawFacts(db, memoryId);
  const source = db
    .prepare<[number], SourceRow>(
      'SELECT account, namespace_id, key, value, metadata, updated_at FROM memories WHERE id = ? AND hidden IS NULL',
    )
    .get(memoryId);
  if (!source) return;
  const observedAt = saidAt({ ...source, metadata: objectIn(source.metadata) });
  const insert = db.prepare<unknown[]>(
    `INSERT INTO facts (account, namespace_id, memory_id, path, subject_norm, label, label_norm, value, quote, origin, observed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { path, label, value, quote, origin } of factsOf(source)) {
    const subject = foldLine(path.at(-1) ?? source.key);
    const { account, namespace_id } = source;
    insert.run(
      ...[account, namespace_id, memoryId, JSON.stringify(path), subject, label],
      ...[foldLine(label), value, quote, origin, observedAt],
    );
  }
}

/** Withdraws what a memory said. */
export function withdrawFacts(db: WriteDb, memoryId: number): void {
  db.prepare<[number]>('DELETE FROM facts WHERE memory_id = ?').run(memoryId);
}

/** A fact with its memory's number; `observedAt` in ms since 1970. */
export interface FactRow extends KeptFact {
  readonly id: number;
  readonly memoryId: number;
  readonly predicate: string;
  readonly observedAt: number;
}

type Columns = Omit<FactRow, 'path'> & { path: string };

const COLUMNS =
  'f.id, f.memory_id AS memoryId, f.path, f.label, f.label_norm AS predicate, f.value, f.quote, f.origin, f.observed_at AS observedAt';

function toFact<Row extends Columns>(row: Row): Omit<Row, 'path'> & { path: readonly string[] } {
  return { ...row, path: JSON.parse(row.path) as string[] };
}

export interface FactFilter {
  readonly account: AccountId;
  readonly namespace: string;
  readonly subject: string | null;
  readonly predicate: string | null;
  readonly key: string | null;
  /** Said until then, in ms since 1970. */
  readonly asOf: number | null;
  /** Facts with lower ids only. */
  readonly before: number | null;
  readonly limit: number;
}

/** A page of facts, the newest kept first, each with the key of its memory. */
export function listFactRows(db: ReadDb, filter: FactFilter): (FactRow & { key: string })[] {
  const subject = filter.subject === null ? '' : 'AND f.subject_norm = @subject';
  return db
    .prepare<[object], Columns & { key: string }>(
      `SELECT ${COLUMNS}, m.key FROM facts f CROSS JOIN memories m ON m.id = f.memory_id
       WHERE f.account = @account
         AND f.namespace_id = (SELECT id FROM namespaces WHERE account = @account AND name = @namespace) ${subject}
         AND (@before IS NULL OR f.id < @before) AND (@predicate IS NULL OR f.label_norm = @predicate)
         AND (@asOf IS NULL OR f.observed_at <= @asOf) AND (@key IS NULL OR m.key = @key)
       ORDER BY f.id DESC LIMIT @limit`,
    )
    .all({ ...filter })
    .map(toFact);
}

/** Facts of several memories that are looked at. */
const MOST = 2_000;

/** The facts of some memories of an account that did not change since `asOf`, the newest said first. */
export function factsOfMemories(
  db: ReadDb,
  account: AccountId,
  { ids, asOf }: { ids: readonly number[]; asOf: number | undefined },
): (FactRow & { key: string })[] {
  return db
    .prepare<[object], Columns & { key: string }>(
      `SELECT ${COLUMNS}, m.key FROM json_each(@ids) i CROSS JOIN memories m ON m.id = i.value
         CROSS JOIN facts f ON f.memory_id = m.id AND f.account = m.account
       WHERE m.account = @account AND (@asOf IS NULL OR m.updated_at <= @asOf) ORDER BY f.observed_at DESC, f.id LIMIT ${MOST}`,
    )
    .all({ account, ids: JSON.stringify(ids), asOf: asOf ?? null })
    .map(toFact);
}
